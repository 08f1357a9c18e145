//! What the tests of every kit need: golden games as questions and answers, and programs that play in the arena.
//!
//! ```ignore
//! for game in GAMES {
//!     replay(&mut Command::new(&program), &golden_games(game).concat()); // all of them, or
//!     replay(&mut Command::new(&program), &one_in_five(golden_games(game), 1).concat());
//! }
//! check("mancala", "./bot");
//! let score = play("mancala", "./bot", "random", &["--games", "20", "--seed", "1"]);
//! assert!(score.percent() >= 75);
//! is_a_good_start("mancala", "./bot", &mut Command::new("./bot"));
//! ```

#![allow(dead_code, reason = "each kit's tests use what they need")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use palestra_games::{AnyGame, GameKind, Outcome};
use palestra_golden::{Row, rows};
use serde::Deserialize;

/// The ids of all games.
pub(crate) const GAMES: [&str; 5] = ["mancala", "conecta4boom", "desconecta4boom", "parchis", "bandera"];

/// A question to a replay program, and the answer of `palestra-games`.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The game's id.
    pub(crate) game: &'static str,
    /// The position before the move.
    pub(crate) position: String,
    /// The move; none asks about the position as it is. In Mancala it may be an empty pit, which loses 0-48.
    pub(crate) mv: Option<String>,
    /// The position afterwards as a line: turn, outcome, points of both, position, legal moves.
    pub(crate) answer: String,
}

impl Step {
    /// The question as a line: game, position, move.
    pub(crate) fn question(&self) -> String {
        format!("{} {} {}", self.game, self.position, self.mv.as_deref().unwrap_or("-"))
    }
}

/// What a replay program should say of a position.
pub(crate) fn answer(position: &dyn AnyGame) -> String {
    let outcome = match position.outcome() {
        None => "-",
        Some(Outcome::Win(palestra_games::Side::One)) => "1",
        Some(Outcome::Win(palestra_games::Side::Two)) => "2",
        Some(Outcome::Draw) => "draw",
    };
    let [one, two] = position.points();
    let moves = position.moves();
    let legal = if moves.is_empty() { "-".to_owned() } else { moves.join(",") };
    format!("{} {outcome} {one} {two} {} {legal}", position.turn(), position.notation())
}

/// The golden games of a game: the steps of each, first the start without a move, then every move.
pub(crate) fn golden_games(game: &str) -> Vec<Vec<Step>> {
    let games: Vec<Vec<Step>> = rows(game).iter().filter_map(|row| golden_game(game, row)).collect();
    assert!(!games.is_empty(), "{game} has no golden games");
    games
}

/// About a fifth of some games, the same ones for the same seed, and never none.
pub(crate) fn one_in_five(games: Vec<Vec<Step>>, seed: u64) -> Vec<Vec<Step>> {
    let is_chosen = |index: u64| index == seed % 5 || scatter(seed ^ scatter(index)).is_multiple_of(5);
    (0..).zip(games).filter(|&(index, _)| is_chosen(index)).map(|(_, game)| game).collect()
}

/// A number that looks like chance.
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb) >> 20
}

/// The steps of a row that is a game.
fn golden_game(game: &str, row: &Row) -> Option<Vec<Step>> {
    match game {
        "mancala" if row.has(&["moves", "states"]) => Some(mancala(row)),
        "conecta4boom" | "desconecta4boom" if row.has(&["actions", "states"]) => Some(boom(game, row)),
        "parchis" if row.has(&["init", "plies"]) => Some(parchis(row)),
        "bandera" if row.has(&["tiles", "players", "plies"]) => Some(bandera(row)),
        _ => None,
    }
}

fn mancala(row: &Row) -> Vec<Step> {
    #[derive(Deserialize)]
    struct Played {
        moves: Vec<u8>,
    }
    let moves = row.read::<Played>().moves.into_iter().map(|pit| pit.to_string());
    steps(&row.place, start("mancala"), moves)
}

fn boom(game: &str, row: &Row) -> Vec<Step> {
    #[derive(Deserialize)]
    struct Played {
        actions: Vec<u8>,
    }
    let text = |id: u8| if id == 7 { "boom".to_owned() } else { (id + 1).to_string() };
    steps(&row.place, start(game), row.read::<Played>().actions.into_iter().map(text))
}

