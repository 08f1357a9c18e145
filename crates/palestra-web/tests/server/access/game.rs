//! Games of runs, finished and while they are played. Who is not signed in is told of no game.

use super::{Row, Statuses, page, socket};

/// Of a league.
const LEAGUE: Statuses = [404, 404, 200, 200, 200, 200];

/// From which a mark is computed.
const MARKING: Statuses = [404, 404, 404, 200, 200, 200];

/// Of a trial: for the team alone.
const TRIAL: Statuses = [404, 404, 404, 200, 404, 404];

pub(super) const ROWS: [Row; 14] = [
    page("/games/{league_game}", LEAGUE),
    page("/games/{other_game}", LEAGUE),
    page("/games/{league_game}/record", LEAGUE),
    page("/games/{other_game}/record", LEAGUE),
    page("/games/{league_game}/analyse", LEAGUE),
    page("/t/{league_game}", LEAGUE),
    page("/games/{marking_game}", MARKING),
    page("/games/{marking_game}/record", MARKING),
    page("/games/{marking_game}/analyse", MARKING),
    page("/t/{marking_game}", MARKING),
    page("/games/{trial_game}", TRIAL),
    page("/games/{trial_game}/record", TRIAL),
    page("/games/{trial_game}/analyse", TRIAL),
    page("/t/{trial_game}", TRIAL),
];

/// A game of a league that is being played.
pub(super) const LIVE_ROWS: [Row; 3] = [
    page("/t/{live}", LEAGUE),
    socket("/t/{live}/live", [404, 404, 101, 101, 101, 101]),
    page("/games/{live}", [404; 6]),
];
