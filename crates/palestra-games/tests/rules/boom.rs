//! What holds at every ply of any game of Conecta-4 Boom and Desconecta-4 Boom.

use palestra_games::boom::{Action, Boom, COLUMNS, Conecta, Desconecta, ROWS, Rules};
use palestra_games::{Game, NoOptions, Outcome, Side};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn conecta_holds_together(choices in vec(any::<u8>(), 300)) {
        for_each_ply::<Conecta>(&choices, |game, last| {
            prop_assert_eq!(game.outcome(), conecta_outcome(game, last), "{}", game);
            holds_together(game)
        })?;
    }

    #[test]
    fn desconecta_holds_together(choices in vec(any::<u8>(), 300)) {
        for_each_ply::<Desconecta>(&choices, |game, _| {
            prop_assert_eq!(game.outcome(), desconecta_outcome(game), "{}", game);
            holds_together(game)
        })?;
    }

    #[test]
    fn keys_forget_how_often_the_period_passed(choices in vec(any::<u8>(), 60), periods in 0u32..1000) {
        for_each_ply::<Conecta>(&choices, |game, _| later_is_the_same(game, 16 * periods))?;
        for_each_ply::<Desconecta>(&choices, |game, _| later_is_the_same(game, 10 * periods))?;
    }
}

#[test]
fn numbers_repeat_when_they_have_become_too_high() {
    fn check<R: Rules>(texts: [&str; 3]) {
        let mut game: Boom<R> = texts[0].parse().expect("a board with a bomb each");
        for text in &texts[1..] {
            game.play("1".parse().expect("a column"));
            assert_eq!(game.to_string(), *text);
            assert_eq!(text.parse(), Ok(game));
        }
    }
    check::<Conecta>(["1000000:7/7/7/7/7/7/1X1O3", "999985:7/7/7/7/7/7/xX1O3", "999986:7/7/7/7/7/x6/xX1O3"]);
    check::<Desconecta>(["1000000:7/7/7/7/7/7/1X1O3", "999991:7/7/7/7/7/7/oX1O3", "999992:7/7/7/7/7/x6/oX1O3"]);
}

#[test]
fn text_that_is_no_position_is_refused_where_it_goes_wrong() {
    let check = |text: &str, column: usize, problem: &str| {
        refused::<Conecta>(text, column, problem);
        refused::<Desconecta>(text, column, problem);
    };
    check("", 1, "the number of the next move expected, but the text ends");
    check("0:7/7/7/7/7/7/7", 1, "moves are numbered from 1");
    let line = "a line of a player who did not move last: the game would have ended before";
    refused::<Conecta>("9:7/7/7/7/7/oooo3/xxxx3", 13, line); // player 1 has moved last
    refused::<Desconecta>("9:7/7/7/7/7/oooo3/xxxx3", 19, line); // player 2 has
    check("01:7/7/7/7/7/7/7", 1, "the number of the next move has a leading zero");
    check("1000001:7/7/7/7/7/7/7", 1, "the number of the next move is larger than 1000000");
    check("1;7", 2, "':' expected, found ';'");
    check("1:7/7/7/7/7/7", 14, "'/' expected, but the text ends");
    check("1:7/7/7/7/7/7/7/7", 16, "the text should end here, found '/'");
    check("2:7/7/7/7/7/7/x5", 17, "x, o, X, O or a digit expected, but the text ends");
    check("2:7/7/é", 7, "x, o, X, O or a digit expected, found 'é'");
    check("2:7/7/7/7/7/7/x42", 17, "two digits in a row, their sum should stand here");
    check("2:7/7/7/7/7/7/0x6", 15, "a number of empty cells from 1 to 7 expected, found '0'");
    check("2:7/7/7/7/7/7/x7", 16, "a number of empty cells from 1 to 6 expected, found '7'");
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let check = |text: &str, column: usize, problem: &str| {
        refused::<Conecta>(text, column, problem);
        refused::<Desconecta>(text, column, problem);
    };
    check("3:7/7/7/7/7/2x4/3o3", 14, "a piece with nothing below it");
    check("40:7/7/7/7/7/7/X1X1O2", 16, "player 1 has more than one bomb");
    check("2:7/7/7/7/7/7/o6", 3, "player 2 has more pieces (1) than moves (0)");
    check("2:7/7/7/7/7/7/7", 3, "too few pieces (0) after move 1");
}

fn refused<R: Rules>(text: &str, column: usize, problem: &str) {
    let error = text.parse::<Boom<R>>().expect_err(text);
    assert_eq!((error.column, error.problem.english()), (column, problem), "{text}");
}

#[test]
fn bombs_are_where_they_must_be() {
    let accepted =
        |text: &str| assert_eq!(text.parse::<Boom<Conecta>>().map(|game| game.to_string()), Ok(text.to_owned()));
    // Player 1 drops the first bomb in move 12 and may explode it in move 13.
    refused::<Conecta>("12:7/7/7/7/7/xooo3/oxoxoxX", 26, "player 1 has no bomb before move 12");
    refused::<Conecta>("13:7/7/7/7/7/xoxox2/oxoxoxo", 4, "player 1 lacks a bomb: nothing has exploded since move 12");
    refused::<Conecta>("13:7/7/7/7/7/7/oxoxoxX", 4, "too few pieces (7) after move 12");
    accepted("13:7/7/7/7/7/xoxoX2/oxoxoxo");
    accepted("14:7/7/7/7/7/7/xoxoxox");
    let accepted =
        |text: &str| assert_eq!(text.parse::<Boom<Desconecta>>().map(|game| game.to_string()), Ok(text.to_owned()));
    // Player 1 drops the first bomb in move 9 and may explode it in move 11.
    refused::<Desconecta>("9:7/7/7/7/7/x6/oxoxoXo", 21, "player 1 has no bomb before move 9");
    refused::<Desconecta>("11:7/7/7/7/7/xoX4/oxoxoxo", 4, "player 2 lacks a bomb: nothing has exploded since move 10");
    refused::<Desconecta>("11:7/7/7/7/7/7/oxoxoXO", 4, "too few pieces (7) after move 10");
    accepted("11:7/7/7/7/7/xOX4/oxoxoxo");
    accepted("12:7/7/7/7/7/7/oxoxoOo");
}

