//! A table: who sits at it, what is on the board, what may be done. It does nothing by itself and waits for nothing;
//! whoever drives it tells it what happens and when, and asks what is to be said.

use std::collections::VecDeque;
use std::time::Duration;

use palestra_arena::{Action, Event, Lapse, Referee, Thought};
use palestra_games::{AnyGame, Record, Side};
use palestra_store::NewGame;

use super::finished::finished;
use super::message::{Board, ChatLine, Clocks, Ended, Message, View};
use super::occupant::{Occupant, Who};
use super::setup::{Setup, milliseconds};
use crate::board;
use crate::refused::Refused;

/// A live game, or a match of two, and then perhaps another.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) code: String,
    pub(super) setup: Setup,
    pub(super) seats: [Occupant; 2],
    /// Whether those who can be away are there.
    pub(super) is_here: [bool; 2],
    pub(super) phase: Phase,
    /// Which game it is, from 1; 0 before the first.
    pub(super) number: u32,
    pub(super) started_ms: i64,
    pub(super) score: Score,
    /// Who offered a draw, or wants to take back a move.
    pub(super) draw_offered: Option<usize>,
    pub(super) take_back_asked: Option<usize>,
    pub(super) rematch_asked: [bool; 2],
    pub(super) chat: VecDeque<ChatLine>,
    /// When the next game of a match begins.
    pub(super) next_at: Option<Duration>,
    /// Counts what players are asked for, so that an answer to an earlier question is recognised.
    pub(super) turn: u64,
    /// Whether whoever is to move has been asked.
    pub(super) is_asked: bool,
    /// What is to be said.
    said: Vec<Message>,
    /// What a move cost, to be told to the program that made it.
    used: Option<Used>,
    /// A game to be kept.
    finished: Option<NewGame>,
}

/// Where a table stands.
#[derive(Debug)]
pub(super) enum Phase {
    Waiting,
    Playing(Box<Referee>),
    Over(Box<Record>, Ended),
}

/// A match so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Score {
    pub(super) games: u32,
    pub(super) wins: [u32; 2],
    pub(super) points: [i32; 2],
}

/// Somebody is to be asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) turn: u64,
    pub(crate) seat: usize,
}

/// So long those who play a match see how a game ended before the next begins.
const BREAK: Duration = Duration::from_secs(5);

/// What a move cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) seat: usize,
    pub(crate) cpu: Option<Duration>,
    pub(crate) wall: Duration,
}

/// How much of the chat is kept.
const CHAT_LINES: usize = 100;

impl Table {
    /// A table with these seats; its first game begins at once if both are taken.
    pub(crate) fn new(code: String, setup: Setup, seats: [Occupant; 2], now: Now) -> Result<Self, Refused> {
        let mut table = Self {
            code,
            setup,
            seats,
            is_here: [false; 2],
            phase: Phase::Waiting,
            number: 0,
            started_ms: now.unix_ms,
            score: Score::default(),
            draw_offered: None,
            take_back_asked: None,
            rematch_asked: [false; 2],
            chat: VecDeque::new(),
            next_at: None,
            turn: 0,
            is_asked: false,
            said: vec![],
            used: None,
            finished: None,
        };
        table.setup.record()?;
        table.begin_if_ready(now)?;
        Ok(table)
    }

    pub(crate) const fn has_said(&self) -> bool {
        !self.said.is_empty()
    }

