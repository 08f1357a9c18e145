//! What the pages of a course begin with: its name, its facts, and tabs.

use askama::Template;
use palestra_games::GameKind;

use super::access::Access;
use crate::locale::Locale;
use crate::moment;
use crate::time_zone::Zone;

/// The tabs of a course: key of the name, rest of the address, and whether members see it too.
const TABS: [(&str, &str, bool); 6] = [
    ("course.tab.course", "", true),
    ("course.tab.leagues", "/leagues", true),
    ("assignment.title_all", "/assignments", true),
    ("course.tab.members", "/members", false),
    ("copies.title", "/copies", false),
    ("course.tab.settings", "/settings", false),
];

/// The head of a page of a course.
#[derive(Template)]
#[template(path = "parts/course_head.html")]
pub(crate) struct CourseHead {
    locale: Locale,
    name: String,
    facts: String,
    tabs: Vec<Tab>,
}

struct Tab {
    name: String,
    href: String,
    is_current: bool,
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for CourseHead {}

impl CourseHead {
    /// The head of the page whose address ends so after that of the course.
    pub(crate) fn new(access: &Access, locale: Locale, rest: &str) -> Self {
        let course = &access.course;
        let shown = TABS.iter().filter(|(.., is_for_members)| *is_for_members || access.is_teacher());
        let tabs = shown.map(|(key, end, _)| Tab {
            name: locale.t(key).to_owned(),
            href: access.path(end),
            is_current: *end == rest,
        });
        let game = GameKind::find(&course.game).map_or(course.game.as_str(), |kind| kind.about.name);
        let zone = Zone::of(&course.time_zone);
        let ends =
            locale.with("course.ends_on", &[("what", &moment::local_date(&zone.local(course.ends_ms - 1), locale))]);
        let facts = [game, &course.year, &ends].join(" · ");
        Self { locale, name: course.name.clone(), facts, tabs: tabs.collect() }
    }
}
