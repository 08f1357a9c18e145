//! Lists and other pages that everyone has, with what is theirs; joining; the pages of admins.

use super::{ACCOUNTS, Row, Statuses, api_get, form, page};

const ALL: Statuses = [200; 6];
const ADMINS: Statuses = [401, 403, 403, 403, 403, 200];
const NOT_FOUND: Statuses = [401, 403, 403, 403, 403, 404];

pub(super) const ROWS: [Row; 20] = [
    page("/", ALL),
    page("/courses", ACCOUNTS),
    page("/leagues", ALL),
    page("/games", ALL),
    page("/games?own=yes", ALL),
    page("/games.txt", ALL),
    page("/games.txt?player=Cierzo", ALL),
    page("/settings/export", ACCOUNTS),
    page("/settings/mails", ACCOUNTS),
    form("/settings/mails", &[], ACCOUNTS),
    api_get("/api/v1/courses", "course", ACCOUNTS),
    api_get("/api/v1/courses/{course}/archive", "course", super::TEACHERS),
    api_get("/api/v1/games", "read", ACCOUNTS),
    api_get("/api/v1/games?player=Cierzo", "read", ACCOUNTS),
    page("/admin/jobs", ADMINS),
    page("/admin/accounts", ADMINS),
    form("/admin/jobs/retry", &[("subject", "nothing")], NOT_FOUND),
    form("/admin/jobs/drop", &[("subject", "nothing")], NOT_FOUND),
    form("/admin/accounts/role", &[("id", "1"), ("role", "student")], NOT_FOUND),
    form("/admin/registrations/confirm", &[("id", "1")], NOT_FOUND),
];

/// With the code of a group, which tells whose it is.
pub(super) const JOIN_ROWS: [Row; 4] = [
    page("/join", ACCOUNTS),
    page("/join/{join}", ALL),
    page("/join/abcd-efgh-2345", [422; 6]),
    form("/join/abcd-efgh-2345", &[], [401, 422, 422, 422, 422, 422]),
];
