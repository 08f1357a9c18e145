//! Help by the engine: who gets it, for which positions, and for how much CPU time.
//!
//! A visitor who is playing a rated game gets none, and nobody gets any for a position near such a game.

use std::time::Duration;

use palestra_games::AnyGame;
use palestra_store::Scope;

use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::{Key, Owner, Slot};
use crate::visitor::Visitor;

/// CPU time for those who have no account, and for those who have one.
const GUEST_CPU: Duration = Duration::from_millis(500);
const ACCOUNT_CPU: Duration = Duration::from_secs(2);

/// The key of the refusal of a position, or of a visitor, that gets no help.
pub(crate) const BARRED: &str = "analyse.barred";

/// Leave to search for a visitor, who may have no more searches under way than this one and few others until it is dropped.
pub(crate) struct Help {
    /// Who is charged.
    pub(crate) owner: Owner,
    /// The CPU time that the search may take.
    pub(crate) cpu: Duration,
    _share: Slot,
}

impl Help {
    /// Counts a request, and refuses those who ask too often. Programs need the scope.
    pub(crate) fn count(app: &App, visitor: &Visitor) -> Result<(), Refused> {
        if visitor.account.is_some() {
            visitor.may(Scope::Analyse)?;
        }
        app.limits.analyse.check(Key::visitor(visitor))
    }

    /// Leave to search, if the visitor plays no rated game and has not too much under way.
    pub(crate) fn begin(app: &App, visitor: &Visitor) -> Result<Self, Refused> {
        if app.tables.plays_rated(visitor) {
            return Err(Refused::bad(BARRED));
        }
        let cpu = if visitor.account.is_some() { ACCOUNT_CPU } else { GUEST_CPU };
        let share = app.limits.begin_analysis(visitor).ok_or_else(|| app.thinking.refused(cpu))?;
        Ok(Self { owner: app.limits.owner(visitor), cpu, _share: share })
    }

    /// Leave to search this position.
    pub(crate) fn begin_at(app: &App, visitor: &Visitor, position: &dyn AnyGame) -> Result<Self, Refused> {
        if app.tables.is_secret(position) { Err(Refused::bad(BARRED)) } else { Self::begin(app, visitor) }
    }
}
