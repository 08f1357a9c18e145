//! The courses of Conecta-4 Boom and Desconecta-4 Boom.

use std::sync::LazyLock;

use palestra_games::boom::{Action, Boom, Conecta, Desconecta, Rules};
use palestra_games::{Game, NoOptions};
use serde::Deserialize;

use super::{Folder, Script, moves, objects, result, root};
use palestra_golden::{Row, Tally, rows};

static KIT: LazyLock<String> = LazyLock::new(|| objects("kits/ugr-boom", &["environment"]));

/// Counts above this are left to the tests of the rules.
const PERFT_LIMIT: u64 = 200_000;

/// Makes the program `Out` of a student's files and the kit, which stay where they are.
fn player_pair(player: &str) -> Folder {
    let folder = Folder::new(player);
    let kit = root("kits/ugr-boom").display().to_string();
    let pair = root("crates/palestra/tests/cli/kits/ugr/boom").join(player).display().to_string();
    let objects = &*KIT;
    folder.compile(&format!(
        "-o Out -O2 -std=gnu++14 -fpermissive -I{pair} -I{kit} {objects} {kit}/main.cpp {pair}/player.cpp -lm"
    ));
    folder
}

#[test]
fn an_alpha_beta_that_prints_to_cout_plays_both_games_as_ours_does() {
    let folder = player_pair("alfabeta");
    for (game, other) in [("conecta4boom", "ninja2"), ("desconecta4boom", "ninja1")] {
        let theirs = folder.games(&format!("{game} bot=./Out {other}"));
        let ours = folder.games(&format!("{game} bot=alphabeta:8:test {other}"));
        assert_eq!(theirs.len(), 2);
        for (theirs, ours) in theirs.iter().zip(&ours) {
            assert_eq!(result(theirs).1, "finished", "{game}");
            assert_eq!((moves(theirs), result(theirs)), (moves(ours), result(ours)), "{game}");
        }
    }
}

#[test]
fn an_action_that_does_not_exist_is_the_players_fault() {
    let folder = player_pair("despistado");
    for game in ["conecta4boom", "desconecta4boom"] {
        for played in folder.games(&format!("{game} bot=./Out random")) {
            let (points, reason) = result(&played);
            let other = if played.tag("Player1") == Some("bot") { [0, 1] } else { [1, 0] };
            assert_eq!(points, other, "{game}");
            assert!(reason.contains("illegal"), "{game}: {reason}");
        }
    }
}

#[test]
fn a_player_without_a_header_and_with_late_includes_plays() {
    // The command for copies in one folder, where a player.h of the student's would have replaced the kit's.
    let folder = Folder::new("olvidadizo");
    folder.copy("kits/ugr-boom");
    folder.copy("crates/palestra/tests/cli/kits/ugr/boom/olvidadizo");
    folder.compile("-o Out environment.cpp main.cpp player.cpp -I./ -lm -std=c++11 -fpermissive");
    for game in ["conecta4boom", "desconecta4boom"] {
        for played in folder.games(&format!("{game} bot=./Out random")) {
            assert_eq!(result(&played).1, "finished", "{game}");
        }
        let report = folder.palestra(&format!("check ./Out --game {game}"));
        assert!(report.contains("No problems found"), "{report}");
    }
}

