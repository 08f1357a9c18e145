//! The Mancala course of 2018.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Folder, Script, moves, objects, result, root};
use palestra_golden::{Row, Tally, rows};

static KIT: LazyLock<String> = LazyLock::new(|| objects("kits/ugr-mancala", &["Bot", "GameState", "SimulatorLink"]));

const GREEDY_GAME: &str = "4 1 5 1 6 2 2 1 3 4 1 1 2 2 4 3 2 1 4 3 1 2 2 5 1 2 1 2 1 3 3 4";

/// Makes the program `Out` of a bot with the course's own command, among copies of the kit's files and the bot's.
fn course_pair(bot: &str) -> Folder {
    let folder = Folder::new(bot);
    folder.copy("kits/ugr-mancala");
    folder.copy("crates/palestra/tests/cli/kits/ugr/mancala");
    let main = folder.0.join("main.cpp");
    let template = std::fs::read_to_string(&main).expect("the kit has it");
    std::fs::write(main, format!("#define BOT_CLASS {bot}\n{template}")).expect("a file can be written");
    folder.compile(&format!("-o Out Bot.cpp GameState.cpp main.cpp SimulatorLink.cpp {bot}.cpp -I./ -lm -std=c++11"));
    folder
}

/// Makes the same of files that stay where they are, and gives the bot's name to the compiler.
fn named_pair(bot: &str) -> Folder {
    let folder = Folder::new(bot);
    let kit = root("kits/ugr-mancala").display().to_string();
    let bots = root("crates/palestra/tests/cli/kits/ugr/mancala").display().to_string();
    let objects = &*KIT;
    folder.compile(&format!(
        "-o Out -std=c++11 -DBOT_CLASS={bot} -I{bots} -I{kit} {objects} {kit}/main.cpp {bots}/{bot}.cpp -lm"
    ));
    folder
}

#[test]
fn golden_greedy_bot_plays_the_game_of_the_course_on_both_sides() {
    let folder = named_pair("GreedyBot");
    let wanted: Vec<&str> = GREEDY_GAME.split(' ').collect();
    for players in ["one=./Out two=./Out", "one=./Out greedy"] {
        let games = folder.games(&format!("mancala {players}"));
        assert_eq!(games.len(), 2);
        for game in games {
            assert_eq!(moves(&game), wanted, "{players}");
            assert_eq!(result(&game), ([28, 20], "finished"), "{players}");
        }
    }
}

#[test]
fn a_bot_that_plays_an_empty_pit_loses_all_seeds() {
    let folder = named_pair("Kamikaze");
    let games = folder.games("mancala bot=./Out random");
    let results: Vec<_> = games.iter().map(result).collect();
    assert_eq!(results, [([0, 48], "finished"), ([48, 0], "finished")]);
}

#[test]
fn a_bot_that_derives_in_private_and_includes_too_little_plays() {
    let folder = course_pair("Podador");
    for game in folder.games("mancala ./Out greedy") {
        let [one, two] = result(&game).0;
        assert_eq!(result(&game).1, "finished");
        assert!((one > two) == (game.tag("Player1") == Some("Podador_6")), "{one}-{two}");
    }
}

#[test]
fn a_bot_speaks_as_the_course_did() {
    let folder = named_pair("RandomBot");
    let seeds = "0 0 0 0 0 0 4 40 0 0 0 4 0 0";
    let moves = format!("GETMOVE\n2 3 5 1 {seeds}\nTIMEOUT\n0\nGETMOVE\n0 1 {seeds}\n");
    let input = format!("PING\nGETNAME\nNONSENSE\nTIMEOUT\n2000\nSETPLAYER\n1\n{moves}END\nPING\n");
    let [stdout, stderr] = folder.talk("Out", &input);
    // What has no answer of its own repeats the last one, and nothing is answered after END.
    assert_eq!(stdout, "PONG\nAleatorio\nAleatorio\nAleatorio\nOK\n4\n4\n4\nOK\n");
    // The player is not known at first, and is the second then; the time comes before it.
    assert_eq!(stderr, "initialize 2 0\nnextMove 1 2000 1: 3 5\nnextMove 1 0 1:\n");

    for (input, wanted) in [("", ""), ("PING", "PONG\n"), ("GETMOVE\n1 4 0 1", ""), ("SETPLAYER J1", "")] {
        let [stdout, _] = folder.talk("Out", input);
        assert_eq!(stdout, wanted, "it ends where its input ends: {input:?}");
    }
    let report = folder.palestra("check ./Out --game mancala");
    assert!(report.contains("No problems found"), "{report}");
}

