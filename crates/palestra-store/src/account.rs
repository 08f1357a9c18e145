//! Accounts.

use std::collections::{HashMap, HashSet};

use sqlx::QueryBuilder;

use crate::db::{new_id, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Which row.
    pub id: Id,
    /// The nickname, which everyone sees.
    pub nickname: String,
    /// Their name; for teachers and admins only.
    pub name: String,
    /// Their address, in lower case; likewise.
    pub email: String,
    /// The hash of their password.
    pub password: String,
    /// The role.
    pub role: Role,
    /// Since when.
    pub created_ms: i64,
}

row!(Account { id, nickname, name, email, password, role: String, created_ms });

/// An account about to be made.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The nickname, which everyone sees.
    pub nickname: String,
    /// Their name.
    pub name: String,
    /// Their address.
    pub email: String,
    /// The hash of their password.
    pub password: String,
    /// The role.
    pub role: Role,
}

/// The role of an account. Each role includes the rights of the ones before it.
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
#[strum(parse_err_ty = UnknownRole, parse_err_fn = unknown_role)]
pub enum Role {
    /// Plays.
    Student,
    /// Makes courses, and lists maps for everyone.
    Teacher,
    /// Looks after accounts.
    Admin,
}

impl Role {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for Role {
    type Error = UnknownRole;

    fn try_from(word: String) -> Result<Self, UnknownRole> {
        word.parse()
    }
}

/// A word that is no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no role: student, teacher or admin")]
pub struct UnknownRole(String);

fn unknown_role(word: &str) -> UnknownRole {
    UnknownRole(word.to_owned())
}

/// The key by which nicknames must differ.
pub(crate) fn nickname_key(nickname: &str) -> String {
    nickname.to_lowercase()
}

/// Addresses are compared so.
pub(crate) fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}

macro_rules! select_account {
    ($rest:literal) => {
        concat!("SELECT id, nickname, name, email, password, role, created_ms FROM accounts ", $rest)
    };
}
pub(crate) use select_account;

/// Makes an account with whatever can carry out a query: a pool, or a transaction.
macro_rules! insert_account {
    ($executor:expr, $id:expr, $new:expr, $now_ms:expr) => {{
        const QUERY: &str = "INSERT INTO accounts (id, nickname, nickname_key, name, email, password, role, created_ms) \
                             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let query = sqlx::query(QUERY).bind($id).bind(&$new.nickname);
        let query = query.bind($crate::account::nickname_key(&$new.nickname)).bind(&$new.name);
        let query = query.bind($crate::account::email_key(&$new.email)).bind(&$new.password);
        query.bind($new.role.word()).bind($now_ms).execute($executor).await?;
    }};
}
pub(crate) use insert_account;

/// Maximum number of parameters of a query: SQLite allows 32,766, PostgreSQL 65,535.
const MAX_PARAMETERS: usize = 30_000;

impl Store {
    /// Makes an account. [`StoreError::Taken`] if the nickname or the address has one already.
    pub async fn create_account(&self, new: &NewAccount, now_ms: i64) -> Result<Id, StoreError> {
        let id = new_id(now_ms);
        let _writer = self.writer().await?;
        with_pool!(self, pool => insert_account!(pool, id, new, now_ms));
        Ok(id)
    }

    /// The account with this id.
    pub async fn account(&self, id: Id) -> Result<Option<Account>, StoreError> {
        const QUERY: &str = select_account!("WHERE id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The account with this address.
    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>, StoreError> {
        const QUERY: &str = select_account!("WHERE email = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(email_key(email)).fetch_optional(pool).await)?)
    }

    /// The account with this nickname, in any case.
    pub async fn account_by_nickname(&self, nickname: &str) -> Result<Option<Account>, StoreError> {
        const QUERY: &str = select_account!("WHERE nickname_key = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(nickname_key(nickname)).fetch_optional(pool).await)?)
    }

    /// Those of these accounts that exist.
    pub async fn existing_accounts(&self, ids: &[Id]) -> Result<HashSet<Id>, StoreError> {
        let mut existing = HashSet::new();
        for ids in ids.chunks(MAX_PARAMETERS) {
            let found: Vec<Id> = with_pool!(self, pool => {
                let mut query = QueryBuilder::new("SELECT id FROM accounts WHERE id IN (");
                let mut list = query.separated(", ");
                ids.iter().for_each(|id| _ = list.push_bind(*id));
                query.push(")").build_query_scalar().fetch_all(pool).await
            })?;
            existing.extend(found);
        }
        Ok(existing)
    }

    /// The ids of the accounts with these nicknames, in any case; a nickname without an account is left out.
    pub async fn account_ids(&self, nicknames: &[&str]) -> Result<HashMap<String, Id>, StoreError> {
        let mut ids = HashMap::new();
        for nicknames in nicknames.chunks(MAX_PARAMETERS) {
            let found: Vec<(String, Id)> = with_pool!(self, pool => {
                let mut query = QueryBuilder::new("SELECT nickname_key, id FROM accounts WHERE nickname_key IN (");
                let mut list = query.separated(", ");
                nicknames.iter().for_each(|nickname| _ = list.push_bind(nickname_key(nickname)));
                query.push(")").build_query_as().fetch_all(pool).await
            })?;
            let by_key: HashMap<String, Id> = found.into_iter().collect();
            let id = |nickname: &&str| Some(((*nickname).to_owned(), *by_key.get(&nickname_key(nickname))?));
            ids.extend(nicknames.iter().filter_map(id));
        }
        Ok(ids)
    }
}
