//! Pieces, dice and the marker of the colour on turn, and how a move changes them.

use super::layout::{layout, place_id, tray_id, turn_id};
use super::look::{LABELS, LOOK};
use super::path::STEPS;
use super::{Board, Colour, Die, MAX_BOUNCES, Move, Parchis, Place};
use crate::draw::{
    About, Change, Choice, Control, Counter, Draw, Id, Label, Layout, Look, Piece, Scene, Step, Wording,
};
use crate::{Game, Side};

impl Draw for Parchis {
    const ABOUT: About = About {
        id: "parchis",
        name: "Parchís",
        summary: "Ludo with dice chosen instead of thrown: bring the four pieces of one of your colours to the goal",
        rules: &[
            "Player 1 has yellow and red, player 2 blue and green; yellow, blue, red and green take turns. Each colour \
             has a pool of dice 1 to 6 and chooses one; a used die is gone until the pool is empty and fills again. \
             With a die that no piece can use, and only with such a die, a colour may skip.",
            "A 5 brings a piece out of home. A 6 counts 7 while the colour has nobody at home, and the colour goes on; \
             if it has a wall, a piece of a wall must use the 6. Pieces go round the ring, up their queue and exactly \
             into the goal; with steps left over they bounce back.",
            "Landing on a piece of another colour, the partner's too, sends it home and earns a bonus of 20; not on \
             safe squares, where both stay. A piece in the goal earns a bonus of 10. A bonus is the only die until it \
             is used. Nobody lands on two pieces; two of one colour are a wall that other colours cannot pass.",
            "The first colour with four pieces in the goal wins for its player. The 31st bounce of a colour loses.",
        ],
        options: &[
            (Board::Grouped.name(), "one piece of each colour at home, the others from its start on"),
            (Board::Alterned.name(), "one piece of each colour at home, the others all round the ring"),
            (Board::AllAtHome.name(), "every piece at home"),
            (Board::AlmostGoal.name(), "every colour shortly before its goal"),
            (Board::Debug.name(), "as ALMOST_GOAL, but with the first pieces of yellow and green on 55 and 56"),
        ],
        move_notation: "colour, piece and die, as in Y0:5; s for a skip, as in Ys:3",
        position_notation: "pieces|pools|colour and player|flags|bounces|last die|number of the next move, and the \
                            eaten piece, as in 00041317.00213034.00384751.00556468|123456.123456.123456.123456|Y0|-|\
                            0.0.0.0|-1|1",
        losing_choice: None,
        move_cap: Some(3000),
    };

    const LOOK: Look = LOOK;

    const LABELS: &'static [Wording] = LABELS;

    fn layout(&self) -> Layout {
        layout()
    }

    fn scene(&self, last: Option<(Side, Move)>) -> Scene {
        let moves = self.moves();
        Scene {
            pieces: Colour::ALL.into_iter().flat_map(|colour| self.pieces_of(colour)).chain([self.marker()]).collect(),
            counters: Colour::ALL.map(|colour| self.bounce_counter(colour)).to_vec(),
            controls: if moves.iter().any(|mv| mv.piece().is_none()) { vec![skip_control()] } else { Vec::new() },
            choices: moves.into_iter().map(choice).collect(),
            last: last.map(|(_, mv)| self.mark(mv)).into_iter().collect(),
            line: Vec::new(),
            end: self.winner.map(|_| self.end()),
        }
    }

    fn steps(&self, mv: Move) -> Vec<Step> {
        let mut after = *self;
        after.play(mv);
        let colour = self.colour;
        let mut steps = vec![Step { beat: 0, change: Change::Remove { piece: die_id(colour, mv.die()), how: "used" } }];
        let mut beat = 0;
        if let Some(piece) = mv.piece() {
            for place in self.walk(piece, mv.die()) {
                beat += 1;
                steps.push(Step { beat, change: moved(pawn_id(colour, piece), place_id(colour, piece, place)) });
            }
        }
        // An eaten pawn flies home before anything else happens.
        if let Some((colour, piece)) = after.eaten() {
            beat += 1;
            let home = place_id(colour, piece, Place::HOME);
            steps.push(Step { beat, change: moved(pawn_id(colour, piece), home) });
        }
        beat += 1;
        steps.extend(self.consequences(mv, &after).into_iter().map(|change| Step { beat, change }));
        steps
    }
}

impl Parchis {
    /// The pawns and dice of a colour.
    fn pieces_of(&self, colour: Colour) -> impl Iterator<Item = Piece> {
        let pawns = (0..).zip(self.places(colour)).map(move |(piece, place)| pawn(colour, piece, place));
        let held = self.dice(colour).map(move |die| die_piece(colour, die));
        pawns.chain(held)
    }

    fn dice(&self, colour: Colour) -> impl Iterator<Item = Die> {
        let position = *self;
        Die::ALL.into_iter().filter(move |&die| position.holds(colour, die))
    }

