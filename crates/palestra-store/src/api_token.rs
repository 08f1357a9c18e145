//! Tokens with which a program acts for an account.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::{Account, Id, Store, StoreError, TokenHash};

/// A scope: a permission of an API token.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum Scope {
    /// To look at what the account may see.
    Read,
    /// To play in its name.
    Play,
    /// To have positions analysed at its cost.
    Analyse,
    /// To upload its bots, and to see what became of them.
    Bots,
    /// To manage the courses that it teaches.
    Course,
}

impl Scope {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in forms and the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The set of scopes of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// Whether this is among them.
    #[must_use]
    pub fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words for them.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|scope| scope.word())
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().collect::<Vec<_>>().join(" "))
    }
}

/// A word that is no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no scope: read, play, analyse, bots or course")]
pub struct UnknownScope(String);

impl FromStr for Scopes {
    type Err = UnknownScope;

    fn from_str(words: &str) -> Result<Self, UnknownScope> {
        words.split_whitespace().map(|word| word.parse().map_err(|_| UnknownScope(word.to_owned()))).collect()
    }
}

impl TryFrom<String> for Scopes {
    type Error = UnknownScope;

    fn try_from(words: String) -> Result<Self, UnknownScope> {
        words.parse()
    }
}

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiToken {
    /// Which row.
    pub id: Id,
    /// Whose.
    pub account_id: Id,
    /// The owner's label of the token.
    pub label: String,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// Since when.
    pub created_ms: i64,
    /// When the token was last used, to the minute.
    pub used_ms: Option<i64>,
}

row!(ApiToken { id, account_id, label, scopes: String, created_ms, used_ms });

/// Maximum number of tokens of an account.
pub const MAX_API_TOKENS: i64 = 20;

/// Minimum interval between updates of a token's last use.
const USE_NOTED_INTERVAL_MS: i64 = 60_000;

macro_rules! select_token {
    ($rest:literal) => {
        concat!("SELECT id, account_id, label, scopes, created_ms, used_ms FROM api_tokens ", $rest)
    };
}

impl Store {
    /// Makes a token for an account. `false` if it has as many as it can have.
    pub async fn create_api_token(
        &self,
        token: &TokenHash,
        account: Id,
        label: &str,
        scopes: &Scopes,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        // Locks the row: of several calls for one account each counts the tokens of those before it.
        const LOCK: &str = "UPDATE accounts SET role = role WHERE id = $1";
        const COUNT: &str = "SELECT COUNT(*) FROM api_tokens WHERE account_id = $1";
        const INSERT: &str = "INSERT INTO api_tokens (id, account_id, token, label, scopes, created_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6)";
        transaction!(self, transaction => {
            sqlx::query(LOCK).bind(account).execute(&mut *transaction).await?;
            let count: i64 = sqlx::query_scalar(COUNT).bind(account).fetch_one(&mut *transaction).await?;
            if count >= MAX_API_TOKENS {
                return Ok(false);
            }
            let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(account).bind(token.as_str());
            query.bind(label).bind(scopes.to_string()).bind(now_ms).execute(&mut *transaction).await?;
            Ok(true)
        })
    }

    /// The tokens of an account, the oldest first.
    pub async fn api_tokens(&self, account: Id) -> Result<Vec<ApiToken>, StoreError> {
        const QUERY: &str = select_token!("WHERE account_id = $1 ORDER BY id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(account).fetch_all(pool).await)?)
    }

    /// Revokes a token of this account. `false` if it has no such token.
    pub async fn revoke_api_token(&self, account: Id, token: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM api_tokens WHERE id = $1 AND account_id = $2";
        let _writer = self.writer().await?;
        let revoked = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(token).bind(account).execute(pool).await?.rows_affected()
        });
        Ok(revoked == 1)
    }

    /// For whom a token stands and what it may be used for, if it is one. Its use is noted.
    pub async fn use_api_token(&self, token: &TokenHash, now_ms: i64) -> Result<Option<(Account, Scopes)>, StoreError> {
        const QUERY: &str = select_token!("WHERE token = $1");
        let found: Option<ApiToken> =
            with_pool!(self, pool => sqlx::query_as(QUERY).bind(token.as_str()).fetch_optional(pool).await)?;
        let Some(found) = found else { return Ok(None) };
        if found.used_ms.is_none_or(|used_ms| now_ms - used_ms >= USE_NOTED_INTERVAL_MS)
            && let Err(error) = self.note_use(found.id, now_ms).await
        {
            tracing::warn!(%error, "the use of a token cannot be noted");
        }
        Ok(self.account(found.account_id).await?.map(|account| (account, found.scopes)))
    }

    async fn note_use(&self, token: Id, now_ms: i64) -> Result<(), StoreError> {
        const QUERY: &str = "UPDATE api_tokens SET used_ms = $1 WHERE id = $2";
        let _writer = self.writer().await?;
        with_pool!(self, pool => sqlx::query(QUERY).bind(now_ms).bind(token).execute(pool).await.map(drop))?;
        Ok(())
    }
}
