//! How late the engine stops: every game by its strong evaluation, from positions of random play, with limits from one
//! millisecond to a hundred.
//!
//! `cargo bench -p palestra-search --bench deadline [-- FILTER] [--trials N] [--cpu]` prints the median, the 99th
//! percentile and the worst lateness in milliseconds. The clock is the wall's, on which a busy machine is late too; with
//! `--cpu` it is the CPU time of this process, and what is seen is the engine alone. Apart from these are measured: the
//! first search of a new engine, whose table the system has yet to fill with zeros (`new`), and how long it takes to make
//! the evaluation (`making`).

#[path = "search/clock.rs"]
mod clock;

use std::time::{Duration, Instant};

use palestra_games::Game;
use palestra_games::bandera::{Bandera, BanderaOptions, MapPlan, generate};
use palestra_games::boom::{Conecta4Boom, Desconecta4Boom};
use palestra_games::mancala::Mancala;
use palestra_games::parchis::Parchis;
use palestra_search::engine::{Deadline, Engine, Limits, Settings};
use palestra_search::rng::Rng;
use palestra_search::{Guide, Playable, Visitor, playout};

const LIMITS_MS: [u64; 4] = [1, 5, 20, 100];
const GOAL_MS: f64 = 5.0;

/// How the trials are made.
#[derive(Clone, Copy)]
struct Plan {
    trials: u64,
    cpu: bool,
    begun: Instant,
}

impl Plan {
    /// The time since the first trial.
    fn now(self) -> Duration {
        if self.cpu { clock::process_cpu() } else { self.begun.elapsed() }
    }

    const fn name(self) -> &'static str {
        if self.cpu { "CPU clock" } else { "wall clock" }
    }
}

fn main() {
    let mut filter = String::new();
    let mut plan = Plan { trials: 200, cpu: false, begun: Instant::now() };
    let mut asked = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => asked = true,
            "--cpu" => plan.cpu = true,
            "--trials" => plan.trials = args.next().and_then(|arg| arg.parse().ok()).expect("a number of trials"),
            _ => filter = arg,
        }
    }
    // `cargo test --benches` runs this too, without the word.
    if !asked {
        return println!("run by cargo bench");
    }
    println!("{:<24}{:>8}{:>10}{:>10}{:>10}   ms late by the {}", "", "limit", "median", "99 %", "worst", plan.name());
    let wanted = |name: &str| name.contains(&filter);
    if wanted("mancala") {
        try_all::<Mancala>("mancala", &Default::default(), plan);
    }
    if wanted("conecta4boom") {
        try_all::<Conecta4Boom>("conecta4boom", &Default::default(), plan);
    }
    if wanted("desconecta4boom") {
        try_all::<Desconecta4Boom>("desconecta4boom", &Default::default(), plan);
    }
    if wanted("parchis") {
        try_all::<Parchis>("parchis", &Default::default(), plan);
    }
    if wanted("bandera citadel") {
        try_all::<Bandera>("bandera citadel", &"citadel".parse().expect("a bundled map"), plan);
    }
    if wanted("bandera 128x128") {
        let map = generate(1, MapPlan { rows: 128, cols: 128, team_size: 8 }).expect("a map");
        try_all::<Bandera>("bandera 128x128", &BanderaOptions::from_map(map), plan);
    }
}

fn try_all<G: Playable>(name: &str, options: &G::Options, plan: Plan) {
    let new_engine = || Engine::new(Settings::default()).expect("room for a table");
    let mut engine = new_engine();
    let mut rng = Rng::new(1);
    let mut made = Vec::new();
    let mut attempt = |engine: &mut Engine, limit| {
        let position = random_position::<G>(options, &mut rng);
        let before = plan.now();
        let trial = Trial { engine, position: &position, limit: Duration::from_millis(limit), plan };
        let (begun, late) = G::with_guide("strong", &position, trial).expect("every game has it");
        made.push(milliseconds(begun.saturating_sub(before)));
        late.map(milliseconds)
    };
    // The system hands out a table's memory when it is first used.
    attempt(&mut engine, 1000);
    for limit in LIMITS_MS {
        let mut late: Vec<f64> = (0..plan.trials).filter_map(|_| attempt(&mut engine, limit)).collect();
        print_row(name, &format!("{limit}"), &mut late, Some(GOAL_MS));
    }
    let mut late: Vec<f64> = (0..plan.trials / 10).filter_map(|_| attempt(&mut new_engine(), 5)).collect();
    print_row(name, "5 new", &mut late, None);
    print_row(name, "making", &mut made, None);
}

/// A position somewhere in a random game that has not ended.
fn random_position<G: Playable>(options: &G::Options, rng: &mut Rng) -> G {
    loop {
        let (position, _) = playout(G::new(options), rng.below(60) as u32, rng);
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// A search with a limit.
struct Trial<'a, G> {
    engine: &'a mut Engine,
    position: &'a G,
    limit: Duration,
    plan: Plan,
}

impl<G: Game> Visitor<G> for Trial<'_, G> {
    /// When the guide was made; and how much too late the search ended, if it was stopped.
    type Output = (Duration, Option<Duration>);

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output {
        let begun = self.plan.now();
        self.engine.forget();
        let since = || self.plan.now().saturating_sub(begun);
        let mut deadline = Deadline::new(self.limit, since);
        let report = self.engine.search(self.position, &guide, Limits::default(), &mut deadline);
        let late = since().checked_sub(self.limit);
        let best = report.expect("the game has not ended").best();
        assert!(self.position.is_legal(best), "{best} in {}", self.position);
        (begun, late)
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn print_row(name: &str, what: &str, values: &mut [f64], goal: Option<f64>) {
    values.sort_by(f64::total_cmp);
    let Some(&worst) = values.last() else {
        return println!("{name:<24}{what:>8}   every search was done before");
    };
    let (median, most) = (values[values.len() / 2], values[values.len() * 99 / 100]);
    let verdict = match goal {
        Some(goal) if worst <= goal => format!("   (goal <= {goal}: met; {} stopped)", values.len()),
        Some(goal) => format!("   (goal <= {goal}: MISSED; {} stopped)", values.len()),
        None => String::new(),
    };
    println!("{name:<24}{what:>8}{median:>10.3}{most:>10.3}{worst:>10.3}{verdict}");
}
