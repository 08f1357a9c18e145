//! Assignments: hand-ins, marks and who sees them.

use std::io::{Cursor, Write};
use std::time::Instant;

use palestra_web::Config;
use reqwest::multipart::{Form, Part};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, SqliteConnection};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::bots::{example, with_boxes};
use crate::courses::{Course, course_form, teacher};
use crate::people::{admin, mail, mails, somebody};
use crate::site::{Browser, Seen, Site, WAIT_LIMIT, between, send};

/// A day that is over, and one that is not.
pub(crate) const YESTERDAY: &str = "2025-01-10";
const LATER: &str = "2028-01-10";

/// The database of a server.
pub(crate) async fn database(site: &Site) -> SqliteConnection {
    let file = site.folder.path().join("data/palestra.db");
    SqliteConnectOptions::new().filename(file).connect().await.unwrap()
}

/// The form of an assignment, filled in.
pub(crate) fn assignment_form<'a>(course: &'a str, date: &'a str) -> Vec<(&'a str, &'a str)> {
    let fields = [("title", "Practice 1"), ("time", "23:59"), ("pages", "5"), ("rubric", "mancala")];
    [&[("course", course), ("date", date)], &fields[..]].concat()
}

/// A course of the game with an assignment, and the pages of both for teachers.
pub(crate) async fn pages(teacher: &Browser, course: &Course) -> Vec<(&'static str, String)> {
    let code = course.path.trim_start_matches("/courses/");
    let work = teacher.post("/assignments", &assignment_form(code, LATER)).await.path;
    vec![
        ("assignments", course.at("/assignments")),
        ("assignment", work.clone()),
        ("assignment-form", format!("{work}/edit")),
        ("marks", format!("{work}/marks")),
    ]
}

/// A teacher's course with an assignment and two members.
pub(crate) struct Class {
    pub(crate) site: Site,
    pub(crate) root: Browser,
    pub(crate) ana: Browser,
    pub(crate) ben: Browser,
    pub(crate) cleo: Browser,
    pub(crate) course: Course,
    /// The address of the assignment.
    pub(crate) work: String,
}

impl Class {
    pub(crate) async fn open(date: &str) -> Self {
        Self::open_with(date, |_| {}).await
    }

    /// On a server that is set up differently.
    pub(crate) async fn open_with(date: &str, change: impl FnOnce(&mut Config)) -> Self {
        let site = Site::open_with(change).await;
        let root = admin(&site, "Root").await;
        let ana = teacher(&site, &root, "Ana").await;
        let (ben, cleo) = (somebody(&site, "Ben").await, somebody(&site, "Cleo").await);
        let form: Vec<_> = course_form("AI").into_iter().filter(|(name, _)| *name != "domains").collect();
        let form = [form, vec![("domains", "example.org")]].concat();
        let course = Course { path: ana.post("/courses", &form).await.path };
        let join = course.add_group(&ana, "A1").await;
        for student in [&ben, &cleo] {
            assert_eq!(student.post(&join, &[]).await.path, course.path);
        }
        let code = course.path.trim_start_matches("/courses/").to_owned();
        let made = ana.post("/assignments", &assignment_form(&code, date)).await;
        assert!(made.status == 200 && made.path.starts_with("/assignments/"), "{made:?}");
        Self { site, root, ana, ben, cleo, course, work: made.path }
    }

    pub(crate) fn at(&self, rest: &str) -> String {
        format!("{}{rest}", self.work)
    }

