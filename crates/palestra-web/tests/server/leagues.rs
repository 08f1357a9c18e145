//! Leagues: entries, forms, runs that are played, hidden standings, and the scheduler.

use std::io::{Cursor, Read};

use palestra_arena::{Rules, TimeControl};
use palestra_store::{
    Added, Built, House, Id, NewBot, NewRun, NewVersion, Quotas, Registered, RunKind, RunPlayer, RunState, Store,
    VersionState,
};
use serde_json::json;

use crate::archive::files;
use crate::courses::{Course, course_form, teacher};
use crate::games::store;
use crate::people::{admin, mail, somebody};
use crate::site::{Browser, Seen, Site, WAIT_LIMIT, between};

/// A course with two groups, a teacher and two members, each with a bot that is entered.
pub(crate) struct Scene {
    pub(crate) site: Site,
    pub(crate) store: Store,
    pub(crate) root: Browser,
    pub(crate) teacher: Browser,
    pub(crate) ada: Browser,
    pub(crate) ben: Browser,
    pub(crate) course: Course,
}

impl Scene {
    pub(crate) async fn open() -> Self {
        let site = Site::open().await;
        let root = admin(&site, "Root").await;
        let teacher = teacher(&site, &root, "Teo").await;
        let form: Vec<_> = course_form("AI").into_iter().filter(|(name, _)| *name != "domains").collect();
        let form = [form, vec![("domains", "example.org")]].concat();
        let course = Course { path: teacher.post("/courses", &form).await.path };
        let store = store(&site).await;
        let (ada, ben) = (somebody(&site, "Ada").await, somebody(&site, "Ben").await);
        for (member, group) in [(&ada, "A1"), (&ben, "B2")] {
            member.post(&course.add_group(&teacher, group).await, &[]).await;
        }
        Self { site, store, root, teacher, ada, ben, course }
    }

    /// A bot of an account, with a version that is ready.
    async fn bot(&self, name: &str, nickname: &str) -> Id {
        let account = self.store.account_by_nickname(nickname).await.unwrap().unwrap().id;
        let new = NewBot { name, game: "mancala", language: "cpp", account, course: None, house: House::No };
        let Registered::Bot(bot) = self.store.register_bot(&new, 9, 1).await.unwrap() else { panic!("{name}") };
        let files = [("bot.cpp".to_owned(), format!("// {name}").into_bytes())];
        let version = NewVersion { bot, account, note: "", files: &files };
        let added = self.store.add_version(&version, &Quotas::default(), 1).await.unwrap();
        let Added::Version { id, .. } = added else { panic!("{added:?}") };
        let built = Built { state: VersionState::Ready, report: "{}", compiler: Some("g++ 12"), flags: Some("-O2") };
        assert!(self.store.end_build(id, &built).await.unwrap());
        bot
    }

    /// Both members enter a bot.
    pub(crate) async fn enter(&self) {
        for (browser, nickname, bot) in [(&self.ada, "Ada", "Cierzo"), (&self.ben, "Ben", "Levante")] {
            self.bot(bot, nickname).await;
            let seen = browser.post(&self.course.at("/entry"), &[("bot", bot)]).await;
            assert!(seen.status == 200 && seen.text.contains(bot), "{seen:?}");
        }
    }

    pub(crate) async fn create(&self, more: &[(&str, &str)]) -> String {
        let seen = self.teacher.post(&self.course.at("/leagues/new"), &[&league_form("Main")[..], more].concat()).await;
        assert!(seen.status == 200 && seen.path.starts_with("/leagues/"), "{}", seen.text);
        seen.path
    }

    /// Starts a run. The server plays it.
    pub(crate) async fn run(&self, league: &str, due_ms: i64) -> Id {
        let new = NewRun { due_ms, ..self.new_run(league).await };
        self.store.start_run(&new, due_ms).await.unwrap().id
    }

