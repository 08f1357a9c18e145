//! Thinking: the moves of built-in players, and analysis, on a fixed number of threads.
//!
//! The threads are shared fairly by the CPU time that is used ([`queue`]), so that nobody can starve others with many
//! tables or deep players, and what one task may use is bounded. Moves are never refused; analyses wait in a bounded
//! queue. They have a lower priority than the threads that serve pages. A request that is cancelled drops its future: a
//! waiting task is dropped, and a search ends within a millisecond.

mod analysis;
mod ledger;
mod pool;
mod queue;

use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use palestra_arena::{think, thought_of};
use palestra_games::AnyGame;
use palestra_protocol::{Budget, Thought};
use palestra_search::player::any_player;
use tokio::sync::{mpsc, oneshot};

pub(crate) use analysis::{Analysis, AnalysisQuestion, MAX_LINES, analyse, search_budget};
pub(crate) use pool::MAX_WAITING_ANALYSES;
use pool::{Asked, Pool};

use crate::http::error::Refused;
use crate::ratelimit::Owner;

/// The threads that think, and those who wait for them.
pub(crate) struct Thinking {
    pool: Pool,
}

/// Which move does this player make here?
pub(crate) struct Question {
    /// The owner of the table, to whom the CPU time is charged.
    pub(crate) owner: Owner,
    pub(crate) game: &'static str,
    pub(crate) player: String,
    /// Only `random` needs it.
    pub(crate) seed: u64,
    pub(crate) position: Box<dyn AnyGame>,
    pub(crate) budget: Budget,
    /// The CPU time that the move may take, whatever the budget allows: [`PLAYED_MOVE_CPU`] or [`SHOWN_MOVE_CPU`].
    pub(crate) max_cpu: Duration,
}

/// The reports of a search that goes on. Dropping them ends it.
pub(crate) struct Reports<T> {
    told: mpsc::UnboundedReceiver<T>,
    _asked: Asked,
}

impl<T> Stream for Reports<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.told.poll_recv(context)
    }
}

/// The move that a built-in player chose.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) mv: String,
    pub(crate) thought: Thought,
    pub(crate) cpu: Duration,
}

/// The CPU time that a move may take at a table where a person or a program plays.
pub(crate) const PLAYED_MOVE_CPU: Duration = Duration::from_secs(1);

/// The CPU time that a move may take at a table where built-in players play each other: anybody can open many of those,
/// and a move is not interrupted for those who wait.
pub(crate) const SHOWN_MOVE_CPU: Duration = Duration::from_millis(250);

/// By how much the time by the clock may exceed the CPU time of a move: on a machine that is busy with other things a
/// move must not hold a thread for long either.
const MAX_MOVE_SLOWDOWN: u32 = 2;

/// `Retry-After` while the server is shutting down: a new one may be up by then.
const CLOSING_RETRY_AFTER: Duration = Duration::from_secs(1);

impl Thinking {
    /// A pool with this number of threads, at least one.
    pub(crate) fn new(threads: usize) -> Self {
        Self { pool: Pool::new(threads.max(1)) }
    }

    /// Lets a built-in player choose. `started` hears when a thread takes it up: until then nobody's clock should run.
    /// `None` if the game is over, there is no such player, or the server is closing.
    pub(crate) async fn choose(&self, question: Question, started: oneshot::Sender<()>) -> Option<Answer> {
        let (tell, told) = oneshot::channel();
        let (owner, bound) = (question.owner, question.bound());
        let work = Box::new(move |quit: &AtomicBool| {
            // Who asked may be gone.
            let _ = started.send(());
            let _ = tell.send(answer(question, quit));
        });
        let _asked = self.pool.ask_move(owner, bound, work);
        told.await.ok().flatten()
    }