    pub(crate) async fn run(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut database(&self.site).await).await.unwrap();
    }

    /// A number in the database.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut database(&self.site).await).await.unwrap()
    }

    /// The team of a student.
    pub(crate) async fn team(&self, nickname: &str) -> i64 {
        self.number(&format!(
            "SELECT m.team_id FROM course_members m JOIN accounts a ON a.id = m.account_id WHERE a.nickname = '{nickname}'"
        ))
        .await
    }

    /// A bot with a version that is ready, entered for a student's team.
    async fn enter_bot(&self, nickname: &str, bot: &str, id: i64) {
        let team = self.team(nickname).await;
        self.run(&format!(
            "INSERT INTO bots (id, name, name_key, game, language, account_id, course_id, active_version_id, created_ms) \
             SELECT {id}, '{bot}', lower('{bot}'), 'mancala', 'cpp', a.id, c.id, {id}, 1 FROM accounts a, courses c \
             WHERE a.nickname = '{nickname}'; \
             INSERT INTO bot_versions (id, bot_id, number, note, source_hash, size_bytes, state, report, created_ms) \
             VALUES ({id}, {id}, 1, '', 'hash{id}', 1, 'ready', '{{}}', 1); \
             INSERT INTO entries (id, team_id, bot_id, created_ms) VALUES ({id}, {team}, {id}, 1)"
        ))
        .await;
    }

    /// A finished marking: for each student the results against `house` and `greedy` as both players, `1` if the student won.
    pub(crate) async fn marking(&self, results: &[(&str, &str, [u8; 4])]) {
        self.run(
            "INSERT INTO runs (id, code, kind, assignment_id, number, due_ms, state, is_counted, is_final, is_published, plan, \
             settings, started_ms, ended_ms) SELECT 7, 'mark7', 'marking', id, 1, 1, 'finished', TRUE, FALSE, FALSE, '', '', 1, \
             2 FROM assignments; UPDATE assignments SET marking_id = 7; \
             INSERT INTO run_players (run_id, player, name, built_in, is_ranked) \
             VALUES (7, 0, 'house', 'house', FALSE), (7, 1, 'greedy', 'greedy', FALSE)",
        )
        .await;
        for (index, (nickname, bot, results)) in results.iter().enumerate() {
            let (own, team) = (index + 2, self.team(nickname).await);
            self.run(&format!(
                "INSERT INTO run_players (run_id, player, name, team_id, is_ranked) VALUES (7, {own}, '{bot}', {team}, TRUE)"
            ))
            .await;
            for (game, is_won) in results.iter().enumerate() {
                let (number, opponent) = (4 * index + game, game / 2);
                let (one, two) = if game % 2 == 0 { (own, opponent) } else { (opponent, own) };
                let winner = if (game % 2 == 0) == (*is_won == 1) { 1 } else { 2 };
                let points = if winner == 1 { "28, 20" } else { "20, 28" };
                self.run(&format!(
                    "INSERT INTO run_games (id, run_id, number, player_1, player_2, game_code, points_1, points_2, winner, \
                     charged_1_us, charged_2_us, plies, ended_ms) \
                     VALUES ({}, 7, {number}, {one}, {two}, 'g{number}', {points}, {winner}, 1, 1, 30, 2)",
                    number + 1
                ))
                .await;
            }
        }
    }

    /// A finished run of a league that counts, with these points of the students' bots.
    pub(crate) async fn league(&self, points: &[(&str, &str, u32)]) {
        self.run(
            "INSERT INTO leagues (id, code, course_id, name, schedule, ranking, move_ms, rounds, is_published, is_open, \
             created_ms) SELECT 5, 'league5', id, 'Liga', '{}', 'points', 1, 1, FALSE, FALSE, 1 FROM courses; \
             INSERT INTO runs (id, code, kind, league_id, number, due_ms, state, is_counted, is_final, is_published, plan, \
             settings, started_ms, ended_ms) VALUES (8, 'run8', 'league', 5, 1, 1, 'finished', TRUE, FALSE, FALSE, '', '', 1, 2); \
             UPDATE assignments SET league_id = 5; \
             INSERT INTO run_players (run_id, player, name, is_ranked, group_code) VALUES (8, 0, 'Other', TRUE, 'A1')",
        )
        .await;
        let mut number = 0;
        for (index, (nickname, bot, points)) in points.iter().enumerate() {
            let (own, team) = (index + 1, self.team(nickname).await);
            self.run(&format!(
                "INSERT INTO run_players (run_id, player, name, team_id, is_ranked, group_code) \
                 VALUES (8, {own}, '{bot}', {team}, TRUE, 'A1')"
            ))
            .await;
            // These draws with a player who has left.
            for _ in 0..*points {
                self.run(&format!(
                    "INSERT INTO run_games (id, run_id, number, player_1, player_2, game_code, points_1, points_2, \
                     charged_1_us, charged_2_us, plies, ended_ms) \
                     VALUES ({}, 8, {number}, {own}, 0, 'l{number}', 24, 24, 1, 1, 30, 2)",
                    100 + number
                ))
                .await;
                number += 1;
            }
        }
    }
}

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(vec![]));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn good() -> Vec<u8> {
    zip(&[("p1/Lento.cpp", b"int x;"), ("p1/Lento.h", b"class Lento;"), ("p1/memoria.pdf", b"%PDF-1.4 nothing more")])
}

