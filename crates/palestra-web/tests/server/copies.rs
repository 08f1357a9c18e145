//! The report on similar sources: who sees it, what it finds, and how it shows that.

#[path = "../../../palestra-arena/tests/arena/copies/disguise.rs"]
mod disguise;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use disguise::DISGUISES;
use reqwest::multipart::{Form, Part};
use sqlx::AssertSqlSafe;

use crate::assignments::{Class, database, hand_in, zip};
use crate::courses::{Course, course_form, end_at, teacher};
use crate::people::{PASSWORD, somebody};
use crate::site::{Browser, Seen, Site, WAIT_LIMIT, between, send};

/// A deadline that is not over.
const LATER: &str = "2028-01-10";

/// Roles for which every address is tried.
const ROLES: [&str; 6] = ["visitor", "stranger", "member", "teacher of another course", "teacher", "admin"];

/// A file of the repository.
fn text_of(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// A bot of the Mancala course by another author.
pub(crate) fn program(name: &str) -> String {
    text_of(&format!("crates/palestra-arena/tests/arena/copies/programs/{name}.cpp"))
}

/// The text in a disguise.
fn disguised(name: &str, text: &str) -> String {
    let disguise = DISGUISES.iter().find(|disguise| disguise.name == name).expect("a disguise");
    (disguise.apply)("bot.cpp", text)
}

/// The report and a pair of a course with a roster, for a walk through all pages.
pub(crate) async fn pages(site: &Site, teacher: &Browser, course: &Course) -> Vec<(&'static str, String)> {
    let mut database = database(site).await;
    let query = "SELECT team_id FROM course_members ORDER BY team_id";
    let teams: Vec<i64> = sqlx::query_scalar(query).fetch_all(&mut database).await.unwrap();
    let original = program("Negamax");
    let texts = [original.clone(), disguised("a statement added after every third line", &original)];
    for ((team, text), id) in teams.into_iter().zip(&texts).zip(31..) {
        let sql = format!(
            "INSERT INTO bots (id, name, name_key, game, language, course_id, active_version_id, created_ms) \
             SELECT {id}, 'Bot{id}', 'bot{id}', 'mancala', 'cpp', id, {id}, 1 FROM courses; \
             INSERT INTO bot_versions (id, bot_id, number, note, source_hash, size_bytes, state, report, created_ms) \
             VALUES ({id}, {id}, 1, '', 'hash{id}', 1, 'ready', '{{}}', 1); \
             INSERT INTO entries (id, team_id, bot_id, created_ms) VALUES ({id}, {team}, {id}, 1); {}",
            source(id, text)
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut database).await.unwrap();
    }
    let report = course.at("/copies");
    let archive = zip(&[("found/bot.cpp", disguised("other names", &original).as_bytes())]);
    let text = add(teacher, course, "github", "foreign", archive).await.text;
    let pair = between(&text, &format!("href=\"{report}/"), "\"");
    vec![("copies-pair", format!("{report}/{pair}")), ("copies", report)]
}

/// A bot with a version that is ready, entered for the team of a course's member.
async fn enter(site: &Site, course: &Course, nickname: &str, bot: &str, id: i64, text: &str) {
    let code = course.path.trim_start_matches("/courses/");
    let sql = format!(
        "INSERT INTO bots (id, name, name_key, game, language, account_id, course_id, active_version_id, created_ms) \
         SELECT {id}, '{bot}', lower('{bot}'), 'mancala', 'cpp', a.id, c.id, {id}, 1 FROM accounts a, courses c \
         WHERE a.nickname = '{nickname}' AND c.code = '{code}'; \
         INSERT INTO bot_versions (id, bot_id, number, note, source_hash, size_bytes, state, report, created_ms) \
         VALUES ({id}, {id}, 1, '', 'hash{id}', 1, 'ready', '{{}}', 1); \
         INSERT INTO entries (id, team_id, bot_id, created_ms) \
         SELECT {id}, m.team_id, {id}, 1 FROM course_members m JOIN bots b ON b.account_id = m.account_id \
         AND b.course_id = m.course_id WHERE b.id = {id}; {}",
        source(id, text)
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut database(site).await).await.unwrap();
}

/// Adds a ZIP to a report.
pub(crate) async fn add(browser: &Browser, course: &Course, name: &str, kind: &str, archive: Vec<u8>) -> Seen {
    let form =
        Form::new().text("csrf", browser.csrf().await).text("name", name.to_owned()).text("kind", kind.to_owned());
    let form = form.part("archive", Part::bytes(archive).file_name("sources.zip"));
    send(browser.client().post(browser.address(&course.at("/copies"))).multipart(form)).await
}

/// A small ZIP that can be added.
fn small() -> Vec<u8> {
    zip(&[("bea/bot.cpp", b"int main() { return 7; }")])
}

/// SQL that makes a text the only file of a version.
fn source(version: i64, text: &str) -> String {
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "DELETE FROM bot_files WHERE version_id = {version}; \
         INSERT INTO blobs (hash, bytes, created_ms) VALUES ('blob{version}', x'{hex}', 1) \
         ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes; \
         INSERT INTO bot_files (version_id, name, hash) VALUES ({version}, 'bot{version}.cpp', 'blob{version}')"
    )
}

