//! What the tests share: random positions, random evaluators, a game that does not alternate, and minimax as it is
//! defined, wins counted from the root.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use palestra_games::bandera::Bandera;
use palestra_games::boom::{Conecta4Boom, Desconecta4Boom};
use palestra_games::mancala::Mancala;
use palestra_games::parchis::Parchis;
use palestra_games::{Game, NoOptions, Outcome, ParseError, Side};
use palestra_search::engine::{Engine, Limits, Never, Settings};
use palestra_search::rng::Rng;
use palestra_search::{Guide, Score, WIN, is_decided};

pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// An unfinished position after at most `plies` random moves.
pub(crate) fn random_position<G: Game>(options: &G::Options, plies: usize, random: &mut Rng) -> G {
    let mut position = G::new(options);
    for _ in 0..plies {
        let moves = position.moves();
        let mut next = position.clone();
        next.play(moves[random.below(moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// An evaluation drawn at random from few values, so that there are many equal ones; the same for equal keys.
pub(crate) struct Hashed<const ANTISYMMETRIC: bool, const EXPERIENCE: bool> {
    pub(crate) seed: u64,
    /// How many different values.
    pub(crate) values: u64,
}

impl<G: Banks, const ANTISYMMETRIC: bool, const EXPERIENCE: bool> Guide<G> for Hashed<ANTISYMMETRIC, EXPERIENCE> {
    const ANTISYMMETRIC: bool = ANTISYMMETRIC;
    const EXPERIENCE: bool = EXPERIENCE;

    fn score(&self, position: &G, side: Side) -> Score {
        let of = if ANTISYMMETRIC { Side::One } else { side };
        let hash = mix(position.key() ^ self.seed ^ of.index() as u64);
        let score = (hash % self.values) as Score - (self.values / 2) as Score;
        if of == side { score } else { -score }
    }

    fn banked(&self, position: &G, side: Side) -> Score {
        position.banked(side)
    }

    fn finished(&self, _: &G, outcome: Outcome, side: Side) -> Score {
        match outcome.winner() {
            None => 0,
            _ if G::BANKS => 0,
            Some(winner) if winner == side => WIN,
            Some(_) => -WIN,
        }
    }

    fn hint(&self, position: &G, mv: G::Move) -> i32 {
        let place = position.moves().iter().position(|&legal| legal == mv).expect("a legal move");
        (mix(position.key() ^ place as u64) % 3) as i32
    }
}

/// What a game keeps out of its key.
pub(crate) trait Banks: Game {
    const BANKS: bool = false;

    fn banked(&self, _: Side) -> Score {
        0
    }
}

impl Banks for Conecta4Boom {}
impl Banks for Desconecta4Boom {}
impl Banks for Parchis {}
impl Banks for Bandera {}

impl Banks for Mancala {
    const BANKS: bool = true;

    fn banked(&self, side: Side) -> Score {
        let points = self.points();
        points[side.index()] - points[side.other().index()]
    }
}

/// Minimax as it is defined: the value for the side to move at the root, wins counted in plies from there.
pub(crate) fn minimax<G: Game>(position: &G, depth: u32, ply: i32, max: Side, guide: &impl Guide<G>) -> Score {
    let value = guide.value(position, max);
    if position.outcome().is_some() {
        return if is_decided(value) { value - ply * value.signum() } else { value };
    }
    if depth == 0 {
        return value;
    }
    let children = position.moves().into_iter().map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        minimax(&child, depth - 1, ply + 1, max, guide)
    });
    let best = if position.turn() == max { children.max() } else { children.min() };
    best.expect("an unfinished position has moves")
}

/// The engine's value at a depth, a win being a win however far; `None` for a finished game.
pub(crate) fn engine_value<G: Game>(position: &G, depth: u32, guide: &impl Guide<G>) -> Option<Score> {
    let mut engine = Engine::new(Settings { memory: 1 << 20, ..Settings::default() }).expect("room for a small table");
    let report = engine.search(position, guide, Limits { depth, lines: 1 }, &mut Never)?;
    Some(without_distance(report.lines[0].score))
}

/// A win, however far.
pub(crate) fn without_distance(value: Score) -> Score {
    if is_decided(value) { WIN * value.signum() } else { value }
}

/// A game on a random graph with cycles: whoever stands on a node may be the same side again and again, positions are
/// met at many depths, and moves bank points that the key does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Toy {
    graph: u64,
    node: u64,
    banked: i32,
}

const NODES: u64 = 40;

impl Toy {
    pub(crate) fn new(graph: u64, node: u64) -> Self {
        Self { graph, node: node % NODES, banked: 0 }
    }

    fn hash(&self, what: u64) -> u64 {
        mix(self.graph ^ mix(self.node << 8 | what))
    }
}

impl Banks for Toy {
    const BANKS: bool = true;

    fn banked(&self, side: Side) -> Score {
        if side == Side::One { self.banked } else { -self.banked }
    }
}

/// For [`Toy`]: a finished game is won by the side that its node says, everything else is worth 0. A score is then the
/// distance of a win or nothing.
pub(crate) struct WonByNode;

impl Guide<Toy> for WonByNode {
    const ANTISYMMETRIC: bool = true;
    const EXPERIENCE: bool = true;

    fn score(&self, _: &Toy, _: Side) -> Score {
        0
    }

    fn finished(&self, position: &Toy, _: Outcome, side: Side) -> Score {
        let winner = Side::from_index((position.hash(4) % 2) as usize);
        if winner == side { WIN } else { -WIN }
    }
}

/// Which edge of the node to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(u8);

impl Game for Toy {
    type Move = Edge;
    type Options = NoOptions;

    fn new(_: &NoOptions) -> Self {
        Self::new(1, 1)
    }

    fn turn(&self) -> Side {
        Side::from_index((self.hash(0) % 2) as usize)
    }

    fn each_move<B>(&self, mut f: impl FnMut(Edge) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_none() {
            for edge in 0..1 + self.hash(1) % 4 {
                f(Edge(edge as u8))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn play(&mut self, Edge(edge): Edge) {
        let sign = if self.turn() == Side::One { 1 } else { -1 };
        self.banked += sign * (self.hash(32 + u64::from(edge)) % 3) as i32;
        self.node = self.hash(64 + u64::from(edge)) % NODES;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.hash(2).is_multiple_of(5).then(|| Outcome::by_points([self.banked, 0]))
    }

    fn points(&self) -> [i32; 2] {
        [self.banked, 0]
    }

    fn key(&self) -> u64 {
        self.hash(3)
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.graph, self.node, self.banked)
    }
}

impl FromStr for Toy {
    type Err = ParseError;

    fn from_str(_: &str) -> Result<Self, ParseError> {
        unreachable!("the tests write toys, they do not read them")
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Edge {
    type Err = ParseError;

    fn from_str(_: &str) -> Result<Self, ParseError> {
        unreachable!("the tests write edges, they do not read them")
    }
}
