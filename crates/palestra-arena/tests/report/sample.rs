//! Reports to show.

use palestra_arena::report::{Cell, GameLine, Interval, Report, Row};

/// A round robin of players with the given names, as many games a pair, decided by a fixed rule: the better player (the
/// earlier name) wins most.
pub(crate) fn round_robin(names: &[&str], games_a_pair: usize) -> Report {
    let count = names.len();
    let mut report = Report {
        title: "Winter league".to_owned(),
        game: "Mancala".to_owned(),
        facts: [("format", "roundrobin"), ("time", "2 s CPU a move"), ("seed", "1"), ("order", "points, time-outs")]
            .map(|(what, how)| (what.to_owned(), how.to_owned()))
            .to_vec(),
        rows: names.iter().enumerate().map(|(index, name)| row(index, name, count)).collect(),
        cross: vec![vec![None; count]; count],
        games: Vec::new(),
        progress: vec![Vec::new(); count],
    };
    for game in 0..games_a_pair {
        for first in 0..count {
            for second in first + 1..count {
                let players = if game % 2 == 0 { [first, second] } else { [second, first] };
                play(&mut report, players, game as u32 + 1);
            }
        }
    }
    report
}

fn row(index: usize, name: &str, count: usize) -> Row {
    let value = 300.0 * (0.5 - (index as f64 + 0.5) / count as f64);
    let rating = Interval { value, low: value - 45.5, high: value + 52.0 };
    Row { rank: index + 1, name: name.to_owned(), elo: Some(rating), ..Row::default() }
}

fn play(report: &mut Report, players: [usize; 2], round: u32) {
    let number = report.games.len() as u32 + 1;
    let better = usize::from(players[0] > players[1]);
    let (result, winner) = match (number * 7 + players[0] as u32 * 3) % 10 {
        0 => ("1/2", None),
        1 | 2 => (["0-1", "1-0"][better], Some(1 - better)),
        _ => (["1-0", "0-1"][better], Some(better)),
    };
    let late = number % 9 == 4 && winner.is_some();
    let charged_ms = [u64::from(number) * 137, 4_000 + u64::from(number) * 53];
    let mut points = [24, 24];
    if let Some(winner) = winner {
        points[winner] += 5;
        points[1 - winner] -= 5;
    }
    for (side, &player) in players.iter().enumerate() {
        let opponent = players[1 - side];
        let row = &mut report.rows[player];
        let cell = report.cross[player][opponent].get_or_insert(Cell::default());
        row.games += 1;
        row.charged_ms += charged_ms[side];
        row.scored += i64::from(points[side]);
        row.conceded += i64::from(points[1 - side]);
        match winner {
            None => (row.draws, cell.draws, row.points) = (row.draws + 1, cell.draws + 1, row.points + 1),
            Some(winner) if winner == side => {
                (row.wins, cell.wins, row.points) = (row.wins + 1, cell.wins + 1, row.points + 3);
            }
            Some(_) => {
                (row.losses, cell.losses) = (row.losses + 1, cell.losses + 1);
                if late {
                    row.time_outs += 1;
                    row.forfeits = vec![("timeout".to_owned(), row.time_outs)];
                }
            }
        }
        report.progress[player].push(f64::from(report.rows[player].points));
    }
    let reason = if late { "timeout" } else { "finished" }.to_owned();
    let plies = 30 + number % 17;
    report.games.push(GameLine {
        number,
        round,
        players,
        points,
        result: result.to_owned(),
        reason,
        plies,
        charged_ms,
    });
}