#[test]
fn main_asks_for_the_name_of_the_bot() {
    let folder = Folder::new("nameless");
    folder.copy("kits/ugr-mancala");
    let output = folder.command("g++", "-E main.cpp").output().expect("a C++ compiler is needed: g++");
    let [_, stderr] = super::text_of(&output);
    assert!(!output.status.success() && stderr.contains("Which bot? Add -DBOT_CLASS=MyBot"), "{stderr}");
}

#[derive(Deserialize)]
struct State {
    b: [u8; 14],
    t: usize,
}

impl State {
    /// What the replaying program prints of it.
    fn line(&self, valid: bool, finished: &str, winner: &str) -> String {
        let seeds: Vec<String> = self.b.iter().map(ToString::to_string).collect();
        let valid = u8::from(valid);
        format!("{valid} {finished} {winner} {} {} : {} {}", self.b[0], self.b[7], seeds.join(" "), self.t)
    }
}

#[derive(Deserialize)]
struct Played {
    moves: Vec<u8>,
    states: Vec<State>,
    winner: Option<String>,
}

#[derive(Deserialize)]
struct EdgeCase {
    b: [u8; 14],
    t: usize,
    valid: bool,
    r#move: u8,
    after: State,
    r#final: bool,
    winner: String,
}

/// The number of a player in the course's class.
fn number(player: &str) -> &'static str {
    match player {
        "J1" => "0",
        "J2" => "1",
        "NONE" => "2",
        other => panic!("player {other} is not known"),
    }
}

#[test]
fn golden_mancala_replays_with_the_classes_of_the_course() {
    let folder = Folder::new("mancala");
    let kit = root("kits/ugr-mancala").display().to_string();
    let replay = root("crates/palestra/tests/cli/kits/ugr/mancala/replay.cpp").display().to_string();
    folder.compile(&format!("-o replay -O2 -std=c++11 -I{kit} {replay} {}", *KIT));
    let (mut script, mut tally) = (Script::default(), Tally::default());
    for row in rows("mancala") {
        if row.has(&["moves", "states"]) {
            replay_game(&row, &mut script, &mut tally);
        } else if row.has(&["after", "valid"]) {
            edge_case(&row, &mut script);
            tally.add("edge cases", 1);
        }
    }
    script.run(&folder, "replay");
    tally.print("mancala, GameState");
}

fn replay_game(row: &Row, script: &mut Script, tally: &mut Tally) {
    let played: Played = row.read();
    let start = State { b: [0, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4], t: 0 };
    script.say("start", &row.place, start.line(true, "0", number("NONE")));
    for (ply, (mv, state)) in played.moves.iter().zip(&played.states).enumerate() {
        let wanted = if ply + 1 < played.moves.len() {
            state.line(true, "0", number("NONE"))
        } else {
            state.line(true, "1", played.winner.as_deref().map_or("_", number))
        };
        script.say(&format!("move {mv}"), &row.place, wanted);
        tally.add("plies", 1);
    }
    tally.add("games", 1);
}

fn edge_case(row: &Row, script: &mut Script) {
    let case: EdgeCase = row.read();
    let before = State { b: case.b, t: case.t };
    let seeds: Vec<String> = case.b.iter().map(ToString::to_string).collect();
    script.say(&format!("set {} {}", seeds.join(" "), case.t), &row.place, before.line(case.valid, "_", "_"));
    // No move makes a good state of a bad one, or a bad one of a good one.
    let wanted = case.after.line(case.valid, if case.r#final { "1" } else { "0" }, number(&case.winner));
    script.say(&format!("move {}", case.r#move), &row.place, wanted);
}
