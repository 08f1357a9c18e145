//! The report on similar sources: only teachers know that there is one.

use super::{Row, file, form, page};

const TEACHERS_ALONE: super::Statuses = [401, 404, 404, 404, 200, 200];

pub(super) const ROWS: [Row; 4] = [
    page("/courses/{course}/copies", TEACHERS_ALONE),
    page("/courses/{course}/copies?share=10", TEACHERS_ALONE),
    page("/courses/{course}/copies/{one}/{other}", TEACHERS_ALONE),
    file("/courses/{course}/copies", "archive", "no ZIP", [401, 404, 404, 404, 422, 422]),
];

/// What the teacher has removed is gone.
pub(super) const LAST_ROWS: [Row; 1] =
    [form("/courses/{course}/copies/{added}/remove", &[], [401, 404, 404, 404, 200, 404])];