impl Class {
    /// A student who joins.
    async fn join(&self, nickname: &str) -> Browser {
        let student = somebody(&self.site, nickname).await;
        let join = self.course.join_path(&self.ana, "A1").await;
        assert_eq!(student.post(&join, &[]).await.path, self.course.path);
        student
    }

    /// A bot with these sources, entered for a student's team.
    async fn enter(&self, nickname: &str, bot: &str, id: i64, text: &str) {
        enter(&self.site, &self.course, nickname, bot, id, text).await;
    }

    /// A house bot with these sources.
    async fn house(&self, bot: &str, id: i64, text: &str) {
        self.run(&format!(
            "INSERT INTO bots (id, name, name_key, game, language, account_id, course_id, house, active_version_id, created_ms) \
             SELECT {id}, '{bot}', lower('{bot}'), 'mancala', 'cpp', a.id, c.id, 'hidden', {id}, 1 FROM accounts a, courses c \
             WHERE a.nickname = 'Ana'; \
             INSERT INTO bot_versions (id, bot_id, number, note, source_hash, size_bytes, state, report, created_ms) \
             VALUES ({id}, {id}, 1, '', 'hash{id}', 1, 'ready', '{{}}', 1); {}",
            source(id, text)
        ))
        .await;
    }

    /// The report.
    async fn report(&self, query: &str) -> String {
        let seen = self.ana.get(&self.course.at(&format!("/copies{query}"))).await;
        assert_eq!(seen.status, 200, "{}", seen.text);
        seen.text
    }

    /// The page of the pair that ranks first.
    async fn first_pair(&self, report: &str) -> String {
        let path = format!("{}/t", self.course.at("/copies"));
        let rest = between(report, &format!("href=\"{path}"), "\"");
        let seen = self.ana.get(&format!("{path}{rest}")).await;
        assert_eq!(seen.status, 200, "{}", seen.text);
        seen.text
    }
}

/// The rows of the table of pairs, as text.
fn rows(report: &str) -> Vec<String> {
    let Some((_, table)) = report.split_once("<tbody>") else { return vec![] };
    let rows = table.split_once("</tbody>").unwrap().0.split("<tr>").skip(1);
    rows.map(|row| {
        let pieces = row.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text.trim());
        pieces.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    })
    .collect()
}

