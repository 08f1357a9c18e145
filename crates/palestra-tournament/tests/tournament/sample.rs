//! Reports to show.

use palestra_tournament::report::{
    Cell, GameLine, Interval, MatchGame, MatchReport, MatchRow, Report, Row, SprtReport, TurningLine,
};

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

/// A match of eight games between players with these names: the first wins five, draws one and loses one by a fault.
pub(crate) fn two_players([first, second]: [&str; 2]) -> MatchReport {
    let game = |number: u32| {
        let players = if number % 2 == 1 { [0, 1] } else { [1, 0] };
        let winner = [0, 0, 0, 0, 1, 2, 1, 0][number as usize - 1];
        MatchGame {
            number,
            players,
            points: [30 - number as i32, 18 + number as i32],
            winner: players.iter().position(|&player| player == winner),
            reason: if number == 7 { "timeout: no answer within 6 s" } else { "finished" }.to_owned(),
            charged_ms: [137 * u64::from(number), 70_000],
            opening: if number > 2 { "4 1 6".to_owned() } else { String::new() },
            moves: "5 2 2 1 6 3".to_owned(),
            plies: 6 + 3 * usize::from(number > 2),
        }
    };
    let row = |name: &str, wins, losses| MatchRow {
        name: name.to_owned(),
        wins,
        draws: 1,
        losses,
        scored: 200 - i64::from(losses),
        charged_ms: 61_000,
        forfeits: vec![],
    };
    let mut rows = [row(first, 5, 2), row(second, 2, 5)];
    rows[0].forfeits = vec![("timeout".to_owned(), 1)];
    MatchReport {
        game: "Mancala".to_owned(),
        summary: "Interrupted after 8 of 10 games. Elo difference: +133 (-113 to +391), with 95 % confidence."
            .to_owned(),
        facts: vec![("games".to_owned(), "8 of 10".to_owned()), ("seed".to_owned(), "1".to_owned())],
        rows,
        elo: Some(Interval { value: 133.0, low: -113.0, high: 391.0 }),
        games: (1..=8).map(game).collect(),
        turnings: vec![TurningLine {
            game: 5,
            player: 0,
            ply: 7,
            mv: "3".to_owned(),
            before: "+1.34".to_owned(),
            after: "-7.97".to_owned(),
            better: "5".to_owned(),
        }],
    }
}

/// A test of two versions with these names that ends with "better".
pub(crate) fn sequential_test(names: [&str; 2]) -> SprtReport {
    SprtReport {
        game: "Mancala".to_owned(),
        names: names.map(str::to_owned),
        verdict: "Yes: it is better. The games speak for 100 Elo, not for 0.".to_owned(),
        facts: vec![("claims".to_owned(), "0 and 100 Elo".to_owned()), ("seed".to_owned(), "1".to_owned())],
        games: [14, 4, 2],
        pairs: [0, 1, 2, 1, 6],
        llr: vec![0.3, 0.7, 0.5, -0.2, 0.4, 0.9, 1.4, 1.9, 2.4, 2.98],
        bounds: (-2.94, 2.94),
        claims: (0.0, 100.0),
        elo: Some(Interval { value: 241.0, low: 62.0, high: 498.0 }),
    }
}
