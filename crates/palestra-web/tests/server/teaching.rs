//! A course from its first page to its marks, as README's walkthrough tells it: a teacher and two students in browsers of
//! their own.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;

use crate::bots::{pair, with_boxes};
use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::courses::teacher;
use crate::people::{admin, email, somebody};
use crate::site::{Browser, Site, send};
use crate::walk::{Page, visit};

/// A bot of the starter kits.
const KIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kits/python");

/// A memo of one page.
const MEMO: &str = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
    3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n";

/// A person in front of a browser.
struct Person {
    tab: Tab,
    url: String,
}

impl Person {
    async fn sit(chrome: &mut Chrome, site: &Site, browser: &Browser) -> Self {
        let mut tab = chrome.tab().await;
        tab.set_cookies(&site.url, &browser.cookies()).await;
        Self { tab, url: site.url.clone() }
    }

    async fn open(&mut self, path: &str) {
        let url = format!("{}{path}", self.url);
        self.tab.open(&url).await;
    }

    /// Fills in the fields of the form that is sent to an address.
    async fn fill(&mut self, action: &str, fields: &[(&str, &str)]) {
        for (name, value) in fields {
            let field = format!("form[action={}] [name={}]", json!(action), json!(name));
            let element = format!("document.querySelector({})", json!(field));
            assert_eq!(self.tab.eval(&format!("{element} !== null")).await, true, "{field}");
            let fill = format!(
                "{{ const field = {element}; if (field.type === 'radio' || field.type === 'checkbox') \
                 document.querySelector({checked})?.click(); else field.value = {value}; }}",
                checked = json!(format!("{field}[value={}]", json!(value))),
                value = json!(value)
            );
            self.tab.eval(&fill).await;
        }
    }

    /// Chooses files for a field.
    async fn choose(&mut self, name: &str, files: &[PathBuf]) {
        let expression = json!({"expression": format!("document.querySelector('input[type=file][name={name}]')")});
        let field = self.tab.call("Runtime.evaluate", expression).await["result"]["objectId"].take();
        self.tab.call("DOM.setFileInputFiles", json!({"files": files, "objectId": field})).await;
    }

    /// Sends the form that goes to an address, by its button, and waits for the page that follows.
    async fn send(&mut self, action: &str) {
        self.tab.eval("window.isOld = true").await;
        self.tab.click(&format!("form[action={}] button:not([type=button])", json!(action))).await;
        self.tab.wait_for("!window.isOld && document.readyState === 'complete'").await;
    }

    async fn fill_and_send(&mut self, action: &str, fields: &[(&str, &str)]) {
        self.fill(action, fields).await;
        self.send(action).await;
    }

    /// Waits until the page says something; a page that does not refresh itself is loaded again.
    async fn waits_for(&mut self, text: &str, again: bool) {
        let begun = Instant::now();
        while !self.sees(text).await {
            assert!(begun.elapsed().as_secs() < 120, "{text:?}: {}", self.text().await);
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            if again {
                let path = self.path().await;
                self.open(&path).await;
            }
        }
    }

    async fn sees(&mut self, text: &str) -> bool {
        self.text().await.contains(text)
    }

    async fn text(&mut self) -> String {
        self.word("document.querySelector('main')?.innerText ?? ''").await
    }

    async fn path(&mut self) -> String {
        self.word("location.pathname").await
    }

    async fn word(&mut self, expression: &str) -> String {
        self.tab.eval(expression).await.as_str().unwrap_or_else(|| panic!("{expression}")).to_owned()
    }

    /// The paths to which links in the page lead that begin so.
    async fn links(&mut self, begin: &str) -> Vec<String> {
        let links = format!(
            "[...document.querySelectorAll('main a')].map((link) => link.pathname).filter((path) => path.startsWith({}))",
            json!(begin)
        );
        let links = self.tab.eval(&links).await;
        links.as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned()).collect()
    }
}

/// Writes files to a folder; their paths.
fn written(folder: &Path, files: &[(String, String)]) -> Vec<PathBuf> {
    let write = |(name, text): &(String, String)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    files.iter().map(write).collect()
}

/// What the pages and the walk have in common.
struct Walk {
    teacher: Person,
    ada: Person,
    ben: Person,
    /// The teacher's and Ada's, for pages that are read and not clicked.
    files: Browser,
    student: Browser,
    folder: tempfile::TempDir,
    course: String,
}

impl Walk {
    async fn open(site: &Site, chrome: &mut Chrome) -> Self {
        let root = admin(site, "Root").await;
        let files = teacher(site, &root, "Teo").await;
        let [ada, ben] = [somebody(site, "Ada").await, somebody(site, "Ben").await];
        Self {
            teacher: Person::sit(chrome, site, &files).await,
            ada: Person::sit(chrome, site, &ada).await,
            ben: Person::sit(chrome, site, &ben).await,
            files,
            student: ada,
            folder: tempfile::tempdir().unwrap(),
            course: String::new(),
        }
    }