pub(crate) async fn hand_in(class: &Class, browser: &Browser, archive: Vec<u8>) -> Seen {
    let part = Part::bytes(archive).file_name("work.zip");
    let form = Form::new().text("csrf", browser.csrf().await).part("archive", part);
    send(browser.client().post(browser.address(&class.at("/hand-in"))).multipart(form)).await
}

#[tokio::test]
async fn a_hand_in_is_taken_with_remarks_and_downloaded() {
    let class = Class::open(LATER).await;
    let page = class.ben.get(&class.work).await.text;
    assert!(page.contains("23:59 (Europe/Madrid)") && page.contains("The server&#39;s clock counts"), "{page}");
    let taken = hand_in(&class, &class.ben, good()).await;
    assert_eq!(taken.status, 200, "{}", taken.text);
    for remark in ["Your hand-in has arrived", "enclosing folder p1", "pages of the memo could not be counted"] {
        assert!(taken.text.contains(remark), "{remark}: {}", taken.text);
    }
    assert!(!taken.text.contains("badge sun"), "it is not late");
    let link = between(&taken.text, &format!("href=\"{}/", class.at("/hand-ins")), "\"").to_owned();
    let archive = class.at(&format!("/hand-ins/{link}"));
    let memo = format!("{archive}/memo");
    for (path, kind) in [(&archive, "application/zip"), (&memo, "application/pdf")] {
        let seen = class.ben.get(path).await;
        assert_eq!((seen.status.as_u16(), seen.headers["content-type"].to_str().unwrap()), (200, kind));
        assert!(seen.headers["content-disposition"].to_str().unwrap().starts_with("attachment;"), "never inline");
        assert_eq!(class.ana.get(path).await.status, 200, "the teacher");
        assert_eq!(class.cleo.get(path).await.status, 404, "another student");
    }
    let all = class.ana.client().get(class.ana.address(&class.at("/hand-ins.zip"))).send().await.unwrap();
    let all = all.bytes().await.unwrap();
    let read = zip::ZipArchive::new(Cursor::new(all.to_vec())).unwrap();
    let mut names: Vec<_> = read.file_names().map(|name| name.unwrap()).collect();
    names.sort_unstable();
    let folder = "A1 Real Ben";
    let expected = ["Lento.cpp", "Lento.h", "memoria.pdf"].map(|name| format!("{folder}/{name}"));
    assert_eq!(names, expected);
    assert!(class.ana.get(&class.work).await.text.contains("1 of 2 teams have handed in"));
}

#[tokio::test]
async fn a_hand_in_that_lies_is_refused_with_the_reason() {
    let class = Class::open(LATER).await;
    let zeros = vec![0; 21 << 20];
    let refused: [(Vec<u8>, &str); 8] = [
        (b"no zip".to_vec(), "not a ZIP"),
        (vec![], "Choose a ZIP file"),
        (zip(&[("a.txt", &zeros), ("b.txt", &zeros)]), "unpacked it has more than 40 MiB"),
        (zip(&[("a/b/c.cpp", b"")]), "several folders"),
        (zip(&[("bot.cpp", b"\x7fELF\x02")]), "is a compiled program"),
        (zip(&[("memo.pdf", b"I am a text")]), "is called a PDF and is none"),
        (zip(&[("fdp.\u{202e}ppc", b"")]), "turn the direction of text"),
        (vec![0; (10 << 20) + 20_000], "more than 10 MiB"),
    ];
    for (archive, reason) in refused {
        let seen = hand_in(&class, &class.ben, archive).await;
        assert!(seen.status == 422 && seen.text.contains(reason), "{reason}: {} {}", seen.status, seen.text);
        assert!(!seen.text.contains('\u{202e}'));
    }
    assert_eq!(class.number("SELECT COUNT(*) FROM hand_ins").await, 0);
    let foreign =
        Form::new().text("csrf", class.cleo.csrf().await).part("archive", Part::bytes(good()).file_name("x.zip"));
    let request = class.ben.client().post(class.ben.address(&class.at("/hand-in"))).multipart(foreign);
    assert_eq!(send(request).await.status, 403, "from another page");
}

