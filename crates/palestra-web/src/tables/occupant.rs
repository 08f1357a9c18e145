//! Occupants of seats: people, guests, built-in players, programs.

use palestra_store::Id;
use serde::{Deserialize, Serialize};

use super::create::MAX_NICKNAME;
use super::message::{Holder, HolderKind};
use crate::visitor::Visitor;

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occupant {
    /// An open seat, which anyone may take.
    Open,
    /// A free seat that only this account may take.
    Reserved(Invited),
    /// A person with an account.
    Account { id: Id, nickname: String },
    /// A guest, recognised by the hash of the browser's token.
    Guest { token: String, nickname: String },
    /// A built-in player.
    BuiltIn(String),
    /// A program of the server's owner.
    Own(String),
    /// A remote program, recognised by the hash of its key.
    Remote { key: String, name: String },
}

/// The account for which a seat is reserved: nicknames change hands, ids do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SavedInvited")]
pub(crate) struct Invited {
    /// `None` in tables saved by earlier versions, until the server has looked the nickname up.
    pub(crate) account: Option<Id>,
    /// The nickname at the time of the invitation, as clients see it.
    pub(crate) nickname: String,
}

/// Earlier versions saved the nickname alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum SavedInvited {
    Account { account: Option<Id>, nickname: String },
    Nickname(String),
}

impl From<SavedInvited> for Invited {
    fn from(saved: SavedInvited) -> Self {
        match saved {
            SavedInvited::Account { account, nickname } => Self { account, nickname },
            SavedInvited::Nickname(nickname) => Self { account: None, nickname },
        }
    }
}

/// A player or spectator, as the server recognises them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    /// The account, if they are signed in.
    pub(crate) account: Option<(Id, String)>,
    /// The hash of the browser's token.
    pub(crate) token: String,
}

impl From<&Visitor> for Who {
    fn from(visitor: &Visitor) -> Self {
        let account = visitor.account.as_ref().map(|account| (account.id, account.nickname.clone()));
        Self { account, token: visitor.guest().as_str().to_owned() }
    }
}

impl Occupant {
    /// The occupant for a person who sits down; guests have the nickname that they chose.
    pub(crate) fn person(who: &Who, nickname: &str) -> Self {
        match &who.account {
            Some((id, nickname)) => Self::Account { id: *id, nickname: nickname.clone() },
            None => Self::Guest { token: who.token.clone(), nickname: nickname.to_owned() },
        }
    }

    /// Whether the seat belongs to this visitor.
    pub(crate) fn is(&self, who: &Who) -> bool {
        match self {
            Self::Account { id, .. } => who.account.as_ref().is_some_and(|(account, _)| account == id),
            Self::Guest { token, .. } => who.account.is_none() && *token == who.token,
            _ => false,
        }
    }

    /// Whether both are the same person.
    pub(crate) fn is_same_person(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Account { id, .. }, Self::Account { id: other, .. }) => id == other,
            (Self::Guest { token, .. }, Self::Guest { token: other, .. }) => token == other,
            _ => false,
        }
    }

    /// A guest who has the name of the other player gets a number: guests without a name would all have the same.
    pub(crate) fn told_apart(self, other: &Self) -> Self {
        match self {
            Self::Guest { token, nickname }
                if nickname.to_lowercase() == other.name().to_lowercase()
                    && !matches!(other, Self::Guest { token: others, .. } if *others == token) =>
            {
                let name: String = nickname.chars().take(MAX_NICKNAME - 2).collect();
                Self::Guest { token, nickname: format!("{} 2", name.trim_end()) }
            }
            other => other,
        }
    }

    pub(crate) const fn is_person(&self) -> bool {
        matches!(self, Self::Account { .. } | Self::Guest { .. })
    }

    /// Whether the seat has a player, so that a game can begin.
    pub(crate) const fn is_taken(&self) -> bool {
        !matches!(self, Self::Open | Self::Reserved(_))
    }

    /// Whether the occupant can disconnect: built-in players and the owner's programs cannot.
    pub(crate) const fn can_drop(&self) -> bool {
        self.is_person() || matches!(self, Self::Remote { .. })
    }

    /// The name that is shown at the table.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Open => "",
            Self::Account { nickname, .. } | Self::Guest { nickname, .. } => nickname,
            Self::Reserved(Invited { nickname, .. }) => nickname,
            Self::BuiltIn(name) | Self::Own(name) | Self::Remote { name, .. } => name,
        }
    }

    /// The occupant as clients see it.
    pub(crate) fn holder(&self, is_present: bool) -> Holder {
        let kind = match self {
            Self::Open => HolderKind::Open,
            Self::Reserved(_) => HolderKind::Reserved,
            Self::Account { .. } => HolderKind::Account,
            Self::Guest { .. } => HolderKind::Guest,
            Self::BuiltIn(_) => HolderKind::BuiltIn,
            Self::Own(_) | Self::Remote { .. } => HolderKind::Program,
        };
        let is_present = is_present || (self.is_taken() && !self.can_drop());
        Holder { kind, name: self.name().to_owned(), is_present }
    }
}
