//! A server with a course, its people, and what is not for all of them.

use palestra_store::{Added, Built, Id, NewRun, NewVersion, Quotas, RunKind, VersionState};
use reqwest::multipart::{Form, Part};
use serde_json::json;

use super::role::Person;
use super::role::Role::{Admin, FormerTeacher, Mate, Member, OtherTeacher, Owner, Stranger, Teacher, Visitor, Waiting};
use crate::assignments::{assignment_form, zip};
use crate::copies::{add, program};
use crate::courses::{Course, teacher};
use crate::leagues::Scene;
use crate::people::{give_role, somebody};
use crate::roster::{import, upload};
use crate::runs::sql;
use crate::site::{Browser, between, send};
use crate::watch::live_code;

/// The course, and those who belong to it or do not.
pub(super) struct Class {
    pub(super) people: Vec<Person>,
    scene: Scene,
    /// What the words in the braces of an address stand for.
    words: Vec<(&'static str, String)>,
    /// A run whose games go on until the server stops.
    endless: NewRun,
}

impl Class {
    pub(super) async fn open() -> Self {
        let scene = Scene::open().await;
        let mut people = outsiders(&scene).await;
        people.push((Mate, join(&scene).await));
        register_bots(&scene).await;
        let league = scene.create(&[]).await;
        play(&scene, &league).await;
        let mut endless = scene.new_run(&league).await;
        endless.players.iter_mut().for_each(|player| player.built_in = Some("alphabeta:40".to_owned()));
        let work = mark(&scene, &league).await;
        tell(&scene).await;
        let words = words(&scene, &league, &work).await;
        for (role, browser) in
            [(Member, &scene.ben), (Owner, &scene.ada), (Teacher, &scene.teacher), (Admin, &scene.root)]
        {
            people.push((role, browser.moved_to(&scene.site)));
        }
        let mut ready = vec![];
        for (role, browser) in people {
            ready.push(Person::new(role, browser).await);
        }
        Self { people: ready, scene, words, endless }
    }

    /// A text with what its words in braces stand for.
    pub(super) fn path(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (word, is)| text.replace(&format!("{{{word}}}"), is))
    }

    /// Starts a run, and finds one of its games while it is played.
    pub(super) async fn play_on(&mut self) {
        let run = self.scene.store.start_run(&self.endless, 2).await.unwrap();
        let page = self.path(&format!("/leagues/{{league}}/runs/{}", run.number));
        self.words.push(("live", live_code(&self.scene.teacher, &page).await));
    }

    /// The standings of the league are hidden, or shown again.
    pub(super) async fn hide_standings(&self, hides: bool) {
        let from = if hides { "0" } else { "NULL" };
        sql(&self.scene.site, format!("UPDATE leagues SET hidden_from_ms = {from}")).await;
    }

    /// The league is published.
    pub(super) async fn publish_league(&self) {
        sql(&self.scene.site, "UPDATE leagues SET is_published = TRUE".to_owned()).await;
    }

    /// The addresses that the document for programs describes, with their methods.
    pub(super) async fn api_routes(&self) -> Vec<(String, String)> {
        let document = self.scene.root.get("/api/v1/openapi.json").await.text;
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        let paths = document["paths"].as_object().unwrap().iter();
        let methods = paths.flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(move |method| (method.clone(), path.clone()))
        });
        methods.collect()
    }
}

/// Those who have an account and do not belong to the course.
async fn outsiders(scene: &Scene) -> Vec<(super::role::Role, Browser)> {
    let Scene { site, root, course, .. } = scene;
    let otto = teacher(site, root, "Otto").await;
    Course::create(&otto, "Otro curso").await.add_group(&otto, "A1").await;
    let fausto = teacher(site, root, "Fausto").await;
    assert_eq!(scene.teacher.post(&course.at("/teachers"), &[("teacher", "Fausto")]).await.status, 200);
    assert_eq!(fausto.get(&course.path).await.status, 200);
    give_role(root, "Fausto", "student").await;
    let wanda = somebody(site, "Wanda").await;
    wanda.post(&course.join_path(&scene.teacher, "A1").await, &[]).await;
    sql(site, format!("UPDATE course_members SET state = 'waiting' WHERE {}", of("Wanda"))).await;
    vec![
        (Visitor, Browser::new(site)),
        (Stranger, somebody(site, "Stan").await),
        (Waiting, wanda),
        (OtherTeacher, otto),
        (FormerTeacher, fausto),
    ]
}