#[tokio::test]
async fn what_is_late_is_marked_and_not_lost() {
    let class = Class::open(YESTERDAY).await;
    let taken = hand_in(&class, &class.ben, good()).await;
    assert!(taken.status == 200 && taken.text.contains("<span class=\"badge sun\">late</span>"), "{}", taken.text);
    let marks = class.ana.get(&class.at("/marks")).await.text;
    let row = between(&marks, "Real Ben", "</tr>");
    assert!(row.contains("late"), "{row}");
}

#[tokio::test]
async fn marks_follow_from_games_league_and_entries() {
    let class = Class::open(YESTERDAY).await;
    class.marking(&[("Ben", "Lento", [1, 1, 1, 1]), ("Cleo", "Rapido", [1, 0, 1, 1])]).await;
    class.league(&[("Ben", "Lento", 30), ("Cleo", "Rapido", 10)]).await;
    let (ben, cleo) = (class.team("Ben").await, class.team("Cleo").await);
    let field = |team: i64| format!("p.{team}.memo");
    let fields = [(field(ben), "3"), (field(cleo), "2,75")];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let marks = class.ana.post(&class.at("/marks"), &fields).await;
    assert_eq!(marks.status, 200, "{}", marks.text);
    // Other drew all 40 games with them: it has 40 points, and is the best of the group.
    // Ben: 3 + 3 + 4 x 30/40 = 9; Cleo: 2.75 + 1.5 + 4 x 10/40 = 5.25.
    let total = |who: &str| between(between(&marks.text, who, "</tr>"), "<b>", "</b>").to_owned();
    assert_eq!([total("Real Ben"), total("Real Cleo")], ["9.00", "5.25"]);
    let detail = class.ana.get(&class.at(&format!("/marks/{cleo}"))).await.text;
    for text in
        ["beats greedy on both sides", "4 × 10 points / 40 best points", "href=\"/games/g6\"", "href=\"/games/g7\""]
    {
        assert!(detail.contains(text), "{text}: {detail}");
    }
    let wrong = class.ana.post(&class.at("/marks"), &[(&field(ben), "3.5")]).await;
    assert!(wrong.status == 422 && wrong.text.contains("Real Ben: 0–3"), "{}", wrong.text);
    // An override, a copy and their end; each with a reason.
    let decide = async |fields: &[(&str, &str)]| class.ana.post(&class.at(&format!("/marks/{ben}")), fields).await;
    assert_eq!(decide(&[("what", "total"), ("points", "9.5"), ("reason", " ")]).await.status, 422);
    let overridden = decide(&[("what", "total"), ("points", "9.5"), ("reason", "showed it in class")]).await;
    assert!(overridden.text.contains("<b>9.50 / 10</b>") && overridden.text.contains("showed it in class"));
    let copied = decide(&[("what", "copy"), ("reason", "same as Cleo")]).await;
    assert!(copied.text.contains("<b>0.00 / 10</b>"), "{}", copied.text);
    let back = decide(&[("what", "back"), ("reason", "a mistake")]).await;
    assert!(back.text.contains("<b>9.00 / 10</b>") && back.text.contains("same as Cleo"), "all is kept");
    assert_eq!(class.number("SELECT COUNT(*) FROM mark_entries").await, 6);
}

