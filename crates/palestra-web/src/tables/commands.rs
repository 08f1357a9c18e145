//! Commands of players and spectators at a table: moves, chat, draws, take-backs, rematches.

use palestra_arena::Event;
use palestra_store::{DELETED, Id};

use super::event::{ChatLine, Event as TableEvent, Spoken};
use super::occupant::{Invited, Occupant, Who};
use super::table::{Now, Phase, Table};
use crate::http::error::Refused;

/// Number of lines of chat that are kept.
const MAX_CHAT_LINES: usize = 100;

impl Table {
    /// A player makes a move. People may always try again after an illegal one.
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
        self.dismiss_stand_in();
        self.play(seat, text.to_owned(), None, None, now);
        Ok(())
    }

    /// The seat that a person speaks for; with both seats, the one to move.
    fn speaks_for(&self, who: &Who) -> Result<usize, Refused> {
        let seats = self.seats_of(who);
        let mover = self.mover().filter(|seat| seats.contains(seat));
        mover.or_else(|| seats.first().copied()).ok_or(Refused::bad("tables.only_players"))
    }

    /// A line of chat, under the nickname of the account or of the seat. Spectators without an account cannot chat.
    pub(crate) fn chat(&mut self, who: &Who, text: String, now: Now) -> Result<(), Refused> {
        let seat = self.seats_of(who).first().copied();
        let account = who.account.as_ref().map(|(_, nickname)| nickname.as_str());
        let name = account.or_else(|| Some(self.seats[seat?].name())).ok_or(Refused::bad("tables.chat_who"))?;
        let line = ChatLine { name: name.to_owned(), seat, text, at_ms: now.unix_ms };
        self.chat.push_back(Spoken { account: who.account.as_ref().map(|(id, _)| *id), line: line.clone() });
        if self.chat.len() > MAX_CHAT_LINES {
            self.chat.pop_front();
        }
        self.said.push(TableEvent::Chat(line));
        Ok(())
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
            self.said.push(TableEvent::TakeBackAsked { seat });
        }
        Ok(())
    }

    fn take_back_for(&mut self, seat: usize, now: Now) -> Result<(), Refused> {
        let side = self.side(seat);
        self.take_back_asked = None;
        self.draw_offered = None;
        let Phase::Playing(referee) = &mut self.phase else { return Err(Refused::bad("tables.no_game")) };
        if !referee.take_back(side, now.clock) {
            return Err(Refused::bad("tables.nothing_to_take_back"));
        }
        self.next_turn(now);
        let ply = self.record().moves().len();
        self.said.push(TableEvent::TakenBack { seat, ply });
        Ok(())
    }

    pub(crate) fn decline_take_back(&mut self, who: &Who) -> Result<(), Refused> {
        let seat = self.speaks_in_game(who)?;
        if self.take_back_asked == Some(1 - seat) {
            self.take_back_asked = None;
            self.said.push(TableEvent::TakeBackDeclined { seat });
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
        self.said.push(TableEvent::RematchAsked { seat });
        Ok(())
    }

    /// An account was deleted: its game is resigned, and its name is removed from seats, chat and reservations.
    pub(crate) fn forget(&mut self, account: Id, nickname: &str, now: Now) {
        for seat in 0..2 {
            match &self.seats[seat] {
                Occupant::Account { id, .. } if *id == account => {}
                Occupant::Reserved(invited) if invited.account == Some(account) => {}
                _ => continue,
            }
            self.judge(Event::Resign(self.side(seat)), now);
            let gone = Occupant::Guest { token: String::new(), nickname: DELETED.to_owned() };
            self.seats[seat] = if matches!(self.phase, Phase::Waiting) { Occupant::Open } else { gone };
            self.say_seat(seat);
        }
        let is_theirs = |spoken: &Spoken| match spoken.account {
            Some(id) => id == account,
            // A guest, or a line that an earlier version kept.
            None => spoken.line.name == nickname,
        };
        for spoken in self.chat.iter_mut().filter(|spoken| is_theirs(spoken)) {
            DELETED.clone_into(&mut spoken.line.name);
            spoken.account = None;
        }
        let is_gone = |invited: &Invited| invited.account == Some(account);
        for reserved in self.reserved.iter_mut().filter(|invited| invited.as_ref().is_some_and(is_gone)) {
            *reserved = None;
        }
    }

    fn speaks_in_game(&self, who: &Who) -> Result<usize, Refused> {
        let seat = self.speaks_for(who)?;
        if self.referee().is_some() { Ok(seat) } else { Err(Refused::bad("tables.no_game")) }
    }
}
