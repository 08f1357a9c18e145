//! Who may see what of a bot: its owner and the teachers of its course all of it; its page the members of the course and
//! admins too, or everyone who is signed in if it is of no course.

use palestra_store::{Account, Bot, BotRole, BotVersion, House, Role};

use crate::app::App;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// A bot, and what the visitor has to do with it.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) bot: Bot,
    pub(crate) role: BotRole,
}

impl Access {
    /// The bot of this name, for an account. Withdrawn bots exist for nobody, hidden house bots for teachers of their course,
    /// the other bots of a course for those who belong to it: a published league has the names of bots and not of people.
    pub(crate) async fn find(app: &App, account: &Account, name: &str) -> Result<Self, Refused> {
        let bot = app.store.bot(name).await?.filter(|bot| bot.withdrawn.is_none()).ok_or(Refused::NotFound)?;
        let role = app.store.bot_role(&bot, account.id).await?;
        let is_hidden = bot.house == House::Hidden && role != BotRole::Owner;
        let is_foreign = bot.course_id.is_some() && role == BotRole::Stranger && account.role != Role::Admin;
        if is_hidden || is_foreign {
            return Err(Refused::NotFound);
        }
        Ok(Self { bot, role })
    }

    /// The bot of this name, for those who see its sources and logs. To all others it has none.
    pub(crate) async fn find_inside(app: &App, account: &Account, name: &str) -> Result<Self, Refused> {
        let access = Self::find(app, account, name).await?;
        if access.sees_inside() { Ok(access) } else { Err(Refused::NotFound) }
    }

    /// The bot of this name, for its owner.
    pub(crate) async fn find_own(app: &App, account: &Account, name: &str) -> Result<Self, Refused> {
        let access = Self::find(app, account, name).await?;
        if access.is_owner() { Ok(access) } else { Err(Refused::Forbidden) }
    }

    /// Whether it is the visitor's own, or of the visitor's pair; house bots are every teacher's of the course.
    pub(crate) const fn is_owner(&self) -> bool {
        matches!(self.role, BotRole::Owner)
    }

    /// Whether sources, versions and logs may be shown.
    pub(crate) const fn sees_inside(&self) -> bool {
        matches!(self.role, BotRole::Owner | BotRole::Teacher)
    }

    /// Whether results in the bot's course may be shown.
    pub(crate) const fn sees_results(&self) -> bool {
        !matches!(self.role, BotRole::Stranger)
    }

    /// The version of the bot with this number.
    pub(crate) async fn version(&self, app: &App, number: i64) -> Result<BotVersion, Refused> {
        app.store.version(self.bot.id, number).await?.ok_or(Refused::NotFound)
    }
}

/// The account that is signed in with a browser.
pub(crate) fn browsing(visitor: &Visitor) -> Result<&Account, Refused> {
    visitor.at_least(palestra_store::Role::Student)
}