#[tokio::test]
async fn a_student_sees_their_own_mark_and_no_other() {
    let class = Class::open(YESTERDAY).await;
    class.marking(&[("Ben", "Lento", [1, 1, 1, 1]), ("Cleo", "Rapido", [0, 0, 0, 1])]).await;
    let (ben, cleo) = (class.team("Ben").await, class.team("Cleo").await);
    class
        .ana
        .post(&class.at("/marks"), &[(&format!("p.{ben}.memo"), "1.11"), (&format!("p.{cleo}.memo"), "2.22")])
        .await;
    assert!(!class.ben.get(&class.work).await.text.contains("1.11"), "not published yet");
    assert_eq!(class.ana.post(&class.at("/publish"), &[]).await.status, 200);
    let seen = class.ben.get(&class.work).await.text;
    assert!(
        seen.contains("Your mark") && seen.contains("4.11") && seen.contains("beats house on both sides"),
        "{seen}"
    );
    for other in ["2.22", "Rapido", "Cleo", "href=\"/games/g4\""] {
        assert!(!seen.contains(other), "{other}");
    }
    assert!(seen.contains("href=\"/games/g0\""), "the games behind the number");
    for path in ["/marks", "/marks.csv", "/hand-ins.zip", "/edit", &format!("/marks/{ben}"), &format!("/marks/{cleo}")]
    {
        assert_eq!(class.ben.get(&class.at(path)).await.status, 403, "{path}");
    }
    mail(&class.site, "ben@example.org", &class.work).await;
    // Publishing once more sends nothing; hiding takes the page away.
    class.ana.post(&class.at("/publish"), &[]).await;
    assert_eq!(class.ana.post(&class.at("/hide"), &[]).await.status, 200);
    assert!(!class.ben.get(&class.work).await.text.contains("4.11"));
    let told = mails(&class.site, "ben@example.org").into_iter().filter(|mail| mail.contains(&class.work)).count();
    assert_eq!(told, 1);
}

#[tokio::test]
async fn marks_are_exported_for_moodle() {
    let class = Class::open(YESTERDAY).await;
    class.marking(&[("Ben", "Lento", [1, 1, 1, 1]), ("Cleo", "Rapido", [0, 0, 1, 1])]).await;
    let ben = class.team("Ben").await;
    class.ana.post(&class.at("/marks"), &[(&format!("p.{ben}.memo"), "2.5")]).await;
    class.run("UPDATE course_members SET name = '=cmd|calc' WHERE account_id IN (SELECT id FROM accounts WHERE nickname = 'Cleo')").await;
    let seen = class.ana.get(&class.at("/marks.csv")).await;
    assert_eq!(seen.headers["content-type"], "text/csv; charset=utf-8");
    let expected = "\u{feff}Full name,ID number,Email address,Group,Bot,A: memo,B: against the course's bots,C: league,Total,Remarks\r\n\
                    '=cmd|calc,,cleo@example.org,A1,,,1.50,0.00,1.50,not entered; no league\r\n\
                    Real Ben,,ben@example.org,A1,,2.50,3.00,0.00,5.50,no league\r\n";
    assert_eq!(seen.text, expected);
    let comma = class.ana.get(&class.at("/marks.csv?decimal=comma")).await.text;
    assert!(comma.contains("Real Ben;;ben@example.org;A1;;2,50;3,00;0,00;5,50;no league"), "{comma}");
    assert!(comma.contains("\"not entered; no league\""), "{comma}");
}

