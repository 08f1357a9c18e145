//! The game at a table: turns, moves, the referee's verdict, and the next game of a match.

use std::time::Duration;

use palestra_arena::{Action, Event, Referee};
use palestra_games::Side;
use palestra_protocol::{Fault, Thought};
use palestra_store::derived_code;

use super::event::Event as TableEvent;
use super::finished::finished;
use super::message::{EndReason, Ended};
use super::occupant::Occupant;
use super::table::{Ask, Now, Phase, Score, Table, Used};
use crate::board;
use crate::http::error::Refused;

/// Pause between two games of a match, to see how the first ended.
const MATCH_PAUSE: Duration = Duration::from_secs(5);

impl Table {
    pub(super) fn begin_if_ready(&mut self, now: Now) -> Result<(), Refused> {
        if matches!(self.phase, Phase::Waiting) && self.seats.iter().all(Occupant::is_taken) {
            self.begin(now)?;
        }
        Ok(())
    }

    pub(super) fn begin(&mut self, now: Now) -> Result<(), Refused> {
        let referee = Referee::new(self.setup.record()?, self.setup.rules());
        if self.number > 0 {
            self.first = 1 - self.first;
        }
        self.number += 1;
        self.started_ms = now.unix_ms;
        self.phase = Phase::Playing(Box::new(referee));
        (self.draw_offered, self.take_back_asked, self.rematch_asked) = (None, None, [false; 2]);
        self.next_at = None;
        self.next_turn(now);
        self.said.push(TableEvent::Began);
        for seat in 0..2 {
            if self.seats[seat].can_drop() && !self.is_here[seat] {
                self.say_presence(seat, now);
            }
        }
        Ok(())
    }

    /// The seat of the side to move.
    pub(super) fn mover(&self) -> Option<usize> {
        self.referee().map(|referee| self.seat(referee.turn()))
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        self.mover().is_some_and(|seat| self.player(seat).is_person())
    }

    /// Begins a new turn: the clock of a person runs at once, and that of a program that is away; others are asked by
    /// the driver.
    pub(super) fn next_turn(&mut self, now: Now) {
        self.turn += 1;
        self.is_asked = false;
        if self.is_persons_turn() {
            self.asked(self.turn, now);
        } else if self.mover().is_some_and(|seat| self.player(seat).can_drop() && !self.is_here[seat]) {
            self.judge(Event::Asked, now);
        }
    }

    /// The question for the player to move; none if it was asked already, or the player is away.
    pub(crate) fn ask(&self) -> Option<Ask> {
        let seat = self.mover().filter(|_| !self.is_asked)?;
        let is_here = !self.player(seat).can_drop() || self.is_here[seat];
        is_here.then_some(Ask { turn: self.turn, seat })
    }

    /// The player to move has been asked: the clock starts.
    pub(crate) fn asked(&mut self, turn: u64, now: Now) {
        if turn == self.turn {
            self.is_asked = true;
            self.judge(Event::Asked, now);
        }
    }

    /// Takes back the question to a built-in player: its clock stops, and it can be asked again.
    pub(crate) fn withdraw(&mut self, now: Now) {
        if self.mover().is_some_and(|seat| matches!(self.player(seat), Occupant::BuiltIn(_))) {
            self.is_asked = false;
            self.judge(Event::Withdrawn, now);
        }
    }

    /// A program or built-in player answers the question of this turn with a move.
    pub(crate) fn answered(
        &mut self,
        turn: u64,
        text: String,
        cpu: Option<Duration>,
        thought: Option<Thought>,
        now: Now,
    ) {
        match self.mover() {
            Some(seat) if turn == self.turn => self.play(seat, text, cpu, thought, now),
            // An answer to an earlier question, which was taken back: now it can hear the new one.
            _ => self.is_asked = self.is_persons_turn(),
        }
    }

    /// A program or built-in player commits a fault.
    pub(crate) fn fault(&mut self, seat: usize, fault: Fault, now: Now) {
        self.judge(Event::Fault(self.side(seat), fault), now);
    }

