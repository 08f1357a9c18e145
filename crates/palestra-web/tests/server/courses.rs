//! Courses, as teachers and students see them.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::people::{admin, email, give_role, mail, somebody};
use crate::roster::{import, upload};
use crate::site::{Browser, Site, WAIT_LIMIT, between};

/// A course on a server.
pub(crate) struct Course {
    /// Its address.
    pub(crate) path: String,
}

/// The form of a course, filled in.
pub(crate) fn course_form(name: &str) -> Vec<(&str, &str)> {
    vec![
        ("name", name),
        ("year", "2026/27"),
        ("game", "mancala"),
        ("rule", "cpu"),
        ("amount", "2"),
        ("domains", "uni.example"),
        ("time_zone", "Europe/Madrid"),
        ("ends", END),
        ("keeps_fingerprints", "on"),
    ]
}

/// The last day of courses: within five years, whenever the tests run.
const END: &str = "2029-07-31";

impl Course {
    /// A teacher makes one.
    pub(crate) async fn create(teacher: &Browser, name: &str) -> Self {
        let seen = teacher.post("/courses", &course_form(name)).await;
        assert_eq!(seen.status, 200, "{}", seen.text);
        assert!(seen.path.starts_with("/courses/") && seen.text.contains(name), "{seen:?}");
        Self { path: seen.path }
    }

    /// A teacher adds a group, and returns the address to join it.
    pub(crate) async fn add_group(&self, teacher: &Browser, code: &str) -> String {
        let seen = teacher.post(&self.at("/groups"), &[("code", code), ("name", "Campus")]).await;
        assert_eq!(seen.status, 200, "{}", seen.text);
        self.join_path(teacher, code).await
    }

    /// The address to join a group.
    pub(crate) async fn join_path(&self, teacher: &Browser, code: &str) -> String {
        let text = teacher.get(&self.path).await.text;
        let row = between(&text, &format!("<td><strong>{code}</strong></td>"), "</tr>");
        let link = between(row, "<code>", "</code>");
        link[link.find("/join/").unwrap()..].to_owned()
    }

    pub(crate) fn at(&self, rest: &str) -> String {
        format!("{}{rest}", self.path)
    }

    /// Names and addresses of its pages for teachers.
    pub(crate) fn pages(&self) -> Vec<(&'static str, String)> {
        vec![
            ("courses", "/courses".to_owned()),
            ("course-new", "/courses/new".to_owned()),
            ("course", self.path.clone()),
            ("course-members", self.at("/members")),
            ("course-roster", self.at("/roster")),
            ("course-settings", self.at("/settings")),
            ("mails", "/settings/mails".to_owned()),
        ]
    }
}

/// The browser of a new teacher.
pub(crate) async fn teacher(site: &Site, root: &Browser, nickname: &str) -> Browser {
    let browser = somebody(site, nickname).await;
    assert_eq!(give_role(root, nickname, "teacher").await.status, 200);
    browser
}

#[tokio::test]
async fn a_teacher_makes_a_course_and_students_join_it() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let (ana, ben) = (teacher(&site, &root, "Ana").await, somebody(&site, "Ben").await);
    assert!(ana.get("/").await.text.contains("href=\"/courses\""), "teachers are led to courses");
    assert!(!ben.get("/").await.text.contains("href=\"/courses\""));
    assert_eq!(ben.get("/courses/new").await.status, 403);
    assert_eq!(ben.post("/courses", &course_form("Mine")).await.status, 403);

    let course = Course::create(&ana, "Inteligencia Artificial").await;
    let join = course.add_group(&ana, "A1").await;
    let guest = Browser::new(&site);
    let asked = guest.get(&join).await;
    assert!(asked.text.contains("Inteligencia Artificial") && asked.text.contains("Sign in or register first"));
    assert_eq!(guest.post(&join, &[]).await.status, 401);

    let asked = ben.get(&join).await.text;
    assert!(asked.contains("Its teachers will see your name") && asked.contains("ben@example.org"), "{asked}");
    assert!(asked.contains("a teacher has to accept you first"), "example.org is no domain of the course");
    assert_eq!(ben.get(&course.path).await.status, 404, "asking changes nothing");
    let waits = ben.post(&join, &[]).await;
    assert!(waits.path == "/courses" && waits.text.contains("A teacher has to accept you"), "{waits:?}");
    assert_eq!(ben.get(&course.path).await.status, 404, "who waits sees nothing of it");
    assert!(ben.get("/").await.text.contains("href=\"/courses\""));
}

