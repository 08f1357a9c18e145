//! Recorded games come back: every command that writes records writes what `--from` reads.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use palestra_games::Record;
use tempfile::TempDir;

/// The program in a folder, and whoever runs it by the name that it has in hints.
fn palestra(folder: &TempDir, line: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_palestra"));
    let path = std::env::join_paths(
        binary
            .parent()
            .map(Path::to_owned)
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder.path()).env("PATH", path.unwrap()).stdin(Stdio::null());
    shell.output().unwrap()
}

/// What a command prints, if it succeeds.
fn told(folder: &TempDir, line: &str) -> String {
    let Output { status, stdout, stderr } = palestra(folder, line);
    assert!(status.success(), "{line}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

fn complaint(folder: &TempDir, line: &str) -> String {
    let Output { status, stderr, .. } = palestra(folder, line);
    assert!(!status.success(), "{line}");
    String::from_utf8(stderr).unwrap()
}

fn position(shown: &str) -> &str {
    shown.lines().find_map(|line| line.strip_prefix("Position: ")).expect("show tells the position")
}

fn records(folder: &TempDir, file: &str) -> Vec<Record> {
    Record::read_all(&fs::read(folder.path().join(file)).unwrap()).unwrap()
}

/// Every position of every game of a file is shown, analysed and counted from.
fn assert_reads_back(folder: &TempDir, file: &str, games: usize) {
    let records = records(folder, file);
    assert_eq!(records.len(), games, "{file}");
    for (number, record) in (1..).zip(&records) {
        let plies = record.moves().len();
        for ply in [0, plies / 2, plies] {
            let shown = told(folder, &format!("palestra show --from {file} --game {number} --ply {ply}"));
            assert_eq!(position(&shown), record.up_to(ply).position().notation(), "{file}, game {number}, ply {ply}");
            let names = format!("{} against {}", record.tag("Player1").unwrap(), record.tag("Player2").unwrap());
            assert!(shown.contains(&format!("{names}, after {ply} of {plies} moves")), "{shown}");
        }
        let at = format!("--from {file} --game {number} --ply 2");
        let moves = record.up_to(2).position().moves().len();
        assert!(told(folder, &format!("palestra perft 1 {at}")).contains(&format!("\nleaves    {moves}\n")));
        assert!(told(folder, &format!("palestra analyse {at} --depth 1")).contains("\nBest move: "));
    }
    let end = told(folder, &format!("palestra show --from {file}"));
    assert_eq!(position(&end), records[0].position().notation(), "the first game, to its end");
}

#[test]
fn every_command_that_writes_records_writes_what_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    // A program that breaks the rules leaves a record too.
    fs::write(folder.path().join("bad.py"), "print('ready')\nfor line in iter(input, 'bye'):\n    print('move 9')\n")
        .unwrap();
    let lines = [
        ("match mancala bad.py greedy --games 1 --moves 4,1,5 --record fault.txt", "fault.txt", 1),
        ("play mancala random greedy --seed 3 --record play.txt", "play.txt", 1),
        ("match bandera greedy random --depth 1 --record match.txt", "match.txt", 2),
        ("match parchis random greedy --games 1 --options ALTERNED --record parchis.txt", "parchis.txt", 1),
        ("selfplay conecta4boom greedy --games 3 --export self.txt", "self.txt", 3),
        ("tournament mancala random greedy --depth 1 --journal cup.jsonl --record cup.txt", "cup.txt", 2),
    ];
    for (line, file, games) in lines {
        told(&folder, &format!("palestra {line}"));
        assert_reads_back(&folder, file, games);
    }
    assert!(records(&folder, "self.txt").iter().all(|game| game.tag("Player2") == Some("greedy")));
    let error = complaint(&folder, "palestra show --from cup.jsonl");
    assert!(error.contains("JSON Lines") && error.contains("--record FILE"), "{error}");
}

#[test]
fn the_command_that_is_printed_shows_where_a_lost_game_turned() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mancala", "conecta4boom", "parchis"] {
        let line = format!("palestra match {game} greedy ninja1 --games 4 --depth 2");
        let [with_file, without] = [" --record ", " #"].map(|end| told(&folder, &format!("{line}{end}{game}.txt")));
        let [recorded, written] = [with_file, without].map(|text| turnings(&folder, &text));
        assert!(!recorded.is_empty() && recorded == written, "{recorded:?} {written:?}");
        let mut games = records(&folder, &format!("{game}.txt"));
        games.sort_by_key(|record| record.tag("Number").unwrap().parse::<u32>().unwrap());
        for (number, ply, position) in recorded {
            assert_eq!(position, games[number - 1].up_to(ply).position().notation(), "{game} {number}");
        }
    }
}

