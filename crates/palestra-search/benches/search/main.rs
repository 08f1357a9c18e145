//! The search measured: against goals, against itself without this or that, and against the `minimax` crate.
//!
//! `cargo bench -p palestra-search --bench search [-- FILTER] [--runs N]` runs the groups whose name contains the filter
//! and prints medians of N rounds, contestants in turn. Seconds are CPU seconds unless they say otherwise.
//!
//! For scripts, `--nodes DEPTH` searches Mancala once and prints how many positions were visited; `--games N` plays that
//! many random games of Mancala and prints how many a second.

mod clock;
mod contest;
mod groups;
mod peer;

use palestra_games::mancala::Mancala;
use palestra_games::{Game, NoOptions};
use palestra_search::mancala::Stores;

fn main() {
    let mut filter = String::new();
    let mut rounds = 5;
    let mut asked = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => asked = true,
            "--runs" => rounds = number(args.next()),
            "--nodes" => return nodes(number(args.next())),
            "--games" => return games(number(args.next())),
            _ => filter = arg,
        }
    }
    // `cargo test --benches` runs this too, without the word.
    if !asked {
        return println!("run by cargo bench");
    }
    for (name, group) in groups::GROUPS.iter().filter(|(name, _)| name.contains(&filter)) {
        println!("\n{name}");
        group(rounds);
    }
}

fn number<N: std::str::FromStr>(arg: Option<String>) -> N {
    arg.and_then(|arg| arg.parse().ok()).unwrap_or_else(|| panic!("a number is missing"))
}

fn nodes(depth: u32) {
    let start = Mancala::new(&NoOptions);
    // No clock is read: the one that rustix finds makes some versions of valgrind stumble.
    println!("{}", groups::engine(1, 64 << 20, true).search(&start, &Stores, depth).nodes);
}

fn games(count: u64) {
    let cost = groups::random_games(count);
    println!("{:.0}", count as f64 / cost.cpu);
}
