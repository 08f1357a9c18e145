//! The addresses of bots: one of a course, and a hidden house bot.

use super::{ACCOUNTS, Row, Statuses, api_get, api_post, file, form, page};

/// For the course.
const COURSE: Statuses = [401, 404, 200, 200, 200, 200];

/// For those who see into it.
const INSIDE: Statuses = [401, 404, 404, 200, 200, 404];

/// For teachers, whose the house bot is.
const HOUSE: Statuses = [401, 404, 404, 404, 200, 404];

/// For its owners, who asked for what cannot be done.
const REFUSED: Statuses = [401, 404, 403, 422, 403, 403];

pub(super) const ROWS: [Row; 25] = [
    page("/bots", ACCOUNTS),
    page("/bots/Cierzo", COURSE),
    page("/bots/cierzo", COURSE),
    page("/bots/Cierzo?version=1", INSIDE),
    page("/bots/Cierzo/versions/1/sources", INSIDE),
    page("/bots/Cierzo/versions/9/sources", [401, 404, 404, 404, 404, 404]),
    page("/bots/Casero", HOUSE),
    page("/bots/Casero/versions/1/sources", HOUSE),
    form("/bots", &[("name", "class"), ("game", "mancala"), ("language", "cpp")], [401, 422, 422, 422, 422, 422]),
    file("/bots/Cierzo/versions", "files", "int main() {}", REFUSED),
    form("/bots/Cierzo/activate", &[("number", "9")], REFUSED),
    form("/bots/Cierzo/delete-version", &[("number", "9")], REFUSED),
    form("/bots/Cierzo/retry", &[("number", "9")], [401, 404, 403, 404, 403, 403]),
    form("/bots/Cierzo/compare", &[("number", "1"), ("other", "1")], REFUSED),
    file("/bots/Casero/versions", "files", "int main() {}", [401, 404, 404, 404, 422, 404]),
    form("/bots/Casero/activate", &[("number", "9")], [401, 404, 404, 404, 422, 404]),
    api_get("/api/v1/bots", "bots", ACCOUNTS),
    api_get("/api/v1/bots/Cierzo", "bots", COURSE),
    api_get("/api/v1/bots/Cierzo/versions/1", "bots", INSIDE),
    api_get("/api/v1/bots/Casero", "bots", HOUSE),
    api_get("/api/v1/bots/Casero/versions/1", "bots", HOUSE),
    api_post(
        "/api/v1/bots",
        "bots",
        r#"{"name": "class", "game": "mancala", "language": "cpp"}"#,
        [401, 422, 422, 422, 422, 422],
    ),
    api_post(
        "/api/v1/bots",
        "bots",
        r#"{"name": "Bora", "language": "cpp", "course": "nothing"}"#,
        [401, 422, 422, 422, 422, 422],
    ),
    api_post("/api/v1/bots/Cierzo/versions", "bots", "no ZIP", REFUSED),
    api_post("/api/v1/bots/Casero/versions", "bots", "no ZIP", [401, 404, 404, 404, 422, 404]),
];
