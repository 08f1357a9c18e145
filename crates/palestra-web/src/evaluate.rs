//! The evaluation of a line of play: what each of its positions is worth, and what each move cost.
//!
//! A request searches for no longer than an analysis may, and says where to go on. What was found is kept by position, so that
//! a finished game is searched once for all visitors. Positions near a rated game in progress are left out.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use palestra_arena::{BudgetStop, Cost, Judge, Judgement, Mistake};
use palestra_games::{AnyGame, Outcome, Record, Side};
use palestra_search::engine::{States, Stop};
use palestra_search::{Score, Worth, plies_to_end, strong_unit};
use palestra_store::derived_code;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::help::Help;
use crate::http::error::Refused;
use crate::line::{Asked, sent};
use crate::thinking::search_budget;
use crate::visitor::Visitor;

/// Positions that were judged lately, by game and notation.
pub(crate) type Judgements = Cache<Judgement>;

/// Memory for them: some 100,000 positions.
pub(crate) const JUDGEMENT_BYTES: usize = 24 << 20;

/// A request for the evaluation of a line.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = EvaluationRequest)]
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
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Value"))]
pub(crate) struct PositionValue {
    /// In the unit of the evaluation; none if a side wins, unless the game has ended in points.
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
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Evaluated {
    /// The position after the first `ply` moves.
    Ply {
        ply: usize,
        value: PositionValue,
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
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveCost {
    /// In the unit of the evaluation; none if a win or more was lost.
    lost: Option<f64>,
    #[cfg_attr(test, ts(type = "\"mistake\" | \"blunder\" | null"))]
    mistake: Option<&'static str>,
    /// From 0 to 100; none if there was only one move.
    accuracy: Option<f64>,
}

impl Wanted {
    fn asked(&self) -> Asked<'_> {
        let Self { game, position, options, moves, .. } = self;
        Asked { game, position: position.as_deref(), options: options.as_deref(), moves }
    }
}

impl PositionValue {
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

    /// What the end of a game is worth.
    fn of_end(outcome: Outcome, worth: Worth) -> Self {
        let winner = outcome.winner().map(Side::index);
        let chance = winner.map_or(0.5, |winner| if winner == 0 { 1.0 } else { 0.0 });
        Self { amount: worth.number(), winner, plies: winner.map(|_| 0), is_proven: true, chance }
    }
}

impl MoveCost {
    fn new(game: &str, cost: Cost, choices: usize) -> Self {
        let mistake = cost.mistake.filter(|_| choices > 1).map(|mistake| match mistake {
            Mistake::Mistake => "mistake",
            Mistake::Blunder => "blunder",
        });
        // The loss of a win is more than any number of things that are counted.
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

/// Evaluates a line of play.
///
/// Each position is a server-sent event. When the time is up, the last one says where to ask on.
#[utoipa::path(
    post, path = "/evaluate", operation_id = "evaluate", request_body = Wanted, security(("token" = ["analyse"]), ()),
    responses((status = 200, body = Evaluated, content_type = "text/event-stream"))
)]
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
    let record = app.rendering.run(wanted.asked().load(), move || wanted.asked().record()).await??;
    let help = Help::begin(&app, &visitor)?;
    let (owner, cpu) = (help.owner, help.cpu);
    let work = {
        let app = app.clone();
        move |quit: &AtomicBool, tell: &mut dyn FnMut(Evaluated)| {
            if let Some(evaluation) = Evaluation::new(&app, quit, cpu) {
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
    /// Stops the search of the position before the first one that is wanted: it may take half of the time.
    before: BudgetStop<'a>,
    /// Stops all others.
    within: BudgetStop<'a>,
}

/// What is known of a position of the line.
struct Judged {
    /// None if the position is left out.
    judgement: Option<Arc<Judgement>>,
    choices: usize,
}

impl<'a> Evaluation<'a> {
    fn new(app: &'a App, quit: &'a AtomicBool, cpu: Duration) -> Option<Self> {
        let judge = Judge::new().ok()?;
        let [before, within] = [cpu / 2, cpu].map(|cpu| BudgetStop::new(search_budget(cpu), quit));
        Some(Self { app, judge, before, within })
    }

    /// Evaluates a game from a ply on, until it ends or the time is up.
    fn run(mut self, record: &Record, from: usize, tell: &mut dyn FnMut(Evaluated)) {
        let game = record.kind().id();
        // The cost of the first move needs the position before it.
        let begin = from.saturating_sub(1);
        let mut position = record.up_to(begin).position().boxed_clone();
        let mut before: Option<Judged> = None;
        for ply in begin..=record.moves().len() {
            if ply > from && self.within.ask(0).is_break() {
                return tell(Evaluated::More { from: ply });
            }
            let Some(judged) = self.judged(&*position, ply, from) else { return tell(Evaluated::More { from: ply }) };
            if ply >= from {
                let mv = ply.checked_sub(1).map(|index| &record.moves()[index]);
                let cost = before.as_ref().zip(mv).and_then(|(before, mv)| {
                    let (then, now) = (before.judgement.as_ref()?, judged.judgement.as_ref()?);
                    Some(MoveCost::new(game, then.cost(now, game, mv.played.side, &mv.text), before.choices))
                });
                tell(self.message(&*position, ply, &judged, cost));
            }
            before = Some(judged);
            if let Some(mv) = record.moves().get(ply)
                && position.play(&mv.text).is_err()
            {
                return;
            }
        }
    }

    /// What the position at a ply is worth; `None` if the time is up. Each request goes on by at least one position:
    /// if the first one that is wanted takes more than all of the time, it is shown as far as it was searched.
    fn judged(&mut self, position: &dyn AnyGame, ply: usize, from: usize) -> Option<Judged> {
        let (game, choices) = (position.kind().id(), position.moves().len());
        // A rated game may reach this position meanwhile.
        if self.app.tables.is_secret(position) {
            return Some(Judged { judgement: None, choices });
        }
        let key = format!("{game} {}", derived_code(&position.notation()));
        if let Some(judgement) = self.app.judgements.find(&key) {
            return Some(Judged { judgement: Some(judgement), choices });
        }
        let time = if ply < from { &mut self.before } else { &mut self.within };
        let judgement = self.judge.judge(position, &mut (States(Judge::states(game)), &mut *time)).map(Arc::new)?;
        if time.reached().is_none() {
            self.app.judgements.keep(&key, judgement.clone());
            return Some(Judged { judgement: Some(judgement), choices });
        }
        // At depth 0 nothing was searched.
        let judgement = Some(judgement).filter(|judgement| judgement.depth > 0);
        let goes_on = ply < from || (ply == from && judgement.is_some());
        goes_on.then_some(Judged { judgement, choices })
    }

    fn message(&self, position: &dyn AnyGame, ply: usize, judged: &Judged, cost: Option<MoveCost>) -> Evaluated {
        let Some(judgement) = &judged.judgement else { return Evaluated::Hidden { ply } };
        let Judgement { score, worth, depth, best } = &**judgement;
        let value = match position.outcome() {
            Some(outcome) => PositionValue::of_end(outcome, *worth),
            None => PositionValue::new(position.kind().id(), *score, *worth),
        };
        let best = self.app.tables.before_secret(position, best.clone());
        Evaluated::Ply { ply, value, depth: *depth, best, cost }
    }
}
