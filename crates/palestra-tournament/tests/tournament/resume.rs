//! A tournament that is killed in the middle of anything ends as if it had not been.

use palestra_games::rng::Rng;
use palestra_tournament::{Entry, Finished, Format, Header, Journal, JournalError, Order, Pairing, Plan, standings};

fn header(format: Format) -> Header {
    let players = ["ninja1", "ninja2", "greedy", "random", "bot"].map(String::from).to_vec();
    let plan = Plan::new(players.len(), format, 3, 1).expect("a plan");
    let [game, rules] = ["mancala", "states 1000"].map(String::from);
    Header { game, programs: players.clone(), former_programs: vec![], players, plan, rules }
}

/// A game whose result depends on what is played alone.
fn play(pairing: &Pairing) -> Entry {
    let mut rng = Rng::new(9).fork(u64::from(pairing.number));
    let points = 10 + rng.below(29) as i32;
    let finished = Finished {
        number: pairing.number,
        players: pairing.players,
        points: [points, 48 - points],
        winner: (points != 24).then_some(usize::from(points < 24)),
        charged_us: [rng.below(2_000) as u64, rng.below(2_000) as u64],
        forfeit: None,
        plies: 30,
    };
    Entry { finished, record: format!("game {}\n", pairing.number) }
}

/// Goes on with the tournament in a file until it is over, or until so many bytes more have been written.
fn run(file: &mut Vec<u8>, header: &Header, mut bytes_left: usize) {
    let mut done = match Journal::resume(file, header) {
        Ok(journal) => {
            file.truncate(journal.usable_bytes);
            journal.finished()
        }
        Err(JournalError::Empty) => {
            file.clear();
            Vec::new()
        }
        Err(error) => panic!("{error}"),
    };
    let mut write = |file: &mut Vec<u8>, line: &str| {
        let written = line.len().min(bytes_left);
        file.extend(&line.as_bytes()[..written]);
        bytes_left -= written;
        written == line.len()
    };
    if file.is_empty() && !write(file, &header.line()) {
        return;
    }
    loop {
        let open = header.plan.open(&done);
        let Some(next) = open.last() else { return };
        let entry = play(next);
        if !write(file, &entry.line()) {
            return;
        }
        done.push(entry.finished);
    }
}

fn table(file: &[u8], header: &Header) -> String {
    let done = Journal::resume(file, header).expect("a journal").finished();
    assert_eq!(done.len() as u32, header.plan.games());
    let table = standings(header.players.len(), &done, &header.plan.byes(&done));
    format!("{:?}", Order::COURSE.rank(&table))
}

#[test]
fn a_tournament_killed_again_and_again_ends_as_if_it_had_not_been() {
    for &format in Format::ALL {
        let header = header(format);
        let mut whole = Vec::new();
        run(&mut whole, &header, usize::MAX);
        for bytes in [1, 100, 300, 500, 777, 2_000] {
            let mut file = Vec::new();
            // A run must get one line further to get anywhere.
            let longest = whole.split(|&byte| byte == b'\n').map(<[u8]>::len).max().expect("lines") + 1;
            (0..80).for_each(|run_number| run(&mut file, &header, longest + bytes * run_number / 20));
            assert_eq!(table(&file, &header), table(&whole, &header), "{format} {bytes}");
        }
    }
}
