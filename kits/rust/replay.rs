//! Plays single moves with the kit's rules, to compare them with others.
//!
//! Reads lines `GAME POSITION MOVE`, `-` for no move, and answers each with one line about the position after the move:
//! `TURN OUTCOME POINTS1 POINTS2 POSITION LEGAL,LEGAL,...`, where `-` stands for no outcome or no legal move.

#[path = "palestra.rs"]
mod palestra;

use std::io::{self, BufRead, BufWriter, Write};

use palestra::{Bandera, Conecta4Boom, Desconecta4Boom, Game, Mancala, Outcome, Parchis};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        match answer(&String::from_utf8_lossy(&line)) {
            Ok(text) => writeln!(out, "{text}")?,
            Err(problem) => writeln!(out, "error: {problem}")?,
        }
        line.clear();
    }
    out.flush()
}

fn answer(line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [game, position, mv] = words[..] else { return Err("GAME POSITION MOVE expected".to_owned()) };
    match game {
        Mancala::NAME => replay::<Mancala>(position, mv),
        Conecta4Boom::NAME => replay::<Conecta4Boom>(position, mv),
        Desconecta4Boom::NAME => replay::<Desconecta4Boom>(position, mv),
        Parchis::NAME => replay::<Parchis>(position, mv),
        Bandera::NAME => replay::<Bandera>(position, mv),
        _ => Err(format!("there is no game {game}")),
    }
}

fn replay<G: Game>(position: &str, mv: &str) -> Result<String, String> {
    let mut position: G = position.parse()?;
    if mv != "-" {
        let legal = position.read_move(mv).ok_or_else(|| format!("{mv} is not legal"))?;
        position.play(legal);
    }
    let outcome = match position.outcome() {
        None => "-".to_owned(),
        Some(Outcome::Win(player)) => player.to_string(),
        Some(Outcome::Draw) => "draw".to_owned(),
    };
    let moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    let moves = if moves.is_empty() { "-".to_owned() } else { moves.join(",") };
    let [one, two] = position.points();
    Ok(format!("{} {outcome} {one} {two} {position} {moves}", position.turn()))
}