    fn at(&self, rest: &str) -> String {
        format!("{}{rest}", self.course)
    }

    /// The teacher makes a course with a group; both students follow its link.
    async fn join(&mut self) {
        let teacher = &mut self.teacher;
        teacher.open("/courses/new").await;
        let fields = [
            ("name", "Inteligencia Artificial"),
            ("year", "2026/27"),
            ("rule", "cpu"),
            ("amount", "0.2"),
            ("domains", "example.org"),
            ("time_zone", "Europe/Madrid"),
            ("ends", "2029-07-31"),
        ];
        teacher.fill_and_send("/courses", &fields).await;
        self.course = teacher.path().await;
        let groups = format!("{}/groups", self.course);
        teacher.fill_and_send(&groups, &[("code", "A1"), ("name", "Campus")]).await;
        let link = teacher.word("document.querySelector('main td code').innerText").await;
        let join = link[link.find("/join/").unwrap()..].to_owned();
        for student in [&mut self.ada, &mut self.ben] {
            student.open(&join).await;
            student.send(&join).await;
            assert_eq!(student.path().await, self.course);
        }
    }

    /// Ada uploads a pair of the course that does not compile, and mends it.
    async fn upload_and_mend(&mut self) {
        let ada = &mut self.ada;
        ada.open("/bots").await;
        let code = self.course.trim_start_matches("/courses/").to_owned();
        ada.fill_and_send("/bots", &[("name", "Cierzo"), ("course", &code)]).await;
        assert_eq!(ada.path().await, "/bots/Cierzo");
        let [header, mut source] = pair("Cierzo");
        let good = source.1.clone();
        source.1 = good.replace("return M_NONE;", "return M_NON;");
        ada.choose("files", &written(self.folder.path(), &[header.clone(), source])).await;
        ada.send("/bots/Cierzo/versions").await;
        // The page follows the build by itself.
        ada.waits_for("The first error:", false).await;
        let line = ada.word("document.querySelector('.excerpt .it').innerText").await;
        assert!(line.contains("return M_NON;"), "{line}");
        assert!(ada.word("document.querySelector('#version header .badge').innerText").await.contains("refused"));

        ada.open("/bots/Cierzo").await;
        ada.choose("files", &written(self.folder.path(), &[header, ("Cierzo.cpp".to_owned(), good)])).await;
        ada.send("/bots/Cierzo/versions").await;
        ada.waits_for("v2\tplays", false).await;
    }

    /// Ben uploads a bot of the starter kits.
    async fn upload_from_the_kit(&mut self) {
        let ben = &mut self.ben;
        ben.open("/bots").await;
        let code = self.course.trim_start_matches("/courses/").to_owned();
        ben.fill_and_send("/bots", &[("name", "Levante"), ("language", "python"), ("course", &code)]).await;
        let kit = ["palestra.py", "mancala/alphabeta.py"].map(|name| Path::new(KIT).join(name).canonicalize().unwrap());
        ben.choose("files", &kit).await;
        ben.send("/bots/Levante/versions").await;
        ben.waits_for("v1\tplays", false).await;
    }

    async fn enter(&mut self) {
        let (leagues, entry) = (self.at("/leagues"), self.at("/entry"));
        for (student, bot) in [(&mut self.ada, "Cierzo"), (&mut self.ben, "Levante")] {
            student.open(&leagues).await;
            student.fill_and_send(&entry, &[("bot", bot)]).await;
        }
    }

    /// The teacher makes a league and lets it play; its address.
    async fn league(&mut self) -> String {
        let new = self.at("/leagues/new");
        let teacher = &mut self.teacher;
        teacher.open(&new).await;
        teacher.fill_and_send(&new, &[("name", "Liga"), ("how", "none"), ("seconds", "0.2")]).await;
        let league = teacher.path().await;
        assert!(league.starts_with("/leagues/"), "{league}");
        teacher.tab.click("[popovertarget=run-now]").await;
        teacher.fill_and_send(&format!("{league}/run"), &[("reason", "The first run"), ("counted", "yes")]).await;
        teacher.open(&format!("{league}/runs/1")).await;
        teacher.waits_for("finished", true).await;
        league
    }

    /// The teacher makes an assignment; its address.
    async fn assignment(&mut self, league: &str) -> String {
        let course = self.course.trim_start_matches("/courses/").to_owned();
        let teacher = &mut self.teacher;
        teacher.open(&format!("/assignments/new?course={course}")).await;
        let league = league.trim_start_matches("/leagues/");
        let fields = [
            ("title", "Practice 1"),
            ("date", "2028-01-10"),
            ("time", "23:59"),
            ("rubric", "mancala"),
            ("league", league),
        ];
        teacher.fill_and_send("/assignments", &fields).await;
        teacher.path().await
    }