#[test]
fn a_player_sees_the_position_and_what_led_to_it() {
    let folder = player_pair("chivato");
    let told = |game: &str, seat: u8, turns: &[[&str; 2]]| {
        let turn = |[position, history]: &[&str; 2]| {
            format!("position {position}\nhistory{history}\nlegal 1\ngo cpu 2000 wall 6000\nused cpu 1 wall 1\n")
        };
        let turns: String = turns.iter().map(turn).collect();
        let input = format!("hello 1\n\nnonsense 1\ngame {game} seat {seat} options -\n{turns}ping x\nbye\ngo\n");
        let [stdout, stderr] = folder.talk("Out", &input);
        let seen: Vec<String> = stderr.split_terminator(" |").map(str::to_owned).collect();
        (stdout, seen)
    };

    let (stdout, seen) = told(
        "conecta4boom",
        2,
        &[
            ["2:7/7/7/7/7/7/2x4", " 3"],
            ["3:7/7/7/7/7/7/o1x4", ""],
            ["6:7/7/7/7/7/o6/oxxx3", " 2 4"],
            // Nothing is known of the moves before these two. Now a drop is a bomb.
            ["14:7/7/7/7/7/xoxxox1/oxoxoXo", " 5 6"],
            ["15:7/7/7/7/O6/xoxxox1/oxoxoXo", ""],
        ],
    );
    assert_eq!(stdout, "ready\nmove 1\nmove 1\nmove 1\nmove 1\nmove 1\npong x\n");
    assert_eq!(
        seen,
        [
            "jugador 2 activo 2 jugada 1 ultimas 2 -1 bombas 000 acciones 7 abajo 0010000",
            "jugador 2 activo 2 jugada 1 ultimas 2 0 bombas 000 acciones 7 abajo 2010000",
            "jugador 2 activo 2 jugada 2 ultimas 3 0 bombas 000 acciones 7 abajo 2111000",
            "jugador 2 activo 2 jugada 4 ultimas 5 -1 bombas 101 acciones 7 abajo 2121242",
            "jugador 2 activo 2 jugada 4 ultimas 5 0 bombas 110 acciones 8 abajo 2121242",
        ]
    );

    let (stdout, seen) = told(
        "desconecta4boom",
        1,
        &[["11:7/7/7/7/x6/O4xo/Xxxo1oo", " boom 3 7"], ["3:7/7/7/7/7/7/2xo3", ""], ["5:7/7/7/7/7/7/oxxo3", " 1"]],
    );
    assert_eq!(stdout, "ready\nmove 1\nmove 1\nmove 1\npong x\n");
    assert_eq!(
        seen,
        [
            "jugador 1 activo 1 jugada 6 ultimas 2 6 bombas 110 acciones 8 abajo 4112022",
            "jugador 1 activo 1 jugada 2 ultimas -1 -1 bombas 000 acciones 7 abajo 0012000",
            "jugador 1 activo 1 jugada 3 ultimas 0 0 bombas 000 acciones 7 abajo 2112000",
        ]
    );
}

#[derive(Deserialize)]
struct State {
    p: usize,
    turn: u32,
    legal: Vec<u8>,
    board: String,
    free: u32,
    bomb: [u8; 2],
    put_bomb: u8,
}

impl State {
    /// What the replaying program prints of it: `end` is whether the game is over, its winner, and who has a line.
    fn line(&self, end: &str, last: &str) -> String {
        let Self { p, turn, board, free, bomb: [one, two], put_bomb, .. } = self;
        let legal: String = self.legal.iter().map(ToString::to_string).collect();
        let height = |column: usize| board.bytes().skip(column).step_by(7).filter(|&cell| cell != b'0').count();
        let heights: String = (0..7).map(|column| height(column).to_string()).collect();
        format!("{p} {turn} L{legal} {board} {free} {one}{two} {put_bomb} {heights} {end} {last} 1")
    }
}

#[derive(Deserialize)]
struct Played {
    actions: Vec<u8>,
    states: Vec<State>,
    winner: Option<usize>,
    terminal: Option<bool>,
    four: Option<[u8; 2]>,
}

impl Played {
    /// How a state stands: only the last one can be the end.
    fn end(&self, index: usize) -> String {
        if index < self.actions.len() {
            return "0 0 00".to_owned();
        }
        let terminal = self.terminal.map_or("_".to_owned(), |terminal| u8::from(terminal).to_string());
        let winner = self.winner.map_or("_".to_owned(), |winner| winner.to_string());
        let four = self.four.map_or("_".to_owned(), |[one, two]| format!("{one}{two}"));
        format!("{terminal} {winner} {four}")
    }
}

#[derive(Deserialize)]
struct Position {
    actions: Vec<u8>,
    state: State,
    perft: Option<Vec<[u64; 3]>>,
}

#[test]
fn golden_games_of_both_kinds_replay_with_the_class_of_the_courses() {
    let folder = Folder::new("environment");
    let kit = root("kits/ugr-boom").display().to_string();
    let replay = root("crates/palestra/tests/cli/kits/ugr/boom/replay.cpp").display().to_string();
    folder.compile(&format!("-o replay -O2 -std=gnu++14 -I{kit} {replay} {}", *KIT));
    replay_all::<Conecta>(&folder);
    replay_all::<Desconecta>(&folder);
    leftmost_line_loses(&folder);
    refuse(&folder);
}

