//! `palestra bench`: fixed searches that measure the engine's speed; their node count is a checksum of its behaviour. And the
//! speed of the machine for players of the textbook, which leagues record.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use palestra_arena::{SPEED_PLAYER, machine_speed};
use palestra_games::{GAMES, GameKind};
use palestra_search::engine::{Engine, Limits, Never, Settings, any_search};

use crate::clock::{Stopwatch, threads};
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, paint};
use crate::ui::units::rate;

/// A position, and how to search it.
struct Spot {
    game: &'static str,
    name: &'static str,
    options: &'static str,
    moves: &'static str,
    evaluation: &'static str,
    depth: u32,
}

/// Every game from its start and from the middle of a game; with the course's evaluation, which never changes, and with
/// the strong one, which is what plays.
const SPOTS: &[Spot] = &[
    Spot { game: "mancala", name: "start", options: "-", moves: "", evaluation: "stores", depth: 19 },
    Spot {
        game: "mancala",
        name: "middle",
        options: "-",
        moves: "1 1 5 1 6 5 1 2 2 1",
        evaluation: "strong",
        depth: 19,
    },
    Spot { game: "conecta4boom", name: "start", options: "-", moves: "", evaluation: "test", depth: 16 },
    Spot {
        game: "conecta4boom",
        name: "middle",
        options: "-",
        moves: "4 4 3 4 4 4 5 3 3 3 6 2",
        evaluation: "strong",
        depth: 14,
    },
    Spot { game: "desconecta4boom", name: "start", options: "-", moves: "", evaluation: "test", depth: 14 },
    Spot {
        game: "desconecta4boom",
        name: "middle",
        options: "-",
        moves: "1 1 1 1 1 1 1 7 2 7 6 5 2 3 4 3",
        evaluation: "strong",
        depth: 13,
    },
    Spot { game: "parchis", name: "start", options: "-", moves: "", evaluation: "test", depth: 8 },
    Spot { game: "parchis", name: "alterned", options: "ALTERNED", moves: "", evaluation: "strong", depth: 8 },
    Spot {
        game: "parchis",
        name: "middle",
        options: "-",
        moves: "Y0:5 B2:6 B0:5 R2:6 R0:5 G2:6 G0:5 Y2:4 B3:3 R3:3 G3:3 Y2:3",
        evaluation: "strong",
        depth: 10,
    },
    Spot { game: "bandera", name: "start", options: "-", moves: "", evaluation: "waytracking", depth: 10 },
    Spot { game: "bandera", name: "lagoon", options: "lagoon", moves: "", evaluation: "strong", depth: 15 },
    Spot {
        game: "bandera",
        name: "middle",
        options: "citadel",
        moves: "2:NE 4:NE 2:N 4:NE 2:N 4:SE 1:SW 5:S 1:SW 5:S",
        evaluation: "strong",
        depth: 8,
    },
];

/// Searches all spots, and writes a row for each and the sum.
pub(crate) fn run(requested: u16, out: &mut impl Write) -> Result<()> {
    let threads = threads(requested)?;
    writeln!(out, "{}", paint(HEADING, row("game", "position", "evaluation", "depth", "nodes", "nodes/s")))?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for spot in SPOTS {
        let clock = Stopwatch::start();
        let visited = search(spot, threads)?;
        let passed = clock.wall();
        let Spot { game, name, evaluation, depth, .. } = *spot;
        let speed = rate(visited, passed);
        writeln!(out, "{}", row(game, name, evaluation, &depth.to_string(), &visited.to_string(), &speed))?;
        out.flush()?;
        (nodes, time) = (nodes + visited, time + passed);
    }
    writeln!(out, "\nnodes    {nodes}")?;
    writeln!(out, "seconds  {:.3}", time.as_secs_f64())?;
    writeln!(out, "nodes/s  {}", rate(nodes, time).trim_end_matches("/s"))?;
    write_turns(out)
}

/// Writes how many positions a player of the textbook visits in a turn.
fn write_turns(out: &mut impl Write) -> Result<()> {
    let heading =
        format!("positions that {SPEED_PLAYER} visits in {} s, as the runs of a league show it", TURN.as_secs());
    writeln!(out, "\n{}", paint(HEADING, heading))?;
    for kind in GAMES {
        writeln!(out, "{:<15}  {:>9}", kind.id(), machine_speed(kind, TURN))?;
        out.flush()?;
    }
    Ok(())
}

/// The time of a turn in leagues, unless they say otherwise.
const TURN: Duration = Duration::from_secs(2);

fn row(game: &str, name: &str, evaluation: &str, depth: &str, nodes: &str, rate: &str) -> String {
    format!("{game:<15}  {name:<8}  {evaluation:<11}  {depth:>5}  {nodes:>9}  {rate:>9}")
}

/// Searches one spot with an empty table, and returns the number of nodes.
fn search(spot: &Spot, threads: usize) -> Result<u64> {
    let kind = GameKind::find(spot.game).expect("the spots are of games of the list");
    let mut position = (kind.start)(spot.options).expect("the spots' options are good");
    for mv in spot.moves.split_whitespace() {
        position.play(mv).expect("the spots' moves are legal");
    }
    let engine = Engine::new(Settings { memory: TABLE_BYTES, threads, ..Settings::default() });
    let mut engine = engine.hint(|| "close other programs to free memory".to_owned())?;
    let limits = Limits { depth: spot.depth, lines: 1 };
    let report = any_search(&mut engine, &*position, spot.evaluation, limits, &mut Never, &mut |_| {});
    Ok(report.expect("the spots are unfinished games, and their evaluations exist").nodes)
}

/// The size of the transposition table.
const TABLE_BYTES: usize = 16 << 20;