fn parchis(row: &Row) -> Vec<Step> {
    #[derive(Deserialize)]
    struct Played {
        init: String,
        plies: Vec<(usize, String, i8, u8, String, String)>,
    }
    let Played { init, plies } = row.read();
    let moves = plies.into_iter().map(|(_, colour, piece, die, _, _)| match piece {
        0.. => format!("{colour}{piece}:{die}"),
        _ => format!("{colour}s:{die}"),
    });
    steps(&row.place, parse("parchis", &init).unwrap_or_else(|| panic!("{}: {init}", row.place)), moves)
}

fn bandera(row: &Row) -> Vec<Step> {
    #[derive(Deserialize)]
    struct Played {
        rows: usize,
        cols: usize,
        tiles: Vec<u8>,
        /// Number, team, cell and energy of each.
        players: Vec<[usize; 4]>,
        plies: Vec<Ply>,
    }
    #[derive(Deserialize)]
    struct Ply {
        m: [usize; 2],
    }
    let Played { rows, cols, tiles, players, plies } = row.read();
    let [one, two] = [1, 2].map(|wanted| {
        let team = players.iter().filter(|player| player[1] == wanted);
        team.map(|[_, _, cell, energy]| format!("{cell},{energy},0,0,0")).collect::<Vec<_>>().join(";")
    });
    let head = format!("{rows}x{cols}:{}:{one}/{two}:0-0", run_lengths(&tiles));
    // A team that cannot act is passed over from the start.
    let position = ["1", "2"].iter().find_map(|turn| parse("bandera", &format!("{head}:{turn}")));
    // Passes are no moves of ours.
    let moves = plies.into_iter().map(|ply| ply.m).filter(|&mv| mv != [0, 0]);
    let text =
        |[player, action]: [usize; 2]| format!("{player}:{}", ["N", "NE", "SE", "S", "SW", "NW", "dig"][action - 1]);
    steps(&row.place, position.unwrap_or_else(|| panic!("{}: {head}", row.place)), moves.map(text))
}

/// Tiles, by number, as positions have them: `8.F3#`.
fn run_lengths(tiles: &[u8]) -> String {
    let mut text = String::new();
    for run in tiles.chunk_by(|a, b| a == b) {
        if run.len() > 1 {
            write!(text, "{}", run.len()).expect("a text can be written to");
        }
        text.push(char::from(b".~%#oOFBAJS^"[usize::from(run[0]) - 1]));
    }
    text
}

fn kind(game: &str) -> &'static GameKind {
    GameKind::find(game).unwrap_or_else(|| panic!("there is no game {game}"))
}

fn start(game: &str) -> Box<dyn AnyGame> {
    (kind(game).start)("-").expect("every game has a default start")
}

fn parse(game: &str, position: &str) -> Option<Box<dyn AnyGame>> {
    (kind(game).parse)(position).ok()
}

/// Plays moves from a position.
fn steps(place: &str, mut position: Box<dyn AnyGame>, moves: impl Iterator<Item = String>) -> Vec<Step> {
    let game = position.kind().id();
    let mut steps = vec![Step { game, position: position.notation(), mv: None, answer: answer(position.as_ref()) }];
    for mv in moves {
        let before = position.notation();
        position.play(&mv).unwrap_or_else(|error| panic!("{place}: {before}: {error}"));
        steps.push(Step { game, position: before, mv: Some(mv), answer: answer(position.as_ref()) });
    }
    steps
}

/// Asks a replay program all questions and fails at the first wrong answer. The command is started once.
pub(crate) fn replay(program: &mut Command, steps: &[Step]) {
    let questions: Vec<String> = steps.iter().map(Step::question).collect();
    let answers = ask(program, &questions);
    for (step, found) in steps.iter().zip(&answers) {
        assert_eq!(*found, step.answer, "the answer to: {}", step.question());
    }
    assert_eq!(answers.len(), steps.len(), "an answer to each question");
}

