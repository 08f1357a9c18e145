//! Thinking: the moves of built-in players, and analysis, on a fixed number of threads.
//!
//! A move that a table waits for goes first and is not refused: a table asks for one at a time, so that there are never more
//! than tables, and those who opened them take turns. Analysis waits in a queue that is bounded, and nobody has more than a
//! share of it. The threads step back for whoever serves pages. Whoever does
//! not wait any more drops the future, and the search ends within a millisecond.

mod analysis;
mod pool;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_arena::{Thought, think};
use palestra_games::AnyGame;
use palestra_protocol::Budget;
use palestra_search::player::any_player;
use tokio::sync::oneshot;

pub(crate) use analysis::{Analysis, AnalysisQuestion, MAX_LINES};
pub(crate) use pool::MOST_WAITING;
use pool::Pool;

use crate::limits::Key;
use crate::refused::Refused;

/// The threads that think, and those who wait for them.
pub(crate) struct Thinking {
    pool: Pool,
}

/// Which move does this player make here?
pub(crate) struct Question {
    /// Who opened the table.
    pub(crate) owner: Key,
    pub(crate) game: &'static str,
    pub(crate) player: String,
    /// Only `random` needs it.
    pub(crate) seed: u64,
    pub(crate) position: Box<dyn AnyGame>,
    pub(crate) budget: Budget,
}

/// This one.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) mv: String,
    pub(crate) thought: Thought,
    pub(crate) cpu: Duration,
}

/// No move costs more CPU time than this, whatever the table allows: others wait too.
const MOST_CPU: Duration = Duration::from_secs(1);

impl Thinking {
    /// With so many threads, at least one.
    pub(crate) fn new(threads: usize) -> Self {
        Self { pool: Pool::new(threads.max(1)) }
    }

    /// Lets a built-in player choose. `started` hears when a thread takes it up: until then nobody's clock should run. `None`
    /// if the game is over, there is no such player, or the server is closing.
    pub(crate) async fn choose(&self, question: Question, started: oneshot::Sender<()>) -> Option<Answer> {
        let (tell, told) = oneshot::channel();
        let _asked = self.pool.ask_first(
            question.owner,
            Box::new(move |quit| {
                // Who asked may be gone.
                let _ = started.send(());
                let _ = tell.send(answer(question, quit));
            }),
        );
        told.await.ok().flatten()
    }

    /// Searches a position, or says when to come back.
    pub(crate) async fn analyse(&self, question: AnalysisQuestion) -> Result<Analysis, Refused> {
        let (tell, told) = oneshot::channel();
        let cost = question.budget.cpu.unwrap_or(MOST_CPU);
        let work = Box::new(move |quit: &AtomicBool| drop(tell.send(analysis::analyse(&question, quit))));
        let _asked = self.pool.ask(cost, work).map_err(Refused::Limited)?;
        // Nobody answers any more when the server is closing.
        told.await.map_err(|_| Refused::Limited(MOST_CPU))?.ok_or(Refused::Fault)
    }

    /// Refuses an analysis that would cost so much, and says when what waits now will be done.
    pub(crate) fn refused(&self, cost: Duration) -> Refused {
        Refused::Limited(self.pool.refused(cost))
    }

    /// Ends all searches. Nothing is taken up any more.
    pub(crate) fn close(&self) {
        self.pool.close();
    }
}

/// The player is made for each move, and dropped after it: so there are never more than threads.
fn answer(question: Question, quit: &AtomicBool) -> Option<Answer> {
    let Question { game, player, seed, position, budget, .. } = question;
    let mut player = any_player(game, &player, seed).ok()?;
    let cpu = budget.cpu.map_or(MOST_CPU, |cpu| cpu.min(MOST_CPU));
    let (choice, cpu) = think(&mut *player, &*position, Budget { cpu: Some(cpu), ..budget }, quit)?;
    metrics::histogram!("palestra_thinking_seconds", "for" => "move").record(cpu);
    Some(Answer { thought: Thought::from(&choice), mv: choice.mv, cpu })
}

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;

    use super::*;

    fn question(player: &str, budget: Budget) -> Question {
        let kind = GameKind::find("mancala").unwrap();
        let position = (kind.start)("-").unwrap();
        Question { owner: Key::Text(1), game: kind.id(), player: player.to_owned(), seed: 1, position, budget }
    }

    #[tokio::test]
    async fn a_player_answers_as_it_does_anywhere_else() {
        let thinking = Thinking::new(1);
        let (started, has_started) = oneshot::channel();
        let budget = Budget { states: Some(10_000), ..Budget::INFINITE };
        let answer = thinking.choose(question("maestro", budget), started).await.unwrap();
        let mut player = any_player("mancala", "maestro", 1).unwrap();
        let position = (GameKind::find("mancala").unwrap().start)("-").unwrap();
        let (choice, _) = think(&mut *player, &*position, budget, &AtomicBool::new(false)).unwrap();
        assert_eq!((answer.mv, answer.thought.states), (choice.mv, Some(choice.nodes)));
        assert_eq!(has_started.await, Ok(()));
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
