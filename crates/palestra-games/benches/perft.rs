//! Perft of every game, each leaf played and tested, on one thread.
//!
//! `cargo bench -p palestra-games` prints leaves a second. Machines differ: compare with `yardstick`, a plain Mancala on
//! an array of 14 numbers that is measured in the same run.

use std::hint::black_box;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use palestra_games::{Draw, GAMES, perft, perft_bulk, with_game};

/// Options and a depth that takes some hundredths of a second, for each game.
const CASES: &[(&str, &str, u32)] = &[
    ("mancala", "-", 9),
    ("conecta4boom", "-", 8),
    ("desconecta4boom", "-", 8),
    ("parchis", "-", 5),
    ("bandera", "citadel", 5),
];

fn games(criterion: &mut Criterion) {
    for kind in GAMES {
        assert!(CASES.iter().any(|case| case.0 == kind.id()), "{} is missing from CASES", kind.id());
    }
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(20).sampling_mode(SamplingMode::Flat);
    assert_eq!(yardstick::perft(&yardstick::START, 8), 563_055, "the yardstick plays the same game");
    group.throughput(Throughput::Elements(563_055));
    group.bench_function("yardstick", |b| b.iter(|| yardstick::perft(black_box(&yardstick::START), 8)));
    for &(id, options, depth) in CASES {
        with_game!(id, G => bench::<G>(&mut group, options, depth)).expect("a game of the list");
    }
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

fn bench<G: Draw>(group: &mut Group<'_>, options: &str, depth: u32) {
    let options = if options == "-" { G::Options::default() } else { options.parse().expect("options of the game") };
    let start = G::new(&options);
    group.throughput(Throughput::Elements(perft_bulk(&start, depth)));
    group.bench_function(G::ABOUT.id, |b| b.iter(|| perft(black_box(&start), depth)));
    group.bench_function(format!("{} bulk", G::ABOUT.id), |b| b.iter(|| perft_bulk(black_box(&start), depth)));
}

/// Mancala as one would write it first.
mod yardstick {
    #[derive(Clone)]
    pub(super) struct Board {
        seeds: [u8; 14],
        turn: usize,
    }

    pub(super) const START: Board = Board { seeds: [0, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4], turn: 0 };

    pub(super) fn perft(board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let own = 7 * board.turn;
        let filled = (own + 1..own + 7).filter(|&pit| board.seeds[pit] > 0);
        filled.map(|pit| perft(&play(board, pit), depth - 1)).sum()
    }

    fn play(board: &Board, pit: usize) -> Board {
        let mut next = board.clone();
        let (own, other) = (7 * board.turn, 7 - 7 * board.turn);
        let mut place = pit;
        let mut hand = std::mem::take(&mut next.seeds[pit]);
        while hand > 0 {
            place = (place + 13) % 14;
            if place != other {
                next.seeds[place] += 1;
                hand -= 1;
            }
        }
        let facing = other + 7 - place % 7;
        if place > own && place < own + 7 && next.seeds[place] == 1 && next.seeds[facing] > 0 {
            next.seeds[own] += 1 + next.seeds[facing];
            (next.seeds[place], next.seeds[facing]) = (0, 0);
        }
        if (1..7).all(|pit| next.seeds[pit] == 0) || (8..14).all(|pit| next.seeds[pit] == 0) {
            for pit in (1..7).chain(8..14) {
                next.seeds[pit / 7 * 7] += std::mem::take(&mut next.seeds[pit]);
            }
        }
        if place != own {
            next.turn = 1 - next.turn;
        }
        next
    }
}

criterion_group!(benches, games);
criterion_main!(benches);
