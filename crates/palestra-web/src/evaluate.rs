//! The evaluation of a line of play: what each of its positions is worth, and what each move cost.
//!
//! A request searches for no longer than an analysis may, and says where to go on. What was found is kept by position, so that
//! a finished game is searched once, whoever looks at it. Positions near a rated game in progress are left out.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use palestra_arena::{BudgetStop, Cost, Judge, Judgement, Limit, Mistake};
use palestra_games::{AnyGame, Record};
use palestra_protocol::Budget;
use palestra_search::{Score, Worth, plies_to_end, strong_unit};
use palestra_store::derived_code;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::help::Help;
use crate::http::error::Refused;
use crate::line::{Asked, sent};
use crate::rendering::Load;
use crate::visitor::Visitor;

/// Positions that were judged lately, by game and notation.
pub(crate) type Judgements = Cache<Judgement>;

/// Memory for them: some 100,000 positions.
pub(crate) const JUDGEMENT_BYTES: usize = 24 << 20;

/// By how much the time by the clock may exceed the CPU time on a busy machine.
const MAX_SLOWDOWN: u32 = 4;

/// A request for the evaluation of a line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: String,
    position: Option<String>,
    options: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// The number of moves before the first position that is wanted.
    #[serde(default)]
    from: usize,
}

/// What a position is worth, for side 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Value {
    /// In the unit of the evaluation; none if a side wins.
    amount: Option<f64>,
    /// The side that wins, 0 or 1.
    #[cfg_attr(test, ts(type = "0 | 1 | null"))]
    winner: Option<usize>,
    /// In how many plies it wins; none if nobody knows.
    plies: Option<u32>,
    is_proven: bool,
    /// The chance of side 1, from 0 to 1.
    chance: f64,
}

/// A message of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Evaluated {
    /// The position after so many moves.
    Ply {
        ply: usize,
        value: Value,
        depth: u32,
        best: Vec<String>,
        /// What the move that led here cost; none for the first position, and after one that was left out.
        cost: Option<MoveCost>,
    },
    /// A position that is left out, because a rated game is near it.
    Hidden { ply: usize },
    /// The time is up: ask again from there.
    More { from: usize },
}

/// What a move cost the side that made it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveCost {
    /// In the unit of the evaluation; none if a win or more was lost.
    lost: Option<f64>,
    #[cfg_attr(test, ts(type = "\"mistake\" | \"blunder\" | null"))]
    mistake: Option<&'static str>,
    /// From 0 to 100; none if there was only one move.
    accuracy: Option<f64>,
}

impl Value {
    pub(crate) fn new(game: &str, score: Score, worth: Worth) -> Self {
        let (winner, plies) = match worth {
            Worth::WinsIn(plies) => (Some(0), Some(plies)),
            Worth::LosesIn(plies) => (Some(1), Some(plies)),
            Worth::Winning => (Some(0), None),
            Worth::Losing => (Some(1), None),
            _ => (None, None),
        };
        let is_proven = matches!(worth, Worth::Draw | Worth::Proven(_)) || plies.is_some();
        Self { amount: worth.number(), winner, plies, is_proven, chance: palestra_arena::chance(game, score) }
    }
}

impl MoveCost {
    fn new(game: &str, cost: Cost, choices: usize) -> Self {
        let mistake = cost.mistake.filter(|_| choices > 1).map(|mistake| match mistake {
            Mistake::Mistake => "mistake",
            Mistake::Blunder => "blunder",
        });
        // Twice half a win is more than any number of things that are counted.
        let is_number = plies_to_end(cost.lost).is_none() && cost.lost < Score::MAX / 4;
        let lost = is_number.then(|| f64::from(cost.lost) / f64::from(strong_unit(game)));
        Self { lost, mistake, accuracy: (choices > 1).then_some(cost.accuracy) }
    }
}

impl Weighed for Judgement {
    fn bytes(&self) -> usize {
        160 + self.best.iter().map(|mv| 24 + mv.len()).sum::<usize>()
    }
}

/// For pages.
pub(crate) async fn api(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    Help::count(&app, &visitor)?;
    let wanted = sent(wanted)?;
    let (from, moves) = (wanted.from, wanted.moves.len());
    if from > moves {
        return Err(Refused::bad("replay.from"));
    }
    let read = move || {
        let Wanted { game, position, options, moves, .. } = &wanted;
        Asked { game, position: position.as_deref(), options: options.as_deref(), moves }.record()
    };
    let record = app.rendering.run(Load::Heavy, read).await??;
    let help = Help::begin(&app, &visitor)?;
    let (owner, cpu) = (help.owner, help.cpu);
    let work = {
        let app = app.clone();
        move |quit: &AtomicBool, tell: &mut dyn FnMut(Evaluated)| {
            let budget = Budget { cpu: Some(cpu), wall: Some(cpu * MAX_SLOWDOWN), ..Budget::INFINITE };
            if let Some(evaluation) = Evaluation::new(&app, quit, budget) {
                evaluation.run(&record, from, tell);
            }
        }
    };
    let reports = app.thinking.report(owner, cpu, work)?;
    Ok(events(reports, help))
}