    /// Does work for a visitor that reports while it goes on, or says when to retry.
    pub(crate) fn report<T, F>(&self, owner: Owner, bound: Duration, work: F) -> Result<Reports<T>, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&AtomicBool, &mut dyn FnMut(T)) + Send + 'static,
    {
        let (tell, told) = mpsc::unbounded_channel();
        let work = Box::new(move |quit: &AtomicBool| {
            // Who asked may be gone.
            work(quit, &mut |report| drop(tell.send(report)));
        });
        let asked = self.pool.ask_analysis(owner, bound, work).map_err(Refused::Limited)?;
        Ok(Reports { told, _asked: asked })
    }

    /// Does work for a visitor that counts as an analysis, or says when to retry. Dropping the future cancels the work.
    pub(crate) async fn search<T, F>(&self, owner: Owner, bound: Duration, work: F) -> Result<T, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&AtomicBool) -> T + Send + 'static,
    {
        let (tell, told) = oneshot::channel();
        let work = Box::new(move |quit: &AtomicBool| drop(tell.send(work(quit))));
        let _asked = self.pool.ask_analysis(owner, bound, work).map_err(Refused::Limited)?;
        // Nobody answers any more when the server is closing.
        told.await.map_err(|_| Refused::Limited(CLOSING_RETRY_AFTER))
    }

    /// Refuses an analysis that would cost so much, and says when what waits now will be done.
    pub(crate) fn refused(&self, cost: Duration) -> Refused {
        Refused::Limited(self.pool.refused(cost))
    }

    /// Whether anything thinks, or waits to.
    pub(crate) fn is_busy(&self) -> bool {
        self.pool.is_busy()
    }

    /// Ends all searches. Nothing is taken up any more.
    pub(crate) fn close(&self) {
        self.pool.close();
    }
}

impl Question {
    /// The CPU time that the move may take.
    fn bound(&self) -> Duration {
        self.budget.cpu.map_or(self.max_cpu, |cpu| cpu.min(self.max_cpu))
    }

    /// The budget within those bounds.
    fn bounded(&self) -> Budget {
        let cpu = self.bound();
        let max_wall = cpu * MAX_MOVE_SLOWDOWN;
        let wall = self.budget.wall.map_or(max_wall, |wall| wall.min(max_wall));
        Budget { cpu: Some(cpu), wall: Some(wall), ..self.budget }
    }
}

/// The player is made for each move, and dropped after it: so there are never more than threads.
fn answer(question: Question, quit: &AtomicBool) -> Option<Answer> {
    let budget = question.bounded();
    let Question { game, player, seed, position, .. } = question;
    let mut player = any_player(game, &player, seed).ok()?;
    let (choice, cpu) = think(&mut *player, &*position, budget, quit, &mut |_| ())?;
    metrics::histogram!("palestra_thinking_seconds", "for" => "move").record(cpu);
    Some(Answer { thought: thought_of(&choice), mv: choice.mv, cpu })
}

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;

    use super::*;
    use crate::ratelimit::Key;

    fn question(player: &str, budget: Budget) -> Question {
        let kind = GameKind::find("mancala").unwrap();
        let position = (kind.start)("-").unwrap();
        let owner = Owner { group: Key::Text(1), person: Key::Text(1) };
        let (player, max_cpu) = (player.to_owned(), Duration::from_secs(60));
        Question { owner, game: kind.id(), player, seed: 1, position, budget, max_cpu }
    }

    #[tokio::test]
    async fn a_player_answers_as_it_does_anywhere_else() {
        let thinking = Thinking::new(1);
        let (started, has_started) = oneshot::channel();
        let budget = Budget { states: Some(10_000), ..Budget::INFINITE };
        let answer = thinking.choose(question("maestro", budget), started).await.unwrap();
        let mut player = any_player("mancala", "maestro", 1).unwrap();
        let position = (GameKind::find("mancala").unwrap().start)("-").unwrap();
        let (choice, _) = think(&mut *player, &*position, budget, &AtomicBool::new(false), &mut |_| ()).unwrap();
        assert_eq!((answer.mv, answer.thought.states), (choice.mv, Some(choice.nodes)));
        assert_eq!(has_started.await, Ok(()));
    }

    #[test]
    fn a_move_is_bounded_by_cpu_time_and_by_the_clock() {
        let asked = |budget| Question { max_cpu: SHOWN_MOVE_CPU, ..question("maestro", budget) }.bounded();
        let (cpu, wall) = (Some(SHOWN_MOVE_CPU), Some(SHOWN_MOVE_CPU * 2));
        assert_eq!(asked(Budget::INFINITE), Budget { cpu, wall, ..Budget::INFINITE });
        let (brief, states) = (Some(Duration::from_millis(10)), Some(7));
        let small = Budget { cpu: brief, wall: brief, states, ..Budget::INFINITE };
        assert_eq!(asked(small), small);
    }

    #[tokio::test]
    async fn who_is_nobody_makes_no_move() {
        let (started, _) = oneshot::channel();
        assert!(Thinking::new(1).choose(question("nobody", Budget::INFINITE), started).await.is_none());
    }

    #[tokio::test]
    async fn nobody_thinks_after_the_end() {
        let thinking = Thinking::new(1);
        thinking.close();
        let (started, _) = oneshot::channel();
        assert!(thinking.choose(question("ninja1", Budget::INFINITE), started).await.is_none());
    }
}
