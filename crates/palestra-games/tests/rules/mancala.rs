//! Mancala against its rules told once more, seed by seed.

use palestra_games::mancala::{InvalidSeeds, Mancala, Pit, SEEDS};
use palestra_games::{Game, NoOptions, Side};
use proptest::prelude::*;

/// The board as the rules page draws it: for each side the store and pits 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Board {
    seeds: [[u8; 7]; 2],
    turn: usize,
}

/// What a move did.
pub(crate) struct Sown {
    pub(crate) extra_turn: bool,
    pub(crate) capture: bool,
}

impl Board {
    pub(crate) fn of(game: &Mancala) -> Self {
        Self { seeds: Side::BOTH.map(|side| game.seeds(side)), turn: game.turn().index() }
    }

    pub(crate) fn play(&mut self, pit: usize) -> Sown {
        let (me, other) = (self.turn, 1 - self.turn);
        let (mut side, mut place) = (me, pit);
        for _ in 0..std::mem::take(&mut self.seeds[me][pit]) {
            (side, place) = match (side == me, place) {
                (true, 0) => (other, 6),
                (false, 1) => (me, 6),
                _ => (side, place - 1),
            };
            self.seeds[side][place] += 1;
        }
        let extra_turn = (side, place) == (me, 0);
        let capture = side == me && place > 0 && self.seeds[me][place] == 1 && self.seeds[other][7 - place] > 0;
        if capture {
            self.seeds[me][0] += 1 + self.seeds[other][7 - place];
            self.seeds[me][place] = 0;
            self.seeds[other][7 - place] = 0;
        }
        if self.seeds.iter().any(|side| side[1..].iter().all(|&n| n == 0)) {
            self.seeds = self.seeds.map(|side| [side.iter().sum(), 0, 0, 0, 0, 0, 0]);
        }
        if !extra_turn {
            self.turn = other;
        }
        Sown { extra_turn, capture }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn sowing_by_tables_is_sowing_by_hand(choices in prop::collection::vec(0usize..6, 0..150)) {
        let mut game = Mancala::new(&NoOptions);
        for choice in choices {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice % moves.len()];
            let mut board = Board::of(&game);
            game.play(mv);
            board.play(usize::from(mv.number()));
            prop_assert_eq!(Board::of(&game), board);
            let total: u32 = board.seeds.iter().flatten().map(|&n| u32::from(n)).sum();
            prop_assert_eq!(total, SEEDS);
        }
    }

    /// Positions that random play hardly reaches: many seeds in one pit.
    #[test]
    fn heavy_pits_are_sown_as_by_hand(
        spread in prop::collection::vec(0usize..14, 48),
        heavy in 0usize..14,
        share in 0usize..48,
        turn in 0usize..2,
        pit in 1u8..=6,
    ) {
        let mut seeds = [[0; 7]; 2];
        for (seed, &place) in spread.iter().enumerate() {
            let place = if seed < share { heavy } else { place };
            seeds[place / 7][place % 7] += 1;
        }
        match Mancala::from_seeds(Side::from_index(turn), seeds) {
            Ok(mut game) => {
                let mut board = Board::of(&game);
                let mv = Pit::new(pit).expect("a pit from 1 to 6");
                if game.is_legal(mv) {
                    game.play(mv);
                    board.play(usize::from(pit));
                    prop_assert_eq!(Board::of(&game), board);
                }
            }
            Err(invalid) => {
                let one_empty = seeds.map(|side| side[1..].iter().all(|&n| n == 0));
                prop_assert!(matches!(invalid, InvalidSeeds::OneSideEmpty(_)));
                prop_assert!(one_empty[0] != one_empty[1]);
            }
        }
    }
}

#[test]
fn an_empty_pit_loses_everything() {
    let mut game: Mancala = "1:10,0,4,4,4,4,4/0,3,3,3,3,3,3".parse().expect("a position");
    game.try_play(Pit::new(1).expect("pit 1")).expect("an empty pit can be chosen");
    assert_eq!(game.to_string(), "2:0,0,0,0,0,0,0/48,0,0,0,0,0,0");
    assert!(game.try_play(Pit::new(1).expect("pit 1")).is_err(), "the game is over");
}
