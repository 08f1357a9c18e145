//! Who may open which address: every address of courses, bots, leagues, runs, assignments, copies and jobs, by every role.
//!
//! Each file beside this one has a table of addresses with the status that each role gets ([`Row`]). [`class`] has a server
//! with a course, its people and their secrets. Every answer is searched for the secrets that are not for its reader, ZIPs
//! included.

mod assignment;
mod bot;
mod class;
mod copies;
mod course;
mod game;
mod league;
mod lists;
mod role;
mod secret;
mod walk;

use std::path::Path;

use class::Class;
use role::Role::{Admin, Member, Teacher};
use secret::{EVERYONE, INSIDERS, TEAM};
use walk::Walk;

/// The statuses of the visitor who is not signed in; of outsiders, who have an account and do not belong to the course: a
/// stranger, a person who waits for the teacher, the teacher of another course, and a former teacher of this one; of another
/// student of the course; of the student whose bot, hand-in and mark they are, and of the other half of the pair; of a teacher
/// of the course; of an admin.
type Statuses = [u16; 6];

/// For members and teachers of the course.
const MEMBERS: Statuses = [401, 404, 200, 200, 200, 200];

/// For teachers of the course; its members know that it exists.
const TEACHERS: Statuses = [401, 404, 403, 403, 200, 200];

/// For everyone who is signed in, with what is theirs.
const ACCOUNTS: Statuses = [401, 200, 200, 200, 200, 200];

/// Fields of a form.
type Fields = &'static [(&'static str, &'static str)];

/// How an address is asked.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Page,
    Form(Fields),
    /// A form with this text as a file in this field.
    File(&'static str, &'static str),
    /// A WebSocket.
    Socket,
    /// For programs, with a token of this scope, which gets this text as its body if the request is a POST.
    Api(&'static str, Option<&'static str>),
}

/// An address. Words in braces stand for what the [`Class`] has.
#[derive(Clone, Copy, Debug)]
struct Row {
    path: &'static str,
    ask: Ask,
    statuses: Statuses,
}

const fn page(path: &'static str, statuses: Statuses) -> Row {
    Row { path, ask: Ask::Page, statuses }
}

const fn form(path: &'static str, fields: Fields, statuses: Statuses) -> Row {
    Row { path, ask: Ask::Form(fields), statuses }
}

const fn file(path: &'static str, field: &'static str, text: &'static str, statuses: Statuses) -> Row {
    Row { path, ask: Ask::File(field, text), statuses }
}

const fn socket(path: &'static str, statuses: Statuses) -> Row {
    Row { path, ask: Ask::Socket, statuses }
}

const fn api_get(path: &'static str, scope: &'static str, statuses: Statuses) -> Row {
    Row { path, ask: Ask::Api(scope, None), statuses }
}

const fn api_post(path: &'static str, scope: &'static str, body: &'static str, statuses: Statuses) -> Row {
    Row { path, ask: Ask::Api(scope, Some(body)), statuses }
}

/// The tables, in the order in which they are walked.
const PRIVATE: [&[Row]; 7] =
    [&lists::ROWS, &course::ROWS, &copies::ROWS, &assignment::ROWS, &bot::ROWS, &league::ROWS, &game::ROWS];

/// Those that are walked after something began, was shown to more people, or is gone.
const CHANGED: [&[Row]; 7] = [
    &game::LIVE_ROWS,
    &league::HIDDEN_ROWS,
    &lists::JOIN_ROWS,
    &assignment::PUBLISHED_ROWS,
    &league::PUBLISHED_ROWS,
    &copies::LAST_ROWS,
    &course::LAST_ROWS,
];

/// What belongs to no course: the files that test it, and its addresses. One that ends with a slash is what others begin with.
const ELSEWHERE: [(&str, &[&str]); 13] = [
    ("account", &["/register", "/confirm/", "/sign-in", "/sign-out", "/forgotten", "/reset/"]),
    ("admin", &["/setup/"]),
    ("assets", &["/assets/"]),
    ("courses", &["/courses", "/courses/new"]),
    ("guard", &["/settings", "/settings/", "/language", "/theme", "/api/", "/t/{code}/bot"]),
    ("maps", &["/maps", "/maps/", "/api/maps", "/api/maps/", "/drawings/"]),
    ("operations", &["/metrics", "/health"]),
    ("pages", &["/tables/new", "/help", "/write-a-bot", "/privacy", "/design", "/favicon.ico"]),
    ("replay", &["/api/v1/line", "/api/v1/evaluate", "/analyse"]),
    ("rules", &["/rules", "/rules/"]),
    ("tables", &["/tables"]),
    ("token", &["/api/v1/me", "/api/v1/tables", "/api/v1/analyse"]),
    ("tree", &["/tree", "/tree.json", "/tree.svg", "/api/v1/tree", "/api/v1/tree/compare"]),
];