#[tokio::test]
async fn a_rubric_is_checked_and_tried_before_it_is_used() {
    let class = Class::open(YESTERDAY).await;
    class.marking(&[("Ben", "Lento", [1, 1, 1, 1])]).await;
    let own = |toml: &'static str| {
        let form = assignment_form("", YESTERDAY).into_iter().filter(|(name, _)| *name != "rubric");
        form.chain([("rubric", "own"), ("toml", toml)]).collect::<Vec<_>>()
    };
    let wrong = class.ana.post(&class.at("/edit"), &own("title = \"x\"\n[[part]]\nkey = 3")).await;
    assert!(wrong.status == 422 && wrong.text.contains("line 3: this cannot be read"), "{}", wrong.text);
    let unknown =
        "title = \"x\"\n[[part]]\nkey = \"b\"\ntitle = \"B\"\nkind = \"wins\"\npoints = 1\nopponents = [\"Sparta\"]";
    let wrong = class.ana.post(&class.at("/edit"), &own(unknown)).await;
    assert!(wrong.status == 422 && wrong.text.contains("Sparta is neither a built-in player"), "{}", wrong.text);
    let boom: Vec<_> = assignment_form("", YESTERDAY).into_iter().filter(|(name, _)| *name != "rubric").collect();
    let boom = class.ana.post(&class.at("/edit"), &[boom, vec![("rubric", "boom")]].concat()).await;
    assert!(boom.status == 422 && boom.text.contains("for another game"), "{}", boom.text);
    let good = "title = \"x\"\n[[part]]\nkey = \"b\"\ntitle = \"B\"\nkind = \"wins\"\npoints = 2.5\nopponents = [\"house\", \"greedy\"]";
    let tried = class.ana.post(&class.at("/edit"), &[own(good), vec![("act", "try")]].concat()).await;
    assert_eq!(tried.status, 200);
    let row = between(&tried.text, "<bdi>Real Ben</bdi>", "</tr>");
    assert!(row.contains("3.00") && row.contains("<b>10.00</b>"), "{row}");
    assert!(class.ana.get(&class.work).await.text.contains("A: memo"), "nothing was changed");
    let saved = class.ana.post(&class.at("/edit"), &own(good)).await;
    assert!(saved.status == 200 && saved.text.contains("2.5 for each win against house, greedy"), "{}", saved.text);
}

#[tokio::test]
async fn markings_and_trials_are_started_and_kept() {
    let class = Class::open(LATER).await;
    let compute = async |reason: &str| class.ana.post(&class.at("/marks/compute"), &[("reason", reason)]).await;
    assert_eq!(compute("").await.status, 422, "there is no bot");
    assert_eq!(class.ben.post(&class.at("/trial"), &[]).await.status, 422, "there is no bot");
    class.enter_bot("Ben", "Lento", 40).await;
    class.enter_bot("Cleo", "Rapido", 41).await;
    assert_eq!(compute("").await.status, 200);
    assert_eq!(compute(" ").await.status, 422, "again only with a reason");
    let again = compute("a new version").await;
    assert!(again.status == 200 && again.text.contains("a new version"), "{}", again.text);
    assert_eq!(class.number("SELECT COUNT(*) FROM runs WHERE kind = 'marking'").await, 2);
    assert_eq!(class.number("SELECT number FROM runs r JOIN assignments a ON a.marking_id = r.id").await, 1);
    let plan =
        "SELECT COUNT(*) FROM run_players p JOIN runs r ON r.id = p.run_id WHERE r.number = 1 AND r.kind = 'marking'";
    assert_eq!(class.number(plan).await, 4, "house, greedy and two bots");
    let (_, rest) = again.text.split_once("a new version").unwrap();
    let run = between(rest, "name=\"run\" value=\"", "\"").to_owned();
    assert_eq!(class.ana.post(&class.at("/marks/count"), &[("run", &run)]).await.status, 200);
    assert_eq!(class.number("SELECT number FROM runs r JOIN assignments a ON a.marking_id = r.id").await, 2);
    for left in [2, 1, 0] {
        let started = class.ben.post(&class.at("/trial"), &[]).await;
        assert!(started.status == 200 && started.text.contains(&format!("Left today: {left}")), "{}", started.text);
    }
    let fourth = class.ben.post(&class.at("/trial"), &[]).await;
    assert!(fourth.status == 422 && fourth.text.contains("3 trials today"), "{}", fourth.text);
    assert!(class.cleo.get(&class.work).await.text.contains("Left today: 3"), "another team's trials are its own");
}

