//! The addresses below `/courses/{code}`.

use super::{MEMBERS, Row, TEACHERS, file, form, page};

/// With nothing in the forms that could be done: what only teachers may send is 4xx to them as well.
pub(super) const ROWS: [Row; 33] = [
    page("/courses/{course}", MEMBERS),
    page("/courses/{course}/assignments", MEMBERS),
    page("/courses/{course}/leagues", MEMBERS),
    page("/courses/{course}/members", TEACHERS),
    page("/courses/{course}/members?group=A1", TEACHERS),
    page("/courses/{course}/members/{member}", TEACHERS),
    page("/courses/{course}/members/1", [401, 404, 403, 403, 404, 404]),
    page("/courses/{course}/roster", TEACHERS),
    page("/courses/{course}/settings", TEACHERS),
    page("/courses/{course}/archive.zip", TEACHERS),
    page("/courses/{course}/leagues/new", TEACHERS),
    form("/courses/{course}/house", &[("bot", "Cierzo"), ("house", "hidden")], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/ask", &[("group", "1")], [401, 404, 404, 404, 403, 403]),
    form("/courses/{course}/settings", &[("name", "")], [401, 404, 403, 403, 422, 422]),
    form("/courses/{course}/teachers", &[("teacher", "nobody")], [401, 404, 403, 403, 422, 422]),
    form("/courses/{course}/teachers/remove", &[("id", "1")], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/members/{member}/accept", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/members/1/remove", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/members/{member}/move", &[("group", "1")], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/members/1/deny", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/members/{member}/pair", &[("with", "1")], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/members/1/part", &[], [401, 404, 403, 403, 404, 404]),
    file("/courses/{course}/roster", "list", "no list", TEACHERS),
    form("/courses/{course}/roster/import", &[("list", "")], [401, 404, 403, 403, 422, 422]),
    form("/courses/{course}/notices", &[("group", ""), ("text", "")], [401, 404, 403, 403, 422, 422]),
    form("/courses/{course}/notices/1/delete", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/invite", &[], TEACHERS),
    form("/courses/{course}/leagues/new", &[("how", "cron")], [401, 404, 403, 403, 422, 422]),
    form("/courses/{course}/entry", &[("bot", "nothing")], [401, 404, 422, 422, 403, 403]),
    form(
        "/courses/{course}/entry",
        &[("bot", "Cierzo"), ("team", "{team}"), ("reason", "")],
        [401, 404, 403, 403, 422, 422],
    ),
    form("/courses/{course}/claim", &[], [401, 404, 404, 404, 404, 404]),
    form("/courses/{course}/groups", &[("code", "!"), ("name", "")], [401, 404, 403, 403, 422, 422]),
    form("/courses/{course}/groups/1", &[("code", "Z9"), ("name", "")], [401, 404, 403, 403, 404, 404]),
];

/// Groups are changed, and members leave: after that they are strangers.
pub(super) const LAST_ROWS: [Row; 5] = [
    form("/courses/{course}/groups/1/renew", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/groups/1/close", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/groups/1/delete", &[], [401, 404, 403, 403, 404, 404]),
    form("/courses/{course}/leave", &[], [401, 404, 200, 200, 403, 403]),
    page("/courses/{course}", [401, 404, 404, 404, 200, 200]),
];
