//! Who may open the addresses of assignments: every address, by every role.

use crate::assignments::Class;
use crate::courses::teacher;
use crate::people::somebody;
use crate::site::Browser;

/// What a role gets: the visitor who is not signed in, a stranger, the teacher of another course, a member, a teacher, and an
/// admin.
type Statuses = [u16; 6];

/// Fields of a form.
type Fields = &'static [(&'static str, &'static str)];

/// Pages of an assignment, after its address.
const PAGES: [(&str, Statuses); 8] = [
    ("", [401, 404, 404, 200, 200, 200]),
    ("/edit", [401, 404, 404, 403, 200, 200]),
    ("/hand-ins.zip", [401, 404, 404, 403, 200, 200]),
    ("/hand-ins/1", [401, 404, 404, 404, 404, 404]),
    ("/hand-ins/1/memo", [401, 404, 404, 404, 404, 404]),
    ("/marks", [401, 404, 404, 403, 200, 200]),
    ("/marks.csv", [401, 404, 404, 403, 200, 200]),
    ("/marks/1", [401, 404, 404, 403, 404, 404]),
];

/// Forms of an assignment, with nothing in them that could be done.
const FORMS: [(&str, Fields, Statuses); 9] = [
    ("/edit", &[("title", "")], [401, 404, 404, 403, 422, 422]),
    ("/trial", &[], [401, 404, 404, 422, 403, 403]),
    ("/marks", &[], [401, 404, 404, 403, 200, 200]),
    ("/marks/compute", &[("reason", "")], [401, 404, 404, 403, 422, 422]),
    ("/marks/count", &[("run", "abc")], [401, 404, 404, 403, 404, 404]),
    ("/marks/1", &[("what", "copy"), ("reason", "x")], [401, 404, 404, 403, 404, 404]),
    ("/hide", &[], [401, 404, 404, 403, 200, 200]),
    ("/publish", &[], [401, 404, 404, 403, 200, 200]),
    // The last one: after it there is no assignment.
    ("/delete", &[], [401, 404, 404, 403, 200, 404]),
];

#[test]
fn every_address_of_an_assignment_is_tried_here() {
    let routes = include_str!("../../src/routes.rs");
    let under = routes.lines().filter_map(|line| line.split('"').nth(1)?.strip_prefix("/assignments/{code}"));
    let matches = |route: &str, path: &str| {
        let (route, path): (Vec<_>, Vec<_>) = (route.split('/').collect(), path.split('/').collect());
        route.len() == path.len() && route.iter().zip(&path).all(|(part, word)| part.starts_with('{') || part == word)
    };
    // Hand-ins are forms with a file: `assignments.rs` tries them.
    let tried: Vec<&str> =
        PAGES.iter().map(|page| page.0).chain(FORMS.iter().map(|form| form.0)).chain(["/hand-in"]).collect();
    let missing: Vec<&str> = under.filter(|route| !tried.iter().any(|path| matches(route, path))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[tokio::test]
async fn every_address_of_an_assignment_is_for_those_it_is_for() {
    let class = Class::open("2028-01-10").await;
    let (stranger, other) = (somebody(&class.site, "Stranger").await, teacher(&class.site, &class.root, "Other").await);
    let guest = Browser::new(&class.site);
    let roles = [&guest, &stranger, &other, &class.ben, &class.ana, &class.root];
    let names = ["visitor", "stranger", "other teacher", "member", "teacher", "admin"];
    for (rest, statuses) in PAGES {
        for ((browser, name), status) in roles.iter().zip(names).zip(statuses) {
            assert_eq!(browser.get(&class.at(rest)).await.status, status, "{name}: {rest}");
        }
    }
    for (rest, fields, statuses) in FORMS {
        for ((browser, name), status) in roles.iter().zip(names).zip(statuses) {
            assert_eq!(browser.post(&class.at(rest), fields).await.status, status, "{name}: {rest}");
        }
    }
    let code = class.course.path.trim_start_matches("/courses/");
    for ((browser, name), status) in roles.iter().zip(names).zip([401, 404, 404, 403, 200, 200]) {
        assert_eq!(browser.get(&format!("/assignments/new?course={code}")).await.status, status, "{name}: new");
    }
    for ((browser, name), status) in roles.iter().zip(names).zip([401, 404, 404, 403, 422, 422]) {
        assert_eq!(browser.post("/assignments", &[("course", code)]).await.status, status, "{name}: create");
    }
}
