//! The results of a run: its finished games, and what follows from them.

use std::sync::Arc;

use palestra_protocol::ForfeitKind;
use palestra_store::{CountedGame, Run, RunPlayer, RunState};
use palestra_tournament::{Finished, Order, Standing, Upset, standings, upsets};

use crate::app::{App, now_ms};
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;

/// The games of runs that were looked at lately.
pub(crate) type RunGames = Cache<Games>;

/// Memory for them.
pub(crate) const RUN_GAMES_BYTES: usize = 48 << 20;

/// Time for which the games of a run that is being played are looked at without asking the store again.
const FRESH_MS: i64 = 2_000;

/// Approximate size of a game in memory.
const GAME_BYTES: usize = 200;

/// The games of a run that count.
pub(crate) struct Games {
    /// The codes of their records, in the same order.
    pub(super) codes: Vec<String>,
    pub(super) finished: Vec<Finished>,
}

impl Weighed for Games {
    fn bytes(&self) -> usize {
        GAME_BYTES * self.finished.len()
    }
}

/// A run with its players and games.
pub(super) struct Results {
    pub(super) players: Vec<RunPlayer>,
    pub(super) games: Arc<Games>,
}

/// A player of the ranking.
pub(super) struct Ranked {
    pub(super) rank: usize,
    /// Whether nothing tells it from the player before or the one behind.
    pub(super) is_shared: bool,
    pub(super) standing: Standing,
}

impl Results {
    /// The results of a run. Names are always those of today; games change only while the run is played.
    pub(super) async fn of(app: &App, run: &Run) -> Result<Self, Refused> {
        let players = app.store.run_players(run.id).await?;
        let stamp = match run.state {
            RunState::Finished | RunState::GivenUp => run.ended_ms.unwrap_or_default(),
            RunState::Playing | RunState::Paused => -(now_ms() / FRESH_MS),
        };
        let key = format!("{} {stamp}", run.id);
        if let Some(games) = app.run_games.find(&key) {
            return Ok(Self { players, games });
        }
        let counted = app.store.counted_games(run.id).await?;
        let games = Arc::new(Games::new(counted));
        app.run_games.keep(&key, games.clone());
        Ok(Self { players, games })
    }

    /// The ranking: games with house bots, which stand outside of it, do not count.
    pub(super) fn ranking(&self, order: &Order) -> Vec<Ranked> {
        let games: Vec<Finished> = self
            .games
            .finished
            .iter()
            .filter(|game| game.players.iter().all(|&it| self.is_ranked(it)))
            .cloned()
            .collect();
        let mut standings = standings(self.players.len(), &games, &[]);
        standings.retain(|standing| self.is_ranked(standing.player));
        let ranked = order.rank(&standings);
        let ranks: Vec<usize> = ranked.iter().map(|(rank, _)| *rank).collect();
        let is_shared = |rank: usize| ranks.iter().filter(|&&other| other == rank).count() > 1;
        ranked.into_iter().map(|(rank, standing)| Ranked { rank, is_shared: is_shared(rank), standing }).collect()
    }

    /// How the house bots stand, in all of their games.
    pub(super) fn guests(&self) -> Vec<Standing> {
        let mut standings = standings(self.players.len(), &self.games.finished, &[]);
        standings.retain(|standing| !self.is_ranked(standing.player));
        standings.sort_by_key(|standing| std::cmp::Reverse(standing.points));
        standings
    }

    /// Meetings that the lower ranked of two won, the largest first.
    pub(super) fn upsets(&self, ranking: &[Ranked]) -> Vec<Upset> {
        upsets(&ranks(self.players.len(), ranking), &self.games.finished)
    }

    /// The games that were lost by a fault.
    pub(super) fn faults(&self) -> impl Iterator<Item = (&Finished, ForfeitKind, &str)> {
        let games = self.games.finished.iter().zip(&self.games.codes);
        games.filter_map(|(game, code)| Some((game, game.forfeit?, code.as_str())))
    }

    fn is_ranked(&self, player: usize) -> bool {
        self.players.get(player).is_some_and(|player| player.is_ranked)
    }
}

/// The rank of each player, by number.
pub(super) fn ranks(players: usize, ranking: &[Ranked]) -> Vec<Option<usize>> {
    let mut ranks = vec![None; players];
    for ranked in ranking {
        if let Some(rank) = ranks.get_mut(ranked.standing.player) {
            *rank = Some(ranked.rank);
        }
    }
    ranks
}

impl Games {
    fn new(counted: Vec<CountedGame>) -> Self {
        let finished = counted.iter().map(finished).collect();
        Self { codes: counted.into_iter().map(|game| game.game_code).collect(), finished }
    }
}

/// What of a stored game counts for rankings. What cannot be, such as a negative number of a player, counts for nobody.
fn finished(game: &CountedGame) -> Finished {
    let player = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let points = |points: i64| i32::try_from(points).unwrap_or_default();
    Finished {
        number: u32::try_from(game.number).unwrap_or(u32::MAX),
        players: [player(game.player_1), player(game.player_2)],
        points: [points(game.points_1), points(game.points_2)],
        winner: game.winner.map(|side| player(side - 1)),
        charged_us: [game.charged_1_us, game.charged_2_us].map(i64::unsigned_abs),
        forfeit: game.forfeit.as_deref().and_then(|word| word.parse().ok()),
        plies: u32::try_from(game.plies).unwrap_or_default(),
    }
}