#[tokio::test]
async fn only_the_teachers_of_a_course_know_that_there_is_a_report() {
    let class = Class::open(LATER).await;
    let (stranger, other) = (somebody(&class.site, "Stranger").await, teacher(&class.site, &class.root, "Other").await);
    class.enter("Ben", "Lento", 11, &program("Minimax")).await;
    class.enter("Cleo", "Rapido", 12, &program("Minimax")).await;
    let pair = format!("/copies/t{}/t{}", class.team("Ben").await, class.team("Cleo").await);
    let guest = Browser::new(&class.site);
    let roles = [&guest, &stranger, &class.ben, &other, &class.ana, &class.root];
    // Guests are told the same of every course, those that do not exist included.
    for (rest, statuses) in [
        ("/copies", [401, 404, 404, 404, 200, 200]),
        ("/copies?share=10", [401, 404, 404, 404, 200, 200]),
        (pair.as_str(), [401, 404, 404, 404, 200, 200]),
        ("/copies/t1/t2", [401, 404, 404, 404, 404, 404]),
        ("/copies/x/y", [401, 404, 404, 404, 404, 404]),
    ] {
        for ((browser, role), status) in roles.iter().zip(ROLES).zip(statuses) {
            assert_eq!(browser.get(&class.course.at(rest)).await.status, status, "{role}: {rest}");
        }
    }
    assert_eq!(add(&class.ana, &class.course, "github", "foreign", small()).await.status, 200);
    let id = class.number("SELECT id FROM added_sources").await;
    let remove = class.course.at(&format!("/copies/{id}/remove"));
    for ((browser, role), status) in roles.iter().zip(ROLES).zip([401, 404, 404, 404, 200, 200]) {
        let added = add(browser, &class.course, "more", "foreign", small()).await;
        assert_eq!(added.status, status, "{role}");
    }
    let own = Course { path: other.post("/courses", &course_form("Another")).await.path };
    let elsewhere = own.at(&format!("/copies/{id}/remove"));
    assert_eq!(other.post(&elsewhere, &[]).await.status, 404, "from another course");
    for ((browser, role), status) in roles.iter().zip(ROLES).zip([401, 404, 404, 404, 200, 404]) {
        assert_eq!(browser.post(&remove, &[]).await.status, status, "{role}");
    }
    let tab = format!("href=\"{}\"", class.course.at("/copies"));
    assert!(class.ana.get(&class.course.path).await.text.contains(&tab));
    assert!(!class.ben.get(&class.course.path).await.text.contains(&tab));
    assert!(other.get(&own.at("/copies")).await.text.contains("There is nothing to compare yet"));
    assert_eq!(other.get(&own.at(&pair)).await.status, 404, "teams of another course");
}

#[tokio::test]
async fn a_disguised_copy_is_found_and_independent_bots_are_not() {
    let class = Class::open(LATER).await;
    let (_dora, _eva) = (class.join("Dora").await, class.join("Eva").await);
    let original = program("Negamax");
    class.enter("Ben", "Lento", 11, &original).await;
    let copy = disguised("names, comments, layout, numbers, order", &original);
    class.enter("Cleo", "Rapido", 12, &copy).await;
    class.enter("Dora", "Tercero", 13, &program("Tabla")).await;
    // What the kits give to all does not count, however much it is.
    class.enter("Eva", "Cuarto", 14, &text_of("kits/cpp/mancala/alphabeta.cpp")).await;
    let report = class.report("").await;
    assert!(report.contains("This page accuses nobody") && report.contains("compared: 3; pairs: 1"), "{report}");
    let rows = rows(&report);
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert!(row.starts_with("Real Ben A1 Lento") && row.contains("Real Cleo A1 Rapido"), "{row}");
    let shares: Vec<u32> = row
        .split(' ')
        .collect::<Vec<_>>()
        .windows(2)
        .filter(|two| two[1] == "%")
        .map(|two| two[0].parse().unwrap())
        .collect();
    assert!(shares.len() == 2 && shares.iter().all(|share| (50..=100).contains(share)), "{row}");

    let pair = class.first_pair(&report).await;
    assert!(pair.contains("accuses nobody") && pair.contains("Passage 1") && pair.contains("lines "), "{pair}");
    assert!(pair.contains("<span class=\"number\">"), "lines have their numbers");
    let links = pair.matches("<a href=\"#p1\">").count();
    assert_eq!(links, 2, "both sources as a whole lead to the passage");
    let mark = format!("href=\"{}/marks/{}\"", class.work, class.team("Cleo").await);
    assert!(pair.contains(&mark), "the teacher decides on the page of the mark: {pair}");
    assert_eq!(class.ana.get(between(&mark, "\"", "\"")).await.status, 200);
}