    /// A run between built-in players under the names of bots, the first of which is Ada's and the second Ben's.
    pub(crate) async fn new_run(&self, league: &str) -> NewRun {
        let league = self.store.league(league.strip_prefix("/leagues/").unwrap()).await.unwrap().unwrap();
        let mut players = vec![];
        for (name, built_in, nickname) in
            [("Cierzo", "greedy", Some("Ada")), ("Levante", "random", Some("Ben")), ("House", "ninja1", None)]
        {
            let team_id = match nickname {
                Some(nickname) => {
                    let account = self.store.account_by_nickname(nickname).await.unwrap().unwrap().id;
                    Some(self.store.member_of(league.course_id, account).await.unwrap().unwrap().team_id)
                }
                None => None,
            };
            players.push(RunPlayer {
                name: name.into(),
                built_in: Some(built_in.into()),
                team_id,
                is_ranked: team_id.is_some(),
                ..RunPlayer::default()
            });
        }
        let rules = Rules { time: TimeControl::Unlimited, ..Rules::default() };
        let settings = json!({
            "game": "mancala", "options": "-", "rules": rules, "seed": 7, "palestra": "0.1", "slots": 2, "cores": 4,
            "is_shared": true, "lacks": "no cgroups", "states": 123_456,
        });
        NewRun {
            kind: RunKind::League,
            league_id: Some(league.id),
            assignment_id: None,
            team_id: None,
            due_ms: 0,
            is_counted: false,
            is_final: false,
            plan: json!({"rounds": {"players": 3, "format": "roundrobin", "rounds": 1, "seed": 0}}).to_string(),
            settings: settings.to_string(),
            reason: None,
            account_id: None,
            players,
            games: 6,
            searches: vec![],
        }
    }