#[tokio::test]
async fn a_search_brings_what_was_known_of_it_when_the_marking_began() {
    let class = Class::open(LATER).await;
    let toml = "title = \"x\"\n[[part]]\nkey = \"s\"\ntitle = \"Search\"\nkind = \"search\"\npoints = 1.5\n\
                [[part]]\nkey = \"b\"\ntitle = \"B\"\nkind = \"wins\"\npoints = 1\nopponents = [\"greedy\"]";
    let form = assignment_form("", LATER).into_iter().filter(|(name, _)| *name != "rubric");
    let form: Vec<_> = form.chain([("rubric", "own"), ("toml", toml)]).collect();
    let saved = class.ana.post(&class.at("/edit"), &form).await;
    assert!(saved.text.contains("1.5 if the search of the bot finds what alpha-beta finds"), "{}", saved.text);

    class.enter_bot("Ben", "Lento", 40).await;
    class.enter_bot("Cleo", "Rapido", 41).await;
    let found = |id: i64, search: &str| {
        format!("UPDATE bot_versions SET report = '{{\"search\":\"{search}\"}}' WHERE id = {id}")
    };
    class.run(&found(40, "right")).await;
    // It was tried, and does not answer the option.
    class.run(&found(41, "untested")).await;
    assert_eq!(class.ana.post(&class.at("/marks/compute"), &[("reason", "")]).await.status, 200);
    // What becomes known later, or is deleted, changes no mark.
    class.run(&found(40, "wrong")).await;
    class.run(&found(41, "right")).await;
    let detail = async |nickname: &str| {
        let team = class.team(nickname).await;
        class.ana.get(&class.at(&format!("/marks/{team}"))).await.text
    };
    let ben = detail("Ben").await;
    assert!(ben.contains("its search finds what alpha-beta finds") && ben.contains("<b>1.50 / 3.5</b>"), "{ben}");
    let cleo = detail("Cleo").await;
    assert!(cleo.contains("its search was not tested"), "{cleo}");
    let marks = class.ana.get(&class.at("/marks")).await.text;
    assert!(between(&marks, "Real Cleo", "</tr>").contains("search not tested"), "{marks}");
    assert_eq!(class.ana.post(&class.at("/marks/compute"), &[("reason", "new versions")]).await.status, 200);
    let marks = class.ana.get(&class.at("/marks")).await.text;
    let (_, rest) = marks.split_once("new versions").unwrap();
    let run = between(rest, "name=\"run\" value=\"", "\"").to_owned();
    class.ana.post(&class.at("/marks/count"), &[("run", &run)]).await;
    assert!(detail("Ben").await.contains("its search does not find what alpha-beta finds"));
    assert!(detail("Cleo").await.contains("<b>1.50 / 3.5</b>"));
}

/// A rubric about the search alone, and what a teacher enters.
const SEARCH_ALONE: &str = "title = \"x\"\n[[part]]\nkey = \"s\"\ntitle = \"Search\"\nkind = \"search\"\npoints = 1.5\n\
    [[part]]\nkey = \"memo\"\ntitle = \"Memo\"\nkind = \"entered\"\nmaximum = 3";

impl Class {
    /// Gives the assignment this rubric.
    async fn set_rubric(&self, toml: &str) {
        let form = assignment_form("", LATER).into_iter().filter(|(name, _)| *name != "rubric");
        let form: Vec<_> = form.chain([("rubric", "own"), ("toml", toml)]).collect();
        assert_eq!(self.ana.post(&self.at("/edit"), &form).await.path, self.work);
    }

    /// The page of a student's mark.
    async fn mark_of(&self, nickname: &str) -> String {
        let team = self.team(nickname).await;
        self.ana.get(&self.at(&format!("/marks/{team}"))).await.text
    }

    /// The number of runs in this state.
    async fn runs(&self, state: &str) -> i64 {
        self.number(&format!("SELECT COUNT(*) FROM runs WHERE state = '{state}'")).await
    }
}