/// Whether an address is one of those of [`ELSEWHERE`].
fn is_elsewhere(route: &str) -> bool {
    // A new one for programs is not tested by itself.
    let begins = |path: &str| path.ends_with('/') && route.starts_with(path) && !route.starts_with("/api/v1/");
    ELSEWHERE.iter().flat_map(|(_, paths)| paths.iter()).any(|path| route == *path || begins(path))
}

/// The addresses of the pages, with the word for their method.
fn page_routes() -> Vec<(String, String)> {
    let routes = include_str!("../../../src/routes.rs");
    let lines = routes.lines().filter(|line| line.contains(".route(\""));
    let found = lines.flat_map(|line| {
        let path = line.split('"').nth(1).unwrap_or_default();
        let methods = ["get", "post"].into_iter().filter(|method| line.contains(&format!("{method}(")));
        methods.map(|method| (method.to_owned(), path.to_owned()))
    });
    found.collect()
}

/// Whether an address of a row belongs to a route: words in braces stand for others.
fn is_of(path: &str, route: &str) -> bool {
    let (path, route): (Vec<_>, Vec<_>) =
        (path.split('?').next().unwrap_or_default().split('/').collect(), route.split('/').collect());
    path.len() == route.len() && path.iter().zip(&route).all(|(word, part)| part.starts_with('{') || word == part)
}

impl Row {
    const fn method(&self) -> &'static str {
        match self.ask {
            Ask::Page | Ask::Socket | Ask::Api(_, None) => "get",
            Ask::Form(_) | Ask::File(..) | Ask::Api(_, Some(_)) => "post",
        }
    }
}

#[tokio::test]
async fn every_address_is_for_those_it_is_for() {
    let mut class = Class::open().await;
    assert_eq!(untried([page_routes(), class.api_routes().await].concat()), [] as [(String, String); 0]);
    let mut walk = Walk::new();
    walk.keep("the address of the game", class.path("{league_game}"), INSIDERS);
    walk.keep("the address of the course", class.path("{course}"), INSIDERS);
    for table in PRIVATE {
        walk.down(&class, table).await;
    }
    class.play_on().await;
    walk.down(&class, &game::LIVE_ROWS).await;
    class.hide_standings(true).await;
    walk.tell("the address of the game", &[Teacher, Admin]);
    walk.down(&class, &league::HIDDEN_ROWS).await;
    class.hide_standings(false).await;
    walk.tell("the address of the game", INSIDERS);
    // Who has the code of a group is told of which course it is.
    walk.tell("the course", EVERYONE);
    walk.down(&class, &lists::JOIN_ROWS).await;
    for what in ["the mark", "the points of the memo", "the reason of the mark"] {
        walk.tell(what, TEAM);
    }
    walk.tell("the other's mark", &[Member, Teacher, Admin]);
    walk.down(&class, &assignment::PUBLISHED_ROWS).await;
    for what in ["the bot", "the address of the game"] {
        walk.tell(what, EVERYONE);
    }
    class.publish_league().await;
    walk.down(&class, &league::PUBLISHED_ROWS).await;
    walk.down(&class, &copies::LAST_ROWS).await;
    walk.down(&class, &course::LAST_ROWS).await;
    walk.end();
}

/// The routes that no table has and no other file tests.
fn untried(mut routes: Vec<(String, String)>) -> Vec<(String, String)> {
    let rows = || PRIVATE.into_iter().chain(CHANGED).flatten();
    let is_here = |method: &str, route: &str| rows().any(|row| row.method() == method && is_of(row.path, route));
    routes.retain(|(method, route)| !is_elsewhere(route) && !is_here(method, route));
    routes
}

#[test]
fn what_is_tested_elsewhere_is_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server");
    for (file, paths) in ELSEWHERE {
        let text = std::fs::read_to_string(folder.join(file).with_extension("rs")).unwrap();
        for path in paths {
            let begin = path.split('{').next().unwrap_or_default();
            assert!(text.contains(begin), "{file} does not ask for {path}");
            let is_route =
                |(_, route): &(String, String)| route == path || path.ends_with('/') && route.starts_with(path);
            assert!(path.starts_with("/api/v1/") || page_routes().iter().any(is_route), "there is no {path}");
        }
    }
}