    pub(crate) async fn finished(&self, run: Id) {
        let begun = std::time::Instant::now();
        while self.store.run_by_id(run).await.unwrap().unwrap().state != RunState::Finished {
            assert!(begun.elapsed() < WAIT_LIMIT, "{:?}", self.store.run_progress(run).await.unwrap());
            // The queue was filled behind the server's back: it looks now and then.
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

/// The form of a league, filled in.
fn league_form(name: &str) -> Vec<(&str, &str)> {
    vec![
        ("name", name),
        ("group", ""),
        ("how", "cron"),
        ("cron", "0 18 * * mon"),
        ("dates", ""),
        ("seconds", "2"),
        ("rounds", "1"),
        ("ranking", "points,timeouts,charged,difference,scored"),
        ("is_open", "yes"),
        ("act", "save"),
    ]
}

/// What a page says, between its head and its foot.
fn main_of(seen: &Seen) -> &str {
    between(&seen.text, "<main", "</main>")
}

fn now_ms() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64
}

#[tokio::test]
async fn a_teacher_makes_a_league_and_sees_what_the_form_means() {
    let scene = Scene::open().await;
    scene.enter().await;
    let path = scene.course.at("/leagues/new");
    let with = |name: &'static str, value: &'static str| {
        let form = league_form("Main").into_iter().filter(move |(field, _)| *field != name);
        form.chain([(name, value)]).collect::<Vec<_>>()
    };
    let shown = scene.teacher.post(&path, &with("act", "preview")).await;
    assert_eq!(
        (shown.status.as_u16(), between(&shown.text, "class=\"next-runs\"", "</ol>").matches("<li>").count()),
        (422, 3)
    );
    let text = main_of(&shown);
    assert!(
        text.contains("Monday, ") && text.contains(", 18:00") && text.contains("Times of Europe/Madrid."),
        "{text}"
    );
    assert!(text.contains("Bots ready to play: 2.") && text.contains("Games a run: 2."), "{text}");
    assert!(text.contains("at most 6 min 40 s"), "two games of a hundred moves of 2 s: {text}");
    assert!(!text.contains("more than half of the time"), "{text}");
    let mut tight = with("cron", "*/10 * * * *");
    tight.retain(|(field, _)| *field != "act");
    tight.push(("act", "preview"));
    assert!(scene.teacher.post(&path, &tight).await.text.contains("more than half of the time"));
    for (field, value, says) in [
        ("cron", "0 25 * * *", "the hour cannot be &#34;25&#34;"),
        ("dates", "2026-02-30 09:00", "is no date with a time"),
        ("name", "", "A name has 1 to 60 characters."),
        ("rounds", "11", "Enter a number from 1 to 10."),
        ("seconds", "0", "Enter seconds from 0.001 to 600."),
        ("group", "1", "The form is incomplete."),
        ("hidden_from", "soon", "is no date with a time"),
    ] {
        let seen = scene.teacher.post(&path, &with(field, value)).await;
        let error = seen
            .text
            .split(&format!("id=\"{field}-error\""))
            .nth(1)
            .unwrap_or_else(|| panic!("{field}: {}", seen.text));
        assert!(seen.status == 422 && error.split("</p>").next().unwrap().contains(says), "{field}: {error}");
    }
    let league = scene.create(&[]).await;
    let page = scene.ben.get(&league).await;
    assert!(main_of(&page).contains("Monday, ") && main_of(&page).contains("No run yet"), "{page:?}");
    assert!(scene.ben.get("/leagues").await.text.contains(&league));
    let edited = scene.teacher.get(&format!("{league}/edit")).await;
    assert!(edited.text.contains("value=\"0 18 * * mon\"") && edited.text.contains("Delete the league"), "{edited:?}");
    let every = [
        ("name", "Every third day"),
        ("how", "every"),
        ("days", "3"),
        ("at", "18:30"),
        ("from", "2026-11-20"),
        ("seconds", "0.5"),
        ("rounds", "2"),
        ("ranking", "points,wins,timeouts,difference"),
        ("is_published", "yes"),
    ];
    let seen = scene.teacher.post(&format!("{league}/edit"), &every).await;
    assert!(seen.path == league && main_of(&seen).contains("No run is scheduled."), "it is closed: {seen:?}");
    assert!(main_of(&seen).contains("Every 3 days."));
    assert!(scene.teacher.get(&format!("{league}/edit")).await.text.contains("value=\"18:30\""));
    assert!(
        Browser::new(&scene.site).get("/").await.text.contains(&league),
        "published leagues stand on the first page"
    );
    let seen = scene.teacher.post(&format!("{league}/delete"), &[]).await;
    assert_eq!((seen.path, scene.teacher.get(&league).await.status.as_u16()), (scene.course.at("/leagues"), 404));
}

#[tokio::test]
async fn a_member_enters_one_bot_until_a_run_counts() {
    let scene = Scene::open().await;
    let entry = scene.course.at("/entry");
    let leagues = scene.course.at("/leagues");
    assert!(scene.ada.get(&leagues).await.text.contains("You have no bot for this game yet."));
    scene.enter().await;
    scene.bot("Second", "Ada").await;
    let seen = scene.ada.get(&leagues).await;
    assert!(main_of(&seen).contains("<option value=\"Second\""), "{seen:?}");
    assert!(!main_of(&seen).contains("Levante"), "what others entered is not listed here");
    assert_eq!(scene.ada.post(&entry, &[("bot", "Levante")]).await.status, 422, "another's");
    assert_eq!(scene.ada.post(&entry, &[("bot", "nothing")]).await.status, 422);
    assert!(scene.ada.post(&entry, &[("bot", "second")]).await.text.contains("Second"));
    let league = scene.create(&[]).await;
    let run = scene.run(&league, now_ms()).await;
    scene.store.mark_run(run, true, false).await.unwrap();
    let seen = scene.ada.post(&entry, &[("bot", "Cierzo")]).await;
    assert!(seen.status == 422 && seen.text.contains("only a teacher can change your bot"), "{seen:?}");
    let team = between(&scene.teacher.get(&leagues).await.text, "Ada</bdi>", "</tr>").to_owned();
    let team = between(&team, "name=\"team\" value=\"", "\"").to_owned();
    let change = [("bot", "Cierzo"), ("team", team.as_str())];
    assert_eq!(scene.teacher.post(&entry, &change).await.status, 422, "a reason is needed");
    assert_eq!(scene.ada.post(&entry, &[&change[..], &[("reason", "mine")]].concat()).await.status, 403);
    let seen = scene.teacher.post(&entry, &[&change[..], &[("reason", "its disk broke")]].concat()).await;
    assert!(main_of(&seen).contains("its disk broke"), "{seen:?}");
    assert!(scene.ada.get(&leagues).await.text.contains("Cierzo"));
}

#[tokio::test]
async fn a_run_is_played_ranked_and_shown() {
    let scene = Scene::open().await;
    let league = scene.create(&[]).await;
    let run = scene.run(&league, now_ms()).await;
    scene.finished(run).await;
    let told = mail(&scene.site, "ada@example.org", &format!("{league}/runs/1")).await;
    assert!(told.contains("a run of your league is finished"), "{told}");

    let page = scene.ada.get(&format!("{league}/runs/1")).await;
    let text = main_of(&page);
    let own = between(text, "<tr class=\"mine\">", "</tr>");
    assert!(own.contains("Cierzo") && own.contains("Ada"), "{own}");
    assert!(text.contains("house bot") && text.contains("Games with house bots do not count."), "{text}");
    assert!(text.contains("¹ fewer time-outs, ² less charged time, ³ score difference, ⁴ score for"), "{text}");
    assert!(text.contains("123,456") && text.contains("2 / 4") && text.contains("no cgroups"), "{text}");
    assert_eq!(text.matches("1/games?of=").count(), 3 + 2, "three bots, and two cells of the cross table");
    let other = scene.ada.get(&format!("{league}/runs/1?order=wins,points")).await;
    let head = between(main_of(&other), "<thead>", "</thead>");
    assert!(head.find("Wins").unwrap() < head.find("Points").unwrap(), "{head}");
    assert_eq!(scene.ada.get(&format!("{league}/runs/1?order=luck")).await.status, 422);

    let games = scene.ada.get(&format!("{league}/runs/1/games?of=0&with=1")).await;
    assert_eq!(main_of(&games).matches("href=\"/games/").count(), 2, "{games:?}");
    let code = between(main_of(&games), "href=\"/games/", "\"").to_owned();
    assert_eq!(scene.ben.get(&format!("/games/{code}")).await.status, 200, "another group sees it too");
    assert_eq!(scene.ada.get(&format!("{league}/runs/1/games?of=9")).await.status, 404);

    let zip = scene
        .ada
        .client()
        .get(scene.ada.address(&format!("{league}/runs/1/players/0/games.zip")))
        .send()
        .await
        .unwrap();
    let bytes = zip.bytes().await.unwrap();
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
    assert_eq!(zip.len(), 4, "two games with each other");
    let mut record = String::new();
    zip.by_index(0).unwrap().read_to_string(&mut record).unwrap();
    assert!(record.contains("Game: mancala"), "{record}");
    for (browser, player) in [(&scene.ada, 1), (&scene.ben, 0), (&scene.ada, 9)] {
        assert_eq!(browser.get(&format!("{league}/runs/1/players/{player}/games.zip")).await.status, 404);
    }

    let void = format!("{league}/runs/1/void");
    assert_eq!(scene.teacher.post(&void, &[("game", "0"), ("reason", " ")]).await.status, 422);
    assert_eq!(scene.teacher.post(&void, &[("game", "0"), ("reason", "the fan stopped")]).await.status, 200);
    scene.finished(run).await;
    let played = scene.store.run_games(run).await.unwrap();
    assert_eq!((played.len(), played.iter().filter(|game| game.voided_ms.is_none()).count()), (7, 6));
    let games = scene.ben.get(&format!("{league}/runs/1/games")).await;
    assert!(main_of(&games).contains("<bdi>the fan stopped</bdi>") && !main_of(&games).contains("<form"), "{games:?}");

    // A second run gives the ranks something to change from.
    let second = scene.run(&league, now_ms()).await;
    scene.finished(second).await;
    let page = scene.ada.get(&league).await;
    let text = main_of(&page);
    assert!(text.contains("class=\"league-plot\"") && text.contains("class=\"own\""), "{text}");
    assert!(text.contains("Standings, run 2") && text.contains("Run 1"), "{text}");
    for language in ["en", "es"] {
        scene.teacher.post("/language", &[("lang", language)]).await;
        for rest in ["", "/edit", "/runs/1", "/runs/1/games", "/runs/2"] {
            let seen = scene.teacher.get(&format!("{league}{rest}")).await;
            assert!(
                seen.status == 200 && !main_of(&seen).contains("league.") && !main_of(&seen).contains("%{"),
                "{rest}: {seen:?}"
            );
        }
    }
}

#[tokio::test]
async fn hidden_standings_are_shown_again_when_the_final_run_is_published() {
    let scene = Scene::open().await;
    let league = scene.create(&[("hidden_from", "2020-01-01T00:00"), ("is_published", "yes")]).await;
    let run = scene.run(&league, now_ms()).await;
    scene.finished(run).await;
    let (page, games) = (format!("{league}/runs/1"), format!("{league}/runs/1/games"));
    let code = scene.store.run_games(run).await.unwrap()[0].game_code.clone();
    let game = format!("/games/{code}");
    let guest = Browser::new(&scene.site);
    for browser in [&scene.ada, &guest] {
        for path in [&league, &page] {
            let seen = browser.get(path).await;
            assert!(main_of(&seen).contains("The standings are hidden"), "{seen:?}");
            assert!(!main_of(&seen).contains("Cierzo") && !main_of(&seen).contains("standings\""), "{seen:?}");
        }
        for path in [&games, &game, &format!("{page}/players/0/games.zip")] {
            assert_eq!(browser.get(path).await.status, 404, "{path}");
        }
    }
    assert!(main_of(&scene.teacher.get(&page).await).contains("Cierzo"));
    assert_eq!(scene.teacher.get(&game).await.status, 200);
    let publish = format!("{page}/publish");
    assert_eq!(scene.teacher.post(&publish, &[("published", "yes")]).await.status, 422, "it is not the final one");
    scene.teacher.post(&format!("{page}/mark"), &[("counted", "yes"), ("final", "yes")]).await;
    let seen = scene.teacher.post(&publish, &[("published", "yes")]).await;
    assert!(seen.status == 200 && seen.text.contains("The standings are shown again."), "{seen:?}");
    for browser in [&scene.ada, &guest] {
        assert!(main_of(&browser.get(&page).await).contains("Cierzo"));
        assert_eq!(browser.get(&game).await.status, 200);
    }
    assert!(main_of(&scene.ada.get(&page).await).contains("Ben"), "members see whose bot it is");
    assert!(!main_of(&guest.get(&page).await).contains("Ben"), "others see bots alone");
    scene.teacher.post(&publish, &[]).await;
    assert_eq!(scene.ada.get(&game).await.status, 404, "hidden again");
}

#[tokio::test]
async fn what_was_missed_is_made_up_once_and_what_is_due_while_a_run_is_played_waits() {
    let scene = Scene::open().await;
    scene.enter().await;
    let path = scene.create(&[]).await;
    let code = path.strip_prefix("/leagues/").unwrap();
    let league = scene.store.league(code).await.unwrap().unwrap();
    let next_ms = league.due_ms.unwrap();
    assert!(next_ms > now_ms());
    // The server was down for weeks.
    let missed_ms = now_ms() - 30 * 86_400_000;
    let Scene { site, store, teacher, course, .. } = scene;
    let folder = site.close().await;
    assert!(store.set_league_due(league.id, Some(next_ms), Some(missed_ms)).await.unwrap());
    let site = Site::open_in(folder, |_| {}).await;
    let teacher = teacher.moved_to(&site);
    let runs = async |count: usize| {
        let begun = std::time::Instant::now();
        loop {
            let runs = store.runs_of_league(league.id).await.unwrap();
            let due_ms = store.league(code).await.unwrap().unwrap().due_ms.unwrap();
            if runs.len() == count && due_ms > now_ms() {
                return (runs, due_ms);
            }
            assert!(begun.elapsed() < WAIT_LIMIT, "{runs:?}, {due_ms}");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    let (started, due_ms) = runs(1).await;
    assert_eq!((started[0].due_ms, due_ms, started[0].number), (missed_ms, next_ms, 1));
    let players = store.run_players(started[0].id).await.unwrap();
    let frozen: Vec<_> =
        players.iter().map(|it| (it.name.as_str(), it.version, it.compiler.as_deref(), it.is_ranked)).collect();
    assert_eq!(frozen, [("Cierzo", Some(1), Some("g++ 12"), true), ("Levante", Some(1), Some("g++ 12"), true)]);

    let paused = teacher.post(&format!("{path}/runs/1/state"), &[("do", "pause"), ("reason", "a fire drill")]).await;
    assert!(main_of(&paused).contains("paused: <bdi>a fire drill</bdi>"), "{paused:?}");
    let due_ms = now_ms() - 1000;
    assert!(store.set_league_due(league.id, Some(next_ms), Some(due_ms)).await.unwrap());
    // The scheduler is woken by what is changed, and finds that the run before goes on.
    let other = teacher.post(&format!("{path}/run"), &[("reason", "now")]).await;
    assert!(other.status == 422 && other.text.contains("still plays a run"), "{other:?}");
    let text = teacher.get(&path).await;
    assert!(main_of(&text).contains("It was put off: it starts as soon as run 1 is over."), "{text:?}");
    assert_eq!(store.runs_of_league(league.id).await.unwrap().len(), 1);
    let given_up = teacher.post(&format!("{path}/runs/1/state"), &[("do", "give_up"), ("reason", "too late")]).await;
    assert_eq!(given_up.status, 200);
    let (started, _) = runs(2).await;
    assert_eq!((started[0].number, started[0].due_ms, started[1].state), (2, due_ms, RunState::GivenUp));
    let archive = teacher.client().get(teacher.address(&course.at("/archive.zip"))).send().await.unwrap();
    let files = files(&archive.bytes().await.unwrap());
    let (_, run) = files.iter().find(|(name, _)| name.ends_with("/run-1/run.json")).unwrap();
    assert!(run.contains("\"stop_reason\": \"too late\""), "{run}");
}
