//! Thinking.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_arena::Thought;
use palestra_games::AnyGame;
use palestra_protocol::Budget;
use tokio::sync::oneshot;

pub(crate) struct Question {
    pub(crate) game: &'static str,
    pub(crate) player: String,
    pub(crate) seed: u64,
    pub(crate) position: Box<dyn AnyGame>,
    pub(crate) budget: Budget,
}

pub(crate) struct Answer {
    pub(crate) mv: String,
    pub(crate) thought: Thought,
    pub(crate) cpu: Duration,
}

#[derive(Clone)]
pub(crate) struct Thinking;

impl Thinking {
    pub(crate) async fn choose(&self, question: Question, started: oneshot::Sender<()>) -> Option<Answer> {
        let _ = started.send(());
        let _ = (AtomicBool::new(false), question.budget);
        let mut player = palestra_search::any_player(question.game, &question.player, question.seed).ok()?;
        let choice = player.choose(&*question.position, &mut palestra_search::engine::States(2000))?;
        Some(Answer { mv: choice.mv, thought: Thought::default(), cpu: Duration::ZERO })
    }
}
