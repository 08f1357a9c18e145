//! What is measured.

use palestra_games::bandera::{Bandera, BanderaOptions};
use palestra_games::boom::{Conecta4Boom, Desconecta4Boom};
use palestra_games::mancala::{Mancala, Pit};
use palestra_games::parchis::Parchis;
use palestra_games::{Game, NoOptions, Outcome, Side};
use palestra_search::engine::{Engine, Limits, Never, Report, Settings};
use palestra_search::mancala::Stores;
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Descending, Order, Teacher};
use palestra_search::{Guide, Score, bandera, boom, parchis, playout};

use crate::contest::Goal::{AtLeast, AtMost};
use crate::contest::{Contestant, Cost, Figure, alternate, measure, row};
use crate::peer;

/// A name and what it measures in so many rounds.
type Group = (&'static str, fn(usize));

pub(crate) const GROUPS: &[Group] = &[
    ("mancala, the stores, from the start", mancala),
    ("threads, Mancala from the start", threads),
    ("playouts", playouts),
    ("peer: the minimax crate", peers),
    ("boom, ValoracionTest from the start", boom),
    ("parchis, myHeuristic1 from GROUPED, depth 6", parchis),
    ("bandera, strong, citadel, depth 8", bandera),
    ("without one part or another, Mancala, depth 20", without),
];

const MEMORY: usize = 64 << 20;
const MILLION: f64 = 1e6;

/// An engine for many searches that know nothing of each other.
pub(crate) struct Fresh(Engine);

pub(crate) fn engine(threads: usize, memory: usize, shortcut: bool) -> Fresh {
    Fresh(Engine::new(Settings { memory, threads, shortcut }).expect("room for a table"))
}

impl Fresh {
    /// Searches to a depth. Counts positions.
    pub(crate) fn run<G: Game, E: Guide<G>>(&mut self, position: &G, guide: &E, depth: u32) -> Cost {
        self.0.forget();
        measure(|| self.search(position, guide, depth).nodes)
    }

    fn value<G: Game, E: Guide<G>>(&mut self, position: &G, guide: &E, depth: u32) -> Score {
        self.search(position, guide, depth).lines[0].score
    }

    pub(crate) fn search<G: Game, E: Guide<G>>(&mut self, position: &G, guide: &E, depth: u32) -> Report<G> {
        let limits = Limits { depth, lines: 1 };
        self.0.search(position, guide, limits, &mut Never).expect("the game has begun")
    }

    fn contestant<'a, G: Game, E: Guide<G>>(mut self, position: &'a G, guide: &'a E, depth: u32) -> Contestant<'a> {
        Box::new(move || self.run(position, guide, depth))
    }
}

/// The textbook's alpha-beta. Counts positions.
fn teach<'a, G, E, O>(position: &'a G, guide: &'a E, order: O, depth: u32) -> Contestant<'a>
where
    G: Game,
    E: Guide<G>,
    O: Order<G> + 'a,
{
    Box::new(move || {
        measure(|| {
            let mut teacher = Teacher::new(position.turn(), guide, order);
            teacher.best_by_alpha_beta(position, depth).expect("the game has begun");
            teacher.nodes()
        })
    })
}

/// Random games of Mancala. Counts games.
pub(crate) fn random_games(count: u64) -> Cost {
    let start = Mancala::new(&NoOptions);
    let mut rng = Rng::new(1);
    let mut seeds = 0;
    let cost = measure(|| {
        seeds = (0..count).map(|_| playout(start, u32::MAX, &mut rng).0.points()[0]).sum();
        count
    });
    assert!(seeds > 0, "a seed was stored");
    cost
}

fn mancala(rounds: usize) {
    let start = Mancala::new(&NoOptions);
    let [cost] = alternate(rounds, [engine(1, MEMORY, true).contestant(&start, &Stores, 22)]);
    row(
        "engine, depth 22",
        &[
            Figure(cost.cpu, "s", Some(AtMost(0.35))),
            Figure(cost.count as f64, "nodes", None),
            Figure(millions(cost), "M nodes/s", Some(AtLeast(18.0))),
        ],
    );
}

fn threads(rounds: usize) {
    let start = Mancala::new(&NoOptions);
    let contestant = |threads| engine(threads, MEMORY, true).contestant(&start, &Stores, 24);
    let [one, two] = alternate(rounds, [contestant(1), contestant(2)]);
    row("1 thread, depth 24", &[Figure(one.wall, "s on the wall", None), Figure(one.cpu, "s", None)]);
    row(
        "2 threads, depth 24",
        &[
            Figure(two.wall, "s on the wall", None),
            Figure(two.cpu, "s", None),
            Figure(two.count as f64 / one.count as f64, "times the nodes", None),
            Figure(one.wall / two.wall, "times as fast", Some(AtLeast(1.6))),
            // Nobody waits for anybody, so that half the CPU time is what two idle cores would take.
            Figure(2.0 * one.cpu / two.cpu, "on two idle cores", Some(AtLeast(1.6))),
        ],
    );
}

fn playouts(rounds: usize) {
    let [cost] = alternate(rounds, [Box::new(|| random_games(300_000)) as Contestant<'_>]);
    row("random games of Mancala", &[Figure(millions(cost), "M games/s", Some(AtLeast(1.5)))]);
}

fn peers(rounds: usize) {
    let start = Mancala::new(&NoOptions);
    compare("Mancala, depth 20", &start, &Stores, 20, rounds);
    let start = Conecta4Boom::new(&NoOptions);
    let (_, value) = peer::search(&start, boom::Test, 10, MEMORY);
    assert_eq!(value, engine(1, MEMORY, true).value(&start, &boom::Test, 10), "both search the same game");
    compare("Boom, depth 16", &start, &boom::Test, 16, rounds);
}

fn compare<G: Game, E: Guide<G>>(name: &str, position: &G, guide: &E, depth: u8, rounds: usize) {
    let ours = engine(1, MEMORY, true).contestant(position, guide, u32::from(depth));
    let theirs: Contestant<'_> = Box::new(|| peer::search(position, guide, depth, MEMORY).0);
    let [ours, theirs] = alternate(rounds, [ours, theirs]);
    for (who, cost) in [("engine", ours), ("minimax crate", theirs)] {
        let nodes = Figure(cost.count as f64, "nodes", None);
        row(
            &format!("{name}: {who}"),
            &[Figure(cost.cpu, "s", None), nodes, Figure(millions(cost), "M nodes/s", None)],
        );
    }
    let ratios = [
        Figure(millions(ours) / millions(theirs), "times the nodes/s", None),
        Figure(theirs.cpu / ours.cpu, "times as fast to the depth", None),
    ];
    row(&format!("{name}: engine to minimax crate"), &ratios);
}

fn boom(rounds: usize) {
    let conecta = Conecta4Boom::new(&NoOptions);
    let desconecta = Desconecta4Boom::new(&NoOptions);
    let [course, deep, other] = alternate(
        rounds,
        [
            teach(&conecta, &boom::Test, Ascending, 8),
            engine(1, MEMORY, true).contestant(&conecta, &boom::Test, 12),
            engine(1, MEMORY, true).contestant(&desconecta, &boom::Test, 16),
        ],
    );
    assert_eq!(course.count, 125_430, "as many positions as the course's engine");
    timed("Conecta-4 Boom, depth 8: textbook", course, 0.004);
    timed("Conecta-4 Boom, depth 12: engine", deep, 0.5);
    timed("Desconecta-4 Boom, depth 16: engine", other, 1.0);
}

fn parchis(rounds: usize) {
    let grouped = Parchis::new(&Default::default());
    let guide = &parchis::MyHeuristic1;
    let [ascending, descending, engine] = alternate(
        rounds,
        [
            teach(&grouped, guide, Ascending, 6),
            teach(&grouped, guide, Descending, 6),
            engine(1, MEMORY, true).contestant(&grouped, guide, 6),
        ],
    );
    row("textbook, ascending", &[Figure(ascending.cpu * 1e3, "ms", None)]);
    timed("textbook, descending", descending, 0.010);
    timed("engine", engine, 0.005);
}

fn bandera(rounds: usize) {
    let options: BanderaOptions = "citadel".parse().expect("a bundled map");
    let start = Bandera::new(&options);
    let guide = bandera::Races::new(&start);
    let contestant = |memory| engine(1, memory, true).contestant(&start, &guide, 8);
    let [with, without] = alternate(rounds.min(3), [contestant(MEMORY), contestant(0)]);
    let nodes = |cost: Cost| Figure(cost.count as f64, "nodes", None);
    row("with a table", &[Figure(with.cpu, "s", None), nodes(with)]);
    let gain = Figure(without.cpu / with.cpu, "times the time", Some(AtLeast(2.0)));
    row("without", &[Figure(without.cpu, "s", None), nodes(without), gain]);
}

fn without(rounds: usize) {
    let start = Mancala::new(&NoOptions);
    let depth = 20;
    let costs = alternate(
        rounds.min(3),
        [
            engine(1, MEMORY, true).contestant(&start, &Stores, depth),
            engine(1, 0, true).contestant(&start, &Stores, depth),
            engine(1, MEMORY, false).contestant(&start, &Stores, depth),
            engine(1, MEMORY, true).contestant(&start, &Unhinted::<false>, depth),
            engine(1, MEMORY, true).contestant(&start, &Unhinted::<true>, depth),
            teach(&start, &Stores, Ascending, depth),
        ],
    );
    let names = [
        "all of it",
        "no table",
        "no shortcut at the horizon",
        "no hints",
        "experience instead of hints",
        "the textbook's alpha-beta",
    ];
    for (name, cost) in names.iter().zip(costs) {
        let times = Figure(cost.cpu / costs[0].cpu, "times the time", None);
        let nodes = Figure(cost.count as f64, "nodes", None);
        row(name, &[Figure(cost.cpu, "s", None), nodes, times]);
    }
}

fn timed(name: &str, cost: Cost, goal: f64) {
    let ms = Figure(cost.cpu * 1e3, "ms", Some(AtMost(goal * 1e3)));
    row(name, &[ms, Figure(cost.count as f64, "nodes", None), Figure(millions(cost), "M nodes/s", None)]);
}

/// Millions a CPU second.
fn millions(cost: Cost) -> f64 {
    cost.count as f64 / cost.cpu / MILLION
}

/// [`Stores`] without a word on the order of moves: the game's own order, or the engine's experience, decides.
struct Unhinted<const EXPERIENCE: bool>;

impl<const EXPERIENCE: bool> Guide<Mancala> for Unhinted<EXPERIENCE> {
    const ANTISYMMETRIC: bool = true;
    const EXPERIENCE: bool = EXPERIENCE;

    fn score(&self, position: &Mancala, side: Side) -> Score {
        Stores.score(position, side)
    }

    fn banked(&self, position: &Mancala, side: Side) -> Score {
        Stores.banked(position, side)
    }

    fn finished(&self, position: &Mancala, outcome: Outcome, side: Side) -> Score {
        Stores.finished(position, outcome, side)
    }

    fn hint(&self, _: &Mancala, _: Pit) -> i32 {
        0
    }
}