/// Plays a random game and calls `check` with each position and the player who moved last.
fn for_each_ply<R: Rules>(
    choices: &[u8],
    mut check: impl FnMut(&Boom<R>, Side) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut game = Boom::<R>::new(&NoOptions);
    for &choice in choices {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        let mover = game.turn();
        game.play(moves[usize::from(choice) % moves.len()]);
        check(&game, mover)?;
    }
    Ok(())
}

/// Nothing floats, no player has two bombs, and the notation reads back.
fn holds_together<R: Rules>(game: &Boom<R>) -> Result<(), TestCaseError> {
    for (column, row) in cells().filter(|&(column, row)| game.cell(column, row).is_some()) {
        prop_assert!(row == 0 || game.cell(column, row - 1).is_some(), "{}", game);
    }
    for side in Side::BOTH {
        let bombs = cells().filter_map(|(column, row)| game.cell(column, row)).filter(|s| s.bomb && s.owner == side);
        prop_assert!(bombs.count() <= 1, "{}", game);
    }
    looks_ahead(game)?;
    let parsed: Boom<R> = game.to_string().parse().map_err(|error| TestCaseError::fail(format!("{game}: {error}")))?;
    prop_assert_eq!(parsed, *game);
    prop_assert_eq!(parsed.key(), game.key());
    Ok(())
}

/// What a position says of its moves is what they do.
fn looks_ahead<R: Rules>(game: &Boom<R>) -> Result<(), TestCaseError> {
    let mover = game.turn();
    prop_assert_eq!(game.is_full(), is_full(game), "{}", game);
    prop_assert_eq!(game.after_boom(mover).is_some(), game.bomb(mover) != 0, "{}", game);
    let mut landings = 0;
    for mv in game.moves() {
        let mut child = *game;
        child.play(mv);
        if mv == Action::BOOM {
            prop_assert_eq!(game.after_boom(mover), Some(Side::BOTH.map(|side| child.pieces(side))), "{}", game);
        } else {
            landings |= child.pieces(mover) & !game.pieces(mover);
        }
    }
    if game.outcome().is_none() {
        prop_assert_eq!(game.landings(), landings, "{}", game);
    }
    Ok(())
}

/// The same board some periods later: another position, with the same key and the same future.
fn later_is_the_same<R: Rules>(game: &Boom<R>, moves: u32) -> Result<(), TestCaseError> {
    let text = game.to_string();
    let (_, board) = text.split_once(':').expect("a colon follows the number");
    let later: Boom<R> = format!("{}:{board}", game.move_number() + moves).parse().expect("more may have exploded");
    prop_assert_eq!(later == *game, moves == 0);
    prop_assert_eq!(later.key(), game.key());
    prop_assert_eq!((later.turn(), later.outcome()), (game.turn(), game.outcome()));
    prop_assert_eq!(later.moves(), game.moves());
    for mv in game.moves() {
        let [mut a, mut b] = [later, *game];
        a.play(mv);
        b.play(mv);
        prop_assert_eq!(a.key(), b.key());
    }
    Ok(())
}

fn conecta_outcome(game: &Boom<Conecta>, last: Side) -> Option<Outcome> {
    match Side::BOTH.map(|side| has_line(game, side)) {
        [true, true] => Some(Outcome::Win(last)),
        [true, false] => Some(Outcome::Win(Side::One)),
        [false, true] => Some(Outcome::Win(Side::Two)),
        [false, false] => {
            let stuck = is_full(game) && game.bomb(game.turn()) == 0;
            stuck.then_some(Outcome::Win(game.turn().other()))
        }
    }
}

fn desconecta_outcome(game: &Boom<Desconecta>) -> Option<Outcome> {
    let loser = lines(game).next().map(|owner| Outcome::Win(owner.other()));
    loser.or_else(|| is_full(game).then_some(Outcome::Draw))
}

fn is_full<R: Rules>(game: &Boom<R>) -> bool {
    cells().all(|(column, row)| game.cell(column, row).is_some())
}

/// Whether a player has four in a line, looked up cell by cell.
pub(crate) fn has_line<R: Rules>(game: &Boom<R>, side: Side) -> bool {
    lines(game).any(|owner| owner == side)
}

/// The owner of every line, in the order of the original's scan.
fn lines<R: Rules>(game: &Boom<R>) -> impl Iterator<Item = Side> {
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let from = cells().flat_map(move |from| directions.map(|direction| (from, direction)));
    from.filter_map(move |((column, row), (right, up))| {
        let owner = |step: usize| {
            let row = row.checked_add_signed(up * step as isize)?;
            game.cell(column + right * step, row).map(|stone| stone.owner)
        };
        (1..4).all(|step| owner(step) == owner(0)).then(|| owner(0)).flatten()
    })
}

/// All cells, row by row from the bottom.
fn cells() -> impl Iterator<Item = (usize, usize)> {
    (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)))
}
