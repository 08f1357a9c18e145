//! Names that make no player.

use crate::engine::TableError;

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// There is no such game.
    #[error("there is no game '{0}'")]
    UnknownGame(String),
    /// Not one of the built-in players.
    #[error("there is no player '{name}'; {}", advice(nearest, known))]
    Unknown {
        /// The name as it was given.
        name: String,
        /// The names that are spelt much like it.
        nearest: Vec<&'static str>,
        /// The names of all players.
        known: Vec<&'static str>,
    },
    /// A textbook player without a depth, or with one that is out of range.
    #[error("'{depth}' in '{name}' is no depth: it is a number from 1 to {}", super::MAX_TEXTBOOK_DEPTH)]
    Depth {
        /// The player's name as it was given.
        name: String,
        /// The part of it that should be a depth.
        depth: String,
    },
    /// The game has no evaluation of this name.
    #[error("{game} has no evaluation '{evaluation}'; it has {}", known.join(", "))]
    UnknownEvaluation {
        /// The name as it was given.
        evaluation: String,
        /// The id of the game.
        game: &'static str,
        /// Those it has.
        known: Vec<&'static str>,
    },
    /// `house` plays one game only.
    #[error("{game} has no player 'house': it is the examiner of the Mancala course")]
    NoHouse {
        /// The id of the game.
        game: &'static str,
    },
    /// `human` is a person, not a built-in player: the caller must ask for the moves.
    #[error("'human' is a person at the board, not a built-in player")]
    Human,
    /// The player's table could not be had.
    #[error(transparent)]
    Memory(#[from] TableError),
}

impl PlayerError {
    pub(super) fn unknown(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<&'static str> = known.collect();
        let nearest = known.iter().copied().filter(|candidate| is_near(name, candidate)).collect();
        Self::Unknown { name: name.to_owned(), nearest, known }
    }
}

fn advice(nearest: &[&str], known: &[&str]) -> String {
    if nearest.is_empty() {
        format!("there are {}", known.join(", "))
    } else {
        format!("did you mean {}?", nearest.join(" or "))
    }
}

/// Whether two names are the same but for a slip or two, in what stands before the first colon.
fn is_near(name: &str, candidate: &str) -> bool {
    let word = |text: &str| text.split(':').next().unwrap_or_default().to_lowercase();
    let (name, candidate) = (word(name), word(candidate));
    let slips = if candidate.len() > 4 { 2 } else { 1 };
    distance(&name, &candidate) <= slips || (name.len() >= 3 && candidate.starts_with(&name))
}

/// How many characters must be changed, added or taken away to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    // Only short words are ever near; a long one need not be measured.
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(32).collect(), b.chars().take(32).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_slips() {
        assert_eq!(distance("ninja1", "ninja1"), 0);
        assert_eq!(distance("nnja1", "ninja1"), 1);
        assert_eq!(distance("maetsro", "maestro"), 2);
        assert_eq!(distance("", "greedy"), 6);
    }
}
