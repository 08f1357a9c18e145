//! How strong the built-in players are: the table of `docs/strength.md`, which `palestra ladder` writes.

use std::sync::LazyLock;

/// The results of a match of the ladder, as the document has them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) game: &'static str,
    pub(super) player: &'static str,
    pub(super) against: &'static str,
    /// The player's part of the points, in percent.
    pub(super) points: &'static str,
    /// The numbers of games won, drawn and lost.
    pub(super) tally: &'static str,
    /// The interval in which the part of the points lies with 95 % confidence.
    pub(super) interval: &'static str,
}

impl Match {
    /// Both players.
    pub(super) const fn players(&self) -> [&'static str; 2] {
        [self.player, self.against]
    }
}

static MATCHES: LazyLock<Vec<Match>> = LazyLock::new(|| read(include_str!("../../../../docs/strength.md")));

/// The matches in which a player took part. A textbook player is known by its algorithm: `alphabeta`.
pub(super) fn matches_of(player: &str) -> impl Iterator<Item = &'static Match> {
    let is_it = move |name: &str| name == player || name.strip_prefix(player).is_some_and(|rest| rest.starts_with(':'));
    MATCHES.iter().filter(move |one| is_it(one.player) || is_it(one.against))
}

/// The rows of the table whose head begins with the game and the player.
fn read(document: &'static str) -> Vec<Match> {
    let rows = document.lines().skip_while(|line| !line.starts_with("| game | player |"));
    rows.skip(2).map_while(row).collect()
}

fn row(line: &'static str) -> Option<Match> {
    let mut entries = line.strip_prefix('|')?.split('|').map(|entry| entry.trim().trim_matches('`'));
    let mut next = || entries.next().filter(|entry| !entry.is_empty());
    let (game, player, against) = (next()?, next()?, next()?);
    Some(Match { game, player, against, points: next()?, tally: next()?, interval: next()? })
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;
    use palestra_search::player::GRADE_NAMES;

    use super::*;

    #[test]
    fn the_document_has_every_grade_of_every_game() {
        for kind in GAMES {
            for grade in GRADE_NAMES {
                let is_there = MATCHES.iter().any(|one| one.game == kind.id() && one.player == grade);
                assert!(is_there, "{grade} of {}", kind.id());
            }
        }
        for one in MATCHES.iter() {
            assert!(GAMES.iter().any(|kind| kind.id() == one.game), "{one:?}");
            assert!(one.points.ends_with(" %") && one.interval.ends_with(" %"), "{one:?}");
            assert_eq!(one.tally.split(", ").filter(|number| number.parse::<u32>().is_ok()).count(), 3, "{one:?}");
        }
    }

    #[test]
    fn a_player_has_its_matches() {
        let against = |player| matches_of(player).map(|one| (one.player, one.against)).collect::<Vec<_>>();
        assert_eq!(against("house"), [("house", "greedy")]);
        assert!(against("ninja1").contains(&("ninja1", "greedy")) && against("ninja1").contains(&("ninja2", "ninja1")));
        assert!(against("alphabeta").contains(&("alphabeta:8:avoid4", "ninja3")));
        assert_eq!(against("alpha"), [], "a name is whole");
    }
}