/// The condition that a row belongs to an account.
fn of(nickname: &str) -> String {
    format!("account_id = (SELECT id FROM accounts WHERE nickname = '{nickname}')")
}

/// Two pairs: Ada and Mara; Ben, and a student on the roster who has no account.
async fn join(scene: &Scene) -> Browser {
    let Scene { site, store, course, teacher, .. } = scene;
    let mara = somebody(site, "Mara").await;
    mara.post(&course.join_path(teacher, "A1").await, &[]).await;
    let preview = upload(teacher, course, "Name;E-mail;Group\nPia Pendiente;pia@uni.example;B2\n", "B2").await;
    assert_eq!(import(teacher, course, &preview, &[]).await.status, 200);
    let (ada, mara_id) = (member(scene, "Ada").await, member(scene, "Mara").await);
    let members = store.members(ada.course_id).await.unwrap();
    let pia = members.iter().find(|member| member.name.as_deref() == Some("Pia Pendiente")).unwrap();
    store.pair_members(ada.course_id, ada.id, mara_id.id).await.unwrap();
    store.pair_members(ada.course_id, member(scene, "Ben").await.id, pia.id).await.unwrap();
    mara
}

async fn member(scene: &Scene, nickname: &str) -> palestra_store::Member {
    let account = scene.store.account_by_nickname(nickname).await.unwrap().unwrap().id;
    let code = scene.course.path.trim_start_matches("/courses/");
    let course = scene.store.course(code).await.unwrap().unwrap().id;
    scene.store.member_of(course, account).await.unwrap().unwrap()
}

/// Bots with sources and reports, two of them entered.
async fn register_bots(scene: &Scene) {
    let code = scene.course.path.trim_start_matches("/courses/");
    let report = json!({
        "message": "bot.cpp:1:1: error: ErrorDeAda", "command": "g++",
        "steps": [{"kind": "compile", "state": "failed"}],
    });
    for (browser, name, nickname, word, house, report) in [
        (&scene.ada, "Cierzo", "Ada", "FuenteDeAda", "", report.to_string()),
        (&scene.ben, "Levante", "Ben", "FuenteDeBen", "", "{}".to_owned()),
        (&scene.teacher, "Casero", "Teo", "FuenteDeCasa", "hidden", "{}".to_owned()),
    ] {
        let fields = [("name", name), ("language", "cpp"), ("course", code), ("house", house)];
        assert_eq!(browser.post("/bots", &fields).await.path, format!("/bots/{name}"));
        let bot = scene.store.bot(name).await.unwrap().unwrap().id;
        let account = scene.store.account_by_nickname(nickname).await.unwrap().unwrap().id;
        let files = [("bot.cpp".to_owned(), format!("int {word} = 1;\n{}", program("Negamax")).into_bytes())];
        let note = if name == "Cierzo" { "NotaDeAda" } else { "" };
        let version = NewVersion { bot, account, note, files: &files };
        let added = scene.store.add_version(&version, &Quotas::default(), 1).await.unwrap();
        let Added::Version { id, .. } = added else { panic!("{added:?}") };
        let built = Built { state: VersionState::Ready, report: &report, compiler: Some("g++ 12"), flags: None };
        assert!(scene.store.end_build(id, &built).await.unwrap());
        if house.is_empty() {
            assert_eq!(browser.post(&scene.course.at("/entry"), &[("bot", name)]).await.status, 200);
        }
    }
}