/// Fails unless a replay program answers each of these lines, none of which can be read, with an error, and then goes
/// on.
pub(crate) fn refuses(program: &mut Command, lines: &[String]) {
    let sound = "mancala 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4 -";
    let questions: Vec<String> = lines.iter().cloned().chain([sound.to_owned()]).collect();
    let answers = ask(program, &questions);
    assert_eq!(answers.len(), questions.len(), "an answer to each question");
    for (line, found) in lines.iter().zip(&answers) {
        assert!(found.starts_with("error: "), "{line:?} should be refused, but the answer is {found}");
    }
    assert_eq!(answers.last().expect("there is one"), &answer(start("mancala").as_ref()));
}

/// Lines that no replay program can read: broken words, cut positions, moves that cannot be played.
pub(crate) fn bad_lines() -> Vec<String> {
    let lines = ["", "mancala", "mancala -", "chess 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4 -", "\u{f1} \u{f1} \u{f1}"];
    let mut lines: Vec<String> = lines.map(str::to_owned).into();
    for game in GAMES {
        let text = start(game).notation();
        let cuts = (1..text.len()).map(|end| &text[..end]);
        lines.extend(cuts.map(|cut| format!("{game} {cut} -")));
        lines.extend(["9", "x", "Y0:7", "Y4:1", "B0:1", "1:X", "0:N", "17:N", "3:N", "boom", "1:dig", "Ys:1"].map(
            |mv| {
                assert!(start(game).play(mv).is_err(), "{game}: {mv} should be no move");
                format!("{game} {text} {mv}")
            },
        ));
        for other in ["99999999999999999999", "-1", ":", "|", "/", "\u{f1}"] {
            lines.extend([
                format!("{game} {other} -"),
                format!("{game} {text}{other} -"),
                format!("{game} {other}{text} -"),
            ]);
        }
    }
    lines.retain(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let readable = |game: &str, text: &str| GameKind::find(game).is_some_and(|kind| (kind.parse)(text).is_ok());
        !matches!(words[..], [game, text, "-"] if readable(game, text))
    });
    lines
}

/// The lines that a program answers to these.
fn ask(program: &mut Command, questions: &[String]) -> Vec<String> {
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program can be started");
    let mut input = child.stdin.take().expect("it is a pipe");
    let text = questions.iter().fold(String::new(), |text, line| text + line + "\n");
    // In a thread of its own: who writes all before reading anything waits for ever once the pipes are full.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(text.as_bytes()));
        child.wait_with_output().expect("the output can be read")
    });
    assert!(output.status.success(), "{program:?}: {}", output.status);
    String::from_utf8(output.stdout).expect("the answers are text").lines().map(str::to_owned).collect()
}

/// How a match went for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
}

impl Score {
    /// The points of a hundred, a draw being half a win.
    pub(crate) fn percent(self) -> u32 {
        (200 * self.won + 100 * self.drawn) / (2 * (self.won + self.drawn + self.lost))
    }
}

/// Lets a program (with its arguments, in one word) play a match, and fails if either side commits a fault. `args` are
/// more arguments of `palestra match`.
pub(crate) fn play(game: &str, program: &str, opponent: &str, args: &[&str]) -> Score {
    let first = format!("kit={program}");
    let text = palestra(&[&["match", game, &first, opponent], args].concat());
    score(&text, opponent);
    score(&text, "kit")
}

/// A player's score in what `palestra match` prints; fails if it committed a fault.
pub(crate) fn score(text: &str, name: &str) -> Score {
    let line = text.lines().rfind(|line| line.starts_with(name) && line.contains(" %"));
    let words: Vec<&str> = line.unwrap_or_else(|| panic!("no result of {name}:\n{text}")).split_whitespace().collect();
    // Name, won, drawn, lost, points and their sign, score, time and its unit.
    assert_eq!(words.len(), 9, "{name}: a fault:\n{text}");
    let [won, drawn, lost] = [1, 2, 3].map(|at| words[at].parse().unwrap_or_else(|_| panic!("a number:\n{text}")));
    Score { won, drawn, lost }
}

