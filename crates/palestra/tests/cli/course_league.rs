//! `palestra course run-league` and `marks`: a teacher's league at the shell.

use std::path::Path;
use std::process::{Command, Stdio};

use palestra_store::{
    Added, Built, House, Id, MemberState, NewAccount, NewAssignment, NewBot, NewEntry, NewLeague, NewRun, NewVersion,
    Quotas, Registered, Role, Run, Store, VersionState,
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::course::{palestra, said, with_course};
use crate::killed::{GAMES, await_games, check, new_run};
use crate::server::Served;
use crate::terminal::Terminal;

/// A bot that plays its first legal move.
const BOT: &str = "\
import sys
legal = []
for line in sys.stdin:
    words = line.split()
    if words[0] == 'hello':
        print('ready', flush=True)
    elif words[0] == 'legal':
        legal = words[1:]
    elif words[0] == 'go':
        print('move', legal[0], flush=True)
";

/// A data folder with a course of two members, each with a bot, a league and an assignment.
struct Prepared {
    folder: TempDir,
    runtime: Runtime,
    store: Store,
    token: String,
    league: String,
    assignment: String,
}

impl Prepared {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (course, token) = with_course(&folder);
        let runtime = Runtime::new().unwrap();
        let file = folder.path().join("palestra-data/palestra.db");
        let store = runtime.block_on(Store::open_file(&file)).unwrap();
        let (league, assignment) = runtime.block_on(async {
            let course = store.course(&course).await.unwrap().unwrap().id;
            for (nickname, bot) in [("Eva", "Cierzo"), ("Leo", "Levante")] {
                enter(&store, course, nickname, bot).await;
            }
            let league = NewLeague {
                group_id: None,
                name: "Liga".to_owned(),
                schedule: "{}".to_owned(),
                ranking: "points".to_owned(),
                move_ms: 2000,
                rounds: 1,
                is_published: false,
                hidden_from_ms: None,
                is_open: true,
                due_ms: None,
                guests: vec![],
            };
            let assignment = NewAssignment {
                title: "Práctica".to_owned(),
                due_ms: 60_000,
                page_limit: 5,
                rubric: "mancala".to_owned(),
                league_id: None,
                counted_run_id: None,
            };
            let league = store.create_league(course, &league, 5).await.unwrap();
            (league, store.create_assignment(course, &assignment, 5).await.unwrap())
        });
        Self { folder, runtime, store, token, league, assignment }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run_league(&self, more: &[&str]) -> (bool, String) {
        said(&mut self.command(more))
    }

    fn command(&self, more: &[&str]) -> Command {
        palestra(self.path(), &[&["course", "run-league", &self.league], more].concat())
    }

    /// The runs of the league, the last one first.
    fn runs(&self) -> Vec<Run> {
        self.runtime.block_on(async {
            let league = self.store.league(&self.league).await.unwrap().unwrap().id;
            self.store.runs_of_league(league).await.unwrap()
        })
    }
}

/// A student of a course with a bot that is entered.
async fn enter(store: &Store, course: Id, nickname: &str, bot: &str) {
    let new = NewAccount {
        nickname: nickname.to_owned(),
        name: format!("{nickname} Pérez, the \"first\""),
        email: format!("{nickname}@uni.example"),
        password: "unused".to_owned(),
        role: Role::Student,
    };
    store.create_account(&new, 4).await.unwrap();
    let account = store.account_by_nickname(nickname).await.unwrap().unwrap();
    let group = store.groups(course).await.unwrap()[0].id;
    store.join_course((course, group), &account, MemberState::Member, 4).await.unwrap();
    let team = store.member_of(course, account.id).await.unwrap().unwrap().team_id;
    let account = account.id;
    let new =
        NewBot { name: bot, game: "mancala", language: "python", account, course: Some(course), house: House::No };
    let Registered::Bot(bot) = store.register_bot(&new, 9, 4).await.unwrap() else { panic!("{bot}") };
    let files = [("bot.py".to_owned(), BOT.as_bytes().to_vec())];
    let version = NewVersion { bot, account, note: "", files: &files };
    let added = store.add_version(&version, &Quotas::default(), 4).await.unwrap();
    let Added::Version { id, .. } = added else { panic!("{added:?}") };
    let built = Built { state: VersionState::Ready, report: "{}", compiler: None, flags: None };
    assert!(store.end_build(id, &built).await.unwrap());
    store.enter_bot(&NewEntry { team, bot, account, reason: None }, 4).await.unwrap();
}

#[test]
fn a_league_is_played_to_its_end_in_its_folder_and_by_its_server() {
    let prepared = Prepared::new();
    let finished = "Run 1 is finished: 2 games.\n";
    assert_eq!(prepared.run_league(&["--counted", "--reason", "a rehearsal"]), (true, finished.to_owned()));
    let runs = prepared.runs();
    assert_eq!((runs[0].reason.as_deref(), runs[0].is_counted, runs[0].is_final), (Some("a rehearsal"), true, false));

    assert!(!prepared.path().join("palestra-data/mail").exists(), "mails are the server's");

    let server = Served::start(&prepared.folder, &[]);
    let (is_well, refused) = prepared.run_league(&[]);
    assert!(!is_well && refused.contains("error: another Palestra uses the folder"), "{refused}");
    assert!(refused.contains(&format!("hint: let the server play it: palestra course run-league {}", prepared.league)));
    let url = format!("http://{}", server.address);
    let (is_well, told) = said(prepared.command(&["--server", &url, "--wait"]).env("PALESTRA_TOKEN", &prepared.token));
    let page = format!("{url}/leagues/{}/runs/2", prepared.league);
    let expected = format!("Run 2 begins, with 2 games: {page}\nRun 2 is finished: 2 games.\n");
    assert_eq!((is_well, told), (true, expected));
    assert_eq!(prepared.runs()[0].reason.as_deref(), Some("started at the shell"));
    let (is_well, refused) =
        said(prepared.command(&["--server", &url]).env("PALESTRA_TOKEN", "abcdefghijkmnpqrstuvwxyz23"));
    assert!(!is_well && refused.contains("the token is unknown to this server"), "{refused}");

    let marks = ["course", "marks", &prepared.assignment];
    let (is_well, csv) = said(&mut palestra(prepared.path(), &marks));
    let expected = "\u{feff}Full name,ID number,Email address,Group,Bot,A: memo,B: against the course's bots,C: league,Total,Remarks\r\n\
                    \"Eva Pérez, the \"\"first\"\"\",,eva@uni.example,A1,Cierzo,,0.00,0.00,0.00,\
                    not entered; games missing; no league\r\n";
    assert!(is_well && csv.starts_with(expected) && csv.lines().count() == 3, "{csv}");
    for more in [&[][..], &["--decimal", "comma"], &["--format", "games"], &["--format", "json"]] {
        let (is_well, here) = said(&mut palestra(prepared.path(), &[&marks[..], more].concat()));
        let there = [&marks[..], more, &["--server", &url]].concat();
        let there = said(palestra(prepared.path(), &there).env("PALESTRA_TOKEN", &prepared.token));
        assert_eq!((is_well, &here), (there.0, &there.1), "{more:?}");
        match more {
            ["--decimal", _] => assert!(here.contains(";A1;Cierzo;;0,00;0,00;0,00;"), "{here}"),
            ["--format", "json"] => {
                let marks: serde_json::Value = serde_json::from_str(&here).unwrap();
                assert_eq!(marks["teams"][0]["parts"][1]["how"], "games missing: 4");
            }
            _ => {}
        }
    }
}

#[test]
fn a_run_that_is_interrupted_goes_on_the_next_time() {
    let prepared = Prepared::new();
    let Prepared { runtime, store, .. } = &prepared;
    let league = runtime.block_on(store.league(&prepared.league)).unwrap().unwrap().id;
    // The players stand in the run: those that are entered now are of no matter.
    let run = runtime.block_on(store.start_run(&NewRun { league_id: Some(league), ..new_run(7) }, 6)).unwrap();
    runtime.block_on(store.pause_run(run.id, "a fire drill")).unwrap();
    let playing = prepared.command(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_games(runtime, store, &run, 5);
    assert!(Command::new("kill").args(["-INT", &playing.id().to_string()]).status().unwrap().success());
    let output = playing.wait_with_output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{told}");
    let progress = runtime.block_on(store.run_progress(run.id)).unwrap();
    assert_eq!((progress.played + progress.left, progress.playing, progress.failed), (GAMES, 0, 0), "{progress:?}");
    assert!(told.starts_with(&format!("Run 1 stops after {} of {GAMES} games.\n", progress.played)), "{told}");
    assert!(output.stderr.is_empty(), "no bar without a terminal");

    let (is_well, refused) = prepared.run_league(&["--counted"]);
    assert!(!is_well && refused.contains("still plays a run"), "a new run waits for it: {refused}");
    assert_eq!(prepared.run_league(&[]), (true, format!("Run 1 is finished: {GAMES} games.\n")));
    check(runtime, store, &run);
}

#[test]
fn a_terminal_shows_how_far_a_run_is() {
    let prepared = Prepared::new();
    let Prepared { runtime, store, .. } = &prepared;
    let league = runtime.block_on(store.league(&prepared.league)).unwrap().unwrap().id;
    runtime.block_on(store.start_run(&NewRun { league_id: Some(league), ..new_run(15) }, 6)).unwrap();
    let data = prepared.path().join("palestra-data");
    let args = ["run-league", &prepared.league, "--data", data.to_str().unwrap()];
    let mut terminal = Terminal::run("course", &args);
    terminal.read_until("[");
    terminal.read_until(&format!(" of {GAMES} games, 0:"));
    terminal.read_until(" left");
    terminal.read_until(&format!("Run 1 is finished: {GAMES} games."));
}

#[test]
fn what_cannot_be_played_or_printed_is_said() {
    let prepared = Prepared::new();
    let Prepared { runtime, store, .. } = &prepared;
    let ask = |args: &[&str]| {
        let (is_well, said) = said(&mut palestra(prepared.path(), &[&["course"], args].concat()));
        assert!(!is_well, "{said}");
        said
    };
    assert_eq!(ask(&["run-league", "nothing"]), "error: there is no league with the code nothing\n");
    assert_eq!(ask(&["marks", "nothing"]), "error: there is no assignment with the code nothing\n");
    let comma = ask(&["marks", &prepared.assignment, "--format", "json", "--decimal", "comma"]);
    assert_eq!(comma, "error: JSON has decimal points\n");

    let league = runtime.block_on(store.league(&prepared.league)).unwrap().unwrap().id;
    let mut new = NewRun { league_id: Some(league), ..new_run(1) };
    new.players[0].built_in = Some("nobody".to_owned());
    runtime.block_on(store.start_run(&new, 6)).unwrap();
    let stuck = ask(&["run-league", &prepared.league]);
    assert!(stuck.starts_with("error: 22 games could not be played: bot0: "), "{stuck}");
    assert!(stuck.contains("hint: 'palestra serve' shows admins what was set aside"), "{stuck}");
}
