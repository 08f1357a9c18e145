//! The ring as bitboards: who can be eaten, who stands in the way, and who gets where with a die.

use palestra_games::parchis::{Colour, PIECES, Parchis, Place, QUEUE, RING};

use super::lookup::by_place;

/// What matters on the ring. Sets have a bit for each square, bit 1 for square 1.
pub(super) struct Ring {
    /// Each colour's pieces that can be eaten: alone on a square that is not safe.
    exposed: [u128; 4],
    /// Each colour's walls on the ring.
    walls: [u128; 4],
    /// Each colour's pieces in walls, on the ring or in the queue, as bits.
    bound: [u8; 4],
}

impl Ring {
    #[inline]
    pub(super) fn of(position: &Parchis) -> Self {
        let mut ring = Self { exposed: [0; 4], walls: [0; 4], bound: [0; 4] };
        for colour in Colour::ALL {
            let [a, b, c, d] = position.places(colour).map(|place| BITS[usize::from(place.code()) % 128]);
            let two = (a & b | (a | b) & c | (a | b | c) & d) & TRACK;
            ring.exposed[colour.index()] = (a ^ b ^ c ^ d) & UNSAFE;
            ring.walls[colour.index()] = two & SQUARES;
            ring.bound[colour.index()] = if two == 0 { 0 } else { position.walls(colour) };
        }
        ring
    }

    /// How many walls a colour has on the ring.
    #[inline]
    pub(super) fn walls(&self, colour: Colour) -> u32 {
        self.walls[colour.index()].count_ones()
    }

    /// The steps for which a colour holds dice, bit 0 for one step, for pieces in general and for those that may use
    /// the 6: all of them, unless the colour has walls, which must then be broken up. Bonuses are left out.
    #[inline]
    pub(super) fn steps(&self, position: &Parchis, colour: Colour) -> Steps {
        let pool = position.pool(colour);
        let outside = !position.places(colour).contains(&Place::HOME);
        let six = (pool & SIX) << u8::from(outside);
        let bound = self.bound[colour.index()];
        Steps { small: pool & (SIX - 1), six, six_pieces: if bound == 0 { ALL } else { bound } }
    }

    /// What lies before the pieces of a colour.
    #[inline]
    pub(super) fn ahead(&self, colour: Colour) -> Ahead {
        let own = colour.index();
        let others = |sets: [u128; 4]| round(sets[0] | sets[1] | sets[2] | sets[3]) & !round(sets[own]);
        Ahead { limits: &LIMITS[own], prey: others(self.exposed), walls: others(self.walls) }
    }

    /// Whose piece it is that can be eaten here.
    #[inline]
    pub(super) fn owner(&self, place: Place) -> Colour {
        let [yellow, blue, red, _] = self.exposed.map(|set| set & bit(place) != 0);
        match (yellow, blue, red) {
            (true, ..) => Colour::Yellow,
            (_, true, _) => Colour::Blue,
            (_, _, true) => Colour::Red,
            _ => Colour::Green,
        }
    }
}

/// The square of the ring this many steps after a square of the ring.
#[inline]
pub(super) fn after(place: Place, steps: u8) -> Place {
    Place::from_code((place.code() + steps - 1) % RING + 1).unwrap_or(place)
}

/// Whether one of these steps brings a piece to the goal, bit 0 for one step. Only from the queue is it near enough.
#[inline]
pub(super) fn arrives(place: Place, steps: u8) -> bool {
    ARRIVALS[usize::from(place.code()) % 128] & steps != 0
}

/// How far a colour's dice go.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    small: u8,
    six: u8,
    six_pieces: u8,
}

impl Steps {
    /// The steps that a piece can try, bit 0 for one step.
    #[inline]
    pub(super) fn of(self, piece: usize) -> u8 {
        self.small | (self.six * (self.six_pieces >> piece & 1))
    }
}

/// The squares before the pieces of one colour, on a ring that goes on beyond square 68 with the first squares again.
pub(super) struct Ahead {
    limits: &'static [u8; 128],
    /// Pieces of other colours that can be eaten.
    prey: u128,
    /// Walls of other colours.
    walls: u128,
}

impl Ahead {
    /// The walls in a piece's way within seven steps, bit 0 for one step.
    #[inline]
    pub(super) fn walls(&self, place: Place) -> u8 {
        self.window(self.walls, place)
    }

    /// The steps that would eat, bit 0 for one step; `walls` are those in the way. (The original's odd scan from square
    /// 68, which looks for walls from square 2 on, is left to the rules.)
    #[inline]
    pub(super) fn prey(&self, place: Place, walls: u8) -> u8 {
        let before_wall = walls.wrapping_sub(1) & !walls;
        self.window(self.prey, place) & before_wall
    }

