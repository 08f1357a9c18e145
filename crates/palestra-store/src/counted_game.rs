//! The games of a run that count, as rankings take them.

use crate::db::with_pool;
use crate::{Id, Store, StoreError};

/// A game of a run that counts, as far as rankings need it; see [`RunGame`](crate::RunGame).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedGame {
    /// Its number in the plan, from 0.
    pub number: i64,
    /// Who had side 1, as a number of the run's players.
    pub player_1: i64,
    /// Who had side 2.
    pub player_2: i64,
    /// The code of the game's record.
    pub game_code: String,
    /// The points of side 1.
    pub points_1: i64,
    /// The points of side 2.
    pub points_2: i64,
    /// The side that won, 1 or 2; none after a draw.
    pub winner: Option<i64>,
    /// The time charged to side 1, in microseconds.
    pub charged_1_us: i64,
    /// The time charged to side 2, in microseconds.
    pub charged_2_us: i64,
    /// How the loser lost by its own fault, if it did.
    pub forfeit: Option<String>,
    /// How many moves were made.
    pub plies: i64,
}

/// Between the games in the text of a row, and between the values of a game.
const GAMES: char = ';';
const VALUES: char = ' ';

impl Store {
    /// The games of a run that count, by number.
    pub async fn counted_games(&self, run: Id) -> Result<Vec<CountedGame>, StoreError> {
        // A league of 120 bots has 14,280 games. One row for each of them takes four times as long as one for each player.
        const QUERY: &str = "SELECT string_agg(number || ' ' || player_1 || ' ' || player_2 || ' ' || game_code || ' ' \
                             || points_1 || ' ' || points_2 || ' ' || COALESCE(winner, 0) || ' ' || charged_1_us || ' ' \
                             || charged_2_us || ' ' || plies || ' ' || COALESCE(forfeit, ''), ';') FROM run_games \
                             WHERE run_id = $1 AND voided_ms IS NULL GROUP BY player_1";
        let rows: Vec<String> = with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(run).fetch_all(pool).await)?;
        let games: Option<Vec<CountedGame>> = rows.iter().flat_map(|row| row.split(GAMES)).map(unpack).collect();
        let mut games = games.ok_or_else(|| sqlx::Error::Decode("the values of a game".into()))?;
        games.sort_unstable_by_key(|game| game.number);
        Ok(games)
    }
}

/// A game from its values in the order of the query.
fn unpack(text: &str) -> Option<CountedGame> {
    let mut words = text.split(VALUES);
    Some(CountedGame {
        number: number(&mut words)?,
        player_1: number(&mut words)?,
        player_2: number(&mut words)?,
        game_code: words.next()?.to_owned(),
        points_1: number(&mut words)?,
        points_2: number(&mut words)?,
        winner: Some(number(&mut words)?).filter(|&side| side != 0),
        charged_1_us: number(&mut words)?,
        charged_2_us: number(&mut words)?,
        plies: number(&mut words)?,
        forfeit: Some(words.next()?.to_owned()).filter(|word| !word.is_empty()),
    })
}

fn number<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<i64> {
    words.next()?.parse().ok()
}
