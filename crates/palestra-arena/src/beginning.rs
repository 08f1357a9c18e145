//! From where a game begins, in words, to its record: options or a position, and then moves.

use palestra_games::{AnyGame, GameKind, ParseError, Phrase, PlayError, Record, phrase};

/// Where a game begins, before any moves.
#[derive(Clone, Copy, Debug)]
pub enum Beginning<'a> {
    /// With these options.
    Options(&'a str),
    /// In the position with this notation.
    Notation(&'a str),
    /// In this position.
    Position(&'a dyn AnyGame),
}

/// Why a game cannot begin there.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The options or the position cannot be read.
    #[error(transparent)]
    Start(#[from] ParseError),
    /// A move cannot be played.
    #[error("{error}")]
    Move {
        /// Which of the moves, counted from 0.
        index: usize,
        /// Why not.
        error: PlayError,
        /// The game up to that move.
        before: Box<Record>,
    },
}

impl BeginError {
    /// Where it goes wrong, and why.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Start(error) => error.phrase(),
            Self::Move { index, error, .. } => {
                phrase!("play.number", "move {number}: {problem}", number = index + 1, problem = error.phrase())
            }
        }
    }
}

/// A game that begins there and goes on with these moves.
pub fn begin<M: AsRef<str>>(
    kind: &GameKind,
    beginning: Beginning<'_>,
    moves: impl IntoIterator<Item = M>,
) -> Result<Record, BeginError> {
    let mut record = match beginning {
        Beginning::Options(options) => Record::new(kind, options)?,
        Beginning::Notation(position) => Record::from_position(&*(kind.parse)(position)?),
        Beginning::Position(position) => Record::from_position(position),
    };
    for (index, mv) in moves.into_iter().enumerate() {
        if let Err(error) = record.play(mv.as_ref()) {
            return Err(BeginError::Move { index, error, before: Box::new(record) });
        }
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mancala() -> &'static GameKind {
        GameKind::find("mancala").expect("a game")
    }

    #[test]
    fn a_game_begins_the_same_way_from_options_notation_and_position() {
        let start = (mancala().start)("-").expect("the usual start");
        let notation = start.notation();
        let ways = [Beginning::Options("-"), Beginning::Notation(&notation), Beginning::Position(&*start)];
        let [one, two, three] = ways.map(|way| begin(mancala(), way, ["4", "1"]).expect("legal moves"));
        assert_eq!(one.position().notation(), two.position().notation());
        assert_eq!(one.position().notation(), three.position().notation());
        assert_eq!((one.beginning(), two.beginning()), ("-".to_owned(), notation));
    }

    #[test]
    fn an_error_says_which_move_it_was_and_keeps_the_game_before_it() {
        let error = begin(mancala(), Beginning::Options("-"), ["4", "9", "1"]).expect_err("there is no pit 9");
        let BeginError::Move { index, before, .. } = error else { panic!("{error}") };
        assert_eq!((index, before.moves().len()), (1, 1));
        let error = begin(mancala(), Beginning::Notation("nonsense"), [""; 0]).expect_err("no position");
        assert!(matches!(error, BeginError::Start(_)), "{error}");
    }
}