#[tokio::test]
async fn a_rubric_about_the_search_alone_plays_no_games() {
    let class = Class::open(LATER).await;
    class.set_rubric(SEARCH_ALONE).await;
    let none = class.ana.post(&class.at("/marks/compute"), &[("reason", "")]).await;
    assert!(none.status == 422 && none.text.contains("There is nothing to try"), "{}", none.text);
    class.enter_bot("Ben", "Lento", 40).await;
    class.enter_bot("Cleo", "Rapido", 41).await;
    class.run("UPDATE bot_versions SET report = '{\"search\":\"right\"}' WHERE id = 40").await;
    class.run("UPDATE bot_versions SET report = '{\"search\":\"untested\"}' WHERE id = 41").await;
    let marks = class.ana.get(&class.at("/marks")).await.text;
    assert!(marks.contains("Compare the searches") && !marks.contains("Play the games"), "{marks}");
    assert_eq!(class.ana.post(&class.at("/marks/compute"), &[("reason", "")]).await.status, 200);
    assert_eq!((class.runs("finished").await, class.number("SELECT COUNT(*) FROM jobs").await), (1, 0));
    let fields = [(format!("p.{}.memo", class.team("Ben").await), "2".to_owned()), ("group".to_owned(), String::new())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(class.ana.post(&class.at("/marks"), &fields).await.status, 200);
    let ben = class.mark_of("Ben").await;
    assert!(ben.contains("its search finds what alpha-beta finds") && ben.contains("<b>3.50 / 4.5</b>"), "{ben}");
    assert!(class.mark_of("Cleo").await.contains("its search was not tested"));
    let trial = class.ben.post(&class.at("/trial"), &[]).await;
    assert!(trial.status == 200 && trial.text.contains("its search finds what alpha-beta finds"), "{}", trial.text);
    assert_eq!(class.runs("finished").await, 2);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_search_that_was_never_compared_is_compared_for_the_marking() {
    let class = Class::open_with(LATER, with_boxes).await;
    class.set_rubric(SEARCH_ALONE).await;
    class.enter_bot("Ben", "Lento", 40).await;
    // As an earlier Palestra left it: a version that was tried without its search.
    let report =
        r#"{"steps":[{"kind":"compile","state":"passed"},{"kind":"itself","state":"passed"}],"command":"g++"}"#;
    class.run(&format!("UPDATE bot_versions SET report = '{report}' WHERE id = 40")).await;
    for (name, text) in example() {
        let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        class
            .run(&format!(
                "INSERT INTO blobs (hash, bytes, created_ms) VALUES ('{name}', x'{hex}', 1); \
                 INSERT INTO bot_files (version_id, name, hash) VALUES (40, '{name}', '{name}')"
            ))
            .await;
    }
    assert_eq!(class.ana.post(&class.at("/marks/compute"), &[("reason", "")]).await.status, 200);
    let marks = class.ana.get(&class.at("/marks")).await.text;
    assert!(marks.contains("searches to compare: 1") || class.runs("finished").await == 1, "{marks}");
    let begun = Instant::now();
    while class.runs("finished").await == 0 {
        let failed = class.number("SELECT COUNT(*) FROM jobs WHERE state = 'failed'").await;
        assert!(failed == 0 && begun.elapsed() < WAIT_LIMIT, "{failed} jobs were set aside");
        tokio::task::yield_now().await;
    }
    let ben = class.mark_of("Ben").await;
    assert!(ben.contains("its search finds what alpha-beta finds") && ben.contains("<b>1.50 / 4.5</b>"), "{ben}");
    // It is part of what is known of the version: the next marking has it at once.
    let report: String = sqlx::query_scalar("SELECT report FROM bot_versions WHERE id = 40")
        .fetch_one(&mut database(&class.site).await)
        .await
        .unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let kinds: Vec<_> = report["steps"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!((&report["search"], kinds), (&serde_json::json!("right"), vec!["compile", "search", "itself"]));
    assert_eq!(class.ana.post(&class.at("/marks/compute"), &[("reason", "again")]).await.status, 200);
    assert_eq!(class.runs("finished").await, 2);
}

#[tokio::test]
async fn an_assignment_is_deleted_only_while_it_is_empty() {
    let class = Class::open(LATER).await;
    hand_in(&class, &class.ben, good()).await;
    assert_eq!(class.ana.post(&class.at("/delete"), &[]).await.status, 422);
    let code = class.course.path.trim_start_matches("/courses/");
    let other = class.ana.post("/assignments", &assignment_form(code, LATER)).await.path;
    let left = class.ana.post(&format!("{other}/delete"), &[]).await;
    assert_eq!(left.path, class.course.at("/assignments"));
    assert_eq!(class.ana.get(&other).await.status, 404);
    let root = class.root.get(&class.work).await;
    assert_eq!(root.status, 200, "admins see all");
}