/// What is asked of the alpha-beta example of a game in every language: it beats chance, leaves something to do for the
/// student, looks as deep as it is told and else as MAX_DEPTH says, and `palestra check` finds nothing wrong, neither with
/// its search.
pub(crate) fn is_a_good_start(game: &str, program: &str, command: &mut Command) {
    // It looks one ply ahead and needs no time: the games are the same on every machine.
    let ten = ["--games", "10", "--seed", "1"];
    let against_random = play(game, program, "random", &ten);
    assert!(against_random.percent() >= 75, "{game}: {against_random:?} against random");
    let against_ninja1 = play(game, program, "ninja1", &ten);
    assert!(against_ninja1.percent() <= 20, "{game}: {against_ninja1:?} against ninja1");
    let start = start(game);
    let (position, legal) = (start.notation(), start.moves().join(" "));
    let turn = format!("game {game} seat 1 options -\nposition {position}\nhistory\nlegal {legal}\n");
    let go = |limits: &str| format!("{turn}go {limits}");
    let questions = ["hello 1".to_owned(), go("depth 3"), go("cpu 60000 wall 60000"), "bye".to_owned()];
    let answers = ask(command, &questions);
    let depths: Vec<&str> = answers.iter().filter_map(|line| line.strip_prefix("info depth ")?.get(..1)).collect();
    assert_eq!(depths, ["1", "2", "3", "1"], "{game}: {answers:?}");
    check(game, program);
}

/// The text of a program that looks as deep as its time allows.
pub(crate) fn without_max_depth(text: &str) -> String {
    let deep = text.replace("MAX_DEPTH = 1", "MAX_DEPTH = 60").replace("MAX_DEPTH: u32 = 1", "MAX_DEPTH: u32 = 60");
    assert_ne!(deep, text, "the program has a greatest depth");
    deep
}

/// Fails if a program that looks as deep as its time allows is too slow in Mancala.
pub(crate) fn keeps_its_time(program: &str) {
    play("mancala", program, "random", &["--games", "2", "--cpu", "50ms", "--wall", "5s"]);
}

/// Fails if `palestra check` finds anything wrong with a program, or anything to remark but that it starts slowly, or if
/// its search is not tested.
pub(crate) fn check(game: &str, program: &str) {
    let text = palestra(&["check", program, "--game", game, "--search"]);
    let is_tested = text.contains("\nok     searches as alpha-beta does: 100 searches, 4 and 6 plies deep\n");
    assert!(is_tested, "{game}: {text}");
    // How soon a program is ready depends on what else the machine has to do.
    let mut warnings = text.lines().filter(|line| line.starts_with("warn") && !line.contains("It starts slowly"));
    assert_eq!(warnings.next(), None, "{text}");
}

/// The output of a command that ends well.
fn palestra(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    let output = command.args(args).stdin(Stdio::null()).output().expect("the program can be started");
    succeeded(&command, output)
}

/// Runs a compiler or the like, and fails with what it says if it fails.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    succeeded(command, output)
}

fn succeeded(command: &Command, output: Output) -> String {
    let Output { status, stdout, stderr } = output;
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    assert!(status.success(), "{command:?}: {status}\n{stdout}{}", String::from_utf8_lossy(&stderr));
    stdout
}

/// The folder `kits` of the repository.
pub(crate) fn kits() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kits")
}

/// The bot that `palestra new` makes, in a folder with the kit beside it.
pub(crate) fn new_bot(folder: &Folder, language: &str, game: &str, file: &str) -> PathBuf {
    let bot = folder.file("new");
    palestra(&["new", language, game, bot.to_str().expect("a path that is text"), "--name", "AlphaBeta"]);
    bot.join(file)
}

/// The random example, which plays Mancala, for another game.
pub(crate) fn random_example(file: &str, game: &str) -> String {
    let types = ["Mancala", "Conecta4Boom", "Desconecta4Boom", "Parchis", "Bandera"];
    let (_, name) = GAMES.into_iter().zip(types).find(|&(id, _)| id == game).expect("a game of the list");
    let text = fs::read_to_string(kits().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    text.replace("Mancala", name)
}

/// A folder for what a test builds; it goes when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new folder; each test has its own name.
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("palestra-kit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn samples_of_golden_games_are_a_fifth_of_them() {
    for game in GAMES {
        let games = golden_games(game);
        let all = games.len();
        let sample = one_in_five(games, 1).len();
        assert!(sample >= 1 && sample <= all / 3 + 1, "{game}: {sample} of {all}");
    }
}
