//! Settings of a run: under what circumstances its games are played.

use std::collections::BTreeMap;
use std::time::Duration;

use palestra_arena::{Rules, TimeControl};
use palestra_games::GameKind;
use palestra_tournament::rubric::SearchResult;
use serde::{Deserialize, Serialize};

/// Under what circumstances the games of a run are played, as it is stored: a later Palestra shows it as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunSettings {
    /// The id of the game.
    pub(crate) game: String,
    /// The options, one word.
    pub(crate) options: String,
    /// The referee's rules: time control, move cap.
    pub(crate) rules: Rules,
    /// Decides what chance decides.
    pub(crate) seed: u64,
    /// The version of Palestra.
    pub(crate) palestra: String,
    /// How many games could be played at the same time.
    pub(crate) slots: usize,
    /// How many cores the machine has.
    pub(crate) cores: usize,
    /// Whether the machine was doing other things when the run started: games of tables, analyses, other runs.
    pub(crate) is_shared: bool,
    /// The layers that the boxes of the programs lack, in words: nothing at best. `None` if no program plays.
    pub(crate) lacks: Option<String>,
    /// Of a marking or a trial: what is known of the searches of the teams' bots, by player.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) searches: BTreeMap<usize, SearchResult>,
    /// The machine's speed: positions that `alphabeta:8` visits in the time of a turn, if a turn has a time.
    pub(crate) states: Option<u64>,
}

/// The rules of games under a course's time rule (`cpu 2000`, `wall 2000`, `depth 8`, `states 140000`) with this time a turn
/// in milliseconds. Depth and states are told to programs with each turn and taken on trust: the time still holds.
pub(crate) fn rules_of(time_rule: &str, move_ms: i64, kind: &GameKind) -> Option<Rules> {
    let (word, number) = time_rule.split_once(' ')?;
    let turn = Duration::from_millis(u64::try_from(move_ms).ok().filter(|&ms| ms > 0)?);
    let rules = Rules { time: TimeControl::cpu(turn), cap: kind.about.move_cap, ..Rules::default() };
    Some(match word {
        "cpu" => rules,
        "wall" => Rules { time: TimeControl::Wall(turn), ..rules },
        "depth" => Rules { depth: Some(number.parse().ok()?), ..rules },
        "states" => Rules { states: Some(number.parse().ok()?), ..rules },
        _ => return None,
    })
}

/// The time of a turn under these rules, if it has one.
pub(super) const fn turn_of(rules: &Rules) -> Option<Duration> {
    match rules.time {
        TimeControl::Cpu { cpu, .. } => Some(cpu),
        TimeControl::Wall(wall) => Some(wall),
        TimeControl::Unlimited | TimeControl::Game { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_says_how_time_counts() {
        let kind = GameKind::find("mancala").unwrap();
        let second = Duration::from_secs(1);
        let rules = |text| rules_of(text, 1000, kind);
        assert_eq!(rules("cpu 2000").unwrap().time, TimeControl::cpu(second));
        assert_eq!(rules("wall 2000").unwrap().time, TimeControl::Wall(second));
        let depth = rules("depth 8").unwrap();
        assert_eq!((depth.depth, depth.time), (Some(8), TimeControl::cpu(second)));
        assert_eq!(rules("states 140000").unwrap().states, Some(140_000));
        for wrong in ["", "cpu", "depth x", "days 3"] {
            assert_eq!(rules(wrong), None, "{wrong}");
        }
        assert_eq!(rules_of("cpu 2000", 0, kind), None);
    }
}
