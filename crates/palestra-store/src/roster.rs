//! All accounts, for admins.

use crate::account::select_account;
use crate::db::with_pool;
use crate::{Account, Store, StoreError};

/// Number of accounts on a page.
pub const ROSTER_PAGE: usize = 50;

/// A page of accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roster {
    /// Those on it, by nickname.
    pub accounts: Vec<Account>,
    /// Whether another page follows.
    pub has_more: bool,
}

impl Store {
    /// Those whose nickname, name or address holds this text; everybody if it is empty. The first page is 0.
    pub async fn roster(&self, text: &str, page: u32) -> Result<Roster, StoreError> {
        // SQLite knows upper and lower case of ASCII letters only: a name is also compared as it was typed.
        const QUERY: &str = select_account!(
            "WHERE nickname_key LIKE $1 ESCAPE '!' OR email LIKE $1 ESCAPE '!' OR LOWER(name) LIKE $1 ESCAPE '!' \
             OR name LIKE $2 ESCAPE '!' ORDER BY nickname_key LIMIT $3 OFFSET $4"
        );
        let (lower, typed) = (pattern(&text.to_lowercase()), pattern(text));
        let (limit, offset) = (ROSTER_PAGE as i64 + 1, ROSTER_PAGE as i64 * i64::from(page));
        let found = with_pool!(self, pool => {
            sqlx::query_as(QUERY).bind(lower).bind(typed).bind(limit).bind(offset).fetch_all(pool).await
        });
        let mut accounts: Vec<Account> = found?;
        let has_more = accounts.len() > ROSTER_PAGE;
        accounts.truncate(ROSTER_PAGE);
        Ok(Roster { accounts, has_more })
    }
}

/// A `LIKE` pattern that finds this text anywhere, with wildcards escaped.
pub(crate) fn pattern(text: &str) -> String {
    let literal = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{literal}%")
}