    /// What shows whose turn it is.
    fn marker(&self) -> Piece {
        Piece {
            id: MARKER.to_owned(),
            owner: None,
            kind: "marker",
            symbol: ">".to_owned(),
            cell: turn_id(self.colour),
            label: Label::new("on turn", []),
        }
    }

    /// How the game ended: with a colour that is home, or with one that has bounced too often.
    fn end(&self) -> Label {
        let is_out = |colour: &Colour| self.bounces(*colour) >= MAX_BOUNCES;
        let is_home = |colour: &Colour| self.places(*colour).into_iter().all(|place| place == Place::GOAL);
        match Colour::ALL.into_iter().find(is_out) {
            Some(colour) => Label::new("too many bounces", [&colour, &MAX_BOUNCES]),
            None => Label::new("all in the goal", [&Colour::ALL.into_iter().find(is_home).unwrap_or(self.colour)]),
        }
    }

    fn bounce_counter(&self, colour: Colour) -> Counter {
        Counter {
            kind: "",
            id: bounces_id(colour),
            owner: Some(colour.side()),
            cell: None,
            piece: None,
            // One more loses.
            max: Some(i32::from(MAX_BOUNCES) - 1),
            label: Label::new("bounces of", [&colour]),
            value: i32::from(self.bounces(colour)),
        }
    }

    /// The cell to mark after this move.
    fn mark(&self, mv: Move) -> Id {
        match mv.piece() {
            Some(piece) => place_id(mv.colour(), piece, self.places(mv.colour())[usize::from(piece)]),
            None => tray_id(mv.colour(), mv.die()),
        }
    }

    /// The places that a piece of the colour on turn passes, up to the one where it stays.
    fn walk(&self, piece: u8, die: Die) -> Vec<Place> {
        let from = self.places(self.colour)[usize::from(piece)];
        if from == Place::HOME {
            return vec![self.colour.start()];
        }
        let distance = from.distance_to_goal(self.colour);
        (1..=STEPS[self.row(die)]).map(|step| Place::before_goal(self.colour, distance.abs_diff(step))).collect()
    }

    /// What a move does after all pieces have moved: to dice, numbers and the turn.
    fn consequences(&self, mv: Move, after: &Self) -> Vec<Change> {
        let colour = self.colour;
        let mut changes = Vec::new();
        let kept = |die: &Die| self.holds(colour, *die) && *die != mv.die();
        let added = after.dice(colour).filter(|die| !kept(die));
        changes.extend(added.map(|die| Change::Add { piece: die_piece(colour, die) }));
        if after.bounces(colour) != self.bounces(colour) {
            changes.push(Change::Count { counter: bounces_id(colour), value: i32::from(after.bounces(colour)) });
        }
        if after.colour != colour {
            changes.push(moved(MARKER.to_owned(), turn_id(after.colour)));
        }
        changes
    }
}

/// The piece that shows whose turn it is.
const MARKER: &str = "marker";

/// The button beside the board.
const SKIP: &str = "skip";

fn skip_control() -> Control {
    Control { id: SKIP.to_owned(), kind: "skip", label: Label::new("skip", []) }
}

/// First the die, then the pawn that uses it, or the button.
fn choice(mv: Move) -> Choice {
    let second = mv.piece().map_or(SKIP.to_owned(), |piece| pawn_id(mv.colour(), piece));
    Choice::new(mv.to_string(), vec![die_id(mv.colour(), mv.die()), second])
}

fn moved(piece: Id, to: Id) -> Change {
    Change::Move { becomes: piece.clone(), piece, to }
}

fn pawn_id(colour: Colour, piece: u8) -> Id {
    format!("{colour}{piece}")
}

fn die_id(colour: Colour, die: Die) -> Id {
    if die.is_bonus() { format!("bonus{colour}") } else { format!("die{colour}-{die}") }
}

fn bounces_id(colour: Colour) -> Id {
    format!("bounces{colour}")
}

fn pawn(colour: Colour, piece: u8, place: Place) -> Piece {
    Piece {
        id: pawn_id(colour, piece),
        owner: Some(colour.side()),
        // The owner alone would not tell a player's two colours apart.
        kind: ["pawn-yellow", "pawn-blue", "pawn-red", "pawn-green"][colour.index()],
        symbol: pawn_id(colour, piece),
        cell: place_id(colour, piece, place),
        label: Label::new("pawn", [&colour, &piece]),
    }
}

fn die_piece(colour: Colour, die: Die) -> Piece {
    let kind = match die.value() {
        10 => "bonus10",
        20 => "bonus20",
        pips => ["die-1", "die-2", "die-3", "die-4", "die-5", "die-6"][usize::from(pips) - 1],
    };
    Piece {
        id: die_id(colour, die),
        owner: Some(colour.side()),
        kind,
        symbol: die.to_string(),
        cell: tray_id(colour, die),
        label: Label::new("die", [&colour, &die]),
    }
}
