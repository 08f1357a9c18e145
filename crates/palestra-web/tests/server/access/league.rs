//! The addresses of leagues and their runs.

use super::{ACCOUNTS, MEMBERS, Row, Statuses, TEACHERS, api_get, api_post, form, page, socket};

const REFUSED: Statuses = [401, 404, 403, 403, 422, 422];
const NOT_FOUND: Statuses = [401, 404, 403, 403, 404, 404];

pub(super) const ROWS: [Row; 17] = [
    page("/leagues/{league}", MEMBERS),
    page("/leagues/{league}/runs/1", MEMBERS),
    page("/leagues/{league}/runs/9", [401, 404, 404, 404, 404, 404]),
    page("/leagues/{league}/runs/1/games", MEMBERS),
    page("/leagues/{league}/runs/1/games?of=0&with=1", MEMBERS),
    page("/leagues/{league}/runs/1/players/0/games.zip", [401, 404, 404, 200, 200, 200]),
    page("/leagues/{league}/runs/1/players/1/games.zip", [401, 404, 200, 404, 200, 200]),
    page("/leagues/{league}/edit", TEACHERS),
    form("/leagues/{league}/edit", &[("how", "cron")], REFUSED),
    form("/leagues/{league}/delete", &[], REFUSED),
    form("/leagues/{league}/run", &[("reason", "")], REFUSED),
    form("/leagues/{league}/runs/9/mark", &[], NOT_FOUND),
    form("/leagues/{league}/runs/9/publish", &[], NOT_FOUND),
    form("/leagues/{league}/runs/1/state", &[("do", "nothing")], REFUSED),
    form("/leagues/{league}/runs/1/void", &[("game", "99"), ("reason", "none")], REFUSED),
    api_post("/api/v1/leagues/{league}/runs", "course", r#"{"reason": " "}"#, REFUSED),
    api_get("/api/v1/leagues/{league}/runs/1", "course", TEACHERS),
];

/// What is left to members while the standings are hidden.
const HIDDEN: Statuses = [401, 404, 404, 404, 200, 200];
const HIDDEN_GAME: Statuses = [404, 404, 404, 404, 200, 200];

/// The standings are hidden.
pub(super) const HIDDEN_ROWS: [Row; 12] = [
    page("/leagues/{league}", MEMBERS),
    page("/leagues/{league}/runs/1", MEMBERS),
    page("/leagues/{league}/runs/1/games", HIDDEN),
    page("/leagues/{league}/runs/1/players/0/games.zip", HIDDEN),
    page("/leagues/{league}/runs/1/players/1/games.zip", HIDDEN),
    page("/games/{league_game}", HIDDEN_GAME),
    page("/games/{league_game}/record", HIDDEN_GAME),
    page("/t/{live}", HIDDEN_GAME),
    socket("/t/{live}/live", [404, 404, 404, 404, 101, 101]),
    page("/bots/Cierzo", [401, 404, 200, 200, 200, 200]),
    page("/settings/export", ACCOUNTS),
    page("/", [200; 6]),
];

/// For everyone.
const ALL: Statuses = [200; 6];

/// For teachers; everyone knows that it exists.
const CLOSED: Statuses = [403, 403, 403, 403, 200, 200];

/// The league is published, without the names of people.
pub(super) const PUBLISHED_ROWS: [Row; 16] = [
    page("/", ALL),
    page("/leagues", ALL),
    page("/leagues/{league}", ALL),
    page("/leagues/{league}/runs/1", ALL),
    page("/leagues/{league}/runs/1/games", ALL),
    page("/leagues/{league}/runs/1/players/0/games.zip", [404, 404, 404, 200, 200, 200]),
    page("/leagues/{league}/edit", CLOSED),
    page("/games/{league_game}", ALL),
    page("/games/{league_game}/record", ALL),
    page("/t/{live}", ALL),
    page("/bots/Cierzo", [401, 404, 200, 200, 200, 200]),
    page("/courses/{course}/leagues", MEMBERS),
    form("/leagues/{league}/run", &[("reason", "")], [403, 403, 403, 403, 422, 422]),
    form("/leagues/{league}/runs/1/void", &[("game", "99"), ("reason", "none")], [403, 403, 403, 403, 422, 422]),
    api_post("/api/v1/leagues/{league}/runs", "course", r#"{"reason": " "}"#, [401, 403, 403, 403, 422, 422]),
    api_get("/api/v1/leagues/{league}/runs/1", "course", [401, 403, 403, 403, 200, 200]),
];
