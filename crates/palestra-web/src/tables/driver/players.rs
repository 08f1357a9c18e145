//! Players that are not people: a table's task asks them for moves, and hears what they answer.

use std::time::Instant;

use palestra_protocol::{Fault, ForfeitKind};
use palestra_store::Token;
use tokio::sync::oneshot;

use super::super::occupant::Occupant;
use super::super::programs::{Heard, Started};
use super::super::table::Ask;
use super::{Driver, Input, RETRY_DELAY};
use crate::http::error::Refused;
use crate::programs::{FromProgram, Link, Seated};
use crate::thinking::{Answer, PLAYED_MOVE_CPU, Question, SHOWN_MOVE_CPU};

impl Driver {
    /// Asks the player to move for a move, unless it is a person or has been asked already.
    pub(super) fn ask(&mut self) {
        if self.retry_at.is_some() || self.is_paused() {
            return;
        }
        let Some(ask) = self.table.ask() else { return };
        match self.table.player(ask.seat) {
            Occupant::BuiltIn(name) => self.think(ask, name.clone()),
            Occupant::Own(_) | Occupant::Remote { .. } => self.ask_program(ask),
            _ => {}
        }
    }

    /// Whether a seat has a player who can disconnect: a person or a remote program.
    pub(super) fn any_seat_can_drop(&self) -> bool {
        self.table.seats().iter().any(Occupant::can_drop)
    }

    /// Whether the game is paused: without people and remote programs to move it goes on only while it has a spectator.
    pub(super) fn is_paused(&self) -> bool {
        self.watchers.is_empty() && !(0..2).any(|seat| self.table.player(seat).can_drop())
    }

    /// Cancels the search of a built-in player, queued or running; it is asked again when a spectator comes back.
    pub(super) fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.abort();
            let now = self.now();
            self.table.withdraw(now);
        }
    }

    pub(super) fn ask_program(&mut self, ask: Ask) {
        if self.programs.go(&self.app, &self.table, ask) {
            let now = self.now();
            self.table.asked(ask.turn, now);
            self.say_clocks();
        }
    }

    pub(super) fn think(&mut self, ask: Ask, player: String) {
        let Some(referee) = self.table.referee() else { return };
        let ply = referee.record().moves().len() as u64;
        let question = Question {
            owner: self.owner,
            game: self.table.setup().kind().id(),
            player,
            seed: self.table.setup().seed.wrapping_add(ply),
            position: referee.position().boxed_clone(),
            budget: referee.budget(),
            max_cpu: if self.table.is_shown() { SHOWN_MOVE_CPU } else { PLAYED_MOVE_CPU },
        };
        // Its clock starts when a thread takes the search up: time in the queue is not charged.
        self.table.is_asked = true;
        let (app, to_self) = (self.app.clone(), self.to_self.clone());
        let task = tokio::spawn(async move {
            let (started, starts) = oneshot::channel();
            let told = to_self.clone();
            let tell = async move {
                if starts.await.is_ok() {
                    let _ = told.send(Input::Thinks(ask.turn)).await;
                }
            };
            let (answer, ()) = tokio::join!(app.thinking.choose(question, started), tell);
            let _ = to_self.send(Input::Thought(ask.turn, answer)).await;
        });
        if let Some(earlier) = self.thinking.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    /// Handles the result of a built-in player's search. Without a move it is asked once more, and then forfeits.
    pub(super) fn thought(&mut self, turn: u64, answer: Option<Answer>) {
        let now = self.now();
        match answer {
            Some(Answer { mv, thought, cpu }) => self.table.answered(turn, mv, Some(cpu), Some(thought), now),
            None if self.failed == Some(turn) => {
                let seat = self.table.mover().unwrap_or_default();
                self.table.fault(seat, Fault::new(ForfeitKind::Crash, "it found no move"), now);
            }
            None => {
                self.failed = Some(turn);
                self.table.is_asked = false;
                self.retry_at = Some(Instant::now() + RETRY_DELAY);
            }
        }
    }

    pub(super) async fn seat_program(
        &mut self,
        name: Result<String, Refused>,
        seat: Option<usize>,
        key: Option<Token>,
        link: Link,
    ) -> Result<Seated, Refused> {
        let now = self.now();
        let key = key.unwrap_or_else(Token::random);
        let hash = key.hash().as_str().to_owned();
        let is_own = |seat: &usize| matches!(&self.table.seats()[*seat], Occupant::Remote { key, .. } if *key == hash);
        let seat = match (0..2).find(is_own) {
            Some(seat) => {
                // Replaces a connection whose loss was not noticed yet.
                self.table.set_here(seat, false, now);
                seat
            }
            None => {
                let is_free = |seat: &usize| self.table.seats()[*seat] == Occupant::Open;
                let seat = seat.or_else(|| (0..2).find(is_free)).ok_or(Refused::bad("tables.taken"))?;
                self.table.sit(seat, Occupant::Remote { key: hash, name: name? }, now)?;
                self.keep().await?;
                seat
            }
        };
        self.programs.connect(seat, link);
        Ok(Seated { key, game: self.table.setup().kind().id() })
    }

    pub(super) async fn own_started(&mut self, seat: usize, name: &str, started: Started) {
        let now = self.now();
        let is_wanted = matches!(self.table.player(seat), Occupant::Own(wanted) if wanted == name);
        if let Err(fault) = self.programs.own_started(seat, is_wanted, started) {
            self.table.fault(seat, fault, now);
        }
        let _ = self.keep().await;
    }

    pub(super) async fn hear(&mut self, seat: usize, connection: u64, said: FromProgram) {
        let now = self.now();
        match self.programs.hear(seat, connection, self.table.turn, said) {
            Heard::Nothing => return,
            Heard::Move { turn, text, cpu, thought } => {
                self.table.answered(turn, text, cpu, thought, now);
                if let Some(used) = self.table.take_used() {
                    self.programs.used(used);
                }
            }
            Heard::Fault(fault) => self.table.fault(seat, fault, now),
        }
        let _ = self.keep().await;
    }
}