    #[inline]
    fn window(&self, set: u128, place: Place) -> u8 {
        let code = place.code() % 128;
        (set >> code >> 1) as u8 & self.limits[usize::from(code)]
    }
}

/// The bit of the 6 in a pool.
const SIX: u8 = 1 << 5;

/// All pieces of a colour, as bits.
const ALL: u8 = (1 << PIECES) - 1;

/// The squares of the ring.
const SQUARES: u128 = (1 << (RING + 1)) - 2;

/// The squares of the ring where pieces are eaten.
const UNSAFE: u128 = unsafe_squares();

/// Ring and queue: neither home nor goal.
const TRACK: u128 = (1 << Place::GOAL.code()) - 2;

/// How far a piece can go within seven steps before it leaves the ring, bit 0 for one step.
static LIMITS: [[u8; 128]; 4] = [
    by_place!(place => limit(Colour::Yellow, place)),
    by_place!(place => limit(Colour::Blue, place)),
    by_place!(place => limit(Colour::Red, place)),
    by_place!(place => limit(Colour::Green, place)),
];

/// The number of steps to the goal from the queue, bit 0 for one step.
static ARRIVALS: [u8; 128] = by_place!(place => match place.queue() {
    Some(square) => 1 << (QUEUE - square),
    None => 0,
});

const fn limit(colour: Colour, place: Place) -> u8 {
    let Some(square) = place.ring() else { return 0 };
    match (colour.last().code() + RING - square) % RING {
        left @ 0..=6 => (1 << left) - 1,
        _ => (1 << 7) - 1,
    }
}

const fn unsafe_squares() -> u128 {
    let mut squares = SQUARES;
    let mut code = 1;
    while code <= RING {
        if let Some(place) = Place::from_code(code)
            && place.is_safe()
        {
            squares &= !bit(place);
        }
        code += 1;
    }
    squares
}

#[inline]
const fn bit(place: Place) -> u128 {
    1 << (place.code() % 128)
}

/// Looked up faster than shifted.
static BITS: [u128; 128] = by_place!(place => bit(place));

/// The ring with its first squares again beyond its last.
#[inline]
const fn round(set: u128) -> u128 {
    set | set << RING
}

#[cfg(test)]
mod tests {
    use palestra_games::Game;
    use palestra_games::parchis::Board;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_ring_knows_who_can_eat_whom_and_who_arrives(
            board in prop::sample::select(&Board::ALL[..]),
            choices in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            let mut position = Parchis::new(&board);
            for choice in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[usize::from(choice) % moves.len()]);
            }
            if position.outcome().is_none() {
                for colour in Colour::ALL {
                    let position = on_turn(&position, colour);
                    prop_assert_eq!(by_sets(&position), by_rules(&position), "{}", position);
                }
            }
        }
    }

    /// A piece, whom it eats and where; itself and the goal if it arrives.
    type Event = (u8, Colour, Place);

    fn by_sets(position: &Parchis) -> Vec<Event> {
        let (ring, colour) = (Ring::of(position), position.colour());
        let (steps, before) = (ring.steps(position, colour), ring.ahead(colour));
        let mut events = Vec::new();
        for (piece, place) in (0..).zip(position.places(colour)).filter(|&(_, place)| !is_odd(place)) {
            let prey = before.prey(place, before.walls(place)) & steps.of(usize::from(piece));
            for step in (1..=7).filter(|step| prey >> (step - 1) & 1 == 1) {
                let square = after(place, step);
                events.push((piece, ring.owner(square), square));
            }
            if arrives(place, steps.of(usize::from(piece))) {
                events.push((piece, colour, Place::GOAL));
            }
        }
        events.sort();
        events
    }

    fn by_rules(position: &Parchis) -> Vec<Event> {
        let colour = position.colour();
        let mut events = Vec::new();
        for mv in position.moves() {
            let Some(piece) = mv.piece() else { continue };
            let mut child = *position;
            child.play(mv);
            let from = position.places(colour)[usize::from(piece)];
            let to = child.places(colour)[usize::from(piece)];
            if is_odd(from) {
                continue;
            }
            if let Some((eaten, _)) = child.eaten() {
                events.push((piece, eaten, to));
            } else if to == Place::GOAL {
                events.push((piece, colour, to));
            }
        }
        events.sort();
        events
    }

    /// From square 68 the original looks for walls in a way of its own.
    fn is_odd(place: Place) -> bool {
        place.ring() == Some(RING)
    }

    /// A copy with another colour to move, and without a bonus.
    fn on_turn(position: &Parchis, colour: Colour) -> Parchis {
        let text = position.to_string().replace("+10", "").replace("+20", "");
        let fields: Vec<&str> = text.split('|').collect();
        let turn = format!("{colour}{}", colour.side().index());
        let text = [fields[0], fields[1], &turn, "-", fields[4], fields[5], fields[6]].join("|");
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}