#[tokio::test]
async fn groups_are_drawn_with_a_table_beside_them() {
    let class = Class::open(LATER).await;
    let (_dora, _eva) = (class.join("Dora").await, class.join("Eva").await);
    for (nickname, bot, id, disguise) in [
        ("Ben", "Lento", 11, "unchanged"),
        ("Cleo", "Rapido", 12, "other names"),
        ("Dora", "Tercero", 13, "other layout, lines split"),
    ] {
        class.enter(nickname, bot, id, &disguised(disguise, &program("Clasico"))).await;
    }
    class.enter("Eva", "Cuarto", 14, &program("Carlo")).await;
    let report = class.report("").await;
    assert_eq!(rows(&report).len(), 3, "{:?}", rows(&report));
    let graph = between(&report, "<svg class=\"copies-graph\"", "</svg>");
    assert_eq!((graph.matches("<circle").count(), graph.matches("<line class=\"w3\"").count()), (3, 3), "{graph}");
    let (_, beside) = report.split_once("</svg></div>\n<div class=\"scroll\"").unwrap();
    let table = between(beside, "<tbody>", "</tbody>");
    assert!(["Real Ben", "Real Cleo", "Real Dora"].iter().all(|name| table.contains(name)), "{table}");
    assert!(!table.contains("Real Eva") && report.matches("copies-graph\"").count() == 1);
}

#[tokio::test]
async fn what_is_uploaded_or_handed_in_anew_is_compared_anew() {
    let class = Class::open(LATER).await;
    assert!(class.report("").await.contains("There is nothing to compare yet"));
    class.enter("Ben", "Lento", 11, &program("Minimax")).await;
    let archive = |text: &str| zip(&[("p1/Bot.cpp", text.as_bytes()), ("p1/memo.pdf", b"%PDF-1.4")]);
    hand_in(&class, &class.cleo, archive(&program("Reglas"))).await;
    let before = class.report("").await;
    assert!(before.contains("compared: 2; pairs: 0") && before.contains("No pair is as similar"), "{before}");
    // Cleo hands in Ben's bot with other names: that hand-in counts, and not the one before.
    hand_in(&class, &class.cleo, archive(&disguised("other names", &program("Minimax")))).await;
    let report = class.report("").await;
    assert!(rows(&report)[0].contains("100 %"), "{report}");
    let pair = class.first_pair(&report).await;
    assert!(pair.contains("Practice 1/Bot.cpp") && pair.contains("bot11.cpp"), "{pair}");
    // A pair of members is one team, which is not compared with itself.
    hand_in(&class, &class.ben, archive(&program("Minimax"))).await;
    assert_eq!(rows(&class.report("").await).len(), 1);
}

#[tokio::test]
async fn nothing_in_a_source_becomes_part_of_the_page() {
    let class = Class::open(LATER).await;
    let evil = "// </code></pre><script>alert(1)</script> \u{202e}\n";
    let lines: Vec<String> = program("Negamax").lines().map(|line| format!("{line} {}", evil.trim_end())).collect();
    let text = lines.join("\n");
    class.enter("Ben", "Lento", 11, &text).await;
    class.enter("Cleo", "Rapido", 12, &text.replace("</code>", "<!--")).await;
    let pair = class.first_pair(&class.report("").await).await;
    assert!(pair.contains("&lt;script&gt;") || pair.contains("&#60;script&#62;"), "{pair}");
    assert!(!pair.contains("<script>alert") && !pair.contains("<!--") && !pair.contains('\u{202e}'));
}

#[tokio::test]
async fn foreign_sources_are_compared_until_they_are_removed() {
    let class = Class::open(LATER).await;
    class.enter("Ben", "Lento", 11, &program("Negamax")).await;
    class.enter("Cleo", "Rapido", 12, &program("Tabla")).await;
    let copy = disguised("other names", &program("Negamax"));
    let archive = zip(&[
        ("2025/ana-garc\u{ed}a/bot.cpp", copy.as_bytes()),
        ("2025/eva/bot.cpp", copy.as_bytes()),
        ("2025/leo/bot.cpp", program("Carlo").as_bytes()),
    ]);
    let added = add(&class.ana, &class.course, "github <b>", "foreign", archive).await;
    assert!(added.status == 200 && added.text.contains("2 of the course, 3 others; pairs: 2"), "{}", added.text);
    let rows = rows(&added.text);
    assert!(rows.iter().all(|row| row.starts_with("Real Ben") && row.contains("github &#60;b&#62;")), "{rows:?}");
    assert!(rows.iter().any(|row| row.contains("ana-garc\u{ed}a")), "{rows:?}");
    assert_eq!(added.text.matches("<g class=\"other\">").count(), 2, "foreign sources are drawn as such");
    let pair = class.first_pair(&added.text).await;
    assert!(pair.contains("Passage 1") && pair.contains("nuevo_"), "{pair}");
    assert_eq!(pair.matches("/marks/").count(), 1, "foreign sources have no mark");
    let id = class.number("SELECT id FROM added_sources").await;
    let removed = class.ana.post(&class.course.at(&format!("/copies/{id}/remove")), &[]).await;
    assert!(removed.status == 200 && removed.text.contains("compared: 2; pairs: 0"), "{}", removed.text);
}

