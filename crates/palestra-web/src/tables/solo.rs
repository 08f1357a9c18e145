//! A table at which no other person plays: players are chosen anew, stand in for the person, change sides; games begin
//! again. In rated games, and where two people play, none of this is allowed.

use palestra_arena::Event;
use serde::{Deserialize, Serialize};

use super::event::Event as TableEvent;
use super::occupant::{Occupant, Who};
use super::table::{Now, Phase, Table};
use crate::http::error::Refused;

/// A player that moves in place of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StandIn {
    pub(super) player: Occupant,
    /// The number of moves that it still makes; none until the end of the game.
    pub(super) moves: Option<u32>,
}

impl Table {
    /// The player who makes the moves of a seat: its occupant, or who stands in.
    pub(crate) fn player(&self, seat: usize) -> &Occupant {
        match &self.stand_in {
            Some(stand_in) if self.seats[seat].is_person() => &stand_in.player,
            _ => &self.seats[seat],
        }
    }

    /// Whether a visitor opened the table.
    pub(crate) fn is_host(&self, who: &Who) -> bool {
        self.setup.creator == who.token
    }

    /// Whether no more than one person plays, and not for a rating.
    pub(crate) fn is_solo(&self) -> bool {
        let [one, two] = &self.seats;
        !self.setup.is_rated && (!one.is_person() || !two.is_person() || one.is_same_person(two))
    }

    /// Whether this visitor is the one person who plays; at a table of programs, the visitor who opened it.
    fn check_solo(&self, who: &Who) -> Result<(), Refused> {
        if self.setup.is_rated {
            return Err(Refused::bad("tables.solo_rated"));
        }
        if !self.is_solo() {
            return Err(Refused::bad("tables.solo_people"));
        }
        let nobody_plays = !self.seats.iter().any(Occupant::is_person);
        let is_theirs = !self.seats_of(who).is_empty() || (nobody_plays && self.is_host(who));
        if is_theirs { Ok(()) } else { Err(Refused::bad("tables.only_players")) }
    }

    /// Lets a player move in place of a person: a number of moves, or to the end of the game.
    pub(crate) fn let_stand_in(
        &mut self,
        who: &Who,
        player: Occupant,
        moves: Option<u32>,
        now: Now,
    ) -> Result<(), Refused> {
        self.check_solo(who)?;
        if self.referee().is_none() {
            return Err(Refused::bad("tables.no_game"));
        }
        let is_program = matches!(player, Occupant::BuiltIn(_) | Occupant::Own(_));
        if self.seats_of(who).is_empty() || !is_program || moves == Some(0) {
            return Err(Refused::bad("refused.form"));
        }
        self.stand_in = Some(StandIn { player, moves });
        self.said.push(TableEvent::StandIn);
        self.ask_anew(now);
        Ok(())
    }

    /// The person moves again.
    pub(crate) fn stop_stand_in(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        self.check_solo(who)?;
        if self.dismiss_stand_in() {
            self.ask_anew(now);
        }
        Ok(())
    }

    /// Whether there was one.
    pub(super) fn dismiss_stand_in(&mut self) -> bool {
        let was_there = self.stand_in.take().is_some();
        if was_there {
            self.said.push(TableEvent::StandIn);
        }
        was_there
    }

    /// A move was made in this seat: a stand-in has one less to make.
    pub(super) fn count_stand_in(&mut self, seat: usize) {
        if !self.seats[seat].is_person() {
            return;
        }
        let Some(moves) = self.stand_in.as_mut().and_then(|stand_in| stand_in.moves.as_mut()) else { return };
        *moves -= 1;
        if *moves == 0 {
            self.dismiss_stand_in();
        }
    }

    /// Gives a seat to another player, also in the middle of a game.
    pub(crate) fn set_player(&mut self, who: &Who, seat: usize, player: Occupant, now: Now) -> Result<(), Refused> {
        self.check_solo(who)?;
        let before = self.seats.get(seat).ok_or(Refused::bad("tables.no_seat"))?;
        if !player.is_taken() {
            return Err(Refused::bad("refused.form"));
        }
        if matches!(before, Occupant::Remote { .. }) {
            return Err(Refused::bad("tables.taken"));
        }
        // A person who takes the other seat too has one name.
        let own_seat = self.seats_of(who).first().copied().filter(|_| player.is_person());
        let player = own_seat.map_or(player, |own| self.seats[own].clone());
        self.dismiss_stand_in();
        self.is_here[seat] = player.is_person();
        self.seats[seat] = player;
        self.reserved[seat] = None;
        self.say_seat(seat);
        if self.referee().is_some() {
            self.ask_anew(now);
        }
        self.begin_if_ready(now)
    }

    /// The seats change sides in the middle of the game: who played side 1 plays side 2.
    pub(crate) fn change_sides(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        self.check_solo(who)?;
        self.check_no_remote()?;
        if self.referee().is_none() {
            return Err(Refused::bad("tables.no_game"));
        }
        self.dismiss_stand_in();
        self.first = 1 - self.first;
        (self.draw_offered, self.take_back_asked) = (None, None);
        self.said.push(TableEvent::SidesChanged);
        self.ask_anew(now);
        Ok(())
    }

    /// Begins the game anew with the same sides. One that is not over is not kept.
    pub(crate) fn restart(&mut self, who: &Who, now: Now) -> Result<(), Refused> {
        self.check_solo(who)?;
        self.check_no_remote()?;
        if matches!(self.phase, Phase::Waiting) {
            return Err(Refused::bad("tables.no_game"));
        }
        self.dismiss_stand_in();
        // The next game changes sides: twice is not at all.
        self.first = 1 - self.first;
        self.begin(now)
    }

    /// The players for a table that goes on from this position: the person's seat stays theirs.
    pub(crate) fn players_from_here(&self, who: &Who) -> Result<(String, [Occupant; 2]), Refused> {
        self.check_solo(who)?;
        let position = self.begun().ok_or(Refused::bad("tables.no_game"))?.position();
        if position.outcome().is_some() {
            return Err(Refused::bad("tables.is_over"));
        }
        let player = |side| match &self.seats[self.seat(side)] {
            Occupant::Remote { .. } | Occupant::Reserved(_) => Occupant::Open,
            occupant => occupant.clone(),
        };
        Ok((position.notation(), palestra_games::Side::BOTH.map(player)))
    }

    /// A program that is connected has been told its side, and cannot be told another before its game is over.
    fn check_no_remote(&self) -> Result<(), Refused> {
        let has_remote = self.seats.iter().any(|seat| matches!(seat, Occupant::Remote { .. }));
        if has_remote && self.referee().is_some() { Err(Refused::bad("tables.program_plays")) } else { Ok(()) }
    }

    /// The player to move may be another now.
    fn ask_anew(&mut self, now: Now) {
        self.judge(Event::Withdrawn, now);
        self.next_turn(now);
    }
}