#[tokio::test]
async fn who_has_an_address_of_the_course_joins_at_once() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let (ana, ben) = (teacher(&site, &root, "Ana").await, somebody(&site, "Ben").await);
    let form: Vec<_> = course_form("AI").into_iter().filter(|(name, _)| *name != "domains").collect();
    let form = [form, vec![("domains", "@EXAMPLE.org; uni.example")]].concat();
    let course = Course { path: ana.post("/courses", &form).await.path };
    let join = course.add_group(&ana, "A1").await;
    let typed = join.trim_start_matches("/join/").to_uppercase().replace('-', "");
    let found = ben.get(&format!("/join?code={typed}")).await;
    assert_eq!(found.path, join);
    assert!(!found.text.contains("accept you first"));
    let seen = ben.post(&join, &[]).await;
    assert!(seen.path == course.path && seen.text.contains("Group A1"), "{seen:?}");
    assert!(!seen.text.contains("/join/") && !seen.text.contains("<form class=\"card"), "nothing of what teachers do");
    assert_eq!(ben.get(&join).await.path, course.path, "a member is led to the course");
}

#[tokio::test]
async fn the_form_of_a_course_says_what_is_wrong_and_keeps_the_rest() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    for (field, value, says) in [
        ("name", " ", "needs a name"),
        ("year", "", "such as 2026/27"),
        ("game", "chess", "no such game"),
        ("game", "parchis/nothing", "no such game"),
        ("amount", "0", "From 0.05 to 60 seconds"),
        ("domains", "uni.example <b>", "is not a mail domain"),
        ("time_zone", "Europe/Granada", "no such time zone"),
        ("ends", "2020-07-31", "must lie ahead"),
        ("ends", "soon", "must lie ahead"),
    ] {
        let mut form = course_form("Typed name");
        form.retain(|(name, _)| *name != field);
        form.push((field, value));
        let seen = root.post("/courses", &form).await;
        assert_eq!(seen.status, 422, "{field} {value}");
        let sentence = between(&seen.text, &format!("id=\"{field}-error\">"), "</p>");
        assert!(sentence.contains(says), "{field}: {sentence}");
        assert!(field == "name" || seen.text.contains("value=\"Typed name\""), "{field}");
    }
    assert!(root.get("/courses").await.text.contains("No courses yet"));
    let switched = root.post("/courses?lang=es", &course_form("Typed name")).await;
    assert!(switched.status == 422 && switched.text.contains("value=\"Typed name\""), "{switched:?}");
    assert!(root.get("/courses").await.text.contains("Todavía no hay cursos"), "nothing was done");
}

#[tokio::test]
async fn a_course_is_played_on_a_map_of_its_own() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let mut form = course_form("Flags");
    form.retain(|(name, _)| *name != "game");
    form.extend([("game", "bandera/causeway"), ("map", "nothing-there")]);
    let wrong = root.post("/courses", &form).await;
    assert_eq!(wrong.status, 422);
    assert!(between(&wrong.text, "id=\"map-error\">", "</p>").contains("nothing-there"));
    form.pop();
    form.push(("map", "orchard"));
    let made = root.post("/courses", &form).await;
    assert_eq!(made.status, 200, "{}", made.text);
    assert!(made.text.contains("Bandera"));
}