/// A finished run of the league, in which Ada's bot lost a game by a fault, and one was played again.
async fn play(scene: &Scene, league: &str) {
    let run = scene.run(league, 1).await;
    scene.finished(run).await;
    let void = scene.teacher.post(&format!("{league}/runs/1/void"), &[("game", "5"), ("reason", "PorqueNoVale")]).await;
    assert_eq!(void.status, 200);
    scene.finished(run).await;
    // By the player of a side: Ada's bot, Ben's, or neither.
    let of_side = |side: u8, own: &str, other: &str, none: &str| {
        format!(
            "(SELECT CASE player_{side} WHEN 0 THEN '{own}' WHEN 1 THEN '{other}' ELSE '{none}' END FROM run_games g \
             WHERE g.game_code = game_traces.game_code)"
        )
    };
    let stderr = |side: u8| of_side(side, "StderrDeAda", "StderrDeBen", "");
    // Side 1 makes the first move.
    let thoughts = of_side(1, r#"[[0, "PensadoPorAda"]]"#, r#"[[0, "PensadoPorBen"]]"#, "[]");
    let text = format!(
        "UPDATE run_players SET bot_id = (SELECT id FROM bots WHERE bots.name = run_players.name); \
         UPDATE runs SET reason = 'PorqueQuiero', stop_reason = 'PorqueParo'; \
         UPDATE run_games SET forfeit = 'illegal', winner = 2 WHERE player_1 = 0 AND player_2 = 1; \
         UPDATE game_traces SET stderr_1 = {}, stderr_2 = {}, thoughts = {thoughts}; \
         UPDATE game_traces SET fault = 'FalloDeAda' \
         WHERE game_code IN (SELECT game_code FROM run_games WHERE forfeit = 'illegal')",
        stderr(1),
        stderr(2)
    );
    sql(&scene.site, text).await;
}

/// An assignment with a hand-in, marks that are not published, and finished games of a marking and of a trial: its address.
async fn mark(scene: &Scene, league: &str) -> String {
    let Scene { teacher, ada, course, store, .. } = scene;
    let code = course.path.trim_start_matches("/courses/");
    let work = teacher.post("/assignments", &assignment_form(code, "2028-01-10")).await.path;
    let files: [(&str, &[u8]); 2] = [("Cierzo.cpp", b"int EntregaDeAda;"), ("memo.pdf", b"%PDF-1.4 MemoriaDeAda")];
    let form = Form::new().text("csrf", ada.csrf().await);
    let form = form.part("archive", Part::bytes(zip(&files)).file_name("work.zip"));
    let handed_in = send(ada.client().post(ada.address(&format!("{work}/hand-in"))).multipart(form)).await;
    assert_eq!(handed_in.status, 200, "{}", handed_in.text);
    let (own, other) = (member(scene, "Ada").await.team_id, member(scene, "Ben").await.team_id);
    let fields = [(format!("p.{own}.memo"), "2.37"), (format!("p.{other}.memo"), "1.91")];
    let fields: Vec<_> = fields.iter().map(|(name, points)| (name.as_str(), *points)).collect();
    assert_eq!(teacher.post(&format!("{work}/marks"), &fields).await.status, 200);
    let decision = [("what", "total"), ("points", "7.13"), ("reason", "MotivoDeLaNota")];
    assert_eq!(teacher.post(&format!("{work}/marks/{own}"), &decision).await.status, 200);
    let assignment = store.assignment(work.trim_start_matches("/assignments/")).await.unwrap().unwrap().id;
    for (kind, team_id) in [(RunKind::Marking, None), (RunKind::Trial, Some(own))] {
        let mut new =
            NewRun { kind, league_id: None, assignment_id: Some(assignment), team_id, ..scene.new_run(league).await };
        new.players.remove(1);
        new.plan = json!({"rounds": {"players": 2, "format": "roundrobin", "rounds": 1, "seed": 0}}).to_string();
        new.games = 2;
        scene.finished(store.start_run(&new, 1).await.unwrap().id).await;
    }
    work
}

/// A notice to a group, sources to compare with, and what a roster and a profile say.
async fn tell(scene: &Scene) {
    let Scene { site, teacher, ada, course, .. } = scene;
    let group = group(scene, "A1").await;
    let notice = teacher.post(&course.at("/notices"), &[("group", &group.to_string()), ("text", "AvisoParaA1")]).await;
    assert_eq!(notice.status, 200);
    let archive = zip(&[("bot.cpp", b"int main() { return 7; }")]);
    assert_eq!(add(teacher, course, "FuenteAjena", "foreign", archive).await.status, 200);
    let code = course.path.trim_start_matches("/courses/");
    let text = format!(
        "UPDATE courses SET name = 'Algoritmia' WHERE code = '{code}'; \
         UPDATE course_members SET id_number = 'X7654321' WHERE {}",
        of("Ada")
    );
    sql(site, text).await;
    // From here on people are not looked for by their nicknames.
    let renamed = ada.post("/settings/profile", &[("name", "Real Ada"), ("nickname", "Adelaida")]).await;
    assert_eq!(renamed.status, 200);
}

async fn group(scene: &Scene, code: &str) -> Id {
    let course = member(scene, "Ben").await.course_id;
    let groups = scene.store.groups(course).await.unwrap();
    groups.iter().find(|group| group.code == code).unwrap().id
}

/// What the words in the braces of an address stand for.
async fn words(scene: &Scene, league: &str, work: &str) -> Vec<(&'static str, String)> {
    let Scene { store, teacher, course, .. } = scene;
    let members = store.members(member(scene, "Ben").await.course_id).await.unwrap();
    let named = |name: &str| members.iter().find(|member| member.name.as_deref() == Some(name)).unwrap();
    let (own, other) = (named("Real Ada"), named("Real Ben"));
    let assignment = store.assignment(work.trim_start_matches("/assignments/")).await.unwrap().unwrap().id;
    let hand_in = store.hand_ins_of(assignment, own.team_id).await.unwrap()[0].id;
    let game = async |run: Id| store.run_games(run).await.unwrap()[0].game_code.clone();
    let league_id = store.league(league.trim_start_matches("/leagues/")).await.unwrap().unwrap().id;
    let league_run = store.league_run(league_id, 1).await.unwrap().unwrap().id;
    let games = store.run_games(league_run).await.unwrap();
    let between_both = |one: i64| {
        let game = games.iter().find(|game| [game.player_1, game.player_2] == [one, 1 - one]);
        game.unwrap().game_code.clone()
    };
    let join = course.join_path(teacher, "B2").await;
    let copies = teacher.get(&course.at("/copies")).await.text;
    let (_, added) = copies.split_once("FuenteAjena").unwrap();
    let pair = between(&copies, &format!("href=\"{}/", course.at("/copies")), "\"");
    let (one, other_side) = pair.split_once('/').unwrap();
    vec![
        ("course", course.path.trim_start_matches("/courses/").to_owned()),
        ("member", own.id.to_string()),
        ("team", own.team_id.to_string()),
        ("one", one.to_owned()),
        ("other", other_side.to_owned()),
        ("added", between(added, &format!("action=\"{}/", course.at("/copies")), "/remove").to_owned()),
        ("other_team", other.team_id.to_string()),
        ("league", league.trim_start_matches("/leagues/").to_owned()),
        ("league_game", between_both(0)),
        ("other_game", between_both(1)),
        ("work", work.trim_start_matches("/assignments/").to_owned()),
        ("hand_in", hand_in.to_string()),
        ("marking_game", game(store.markings(assignment).await.unwrap()[0].id).await),
        ("trial_game", game(store.trials(own.team_id, 0).await.unwrap()[0].id).await),
        ("join", join.trim_start_matches("/join/").to_owned()),
    ]
}
