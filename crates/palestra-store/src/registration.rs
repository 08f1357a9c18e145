//! Registrations: accounts that wait for the link in their mail to be followed.

use crate::account::{email_key, insert_account, nickname_key};
use crate::db::{new_id, transaction, with_pool};
use crate::roster::pattern;
use crate::row::row;
use crate::{Id, NewAccount, Role, Store, StoreError, StoreFuture, TokenHash};

/// Lifetime of a registration that is not confirmed.
pub const REGISTRATION_MS: i64 = 48 * 3600 * 1000;

/// An account that is not confirmed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Which row.
    pub id: Id,
    /// The nickname.
    pub nickname: String,
    /// Their name.
    pub name: String,
    /// Their address, in lower case.
    pub email: String,
    /// The hash of their password.
    pub password: String,
    /// When the link expires.
    pub expires_ms: i64,
}

row!(Registration { id, nickname, name, email, password, expires_ms });

impl Registration {
    fn into_account(self) -> NewAccount {
        let Self { nickname, name, email, password, .. } = self;
        NewAccount { nickname, name, email, password, role: Role::Student }
    }
}

macro_rules! columns {
    () => {
        "id, nickname, name, email, password, expires_ms"
    };
}

impl Store {
    /// Saves a request for an account, also if the address has one: that is told by mail alone, so that asking
    /// takes the same time and fails for the same reasons. The role is not looked at.
    pub async fn register(&self, token: &TokenHash, new: &NewAccount, now_ms: i64) -> Result<(), StoreError> {
        const QUERY: &str = "INSERT INTO registrations \
                             (id, token, nickname, nickname_key, name, email, password, expires_ms) \
                             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(new_id(now_ms)).bind(token.as_str());
            let query = query.bind(&new.nickname).bind(nickname_key(&new.nickname)).bind(&new.name);
            let query = query.bind(email_key(&new.email)).bind(&new.password).bind(now_ms + REGISTRATION_MS);
            query.execute(pool).await?;
        });
        Ok(())
    }

    /// The registration with this token, if its time is not over.
    pub async fn registration(&self, token: &TokenHash, now_ms: i64) -> Result<Option<Registration>, StoreError> {
        const QUERY: &str = concat!("SELECT ", columns!(), " FROM registrations WHERE token = $1 AND expires_ms > $2");
        let token = token.as_str();
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(token).bind(now_ms).fetch_optional(pool).await)?)
    }

    /// The latest registration with this address, if its time is not over.
    pub async fn registration_by_email(&self, email: &str, now_ms: i64) -> Result<Option<Registration>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM registrations WHERE email = $1 AND expires_ms > $2 ORDER BY id DESC LIMIT 1"
        );
        let email = email_key(email);
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(email).bind(now_ms).fetch_optional(pool).await)?)
    }

    /// Those that an admin could confirm whose nickname or address holds this text, the latest first; of an address
    /// that has an account there are none.
    pub async fn registrations(&self, text: &str, at_most: u32, now_ms: i64) -> Result<Vec<Registration>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM registrations WHERE expires_ms > $1 AND email NOT IN (SELECT email FROM accounts) \
             AND (nickname_key LIKE $2 ESCAPE '!' OR email LIKE $2 ESCAPE '!') ORDER BY id DESC LIMIT $3"
        );
        let (text, at_most) = (pattern(&text.to_lowercase()), i64::from(at_most));
        let found = with_pool!(self, pool => {
            sqlx::query_as(QUERY).bind(now_ms).bind(text).bind(at_most).fetch_all(pool).await
        });
        Ok(found?)
    }

    /// Makes the account that was asked for, and forgets what else was asked for with its address. The account takes its
    /// place on the rosters of courses that have the address. `None` if there is
    /// no such registration any more; [`StoreError::Taken`] if the nickname or the address has an account by now.
    pub fn confirm(&self, registration: Id, now_ms: i64) -> StoreFuture<'_, Option<Id>> {
        Box::pin(async move {
            const TAKE: &str =
                concat!("DELETE FROM registrations WHERE id = $1 AND expires_ms > $2 RETURNING ", columns!());
            const FORGET: &str = "DELETE FROM registrations WHERE email = $1";
            const CLAIM: &str = "UPDATE course_members SET account_id = $1, state = 'member' \
                                 WHERE email = $2 AND account_id IS NULL AND state = 'pending'";
            let id = new_id(now_ms);
            transaction!(self, transaction => {
                let taken = sqlx::query_as(TAKE).bind(registration).bind(now_ms).fetch_optional(&mut *transaction);
                let Some(taken) = taken.await?.map(Registration::into_account) else { return Ok(None) };
                insert_account!(&mut *transaction, id, taken, now_ms);
                sqlx::query(CLAIM).bind(id).bind(&taken.email).execute(&mut *transaction).await?;
                sqlx::query(FORGET).bind(&taken.email).execute(&mut *transaction).await?;
                Ok(Some(id))
            })
        })
    }
}