    /// What is to be said since this was last asked.
    pub(crate) fn take_said(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.said)
    }

    /// A game that is to be kept.
    pub(crate) const fn take_finished(&mut self) -> Option<NewGame> {
        self.finished.take()
    }

    /// What the last move cost, once.
    pub(crate) const fn take_used(&mut self) -> Option<Used> {
        self.used.take()
    }

    pub(crate) const fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) const fn seats(&self) -> &[Occupant; 2] {
        &self.seats
    }

    /// The game under way.
    pub(crate) fn referee(&self) -> Option<&Referee> {
        match &self.phase {
            Phase::Playing(referee) => Some(referee),
            _ => None,
        }
    }

    /// Whether both a game and the match are over.
    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over(..))
    }

    /// How the last game ended, if none goes on.
    pub(crate) const fn ended(&self) -> Option<&Ended> {
        match &self.phase {
            Phase::Over(_, ended) => Some(ended),
            _ => None,
        }
    }

    /// The seats of somebody: none for those who watch, two for those who play both sides.
    pub(crate) fn seats_of(&self, who: &Who) -> Vec<usize> {
        (0..2).filter(|&seat| self.seats[seat].is(who)).collect()
    }

    /// Which seat plays a side: they change from game to game.
    pub(crate) fn seat(&self, side: Side) -> usize {
        side.index() ^ usize::from(self.number % 2 == 0 && self.number > 0)
    }

    /// Which side a seat plays.
    pub(crate) fn side(&self, seat: usize) -> Side {
        Side::BOTH.into_iter().find(|&side| self.seat(side) == seat).expect("each seat plays a side")
    }

    // Sitting down and leaving.

    /// Somebody takes a seat.
    pub(crate) fn sit(&mut self, seat: usize, occupant: Occupant, now: Now) -> Result<(), Refused> {
        let free = self.seats.get(seat).ok_or(Refused::bad("tables.no_seat"))?;
        match free {
            Occupant::Open => {}
            Occupant::Reserved(name) => match &occupant {
                Occupant::Account { nickname, .. } if nickname.to_lowercase() == name.to_lowercase() => {}
                _ => return Err(Refused::bad("tables.reserved")),
            },
            _ => return Err(Refused::bad("tables.taken")),
        }
        if self.setup.is_rated {
            let other = &self.seats[1 - seat];
            let is_same = matches!((&occupant, other), (Occupant::Account { id, .. }, Occupant::Account { id: other, .. }) if id == other);
            if !matches!(occupant, Occupant::Account { .. }) || is_same {
                return Err(Refused::bad("tables.rated"));
            }
        }
        self.seats[seat] = occupant;
        self.say_seat(seat);
        self.begin_if_ready(now)
    }

    /// Somebody leaves a seat before a game has begun.
    fn leave(&mut self, seat: usize) -> Result<(), Refused> {
        if !matches!(self.phase, Phase::Waiting) {
            return Err(Refused::bad("tables.has_begun"));
        }
        self.seats[seat] = Occupant::Open;
        self.say_seat(seat);
        Ok(())
    }

    fn say_seat(&mut self, seat: usize) {
        let holder = self.seats[seat].holder(self.is_here[seat]);
        self.said.push(Message::Seat { seat, holder });
    }

    /// Whether whoever has a seat is there.
    pub(crate) fn set_here(&mut self, seat: usize, is_here: bool, now: Now) {
        if std::mem::replace(&mut self.is_here[seat], is_here) != is_here {
            self.say_presence(seat, now);
        }
    }

    fn say_presence(&mut self, seat: usize, now: Now) {
        if !self.seats[seat].can_drop() {
            return;
        }
        let (side, is_present) = (self.side(seat), self.is_here[seat]);
        let is_remote = matches!(self.seats[seat], Occupant::Remote { .. });
        let is_playing = matches!(self.phase, Phase::Playing(_));
        if is_playing && is_present {
            // A program that comes back has forgotten what it was asked.
            if is_remote && self.mover() == Some(seat) {
                self.is_asked = false;
            }
            self.said.push(Message::Back { seat });
            self.judge(Event::Back(side), now);
        } else if is_playing {
            let within_ms = milliseconds(self.setup.rules().absence);
            self.said.push(Message::Dropped { seat, within_ms });
            self.judge(Event::Dropped(side), now);
        } else {
            self.say_seat(seat);
        }
    }

    // Playing.

    fn begin_if_ready(&mut self, now: Now) -> Result<(), Refused> {
        if matches!(self.phase, Phase::Waiting) && self.seats.iter().all(Occupant::is_taken) {
            self.begin(now)?;
        }
        Ok(())
    }

    fn begin(&mut self, now: Now) -> Result<(), Refused> {
        let referee = Referee::new(self.setup.record()?, self.setup.rules());
        self.number += 1;
        self.started_ms = now.unix_ms;
        self.phase = Phase::Playing(Box::new(referee));
        (self.draw_offered, self.take_back_asked, self.rematch_asked) = (None, None, [false; 2]);
        self.next_at = None;
        self.next_turn(now);
        let board = self.board(now);
        self.said.push(Message::Began { number: self.number, board });
        for seat in 0..2 {
            if self.seats[seat].can_drop() && !self.is_here[seat] {
                self.say_presence(seat, now);
            }
        }
        Ok(())
    }

    /// The seat that is to move.
    fn mover(&self) -> Option<usize> {
        self.referee().map(|referee| self.seat(referee.turn()))
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        self.mover().is_some_and(|seat| self.seats[seat].is_person())
    }

    /// A new turn: a person's clock runs at once; others are asked by whoever drives the table.
    fn next_turn(&mut self, now: Now) {
        self.turn += 1;
        self.is_asked = false;
        if self.is_persons_turn() {
            self.asked(self.turn, now);
        }
    }

    /// Who is to be asked for a move: nobody if they have been, or are away.
    pub(crate) fn ask(&self) -> Option<Ask> {
        let seat = self.mover().filter(|_| !self.is_asked)?;
        let is_here = !self.seats[seat].can_drop() || self.is_here[seat];
        is_here.then_some(Ask { turn: self.turn, seat })
    }

    /// They were asked: their clock runs.
    pub(crate) fn asked(&mut self, turn: u64, now: Now) {
        if turn == self.turn {
            self.is_asked = true;
            self.judge(Event::Asked, now);
        }
    }

    /// A player that is no person made a move, in answer to that question.
    pub(crate) fn answered(&mut self, turn: u64, text: String, cpu: Option<Duration>, thought: Option<Thought>, now: Now) {
        if let Some(seat) = self.mover().filter(|_| turn == self.turn) {
            self.play(seat, text, cpu, thought, now);
        }
    }

    /// A player that is no person did something wrong.
    pub(crate) fn lapse(&mut self, seat: usize, lapse: Lapse, now: Now) {
        self.judge(Event::Lapse(self.side(seat), lapse), now);
    }

    fn play(&mut self, seat: usize, text: String, cpu: Option<Duration>, thought: Option<Thought>, now: Now) {
        let Some(referee) = self.referee() else { return };
        let steps = board::steps(referee.position(), &text);
        let (side, before) = (self.side(seat), referee.record().moves().len());
        let actions = self.on(Event::Move { side, text: text.clone(), cpu, thought }, now);
        if self.record().moves().len() > before {
            if self.draw_offered == Some(1 - seat) {
                self.draw_offered = None;
            }
            self.take_back_asked = None;
            if self.referee().is_some_and(|referee| referee.verdict().is_none()) {
                self.next_turn(now);
            }
            let board = self.board(now);
            self.said.push(Message::Moved { seat, text, steps, board });
        } else if actions.iter().any(|action| matches!(action, Action::Refused(..))) {
            self.is_asked = false;
        }
        self.follow(&actions, now);
    }

    /// Tells the referee, and does what follows.
    fn judge(&mut self, event: Event, now: Now) {
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
                    self.said.push(Message::DrawOffered { seat });
                    // Programs know no draws.
                    if !self.seats[1 - seat].is_person() {
                        self.judge(Event::DeclineDraw(*side), now);
                    }
                }
                Action::DrawDeclined(side) => {
                    self.draw_offered = None;
                    let seat = 1 - self.seat(*side);
                    self.said.push(Message::DrawDeclined { seat });
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
            game: format!("{}-{}", self.code, self.number),
            winner,
            points,
            reason: verdict.reason.word().to_owned(),
            wins: self.score.wins,
            draws: self.score.games - self.score.wins.iter().sum::<u32>(),
            total: self.score.points,
            is_last,
        };
        let record = referee.into_record();
        let players = Side::BOTH.map(|side| &self.seats[self.seat(side)]);
        self.finished = Some(finished(self, &record, &verdict, &ended.game, players, now.unix_ms));
        self.said.push(Message::Ended(ended.clone()));
        (self.draw_offered, self.take_back_asked) = (None, None);
        self.phase = Phase::Over(Box::new(record), ended);
        if is_last {
            self.score = Score::default();
        } else {
            self.next_at = Some(now.clock + BREAK);
        }
    }

    /// Time passed.
    pub(crate) fn tick(&mut self, now: Now) {
        self.judge(Event::Tick { cpu: None }, now);
        if self.next_at.is_some_and(|next| next <= now.clock) {
            self.begin(now).expect("a game that could begin can begin again");
        }
    }

    /// When something will have happened by itself, on the table's clock.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.next_at.or_else(|| self.referee()?.deadline())
    }

    // What people ask for.

    /// Somebody at the board makes a move. People always may try again.
    pub(crate) fn make_move(&mut self, who: &Who, ply: usize, text: &str, now: Now) -> Result<(), Refused> {
        self.tick(now);
        let referee = self.referee().ok_or(Refused::bad("tables.no_game"))?;
        let seat = self.mover().filter(|&seat| self.seats[seat].is(who)).ok_or(Refused::bad("tables.not_your_turn"))?;
        if ply != referee.record().moves().len() {
            return Err(Refused::bad("tables.moved_on"));
        }
        if !referee.position().moves().iter().any(|legal| legal == text) {
            return Err(Refused::bad("tables.illegal"));
        }
        self.play(seat, text.to_owned(), None, None, now);
        Ok(())
    }

    /// The seat for which somebody speaks: whose turn it is, if they have both.
    fn speaks_for(&self, who: &Who) -> Result<usize, Refused> {
        let seats = self.seats_of(who);
        let mover = self.mover().filter(|seat| seats.contains(seat));
        mover.or_else(|| seats.first().copied()).ok_or(Refused::bad("tables.only_players"))
    }

    pub(crate) fn chat(&mut self, who: &Who, name: String, text: String, now: Now) {
        let line = ChatLine { name, seat: self.seats_of(who).first().copied(), text, at_ms: now.unix_ms };
        self.chat.push_back(line.clone());
        if self.chat.len() > CHAT_LINES {
            self.chat.pop_front();
        }
        self.said.push(Message::Chat(line));
    }

    pub(crate) fn stand_up(&mut self, who: &Who) -> Result<(), Refused> {
        self.leave(self.speaks_for(who)?)
    }

    pub(crate) fn resign(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        let seat = self.speaks_in_game(who)?;
        self.judge(Event::Resign(self.side(seat)), now);
        Ok(())
    }

    pub(crate) fn offer_draw(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        let seat = self.speaks_in_game(who)?;
        self.judge(Event::OfferDraw(self.side(seat)), now);
        Ok(())
    }

    pub(crate) fn decline_draw(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        let seat = self.speaks_in_game(who)?;
        self.judge(Event::DeclineDraw(self.side(seat)), now);
        Ok(())
    }

    /// Asks to take back a move, or agrees to it. A program does not mind; with a person both must want it.
    pub(crate) fn take_back(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        let seat = self.speaks_in_game(who)?;
        if self.setup.is_rated {
            return Err(Refused::bad("tables.no_take_back"));
        }
        let other = 1 - seat;
        if self.take_back_asked == Some(other) {
            return self.take_back_for(other, now);
        }
        let side = self.side(seat);
        if !self.record().moves().iter().any(|mv| mv.played.side == side) {
            return Err(Refused::bad("tables.nothing_to_take_back"));
        }
        if !self.seats[other].is_person() || self.seats[other].is(who) {
            return self.take_back_for(seat, now);
        }
        if self.take_back_asked != Some(seat) {
            self.take_back_asked = Some(seat);
            self.said.push(Message::TakeBackAsked { seat });
        }
        Ok(())
    }

    fn take_back_for(&mut self, seat: usize, now: Now) -> Result<(), Refused> {
        let side = self.side(seat);
        self.take_back_asked = None;
        self.draw_offered = None;
        match &mut self.phase {
            Phase::Playing(referee) if referee.take_back(side) => {}
            _ => return Err(Refused::bad("tables.nothing_to_take_back")),
        }
        self.next_turn(now);
        let board = self.board(now);
        self.said.push(Message::TakenBack { seat, board });
        Ok(())
    }

    pub(crate) fn decline_take_back(&mut self, who: &Who) -> Result<(), Refused> {
        let seat = self.speaks_in_game(who)?;
        if self.take_back_asked == Some(1 - seat) {
            self.take_back_asked = None;
            self.said.push(Message::TakeBackDeclined { seat });
        }
        Ok(())
    }

    /// Wants the next game of a match, or a rematch. Programs always do.
    pub(crate) fn rematch(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        if !self.is_over() {
            return Err(Refused::bad("tables.not_over"));
        }
        let seat = self.seats_of(who).into_iter().find(|&seat| !self.rematch_asked[seat]);
        let seat = seat.ok_or(Refused::bad("tables.only_players"))?;
        self.rematch_asked[seat] = true;
        let wants = |seat: usize| self.rematch_asked[seat] || !self.seats[seat].is_person();
        if (0..2).all(wants) {
            return self.begin(now);
        }
        self.said.push(Message::RematchAsked { seat });
        Ok(())
    }

    fn speaks_in_game(&self, who: &Who) -> Result<usize, Refused> {
        let seat = self.speaks_for(who)?;
        if self.referee().is_some() { Ok(seat) } else { Err(Refused::bad("tables.no_game")) }
    }

    // What there is to see.

    /// The game on the board, or the last one.
    fn record(&self) -> &Record {
        match &self.phase {
            Phase::Playing(referee) => referee.record(),
            Phase::Over(record, _) => record,
            Phase::Waiting => unreachable!("there is a record once a game has begun"),
        }
    }

    fn board(&self, now: Now) -> Board {
        let first = self.seat(Side::One);
        let Phase::Playing(_) | Phase::Over(..) = self.phase else {
            let start = self.setup.record().expect("it was tried when the table was made");
            return Board { ply: 0, first, turn: None, scene: board::scene(start.position(), None), clocks: self.clocks(now) };
        };
        let record = self.record();
        let last = record.moves().last().map(|mv| (mv.played.side, mv.text.as_str()));
        let turn = self.referee().filter(|referee| referee.verdict().is_none()).and_then(|_| self.mover());
        let scene = board::scene(record.position(), last);
        Board { ply: record.moves().len(), first, turn, scene, clocks: self.clocks(now) }
    }

    fn clocks(&self, now: Now) -> Clocks {
        let referee = self.referee();
        let left = |seat| referee.and_then(|referee| referee.left(self.side(seat), now.clock)).map(milliseconds);
        let left_ms = left(0).zip(left(1)).map(|(one, two)| [one, two]);
        Clocks { left_ms, is_running: referee.is_some_and(Referee::is_running) }
    }

    /// All there is to know.
    pub(crate) fn view(&self, now: Now) -> View {
        let moves = if matches!(self.phase, Phase::Waiting) { &[] } else { self.record().moves() };
        let (status, ended) = match &self.phase {
            Phase::Waiting => ("waiting", None),
            Phase::Playing(_) => ("playing", None),
            Phase::Over(_, ended) => ("over", Some(ended.clone())),
        };
        View {
            code: self.code.clone(),
            game: self.setup.kind().id(),
            options: self.setup.options.clone(),
            clock: self.setup.clock(),
            is_public: self.setup.is_public,
            is_rated: self.setup.is_rated,
            games: self.setup.games,
            seats: [0, 1].map(|seat| self.seats[seat].holder(self.is_here[seat])),
            status,
            number: self.number,
            board: self.board(now),
            moves: moves.iter().map(|mv| (self.seat(mv.played.side), mv.text.clone())).collect(),
            draw_offered: self.draw_offered,
            take_back_asked: self.take_back_asked,
            rematch_asked: self.rematch_asked,
            ended,
            chat: self.chat.iter().cloned().collect(),
            absence_ms: milliseconds(self.setup.rules().absence),
        }
    }

    /// The position on the board of a live game.
    pub(crate) fn position(&self) -> Option<&dyn AnyGame> {
        self.referee().map(Referee::position)
    }
}

/// The time: on the table's own clock, which stands still while the server is down, and in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    pub(crate) clock: Duration,
    pub(crate) unix_ms: i64,
}
