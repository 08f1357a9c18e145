//! The report on similar sources: who sees it, what it finds, and how it shows that.

#[path = "../../../palestra-arena/tests/arena/copies/disguise.rs"]
mod disguise;

use std::fs;
use std::path::Path;

use disguise::DISGUISES;
use sqlx::AssertSqlSafe;

use crate::assignments::{Class, database, hand_in, zip};
use crate::courses::{Course, course_form, teacher};
use crate::people::somebody;
use crate::site::{Browser, Site, between};

/// A deadline that is not over.
const LATER: &str = "2028-01-10";

/// Roles for which every address is tried.
const ROLES: [&str; 6] = ["visitor", "stranger", "member", "teacher of another course", "teacher", "admin"];

/// A file of the repository.
fn text_of(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// A bot by somebody, written for the Mancala course.
fn program(name: &str) -> String {
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
    let text = teacher.get(&report).await.text;
    let pair = between(&text, &format!("href=\"{report}/"), "\"");
    vec![("copies-pair", format!("{report}/{pair}")), ("copies", report)]
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
    pub(crate) async fn enter(&self, nickname: &str, bot: &str, id: i64, text: &str) {
        self.enter_bot(nickname, bot, id).await;
        self.run(&source(id, text)).await;
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
    let tab = format!("href=\"{}\"", class.course.at("/copies"));
    assert!(class.ana.get(&class.course.path).await.text.contains(&tab));
    assert!(!class.ben.get(&class.course.path).await.text.contains(&tab));
    let own = Course { path: other.post("/courses", &course_form("Another")).await.path };
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