#[tokio::test]
async fn a_house_bot_that_a_student_hands_in_is_found() {
    let class = Class::open(LATER).await;
    let original = program("Negamax");
    class.house("Ninja", 21, &original).await;
    class.house("Ronin", 22, &original).await;
    let alone = class.report("").await;
    assert!(alone.contains("There is nothing to compare yet") && !alone.contains("Ronin"), "{alone}");
    class.enter("Ben", "Lento", 11, &disguised("other names", &original)).await;
    class.enter("Cleo", "Rapido", 12, &program("Tabla")).await;
    let report = class.report("").await;
    assert!(report.contains("2 of the course, 2 others; pairs: 2"), "no two house bots are a pair: {report}");
    let rows = rows(&report);
    for bot in ["Ninja", "Ronin"] {
        let is_theirs = |row: &&String| row.starts_with("Real Ben") && row.contains(&format!("{bot} House bot"));
        assert_eq!(rows.iter().filter(is_theirs).count(), 1, "{rows:?}");
    }
    let pair = class.first_pair(&report).await;
    assert!(pair.contains("Passage 1") && pair.contains("bot21.cpp") && pair.contains("House bot"), "{pair}");
    assert_eq!(pair.matches("/marks/").count(), 1, "a house bot has no mark");
    let path = class.course.at(&format!("/copies/t{}/h21", class.team("Ben").await));
    assert_eq!(class.ana.get(&path).await.status, 200);
    assert_eq!(class.ben.get(&path).await.status, 404, "its sources are hidden from students");
    assert_eq!(class.ana.get(&class.course.at("/copies/h21/h22")).await.status, 404);
    class.run(&source(21, &program("Carlo"))).await;
    class.run("UPDATE bots SET active_version_id = NULL WHERE id = 22").await;
    assert_eq!(class.ana.get(&path.replace("h21", "h22")).await.status, 404, "no version of it plays");
}

#[tokio::test]
async fn of_a_house_bot_a_fingerprint_stays_when_the_course_ends() {
    let class = Class::open(LATER).await;
    class.house("Ninja", 21, &program("Negamax")).await;
    let (site, [_, ana]) = after_the_end(class).await;
    let course = year_after(&site, &ana, "Dora", 31).await;
    let report = ana.get(&course.at("/copies")).await.text;
    let [row] = &rows(&report)[..] else { panic!("{report}") };
    assert!(row.starts_with("Real Dora") && row.contains("Ninja withdrawn, 2026/27"), "{row}");
}

#[tokio::test]
async fn a_report_that_takes_too_long_says_so_and_is_there_later() {
    const SLOW: &str = "The comparison takes too long";
    let class = Class::open_with(LATER, |config| config.copies_timeout = Duration::from_millis(1)).await;
    class.enter("Ben", "Lento", 11, &program("Negamax")).await;
    let long = program("Negamax").repeat((15 << 20) / program("Negamax").len());
    let added = add(&class.ana, &class.course, "github", "foreign", zip(&[("leo/bot.cpp", long.as_bytes())])).await;
    assert!(added.status == 200 && added.text.contains(SLOW), "{}", added.text);
    assert!(added.text.contains("/remove\""), "what takes so long can be removed: {}", added.text);
    let id = class.number("SELECT id FROM added_sources").await;
    let pair = class.course.at(&format!("/copies/t{}/a{id}-0", class.team("Ben").await));
    let path = class.course.at("/copies");
    let (report, pair, home, course, work) = tokio::join!(
        class.ana.get(&path),
        class.ana.get(&pair),
        class.ana.get("/"),
        class.ben.get(&class.course.path),
        class.ana.get(&class.work),
    );
    assert!(report.text.contains(SLOW) && !report.text.contains("nothing to compare"), "{}", report.text);
    assert!(pair.status == 422 && pair.text.contains(SLOW), "{} {}", pair.status, pair.text);
    assert_eq!([home.status, course.status, work.status], [200; 3], "other pages answer meanwhile");

    // With a limit within which not all can be read, but the rest can be done: what was read is kept.
    let Class { site, ana, .. } = class;
    let site = Site::open_in(site.close().await, |config| config.copies_timeout = Duration::from_millis(100)).await;
    let (ana, since) = (ana.moved_to(&site), Instant::now());
    let mut report = ana.get(&path).await;
    while report.text.contains(SLOW) {
        assert!(since.elapsed() < WAIT_LIMIT, "what was read is not kept");
        report = ana.get(&path).await;
    }
    assert!(report.status == 200 && rows(&report.text)[0].starts_with("Real Ben"), "{}", report.text);
}