    async fn hand_in(&mut self, work: &str) {
        let archive = self.folder.path().join("work.zip");
        let [header, source] = pair("Cierzo");
        let files = [("p1/Cierzo.h", header.1), ("p1/Cierzo.cpp", source.1), ("p1/memo.pdf", MEMO.to_owned())];
        let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        std::fs::write(&archive, crate::assignments::zip(&files)).unwrap();
        let ada = &mut self.ada;
        ada.open(work).await;
        ada.choose("archive", &[archive]).await;
        ada.send(&format!("{work}/hand-in")).await;
        assert!(
            ada.sees("Your hand-in has arrived").await && ada.sees("enclosing folder p1").await,
            "{}",
            ada.text().await
        );
        assert!(!ada.sees("could not be counted").await, "the memo has one page");
    }

    /// The teacher enters what the memo is worth, and lets the games be played.
    async fn mark(&mut self, work: &str) {
        let teacher = &mut self.teacher;
        let marks = format!("{work}/marks");
        teacher.open(&marks).await;
        teacher.tab.eval("document.querySelector('main td input').value = '2.5'").await;
        teacher.send(&marks).await;
        teacher.send(&format!("{marks}/compute")).await;
        teacher.waits_for("8 of 8 games", true).await;
    }

    async fn saved(&self, path: &str) -> String {
        send(self.files.client().get(self.files.address(path))).await.text
    }
}

#[tokio::test]
async fn a_course_from_its_first_page_to_its_marks() {
    let site = Site::open_with(with_boxes).await;
    let mut chrome = Chrome::start().await;
    let mut walk = Walk::open(&site, &mut chrome).await;
    walk.join().await;
    walk.upload_and_mend().await;
    walk.upload_from_the_kit().await;
    walk.enter().await;

    let league = walk.league().await;
    walk.ben.open(&league).await;
    let table = walk.ben.text().await;
    assert!(table.contains("Cierzo") && table.contains("Levante"), "{table}");
    walk.ben.open(&format!("{league}/runs/1/games")).await;
    let games = walk.ben.links("/games/").await;
    assert_eq!(games.len(), 2, "on each side: {games:?}");
    walk.ben.open(&games[0]).await;
    walk.ben.tab.wait_for("document.querySelector('.moves [aria-current]') !== null").await;

    let work = walk.assignment(&league).await;
    walk.hand_in(&work).await;
    walk.mark(&work).await;
    let csv = walk.saved(&format!("{work}/marks.csv")).await;
    let rows: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(rows.len(), 3, "{csv}");
    let ada: Vec<&str> = rows.iter().find(|row| row.contains(&email("Ada"))).unwrap().split(',').collect();
    assert_eq!(ada[5], "2.50", "the memo: {csv}");

    // Each number of the export leads to its games.
    walk.teacher.open(&format!("{work}/marks")).await;
    let team = walk.teacher.links(&format!("{work}/marks/")).await[0].clone();
    walk.teacher.open(&team).await;
    assert!(walk.teacher.sees(&format!("{} / 10", ada[8])).await, "{csv}\n{}", walk.teacher.text().await);
    let games = walk.teacher.links("/games/").await;
    assert_eq!(games.len(), 4, "against two opponents on both sides");
    walk.teacher.open(&games[0]).await;
    walk.teacher.tab.wait_for("document.querySelector('.moves [aria-current]') !== null").await;
    walk.ada.open(&work).await;
    assert!(!walk.ada.sees("Your mark").await, "nothing is published yet");
    walk.teacher.open(&format!("{work}/marks")).await;
    walk.teacher.send(&format!("{work}/publish")).await;
    walk.ada.open(&work).await;
    assert!(walk.ada.sees("Your mark").await && walk.ada.sees(&format!("{} / 10", ada[8])).await);
    walk.ben.open(&team).await;
    assert!(!walk.ben.sees("2.5").await, "another student's mark");
    for person in [&walk.ada, &walk.teacher] {
        assert_no_complaints(&person.tab);
    }

    let course = walk.course.clone();
    let pages = [
        ("course-teacher", course.clone()),
        ("course-leagues", format!("{course}/leagues")),
        ("league-form", format!("{course}/leagues/new")),
        ("league", league.clone()),
        ("league-run", format!("{league}/runs/1")),
        ("league-games", format!("{league}/runs/1/games")),
        ("leagues", "/leagues".to_owned()),
        ("bot-of-student", "/bots/Cierzo".to_owned()),
        ("bot-refused", "/bots/Cierzo?version=1".to_owned()),
        ("marks-entered", format!("{work}/marks")),
        ("mark", team),
    ];
    let mut faults = visit(&mut chrome, &site, &walk.files, &pages.map(|(name, path)| Page::new(name, &path))).await;
    let own = [
        ("bots", "/bots".to_owned()),
        ("bot", "/bots/Cierzo".to_owned()),
        ("course-student", course.clone()),
        ("course-entry", format!("{course}/leagues")),
        ("league-student", league),
        ("assignment-marked", work),
    ];
    faults.extend(visit(&mut chrome, &site, &walk.student, &own.map(|(name, path)| Page::new(name, &path))).await);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