/// Of each lost game its number, how many moves were made before the one that lost it, and the position that the printed
/// command shows.
fn turnings(folder: &TempDir, text: &str) -> Vec<(usize, usize, String)> {
    let (_, list) = text.split_once("Where lost games turned\n").expect("some game was lost");
    let lines: Vec<&str> = list.lines().collect();
    let turning = |pair: &[&str]| {
        let number = pair[0].split_whitespace().next().unwrap().parse().unwrap();
        let (_, rest) = pair[0].split_once("'s move ").unwrap();
        let ply = rest.split(' ').next().unwrap().parse::<usize>().unwrap() - 1;
        let shown = told(folder, pair[1]);
        let mv = rest[rest.find('(').unwrap() + 1..].split(')').next().unwrap();
        let legal = shown.split_once(" to move: ").unwrap().1;
        assert!(legal.split_whitespace().any(|word| word == mv), "{mv} in {shown}");
        (number, ply, position(&shown).to_owned())
    };
    lines.chunks(2).map(turning).collect()
}

#[test]
fn a_game_goes_on_from_a_record() {
    let folder = tempfile::tempdir().unwrap();
    told(&folder, "palestra play mancala random greedy --seed 3 --record old.txt");
    let all = told(&folder, "palestra play --from old.txt --ply 6 greedy ninja1 --record new.txt");
    assert!(all.starts_with("Mancala: Side 1 (greedy) against Side 2 (ninja1)\n"), "{all}");
    let (old, new) = (records(&folder, "old.txt"), records(&folder, "new.txt"));
    assert_eq!(new[0].up_to(6).to_string(), old[0].up_to(6).to_string());
    assert_eq!(
        [new[0].tag("Player1"), new[0].tag("Player2"), new[0].tag("Seed")],
        [Some("greedy"), Some("ninja1"), None]
    );
    assert!(new[0].position().outcome().is_some());
    // A game that was given up goes on without its result.
    told(&folder, "echo resign | palestra play mancala --moves 4,1 --record resigned.txt");
    told(&folder, "echo quit | palestra play --from resigned.txt --record on.txt");
    assert!(records(&folder, "resigned.txt")[0].result().is_some() && records(&folder, "on.txt")[0].result().is_none());
    // A person begins where the record was left, and the game may be named.
    let asked = told(&folder, "echo quit | palestra play MANCALA --from old.txt --ply 6");
    assert!(asked.contains("Side 1 (human) against Side 2 (ninja1)"), "{asked}");
    let shown = told(&folder, "palestra show --from old.txt --ply 6");
    let board = |text: &str| text.lines().filter(|line| line.contains('[')).take(3).collect::<String>();
    assert_eq!(board(&asked), board(&shown));
}

#[test]
fn what_a_record_does_not_hold_is_refused_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let game = "Game: mancala\nResult: 0-48 finished\n\n4 4\n\n";
    fs::write(folder.path().join("two.txt"), game.repeat(2)).unwrap();
    fs::write(folder.path().join("bad.txt"), format!("{game}Game: mancala\n\n4 9\n")).unwrap();
    fs::write(folder.path().join("empty.txt"), "\n").unwrap();
    for (line, error, hint) in [
        ("show --from two.txt --game 3", "'two.txt' has 2 games, there is no game 3", "choose --game 1 to 2"),
        ("show --from two.txt --ply 3", "the game has 2 moves, there is no ply 3", "choose --ply 0 to 2"),
        ("analyse parchis --from two.txt", "'two.txt' contains a game of Mancala, not of Parchís", "can be omitted"),
        (
            "show --from bad.txt --game 2",
            "'bad.txt', game 2: bad record at line 8, character 3",
            "--record and --export",
        ),
        ("show --from empty.txt", "'empty.txt' has 0 games, there is no game 1", "--record and --export"),
        ("show --from missing.txt", "cannot read 'missing.txt'", "the name of a file of records"),
        (
            "show --from two.txt --moves 4",
            "the argument '--from <FILE>' cannot be used with '--moves <MOVES>'",
            "usage",
        ),
        ("show mancala --ply 4", "required arguments were not provided:\n  --from <FILE>", "usage"),
        ("play --from two.txt human ninja1 ninja2", "invalid value 'human' for '[GAME]'", "--help"),
        ("perft --from two.txt", "required arguments were not provided:\n  <DEPTH>", "usage"),
        (
            "perft deep --from two.txt",
            "invalid value 'deep' for '[DEPTH]': expected a whole number from 0 to 100",
            "--help",
        ),
        ("perft chess 3 --from two.txt", "invalid value 'chess' for '[GAME]'", "--help"),
        ("show chess", "invalid value 'chess' for '[GAME]'\n  [possible values: mancala,", "--help"),
        ("show macala --from two.txt", "invalid value 'macala' for '[GAME]'", "a similar value exists: 'mancala'"),
    ] {
        let told = complaint(&folder, &format!("palestra {line}"));
        assert!(told.starts_with("error: ") && told.contains(error) && told.contains("\nhint: "), "{line}: {told}");
        assert!(told.contains(hint), "{line}: {told}");
    }
    let good = told(&folder, "palestra show --from bad.txt");
    assert!(good.contains("Side 2 has won 0-48"), "what stands before the damage can be read: {good}");
}
