//! What a league's schedule means: its next runs, and how long one is expected to take.

use std::time::Duration;

use palestra_games::GameKind;
use palestra_store::{Course, MeasuredGames, NewLeague, StoreError};
use palestra_tournament::schedule::Schedule;

use super::{local_moment, moment_ms, timestamp};
use crate::app::{App, now_ms};
use crate::locale::Locale;
use crate::moment::span;
use crate::time_zone::Zone;

/// Runs that the form shows.
const SHOWN_RUNS: usize = 3;

/// Moves of a game whose rules do not limit them, as far as a bound on its time is concerned.
const MOVES: u32 = 100;

/// The next runs of a league, and what one of them takes.
pub(super) struct Forecast {
    /// In words, in the time zone of the course.
    pub(super) runs: Vec<String>,
    pub(super) zone: String,
    pub(super) bots: usize,
    pub(super) games: u64,
    /// In words; none if no game is played.
    pub(super) takes: Option<String>,
    /// Whether that is the average of games that were played, not a bound.
    pub(super) is_measured: bool,
    /// Whether a run is expected to take more than half of the time until the next one.
    pub(super) is_tight: bool,
}

impl Forecast {
    /// The forecast for a league, saved or not.
    pub(super) async fn of(
        app: &App,
        course: &Course,
        league: &NewLeague,
        schedule: &Schedule,
        locale: Locale,
    ) -> Result<Self, StoreError> {
        let zone = Zone::of(&course.time_zone);
        let now = timestamp(now_ms());
        let entries = app.store.team_entries(course.id, league.group_id).await?;
        let bots = entries.iter().filter(|entry| entry.version_id.is_some()).count() + league.guests.len();
        let games = games(bots, league.rounds);
        let measured = app.store.measured_games(course.id).await?;
        let takes = time(games, measured, course, league.move_ms, app.jobs.slots.shared());
        let interval = schedule.shortest_interval(zone.time_zone(), now);
        let next = schedule.upcoming(zone.time_zone(), now).take(SHOWN_RUNS);
        Ok(Self {
            runs: next.map(|at| local_moment(&zone, moment_ms(at), locale)).collect(),
            zone: zone.name().to_owned(),
            bots,
            games,
            takes: takes.filter(|_| games > 0).map(|takes| span(round(takes.as_secs()))),
            is_measured: measured.games > 0,
            is_tight: interval.zip(takes).is_some_and(|(interval, takes)| 2 * takes > interval),
        })
    }
}

/// Games of a double round robin.
fn games(bots: usize, rounds: i64) -> u64 {
    let bots = bots as u64;
    bots * bots.saturating_sub(1) * rounds.unsigned_abs()
}

/// How long a number of games takes on a number of slots: by the average of games that were played, or at most by the time rule.
fn time(games: u64, measured: MeasuredGames, course: &Course, move_ms: i64, slots: usize) -> Option<Duration> {
    let game_us = match measured.games {
        1.. => measured.charged_us / measured.games,
        _ => {
            let cap = GameKind::find(&course.game).and_then(|kind| kind.about.move_cap);
            move_ms.saturating_mul(1000).saturating_mul(i64::from(cap.unwrap_or(MOVES)))
        }
    };
    let all = game_us.unsigned_abs().checked_mul(games)?;
    Some(Duration::from_micros(all / slots.max(1) as u64))
}

/// Seconds without those that nobody needs: minutes above ten minutes.
const fn round(seconds: u64) -> u64 {
    if seconds > 600 { seconds / 60 * 60 } else { seconds }
}

#[cfg(test)]
mod tests {
    use palestra_store::TimeRule;

    use super::*;

    #[test]
    fn a_double_round_robin_has_two_games_a_pair() {
        assert_eq!([0, 1, 2, 12, 120].map(|bots| games(bots, 1)), [0, 0, 2, 132, 14_280]);
        assert_eq!(games(3, 2), 12);
    }

    #[test]
    fn time_is_measured_or_bounded() {
        let course = |game: &str| Course {
            id: 1,
            code: String::new(),
            name: String::new(),
            year: String::new(),
            game: game.to_owned(),
            options: "-".to_owned(),
            time_rule: TimeRule::Cpu(2000),
            domains: String::new(),
            time_zone: "UTC".to_owned(),
            ends_ms: 0,
            keeps_fingerprints: false,
            warned_ms: None,
            purged_ms: None,
            created_ms: 0,
        };
        let none = MeasuredGames { games: 0, charged_us: 0 };
        let some = MeasuredGames { games: 10, charged_us: 40_000_000 };
        assert_eq!(time(100, some, &course("mancala"), 2000, 2), Some(Duration::from_secs(200)));
        assert_eq!(time(2, none, &course("mancala"), 2000, 1), Some(Duration::from_secs(400)));
        assert_eq!(time(2, none, &course("conecta4boom"), 2000, 1), Some(Duration::from_secs(1200)));
        assert_eq!(time(u64::MAX, none, &course("mancala"), 2000, 1), None, "more than can be counted");
        assert_eq!((round(59), round(601), round(7_321)), (59, 600, 7_320));
    }
}
