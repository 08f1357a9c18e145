//! The summary of a table, for lists and for checks by other parts of the server.

use palestra_store::Id;

use super::message::{ClockView, Holder, HolderKind, Status};
use super::occupant::{Occupant, Who};
use super::secret::Secret;
use super::table::Table;

/// The summary of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) code: String,
    pub(crate) game: &'static str,
    pub(crate) game_name: &'static str,
    pub(crate) options: String,
    pub(crate) clock: ClockView,
    pub(crate) is_public: bool,
    pub(crate) is_rated: bool,
    pub(crate) seats: [Holder; 2],
    pub(crate) status: Status,
    pub(crate) plies: usize,
    pub(crate) connected: Connected,
    pub(crate) created_ms: i64,
    /// See [`Setup::creator`](super::setup::Setup::creator).
    pub(crate) creator: String,
    /// The accounts that play at the table.
    pub(crate) accounts: [Option<Id>; 2],
    /// The guests who play at the table, by the hash of their browser's token.
    pub(crate) guests: [Option<String>; 2],
    /// The positions near a rated game in progress, which the engine must not analyse.
    pub(crate) secret: Option<Secret>,
}

/// The browsers at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Connected {
    /// All of them.
    pub(crate) clients: usize,
    /// Those of people who do not play.
    pub(crate) spectators: usize,
}

impl Summary {
    /// Whether a visitor opened the table or plays at it.
    pub(crate) fn is_of(&self, who: &Who) -> bool {
        let is_guest = who.account.is_none() && self.guests.iter().flatten().any(|guest| *guest == who.token);
        let is_account = who.account.as_ref().is_some_and(|(id, _)| self.accounts.contains(&Some(*id)));
        self.creator == who.token || is_guest || is_account
    }

    /// The rank for closing tables when there are too many: the lowest goes first. None if the table must stay, because
    /// it has spectators or two people play.
    pub(super) fn worth_keeping(&self) -> Option<(u8, i64)> {
        let people = self.seats.iter().filter(|holder| holder.kind.is_person()).count();
        let worth = match self.status {
            Status::Over => 0,
            Status::Waiting => 1,
            Status::Playing if people < 2 => 2,
            Status::Playing => return None,
        };
        let is_abandoned = self.connected.clients == 0
            && !self.seats.iter().any(|holder| holder.kind == HolderKind::Program && holder.is_present);
        is_abandoned.then_some((worth, self.created_ms))
    }

    /// The summary of a table. What is costly to find out is taken from an earlier summary where it still holds.
    pub(super) fn of(table: &Table, connected: Connected, created_ms: i64, earlier: Option<&Self>) -> Self {
        let setup = table.setup();
        let referee = table.referee();
        let account = |occupant: &Occupant| match occupant {
            Occupant::Account { id, .. } => Some(*id),
            _ => None,
        };
        let guest = |occupant: &Occupant| match occupant {
            Occupant::Guest { token, .. } => Some(token.clone()),
            _ => None,
        };
        let seats = table.seats();
        Self {
            code: table.code.clone(),
            game: setup.kind().id(),
            game_name: setup.kind().about.name,
            options: setup.options.clone(),
            clock: setup.clock(),
            is_public: setup.is_public,
            is_rated: setup.is_rated,
            seats: [0, 1].map(|seat| seats[seat].holder(table.is_here[seat])),
            status: table.status(),
            plies: referee.map_or(0, |referee| referee.record().moves().len()),
            connected,
            created_ms,
            creator: setup.creator.clone(),
            accounts: [0, 1].map(|seat| account(&seats[seat])),
            guests: [0, 1].map(|seat| guest(&seats[seat])),
            secret: Secret::of(table, earlier.and_then(|summary| summary.secret.as_ref())),
        }
    }
}