fn replay_all<R: Rules>(folder: &Folder) {
    let id = R::ABOUT.id;
    let (mut script, mut tally) = (Script::default(), Tally::default());
    let any = ["_"; 13].join(" ");
    script.say(&format!("game {id}"), "the game", any);
    for row in rows(id) {
        if row.has(&["actions", "states"]) {
            replay_game::<R>(&row, &mut script, &mut tally);
        } else if row.has(&["actions", "state"]) {
            position::<R>(&row, &mut script, &mut tally);
        }
    }
    script.run(folder, "replay");
    tally.print(&format!("{id}, Environment"));
}

/// From the start action by action, and from each position as it is written down.
fn replay_game<R: Rules>(row: &Row, script: &mut Script, tally: &mut Tally) {
    let played: Played = row.read();
    let mut last = [-1, -1];
    script.say("start", &row.place, played.states[0].line(&played.end(0), "-1,-1"));
    for (ply, &action) in played.actions.iter().enumerate() {
        last[played.states[ply].p - 1] = i32::from(action);
        let wanted = played.states[ply + 1].line(&played.end(ply + 1), &format!("{},{}", last[0], last[1]));
        script.say(&format!("action {action}"), &row.place, wanted);
    }
    let mut game = Boom::<R>::new(&NoOptions);
    for (ply, &action) in played.actions.iter().enumerate() {
        script.say(&format!("read {game}"), &row.place, played.states[ply].line(&played.end(ply), "-1,-1"));
        script.say(&format!("action {action}"), &row.place, played.states[ply + 1].line(&played.end(ply + 1), "_"));
        play(&mut game, action, &row.place);
        tally.add("plies", 1);
    }
    let end = played.actions.len();
    script.say(&format!("read {game}"), &row.place, played.states[end].line(&played.end(end), "-1,-1"));
    tally.add("games", 1);
}

fn position<R: Rules>(row: &Row, script: &mut Script, tally: &mut Tally) {
    let position: Position = row.read();
    let mut game = Boom::<R>::new(&NoOptions);
    for &action in &position.actions {
        play(&mut game, action, &row.place);
    }
    script.say(&format!("read {game}"), &row.place, position.state.line("_ _ _", "-1,-1"));
    for [depth, leaves, finished] in position.perft.into_iter().flatten().filter(|count| count[1] <= PERFT_LIMIT) {
        script.say(&format!("perft {depth}"), &row.place, format!("{leaves} {finished}"));
        tally.add("perft counts", 1);
    }
    tally.add("positions", 1);
}

fn play<R: Rules>(game: &mut Boom<R>, action: u8, place: &str) {
    let mv = Action::from_id(action).unwrap_or_else(|| panic!("{place}: no action {action}"));
    game.try_play(mv).unwrap_or_else(|error| panic!("{place}: {mv} in {game}: {error}"));
}

/// When both have a line that begins in the same row, the left one counts.
fn leftmost_line_loses(folder: &Folder) {
    let mut script = Script::default();
    script.say("game desconecta4boom", "here", ["_"; 13].join(" "));
    for (pair, winner) in [("ox", 1), ("xo", 2)] {
        let rows = [format!("{pair}5").as_str(); 4].join("/");
        script.say(&format!("read 40:7/7/7/{rows}"), "here", format!("_ _ _ _ _ _ _ _ 1 {winner} 11 _ _"));
    }
    script.run(folder, "replay");
}

/// What is no position is refused.
fn refuse(folder: &Folder) {
    let mut script = Script::default();
    for text in [
        "x",
        "0:7/7/7/7/7/7/7",
        "1;7/7/7/7/7/7/7",
        "1:7/7/7/7/7/7",
        "1:7/7/7/7/7/7/7/7",
        "1:7/7/7/7/7/7/8",
        "2:7/7/7/7/7/7/6xx",
        "2:7/7/7/7/7/7/6",
        "2:7/7/7/7/7/7/2.4",
        "2:7/7/7/7/7/7/2z4",
        "2:7/7/7/7/7/3/2x4",
    ] {
        script.say(&format!("read {text}"), "here", format!("refused {text}"));
    }
    script.say("game mancala", "here", "refused mancala".to_owned());
    script.run(folder, "replay");
}