#[tokio::test]
async fn a_code_is_renewed_closed_and_guessed_in_vain() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let course = Course::create(&root, "AI").await;
    let first = course.add_group(&root, "A1").await;
    let text = root.get(&course.path).await.text;
    let renew = between(&text, "action=\"", "/renew\"").rsplit("action=\"").next().unwrap().to_owned();
    assert_eq!(root.post(&format!("{renew}/renew"), &[]).await.status, 200);
    let second = course.join_path(&root, "A1").await;
    let ben = somebody(&site, "Ben").await;
    assert_ne!(first, second);
    assert_eq!(ben.get(&first).await.status, 422);
    assert_eq!(ben.get(&second).await.status, 200);
    assert_eq!(root.post(&format!("{renew}/close"), &[]).await.status, 200);
    assert_eq!(ben.post(&second, &[]).await.status, 422);
    assert!(root.get(&course.path).await.text.contains("closed"));
    let mut guesses = 0;
    while ben.get("/join/aaaa-bbbb-cccc").await.status == 422 {
        guesses += 1;
        assert!(guesses < 200, "guesses are not limited");
    }
    assert_eq!(ben.get("/join/aaaa-bbbb-cccc").await.status, 429);
}

#[tokio::test]
async fn groups_are_changed_and_deleted_while_they_are_empty() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let course = Course::create(&root, "AI").await;
    let join = course.add_group(&root, "A1").await;
    for (code, name, field) in
        [("a1", "", "code"), ("", "", "code"), ("A 1", "", "code"), ("B1", &*"x".repeat(81), "name")]
    {
        let wrong = root.post(&course.at("/groups"), &[("code", code), ("name", name)]).await;
        assert_eq!(wrong.status, 422, "{code:?}");
        assert!(wrong.text.contains(&format!("id=\"{field}-error\"")), "{code:?}");
    }
    let text = root.get(&course.path).await.text;
    let group = between(&text, "action=\"", "/renew\"").rsplit("action=\"").next().unwrap().to_owned();
    let changed = root.post(&group, &[("code", "B2"), ("name", "Grado & <b>máster</b>")]).await;
    assert!(changed.text.contains("Grado &#38; &#60;b&#62;m"), "{}", changed.text);
    assert_eq!(root.post(&format!("{group}/delete"), &[]).await.status, 200);
    assert_eq!(root.post(&format!("{group}/delete"), &[]).await.status, 404);
    assert_eq!(root.post(&group, &[("code", "C3"), ("name", "")]).await.status, 404);
    assert_eq!(root.get(&join).await.status, 422);
    assert_eq!(root.post(&course.at("/groups/nonsense/renew"), &[]).await.status, 404);
}

/// Sets the end of all courses, while no server runs.
pub(crate) async fn end_at(folder: &TempDir, ends_ms: i64) {
    let database = folder.path().join("data/palestra.db");
    let mut connection = SqliteConnectOptions::new().filename(database).connect().await.unwrap();
    sqlx::query("UPDATE courses SET ends_ms = $1").bind(ends_ms).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn the_end_of_a_course_is_announced_and_takes_what_is_personal() {
    const DAY_MS: i64 = 24 * 3600 * 1000;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now_ms = i64::try_from(now.as_millis()).unwrap();
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let course = Course::create(&root, "AI").await;
    let join = course.add_group(&root, "A1").await;
    let preview = upload(&root, &course, "Ana Roster,ana@example.org,A1", "").await;
    import(&root, &course, &preview, &[]).await;
    let ana = somebody(&site, "Ana").await;
    root.post(&course.at("/notices"), &[("group", ""), ("text", "The exam is on Friday.")]).await;

    let folder = site.close().await;
    end_at(&folder, now_ms + 6 * DAY_MS).await;
    let site = Site::open_in(folder, |_| {}).await;
    let told = mail(&site, &email("Root"), "your course ends soon").await;
    assert!(told.contains(&course.path), "{told}");
    assert!(ana.moved_to(&site).get(&course.path).await.text.contains("Friday"));

    let folder = site.close().await;
    end_at(&folder, now_ms - DAY_MS).await;
    let site = Site::open_in(folder, |_| {}).await;
    let (root, ana) = (root.moved_to(&site), ana.moved_to(&site));
    let since = Instant::now();
    while ana.get(&course.path).await.text.contains("Friday") {
        assert!(since.elapsed() < WAIT_LIMIT, "the course is not purged");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let members = root.get(&course.at("/members")).await.text;
    assert!(members.contains("<bdi>Ana</bdi>"), "the nickname is everybody's");
    assert!(!members.contains("Roster") && !members.contains("ana@example.org"), "{members}");
    assert_eq!(somebody(&site, "Late").await.get(&join).await.status, 422, "nobody joins any more");
}