    pub(super) fn play(
        &mut self,
        seat: usize,
        text: String,
        cpu: Option<Duration>,
        thought: Option<Thought>,
        now: Now,
    ) {
        let Some(referee) = self.referee() else { return };
        // A move that is not legal has none, and is not shown either.
        let steps = if self.is_watched { referee.position().steps(&text).ok() } else { None };
        let steps = steps.map(|steps| board::steps(&steps));
        let (side, before) = (self.side(seat), referee.record().moves().len());
        let actions = self.on(Event::Move { side, text: text.clone(), cpu, waited: Duration::ZERO, thought }, now);
        if self.record().moves().len() > before {
            if self.draw_offered == Some(1 - seat) {
                self.draw_offered = None;
            }
            self.take_back_asked = None;
            self.count_stand_in(seat);
            if self.referee().is_some_and(|referee| referee.verdict().is_none()) {
                self.next_turn(now);
            }
            self.steps = steps;
            self.said.push(TableEvent::Moved { seat, text, ply: before + 1 });
        } else if actions.iter().any(|action| matches!(action, Action::Refused(..))) {
            self.is_asked = false;
        }
        self.follow(&actions, now);
    }

    /// Passes an event to the referee and applies the effects.
    pub(super) fn judge(&mut self, event: Event, now: Now) {
        let actions = self.on(event, now);
        self.follow(&actions, now);
    }

    fn on(&mut self, event: Event, now: Now) -> Vec<Action> {
        match &mut self.phase {
            Phase::Playing(referee) => referee.on(event, now.clock),
            _ => vec![],
        }
    }

    fn follow(&mut self, actions: &[Action], now: Now) {
        for action in actions {
            match action {
                Action::DrawOffered(side) => {
                    let seat = 1 - self.seat(*side);
                    self.draw_offered = Some(seat);
                    self.said.push(TableEvent::DrawOffered { seat });
                    // Programs know no draws.
                    if !self.seats[1 - seat].is_person() {
                        self.judge(Event::DeclineDraw(*side), now);
                    }
                }
                Action::DrawDeclined(side) => {
                    self.draw_offered = None;
                    let seat = 1 - self.seat(*side);
                    self.said.push(TableEvent::DrawDeclined { seat });
                }
                Action::Ended => self.end(now),
                Action::Used { side, cpu, wall } => {
                    self.used = Some(Used { seat: self.seat(*side), cpu: *cpu, wall: *wall });
                }
                Action::Ask(_) | Action::Refused(..) => {}
            }
        }
    }

    fn end(&mut self, now: Now) {
        let Phase::Playing(referee) = std::mem::replace(&mut self.phase, Phase::Waiting) else { return };
        let verdict = referee.verdict().expect("the referee said that it is over").clone();
        let by_seat = |of_sides: [i32; 2]| [0, 1].map(|seat| of_sides[self.side(seat).index()]);
        let points = by_seat(verdict.points);
        let winner = verdict.winner.map(|side| self.seat(side));
        self.score.games += 1;
        (0..2).for_each(|seat| self.score.points[seat] += points[seat]);
        if let Some(seat) = winner {
            self.score.wins[seat] += 1;
        }
        let is_last = self.score.games >= self.setup.games;
        let ended = Ended {
            game: derived_code(&format!("{}-{}", self.code, self.number)),
            winner,
            points,
            reason: EndReason::from(&verdict.reason),
            wins: self.score.wins,
            draws: self.score.games - self.score.wins.iter().sum::<u32>(),
            total: self.score.points,
            is_last,
        };
        let record = referee.into_record();
        let players = Side::BOTH.map(|side| &self.seats[self.seat(side)]);
        self.finished = Some(finished(self, &record, &verdict, &ended.game, players, now.unix_ms));
        self.said.push(TableEvent::Ended);
        (self.draw_offered, self.take_back_asked, self.stand_in) = (None, None, None);
        self.phase = Phase::Over(Box::new(record), ended);
        if is_last {
            self.score = Score::default();
        } else {
            self.next_at = Some(now.clock + MATCH_PAUSE);
        }
    }

    /// Applies what the passing of time causes: time forfeits, absences, the next game of a match.
    pub(crate) fn tick(&mut self, now: Now) {
        self.judge(Event::Tick { cpu: None, waited: Duration::ZERO }, now);
        if self.next_at.is_some_and(|next| next <= now.clock) {
            self.begin(now).expect("a game that could begin can begin again");
        }
    }

    /// The next deadline, on the table's clock.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.next_at.or_else(|| self.referee()?.deadline())
    }
}
