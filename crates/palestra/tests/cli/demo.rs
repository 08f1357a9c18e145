//! `palestra demo`, run for real: its bots are compiled and play in boxes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use palestra_store::{Store, VersionState};
use tokio::runtime::Runtime;

use crate::course::{palestra, said};

/// What the demonstration may take on two cores.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A demonstration that is killed if a test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_course_with_a_league_is_there_within_two_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let mut command = palestra(folder.path(), &["demo", "--data", "shown here", "--listen", "127.0.0.1:0"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut running = Running(child);
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut told: Vec<String> = vec![];
    while !told.last().is_some_and(|line| line.starts_with("Press Ctrl-C")) {
        told.push(lines.next().unwrap_or_else(|| panic!("it ends after {told:?}")));
    }
    assert!(begun.elapsed() < TIME_LIMIT, "{:?}", begun.elapsed());
    assert!(told[0].starts_with("Palestra's demonstration is at http://127.0.0.1:"), "{told:?}");
    assert_eq!(told.last().unwrap(), "Press Ctrl-C to stop; 'palestra serve --data 'shown here'' goes on with it.");
    let passwords: Vec<&str> = told[5..8].iter().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert!(passwords.len() == 3 && passwords[0] != passwords[1] && passwords[1] != passwords[2], "{told:?}");

    let data = folder.path().join("shown here");
    Runtime::new().unwrap().block_on(async {
        let store = Store::open_file(&data.join("palestra.db")).await.unwrap();
        let course = store.all_courses().await.unwrap().remove(0);
        let groups = store.groups(course.id).await.unwrap();
        assert_eq!(groups.iter().map(|group| group.code.as_str()).collect::<Vec<_>>(), ["A1", "B1"]);
        for entry in store.team_entries(course.id, None).await.unwrap() {
            let version = store.version_by_id(entry.version_id.unwrap()).await.unwrap().unwrap();
            assert_eq!(version.state, VersionState::Ready, "{entry:?}");
        }
        let league = store.leagues_of_course(course.id).await.unwrap().remove(0);
        let run = store.league_run(league.id, 1).await.unwrap().unwrap();
        let players = store.run_players(run.id).await.unwrap();
        assert!(players.len() == 12 && players.iter().all(|player| player.built_in.is_none()), "{players:?}");
        let games = store.run_games(run.id).await.unwrap();
        assert_eq!((run.state.word(), games.len()), ("finished", 132));
        assert!(games.iter().all(|game| game.forfeit.is_none()), "no bot makes mistakes");
        store.close().await;
    });

    let assignment = told.iter().find_map(|line| line.split("/assignments/").nth(1)?.split('/').next()).unwrap();
    let (is_well, marks) = said(&mut palestra(folder.path(), &["course", "marks", assignment, "--data", "shown here"]));
    assert!(is_well && marks.lines().count() == 13 && marks.contains(",4.00,"), "{marks}");
    let (is_well, again) = said(&mut palestra(folder.path(), &["demo", "--data", "shown here"]));
    assert!(!is_well && again.contains("error: the folder shown here is not empty"), "{again}");

    let sent = Command::new("kill").args(["-INT", &running.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(running.0.wait().unwrap().success());
    let mut log = String::new();
    running.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_eq!(log, "", "nothing goes wrong");
}

#[test]
fn a_demonstration_that_is_interrupted_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = palestra(folder.path(), &["demo", "--listen", "127.0.0.1:0"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !folder.path().join("palestra-demo/palestra.db").exists() {
        assert!(begun.elapsed() < TIME_LIMIT, "no database");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{told}");
    assert!(told.contains("error: interrupted: the demonstration is unfinished"), "{told}");
    assert!(told.contains("hint: remove the folder palestra-demo to begin anew"), "{told}");
}
