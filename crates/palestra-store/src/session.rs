//! Sessions: who is signed in.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::account::select_account;
use crate::db::{transaction, with_pool};
use crate::{Account, Id, Store, StoreError, TokenHash};

/// How long a session lasts.
pub const SESSION_MS: i64 = 30 * 24 * 3600 * 1000;

/// Opens a session with whatever can carry out a query: a pool, or a transaction.
macro_rules! insert_session {
    ($executor:expr, $token:expr, $account:expr, $now_ms:expr) => {{
        const QUERY: &str = "INSERT INTO sessions (token, account_id, created_ms, expires_ms) VALUES ($1, $2, $3, $4)";
        let query = sqlx::query(QUERY).bind($token.as_str()).bind($account).bind($now_ms);
        query.bind($now_ms + $crate::SESSION_MS).execute($executor).await?;
    }};
}
pub(crate) use insert_session;

/// Raises the session version when it is dropped: also after an error, since a transaction may have been committed
/// although the connection broke.
pub(crate) struct ChangingSessions<'a>(&'a AtomicU64);

impl Drop for ChangingSessions<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Store {
    /// Signs an account in.
    pub async fn open_session(&self, token: &TokenHash, account: Id, now_ms: i64) -> Result<(), StoreError> {
        let _writer = self.writer().await?;
        with_pool!(self, pool => insert_session!(pool, token, account, now_ms));
        Ok(())
    }

    /// Signs an account in whose password was found right, if it still is the password: a session that is opened while
    /// the password is changed must not outlive it.
    pub async fn sign_in(&self, token: &TokenHash, account: &Account, now_ms: i64) -> Result<bool, StoreError> {
        // Locks the row: a change of the password waits for this transaction, or this one for it.
        const LOCK: &str = "UPDATE accounts SET password = password WHERE id = $1 AND password = $2";
        transaction!(self, transaction => {
            let locked = sqlx::query(LOCK).bind(account.id).bind(&account.password).execute(&mut *transaction).await?;
            if locked.rows_affected() == 0 {
                return Ok(false);
            }
            insert_session!(&mut *transaction, token, account.id, now_ms);
            Ok(true)
        })
    }

    /// Whose session it is, if it is one.
    pub async fn session(&self, token: &TokenHash, now_ms: i64) -> Result<Option<Account>, StoreError> {
        const QUERY: &str =
            select_account!("WHERE id = (SELECT account_id FROM sessions WHERE token = $1 AND expires_ms > $2)");
        Ok(
            with_pool!(self, pool => sqlx::query_as(QUERY).bind(token.as_str()).bind(now_ms).fetch_optional(pool).await)?,
        )
    }

    /// Signs out.
    pub async fn close_session(&self, token: &TokenHash) -> Result<(), StoreError> {
        let _changing = self.change_sessions();
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            sqlx::query("DELETE FROM sessions WHERE token = $1").bind(token.as_str()).execute(pool).await?;
        });
        Ok(())
    }

    /// A number that grows when this store or a clone of it ends sessions or changes accounts. As long as it is the same as
    /// before a call of [`Store::session`], the answer of that call still holds, unless the session has expired or
    /// another process has ended it.
    #[must_use]
    pub fn session_version(&self) -> u64 {
        self.session_version.load(Ordering::SeqCst)
    }

    /// Held by a function that ends sessions or changes accounts, until it is done.
    pub(crate) fn change_sessions(&self) -> ChangingSessions<'_> {
        ChangingSessions(&self.session_version)
    }
}
