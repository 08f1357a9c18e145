//! What a bot has done in the runs of leagues.

use crate::db::with_pool;
use crate::league::is_hidden;
use crate::row::row;
use crate::{Id, Store, StoreError};

/// The results of a bot in all runs of leagues whose standings may be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotResults {
    /// Games that count.
    pub games: i64,
    /// Games won.
    pub wins: i64,
    /// Games lost.
    pub losses: i64,
    /// Games as side 1.
    pub games_1: i64,
    /// Games won as side 1.
    pub wins_1: i64,
    /// Games lost by its own fault.
    pub forfeits: i64,
}

row!(BotResults { games, wins, losses, games_1, wins_1, forfeits });

impl BotResults {
    /// Games without a winner.
    #[must_use]
    pub const fn draws(&self) -> i64 {
        self.games - self.wins - self.losses
    }

    /// Games as side 2.
    #[must_use]
    pub const fn games_2(&self) -> i64 {
        self.games - self.games_1
    }

    /// Games won as side 2.
    #[must_use]
    pub const fn wins_2(&self) -> i64 {
        self.wins - self.wins_1
    }
}

/// A game of a bot in a run of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotGame {
    /// The code of the game.
    pub game_code: String,
    /// The opponent's name.
    pub opponent: String,
    /// The side of the bot, 1 or 2.
    pub side: i64,
    /// The side that won; none after a draw.
    pub winner: Option<i64>,
    /// The points of side 1.
    pub points_1: i64,
    /// The points of side 2.
    pub points_2: i64,
    /// The address of the league.
    pub league_code: String,
    /// The name of the league.
    pub league: String,
    /// The number of the run.
    pub run: i64,
}

row!(BotGame { game_code, opponent, side, winner, points_1, points_2, league_code, league, run });

/// Games that count of the bot `$1`, in runs whose standings are not hidden.
macro_rules! games {
    () => {
        concat!(
            "FROM run_players p JOIN run_games g ON g.run_id = p.run_id AND (g.player_1 = p.player OR g.player_2 = p.player) \
             JOIN runs r ON r.id = g.run_id JOIN leagues l ON l.id = r.league_id WHERE p.bot_id = $1 AND r.kind = 'league' \
             AND g.voided_ms IS NULL AND NOT ",
            is_hidden!()
        )
    };
}

impl Store {
    /// The results of a bot; `None` if it has played no game of a league.
    pub async fn bot_results(&self, bot: Id) -> Result<Option<BotResults>, StoreError> {
        macro_rules! count {
            ($condition:literal, $name:literal) => {
                concat!("COUNT(CASE WHEN ", $condition, " THEN 1 END) AS ", $name)
            };
        }
        const QUERY: &str = concat!(
            "SELECT COUNT(*) AS games, ",
            count!("(g.winner = 1) = (g.player_1 = p.player)", "wins"),
            ", ",
            count!("(g.winner = 2) = (g.player_1 = p.player)", "losses"),
            ", ",
            count!("g.player_1 = p.player", "games_1"),
            ", ",
            count!("g.player_1 = p.player AND g.winner = 1", "wins_1"),
            ", ",
            count!("g.forfeit IS NOT NULL AND (g.winner = 2) = (g.player_1 = p.player)", "forfeits"),
            " ",
            games!()
        );
        let found: BotResults = with_pool!(self, pool => sqlx::query_as(QUERY).bind(bot).fetch_one(pool).await)?;
        Ok((found.games > 0).then_some(found))
    }

    /// The last games of a bot, the latest first: at most `limit`.
    pub async fn bot_games(&self, bot: Id, limit: u32) -> Result<Vec<BotGame>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT g.game_code, (SELECT o.name FROM run_players o WHERE o.run_id = g.run_id AND o.player <> p.player \
             AND (o.player = g.player_1 OR o.player = g.player_2)) AS opponent, \
             CAST(CASE WHEN g.player_1 = p.player THEN 1 ELSE 2 END AS BIGINT) AS side, g.winner, g.points_1, \
             g.points_2, l.code AS league_code, l.name AS league, r.number AS run ",
            games!(),
            " ORDER BY g.ended_ms DESC, g.id DESC LIMIT $2"
        );
        let limit = i64::from(limit);
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(bot).bind(limit).fetch_all(pool).await)?)
    }
}
