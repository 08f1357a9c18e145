//! Which mails about courses a person gets.

use crate::db::{transaction, with_pool};
use crate::{Id, Store, StoreError};

/// A kind of mail that members of courses may choose not to get.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum MailKind {
    /// A run of a league is finished.
    RunFinished,
    /// An uploaded version was refused.
    UploadRefused,
    /// An assignment is due tomorrow.
    Deadline,
    /// Marks were published.
    MarksPublished,
    /// A teacher posted a notice.
    Notice,
}

impl MailKind {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in forms and the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// To whom a mail goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The members of a course.
    Course(Id),
    /// The members of a group.
    Group(Id),
    /// The members of a team.
    Team(Id),
    /// An account.
    Account(Id),
}

impl Store {
    /// The kinds of mail that an account does not want.
    pub async fn unwanted_mails(&self, account: Id) -> Result<Vec<MailKind>, StoreError> {
        const QUERY: &str = "SELECT kind FROM unwanted_mails WHERE account_id = $1";
        let words: Vec<String> =
            with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(account).fetch_all(pool).await)?;
        Ok(words.iter().filter_map(|word| word.parse().ok()).collect())
    }

    /// Says which kinds of mail an account does not want.
    pub async fn choose_mails(&self, account: Id, unwanted: &[MailKind]) -> Result<(), StoreError> {
        const DELETE: &str = "DELETE FROM unwanted_mails WHERE account_id = $1";
        const INSERT: &str = "INSERT INTO unwanted_mails (account_id, kind) VALUES ($1, $2)";
        transaction!(self, transaction => {
            sqlx::query(DELETE).bind(account).execute(&mut *transaction).await?;
            for kind in unwanted {
                sqlx::query(INSERT).bind(account).bind(kind.word()).execute(&mut *transaction).await?;
            }
            Ok(())
        })
    }

    /// The addresses to which a mail of this kind goes: those of members with an account who want such mails.
    pub async fn mail_addresses(&self, audience: Audience, kind: MailKind) -> Result<Vec<String>, StoreError> {
        macro_rules! addresses {
            ($condition:literal) => {
                concat!(
                    "SELECT DISTINCT a.email FROM accounts a WHERE NOT EXISTS \
                     (SELECT 1 FROM unwanted_mails u WHERE u.account_id = a.id AND u.kind = $2) AND a.id IN (",
                    $condition,
                    ") ORDER BY a.email"
                )
            };
        }
        const COURSE: &str =
            addresses!("SELECT account_id FROM course_members WHERE course_id = $1 AND state = 'member'");
        const GROUP: &str = addresses!(
            "SELECT m.account_id FROM course_members m JOIN course_teams t ON t.id = m.team_id \
             WHERE t.group_id = $1 AND m.state = 'member'"
        );
        const TEAM: &str = addresses!("SELECT account_id FROM course_members WHERE team_id = $1 AND state = 'member'");
        const ACCOUNT: &str = addresses!("$1");
        let (query, id) = match audience {
            Audience::Course(id) => (COURSE, id),
            Audience::Group(id) => (GROUP, id),
            Audience::Team(id) => (TEAM, id),
            Audience::Account(id) => (ACCOUNT, id),
        };
        let kind = kind.word();
        Ok(with_pool!(self, pool => sqlx::query_scalar(query).bind(id).bind(kind).fetch_all(pool).await)?)
    }
}
