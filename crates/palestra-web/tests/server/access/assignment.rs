//! The addresses of assignments: hand-ins and marks.

use super::{MEMBERS, Row, Statuses, TEACHERS, api_get, file, form, page};

/// For the team whose it is, and teachers.
const TEAM: Statuses = [401, 404, 404, 200, 200, 200];

const REFUSED: Statuses = [401, 404, 403, 403, 422, 422];

pub(super) const ROWS: [Row; 23] = [
    page("/assignments/{work}", MEMBERS),
    page("/assignments/{work}/edit", TEACHERS),
    page("/assignments/{work}/hand-ins.zip", TEACHERS),
    page("/assignments/{work}/hand-ins/{hand_in}", TEAM),
    page("/assignments/{work}/hand-ins/{hand_in}/memo", TEAM),
    page("/assignments/{work}/hand-ins/1", [401, 404, 404, 404, 404, 404]),
    page("/assignments/{work}/marks", TEACHERS),
    page("/assignments/{work}/marks.csv", TEACHERS),
    page("/assignments/{work}/marks.csv?of=games", TEACHERS),
    page("/assignments/{work}/marks/{team}", TEACHERS),
    page("/assignments/{work}/marks/{other_team}", TEACHERS),
    api_get("/api/v1/assignments/{work}/marks", "course", TEACHERS),
    page("/assignments/new?course={course}", TEACHERS),
    form("/assignments", &[("course", "{course}")], REFUSED),
    form("/assignments/{work}/edit", &[("title", "")], REFUSED),
    file("/assignments/{work}/hand-in", "archive", "no ZIP", [401, 404, 422, 422, 403, 403]),
    form("/assignments/{work}/marks", &[], TEACHERS),
    form("/assignments/{work}/marks/compute", &[("reason", "")], REFUSED),
    form("/assignments/{work}/marks/count", &[("run", "abc")], [401, 404, 403, 403, 404, 404]),
    form("/assignments/{work}/marks/{team}", &[("what", "copy"), ("reason", "")], REFUSED),
    form("/assignments/{work}/hide", &[], TEACHERS),
    form("/assignments/{work}/trial", &[], [401, 404, 200, 200, 403, 403]),
    form("/assignments/{work}/delete", &[], REFUSED),
];

/// Marks are published: each student is shown their own.
pub(super) const PUBLISHED_ROWS: [Row; 5] = [
    form("/assignments/{work}/publish", &[], TEACHERS),
    page("/assignments/{work}", MEMBERS),
    page("/assignments/{work}/marks", TEACHERS),
    page("/assignments/{work}/marks/{team}", TEACHERS),
    page("/settings/export", super::ACCOUNTS),
];
