//! Who may open the addresses of courses: every address, by every role.

use crate::courses::{Course, course_form, teacher};
use crate::people::{admin, somebody};
use crate::site::{Browser, Site, between};

/// What a role gets: the visitor who is not signed in, a stranger, somebody who waits, a member, the teacher of another
/// course, a teacher, and an admin.
type Statuses = [u16; 7];

/// Fields of a form.
type Fields = &'static [(&'static str, &'static str)];

/// Pages of the course, after its address.
const PAGES: [(&str, Statuses); 9] = [
    ("", [401, 404, 404, 200, 404, 200, 200]),
    ("/assignments", [401, 404, 404, 200, 404, 200, 200]),
    ("/members", [401, 404, 404, 403, 404, 200, 200]),
    ("/members/1", [401, 404, 404, 403, 404, 404, 404]),
    ("/roster", [401, 404, 404, 403, 404, 200, 200]),
    ("/settings", [401, 404, 404, 403, 404, 200, 200]),
    ("/archive.zip", [401, 404, 404, 403, 404, 200, 200]),
    ("/leagues", [401, 404, 404, 200, 404, 200, 200]),
    ("/leagues/new", [401, 404, 404, 403, 404, 200, 200]),
];

/// Forms of the course, with nothing in them that could be done: what only teachers may send is 4xx to them as well.
const FORMS: [(&str, Fields, Statuses); 24] = [
    ("/house", &[("bot", "Sparta"), ("house", "hidden")], [401, 404, 404, 403, 404, 404, 404]),
    ("/ask", &[("group", "1")], [401, 404, 404, 404, 404, 403, 403]),
    ("/settings", &[("name", "")], [401, 404, 404, 403, 404, 422, 422]),
    ("/teachers", &[("teacher", "nobody")], [401, 404, 404, 403, 404, 422, 422]),
    ("/teachers/remove", &[("id", "1")], [401, 404, 404, 403, 404, 404, 404]),
    ("/members/1/accept", &[], [401, 404, 404, 403, 404, 404, 404]),
    ("/members/1/remove", &[], [401, 404, 404, 403, 404, 404, 404]),
    ("/members/1/move", &[("group", "1")], [401, 404, 404, 403, 404, 404, 404]),
    ("/members/1/deny", &[], [401, 404, 404, 403, 404, 404, 404]),
    ("/members/1/pair", &[("with", "1")], [401, 404, 404, 403, 404, 404, 404]),
    ("/members/1/part", &[], [401, 404, 404, 403, 404, 404, 404]),
    // A form without a file is no upload at all.
    ("/roster", &[], [401, 404, 404, 403, 404, 403, 403]),
    ("/roster/import", &[("list", "")], [401, 404, 404, 403, 404, 422, 422]),
    ("/notices", &[("group", ""), ("text", "")], [401, 404, 404, 403, 404, 422, 422]),
    ("/notices/1/delete", &[], [401, 404, 404, 403, 404, 404, 404]),
    ("/invite", &[], [401, 404, 404, 403, 404, 200, 200]),
    ("/leagues/new", &[("how", "cron")], [401, 404, 404, 403, 404, 422, 422]),
    ("/entry", &[("bot", "nothing")], [401, 404, 404, 422, 404, 403, 403]),
    ("/claim", &[], [401, 404, 404, 404, 404, 404, 404]),
    ("/groups", &[("code", "!"), ("name", "")], [401, 404, 404, 403, 404, 422, 422]),
    ("/groups/1", &[("code", "Z9"), ("name", "")], [401, 404, 404, 403, 404, 404, 404]),
    ("/groups/1/renew", &[], [401, 404, 404, 403, 404, 404, 404]),
    ("/groups/1/close", &[], [401, 404, 404, 403, 404, 404, 404]),
    ("/groups/1/delete", &[], [401, 404, 404, 403, 404, 404, 404]),
];

const ROLES: [&str; 7] = ["visitor", "stranger", "waiting", "member", "other teacher", "teacher", "admin"];

#[test]
fn every_address_of_a_course_is_tried_here() {
    let routes = include_str!("../../src/routes.rs");
    let routes = between(routes, "fn course_routes()", "\n}\n");
    let under = routes.lines().filter_map(|line| line.split('"').nth(1)?.strip_prefix("/courses/{code}"));
    let matches = |route: &str, path: &str| {
        let (route, path): (Vec<_>, Vec<_>) = (route.split('/').collect(), path.split('/').collect());
        route.len() == path.len() && route.iter().zip(&path).all(|(part, word)| part.starts_with('{') || part == word)
    };
    // Leaving is tried last: it makes a stranger of a member.
    let tried: Vec<&str> =
        ["/leave"].into_iter().chain(PAGES.iter().map(|page| page.0)).chain(FORMS.iter().map(|form| form.0)).collect();
    let missing: Vec<&str> = under.filter(|route| !tried.iter().any(|path| matches(route, path))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[tokio::test]
async fn every_address_of_a_course_is_for_those_it_is_for() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let (owner, other) = (teacher(&site, &root, "Owner").await, teacher(&site, &root, "Other").await);
    let course = Course::create(&owner, "AI").await;
    Course::create(&other, "Other course").await;
    let (waiting, member) = (somebody(&site, "Waiting").await, somebody(&site, "Member").await);
    let closed = course.add_group(&owner, "A1").await;
    waiting.post(&closed, &[]).await;
    let form: Vec<_> = course_form("AI").into_iter().filter(|(name, _)| *name != "domains").collect();
    let form = [form, vec![("domains", "example.org")]].concat();
    let open = Course { path: owner.post("/courses", &form).await.path };
    member.post(&open.add_group(&owner, "A1").await, &[]).await;
    let roles = [Browser::new(&site), somebody(&site, "Stranger").await, waiting, member, other, owner, root];
    for (role, (browser, name)) in roles.iter().zip(ROLES).enumerate() {
        // Who waits does so in one course, and who is a member in the other: each is a stranger elsewhere.
        let course = if name == "waiting" { &course } else { &open };
        for (rest, statuses) in PAGES {
            let seen = browser.get(&course.at(rest)).await;
            assert_eq!(seen.status, statuses[role], "{name}: {rest}");
        }
        for (rest, fields, statuses) in FORMS {
            let seen = browser.post(&course.at(rest), fields).await;
            assert_eq!(seen.status, statuses[role], "{name}: {rest}");
        }
    }
    let page = roles[3].get(&open.path).await.text;
    assert!(!between(&page, "<main", "</main>").contains('@'), "a member sees no address");
    for (role, (browser, name)) in roles.iter().zip(ROLES).enumerate() {
        let course = if name == "waiting" { &course } else { &open };
        let statuses: Statuses = [401, 404, 404, 200, 404, 403, 403];
        assert_eq!(browser.post(&course.at("/leave"), &[]).await.status, statuses[role], "{name}");
    }
    assert_eq!(roles[3].get(&open.path).await.status, 404, "who has left sees nothing of it");
}