/// Messages as server-sent events, as which no layer holds them back. What is kept is dropped with them.
pub(crate) fn events<T: Serialize + Send + 'static>(
    messages: impl Stream<Item = T> + Send + 'static,
    kept: impl Send + 'static,
) -> Response {
    let lines = messages.map(move |message| {
        let _kept = &kept;
        let json = serde_json::to_string(&message).unwrap_or_default();
        Ok::<_, Infallible>(format!("data: {json}\n\n"))
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(lines)).into_response()
}

/// An evaluation under way.
struct Evaluation<'a> {
    app: &'a App,
    judge: Judge,
    quit: &'a AtomicBool,
    budget: Budget,
    /// All of the request.
    within: BudgetStop<'a>,
    has_searched: bool,
}

/// What is known of a position of the line.
struct Judged {
    judgement: Option<Arc<Judgement>>,
    choices: usize,
}

impl<'a> Evaluation<'a> {
    fn new(app: &'a App, quit: &'a AtomicBool, budget: Budget) -> Option<Self> {
        let judge = Judge::new().ok()?;
        Some(Self { app, judge, quit, budget, within: BudgetStop::new(budget, quit), has_searched: false })
    }

    /// Evaluates a game from a ply on, until it ends or the time is up.
    fn run(mut self, record: &Record, from: usize, tell: &mut dyn FnMut(Evaluated)) {
        let game = record.kind().id();
        // The cost of the first move needs the position before it.
        let begin = from.saturating_sub(1);
        let mut position = record.up_to(begin).position().boxed_clone();
        let mut before: Option<Judged> = None;
        for ply in begin..=record.moves().len() {
            let Some(judged) = self.judged(&*position) else { return tell(Evaluated::More { from: ply.max(from) }) };
            if ply >= from {
                let mv = ply.checked_sub(1).map(|index| &record.moves()[index]);
                let cost = before.as_ref().zip(mv).and_then(|(before, mv)| {
                    let (then, now) = (before.judgement.as_ref()?, judged.judgement.as_ref()?);
                    Some(MoveCost::new(game, then.cost(now, game, mv.played.side, &mv.text), before.choices))
                });
                tell(judged.message(game, ply, cost));
            }
            before = Some(judged);
            if let Some(mv) = record.moves().get(ply)
                && position.play(&mv.text).is_err()
            {
                return;
            }
        }
    }

    /// What a position is worth; `None` if the time is up.
    fn judged(&mut self, position: &dyn AnyGame) -> Option<Judged> {
        let choices = position.moves().len();
        // A visitor may sit down at a rated table meanwhile; such a game may reach this position meanwhile.
        if self.app.tables.is_secret(position) {
            return Some(Judged { judgement: None, choices });
        }
        let key = format!("{} {}", position.kind().id(), derived_code(&position.notation()));
        if let Some(known) = self.app.judgements.find(&key) {
            return Some(Judged { judgement: Some(known), choices });
        }
        let states = Some(Judge::states(position.kind().id()));
        let left = |limit: Option<std::time::Duration>, used| limit.map(|limit| limit.saturating_sub(used));
        let used = self.within.cpu();
        let budget =
            Budget { cpu: left(self.budget.cpu, used), wall: left(self.budget.wall, used), states, depth: None };
        let mut stop = BudgetStop::new(budget, self.quit);
        let judgement = Arc::new(self.judge.judge(position, &mut stop)?);
        let was_cut = matches!(stop.reached(), Some(Limit::Cpu(_) | Limit::Wall(_) | Limit::Quit));
        let is_first = !std::mem::replace(&mut self.has_searched, true);
        // A position that takes more than all of the time is shown as far as it came, so that the line goes on.
        if was_cut && (!is_first || judgement.depth == 0) {
            return None;
        }
        if !was_cut {
            self.app.judgements.keep(&key, judgement.clone());
        }
        Some(Judged { judgement: Some(judgement), choices })
    }
}

impl Judged {
    fn message(&self, game: &str, ply: usize, cost: Option<MoveCost>) -> Evaluated {
        let Some(judgement) = &self.judgement else { return Evaluated::Hidden { ply } };
        let Judgement { score, worth, depth, best } = &**judgement;
        Evaluated::Ply { ply, value: Value::new(game, *score, *worth), depth: *depth, best: best.clone(), cost }
    }
}
