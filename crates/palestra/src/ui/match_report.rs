//! The HTML page of a match.

use palestra_arena::{Contest, ContestError, GameStart, PlayedGame, Task};
use palestra_games::Side;
use palestra_tournament::report::{Interval, MatchGame, MatchReport, MatchRow, TurningLine, match_html};
use palestra_tournament::{Tally, elo};

use crate::contest_setup::{describe_conditions, describe_reason};

/// Collects the games of a match for its page while they are played.
#[derive(Debug, Default)]
pub(crate) struct MatchPage {
    games: Vec<MatchGame>,
    /// Where lost games turned.
    pub(crate) turnings: Vec<TurningLine>,
}

impl MatchPage {
    pub(crate) fn add(&mut self, contest: &Contest, task: &Task, played: &PlayedGame) -> Result<(), ContestError> {
        let PlayedGame { record, verdict, charged, .. } = played;
        let (options, opening_plies) = match contest.start(task.opening)? {
            GameStart::Opening(opening) => (opening.options, opening.moves.len()),
            GameStart::Position(_, moves) => ("-".to_owned(), moves.len()),
        };
        let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text.as_str()).collect();
        let (opening, rest) = moves.split_at(opening_plies.min(moves.len()));
        let options = Some(options.as_str()).filter(|&options| options != "-");
        self.games.push(MatchGame {
            number: task.number + 1,
            players: task.players,
            points: verdict.points,
            winner: verdict.winner.map(Side::index),
            reason: describe_reason(&verdict.reason),
            charged_ms: charged.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            opening: options.into_iter().chain(opening.iter().copied()).collect::<Vec<_>>().join(" "),
            moves: rest.join(" "),
            plies: moves.len(),
        });
        Ok(())
    }

    /// The page, with the games sorted by their numbers.
    pub(crate) fn html(&self, contest: &Contest, tally: &Tally, words: &Words, rows: [MatchRow; 2]) -> String {
        let mut games = self.games.clone();
        games.sort_by_key(|game| game.number);
        let done = games.len();
        let facts = [
            (
                "games",
                if done < words.games as usize { format!("{done} of {}", words.games) } else { done.to_string() },
            ),
            ("time", describe_conditions(contest)),
            ("openings", words.openings.to_string()),
            ("seed", contest.seed.to_string()),
        ];
        match_html(&MatchReport {
            game: contest.kind.about.name.to_owned(),
            summary: words.summary.clone(),
            facts: facts.map(|(what, how)| (what.to_owned(), how)).to_vec(),
            rows,
            elo: (done > 0).then(|| difference(tally)),
            games,
            turnings: self.turnings.clone(),
        })
    }
}

/// The size and the result of a match.
#[derive(Debug)]
pub(crate) struct Words {
    /// The number of games asked for.
    pub(crate) games: u32,
    /// The number of openings.
    pub(crate) openings: usize,
    /// The result, in sentences.
    pub(crate) summary: String,
}

/// The Elo difference of the first player, with its 95 % interval.
pub(crate) fn difference(tally: &Tally) -> Interval {
    let (low, high) = tally.interval();
    let [value, low, high] = [tally.share(), low, high].map(elo);
    Interval { value, low, high }
}