#[tokio::test]
async fn what_a_teacher_gave_to_all_does_not_count() {
    let class = Class::open(LATER).await;
    let template = program("Clasico");
    for (nickname, bot, id, own) in [("Ben", "Lento", 11, "Carlo"), ("Cleo", "Rapido", 12, "Reglas")] {
        class.enter(nickname, bot, id, &format!("{}\n{template}", program(own))).await;
    }
    assert_eq!(rows(&class.report("").await).len(), 1);
    let given = zip(&[("template.cpp", disguised("other comments", &template).as_bytes())]);
    let added = add(&class.ana, &class.course, "template", "given", given).await;
    assert!(added.status == 200 && added.text.contains("compared: 2; pairs: 0"), "{}", added.text);
    assert!(added.text.contains("Given to all: does not count"));
}

#[tokio::test]
async fn a_zip_that_lies_is_refused_with_the_reason() {
    let class = Class::open(LATER).await;
    let zeros = vec![0; 33 << 20];
    let many: Vec<String> = (0..501).map(|number| format!("p{number}/a.cpp")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"int x;"[..])).collect();
    let refused: [(Vec<u8>, &str); 7] = [
        (b"no zip".to_vec(), "the zip cannot be taken"),
        (vec![], "Choose a ZIP file"),
        (zip(&[("a.cpp", &zeros), ("b.cpp", &zeros)]), "too large"),
        (zip(&[("a.cpp", &zeros[..17 << 20])]), "too large"),
        (vec![0; (16 << 20) + 20_000], "too large"),
        (zip(&[("memo.pdf", b"%PDF-")]), "There are no sources in it"),
        (zip(&many), "more than 500 programs"),
    ];
    for (archive, reason) in refused {
        let seen = add(&class.ana, &class.course, "github", "foreign", archive).await;
        assert!(seen.status == 422 && seen.text.contains(reason), "{reason}: {} {}", seen.status, seen.text);
    }
    let nameless = add(&class.ana, &class.course, " \u{200b}", "given", small()).await;
    assert!(nameless.status == 422 && nameless.text.contains("Give them a name"), "{}", nameless.text);
    assert_eq!(class.number("SELECT COUNT(*) FROM added_sources").await, 0);
    let csrf = class.root.csrf().await;
    let form =
        Form::new().text("csrf", csrf).text("name", "x").part("archive", Part::bytes(small()).file_name("a.zip"));
    let request = class.ana.client().post(class.ana.address(&class.course.at("/copies"))).multipart(form);
    assert_eq!(send(request).await.status, 403, "from another page");
    for number in 0..5 {
        assert_eq!(add(&class.ana, &class.course, &format!("zip {number}"), "foreign", small()).await.status, 200);
    }
    let sixth = add(&class.ana, &class.course, "sixth", "foreign", small()).await;
    assert!(sixth.status == 422 && sixth.text.contains("room for 5 ZIPs"), "{}", sixth.text);
}

#[tokio::test]
async fn of_a_deleted_account_a_fingerprint_stays_and_no_name() {
    let class = Class::open(LATER).await;
    class.enter("Ben", "Lento", 11, &program("Negamax")).await;
    assert_eq!(class.ben.post("/settings/delete", &[("password", PASSWORD)]).await.status, 200);
    assert_eq!(class.number("SELECT COUNT(*) FROM bot_files").await, 0);
    class.enter("Cleo", "Rapido", 12, &disguised("other names", &program("Negamax"))).await;
    let report = class.report("").await;
    let [row] = &rows(&report)[..] else { panic!("{report}") };
    assert!(row.starts_with("Real Cleo") && row.contains("withdrawn 1 withdrawn, 2026/27"), "{row}");
    assert!(row.contains("the sources are gone") && !report.contains("Ben") && !report.contains("Lento"), "{report}");
    let team = class.team("Cleo").await;
    let print = class.number("SELECT id FROM fingerprints").await;
    let pair = class.course.at(&format!("/copies/t{team}/k{print}"));
    assert_eq!(class.ana.get(&pair).await.status, 404, "there is nothing to be seen of it");
}

/// The server of a class after its course has ended and was purged.
async fn after_the_end(class: Class) -> (Site, [Browser; 2]) {
    let Class { site, root, ana, .. } = class;
    let folder = site.close().await;
    end_at(&folder, 1).await;
    let site = Site::open_in(folder, |_| {}).await;
    let mut database = database(&site).await;
    let since = Instant::now();
    while sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM bot_files").fetch_one(&mut database).await.unwrap() > 0 {
        assert!(since.elapsed() < WAIT_LIMIT, "the course is not purged");
        tokio::task::yield_now().await;
    }
    let browsers = [root.moved_to(&site), ana.moved_to(&site)];
    (site, browsers)
}

/// A course of the year after with a student whose bot is like one that is gone.
async fn year_after(site: &Site, teacher: &Browser, nickname: &str, id: i64) -> Course {
    let course = Course::create(teacher, "Year after").await;
    let join = course.add_group(teacher, "A1").await;
    let student = somebody(site, nickname).await;
    student.post(&join, &[]).await;
    let members = teacher.get(&course.at("/members")).await.text;
    let member = between(&members, &format!("href=\"{}", course.at("/members/")), "\"").to_owned();
    assert_eq!(teacher.post(&course.at(&format!("/members/{member}/accept")), &[]).await.status, 200);
    let copy = disguised("names, comments, layout, numbers, order", &program("Negamax"));
    enter(site, &course, nickname, &format!("Bot{id}"), id, &copy).await;
    course
}

#[tokio::test]
async fn the_report_of_the_year_after_knows_a_bot_that_is_gone() {
    let class = Class::open(LATER).await;
    class.enter("Ben", "Lento", 11, &program("Negamax")).await;
    let archive = zip(&[("eva-real-name/bot.cpp", program("Carlo").as_bytes())]);
    assert_eq!(add(&class.ana, &class.course, "github", "foreign", archive).await.status, 200);
    let old = Course { path: class.course.path.clone() };
    let (site, [root, ana]) = after_the_end(class).await;
    let ended = ana.get(&old.at("/copies")).await.text;
    assert!(ended.contains("There is nothing to compare yet") && !ended.contains("name=\"archive\""), "{ended}");

    let course = year_after(&site, &ana, "Dora", 21).await;
    let report = ana.get(&course.at("/copies")).await.text;
    let [row] = &rows(&report)[..] else { panic!("{report}") };
    assert!(row.starts_with("Real Dora") && row.contains("Lento withdrawn, 2026/27"), "{row}");
    assert!(!report.contains("eva-real-name"), "names in ZIPs go with the course");

    let other = teacher(&site, &root, "Other").await;
    let course = year_after(&site, &other, "Fina", 22).await;
    let report = other.get(&course.at("/copies")).await.text;
    assert!(report.contains("A bot of another course") && !report.contains("Lento"), "{report}");
}

#[tokio::test]
async fn a_course_that_keeps_no_fingerprints_leaves_none() {
    let class = Class::open(LATER).await;
    class.enter("Ben", "Lento", 11, &program("Negamax")).await;
    class.run("UPDATE courses SET keeps_fingerprints = FALSE").await;
    let (site, [_, ana]) = after_the_end(class).await;
    let course = year_after(&site, &ana, "Dora", 21).await;
    let report = ana.get(&course.at("/copies")).await.text;
    assert!(report.contains("There is nothing to compare yet"), "{report}");
}
