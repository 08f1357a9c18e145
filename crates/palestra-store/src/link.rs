//! Links that work once: to choose a new password, and to make the first admin.

use crate::account::{insert_account, select_account};
use crate::change::{replace_password, revoke_api_tokens};
use crate::db::{new_id, transaction, with_pool};
use crate::{Account, Id, NewAccount, Store, StoreError, TokenHash};

/// How long the link to choose a new password works.
pub const RESET_MS: i64 = 3600 * 1000;

const INSERT: &str = "INSERT INTO links (token, purpose, account_id, expires_ms) VALUES ($1, $2, $3, $4)";
const RESET: &str = "reset";
const SETUP: &str = "setup";

impl Store {
    /// Opens the link with which this account can choose a new password.
    pub async fn open_reset_link(&self, token: &TokenHash, account: Id, now_ms: i64) -> Result<(), StoreError> {
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(INSERT).bind(token.as_str()).bind(RESET).bind(account).bind(now_ms + RESET_MS);
            query.execute(pool).await?;
        });
        Ok(())
    }

    /// Whose link it is, if it still works.
    pub async fn reset_link(&self, token: &TokenHash, now_ms: i64) -> Result<Option<Account>, StoreError> {
        const QUERY: &str = select_account!(
            "WHERE id = (SELECT account_id FROM links WHERE token = $1 AND purpose = $2 AND expires_ms > $3)"
        );
        let token = token.as_str();
        let found = with_pool!(self, pool => {
            sqlx::query_as(QUERY).bind(token).bind(RESET).bind(now_ms).fetch_optional(pool).await
        });
        Ok(found?)
    }

    /// Gives the account of this link a new password, ends its sessions and links, and revokes its API tokens: the
    /// account may have been in the hands of an attacker. `None` if the link works no more.
    pub async fn reset_password(
        &self,
        token: &TokenHash,
        password: &str,
        now_ms: i64,
    ) -> Result<Option<Id>, StoreError> {
        const TAKE: &str =
            "DELETE FROM links WHERE token = $1 AND purpose = $2 AND expires_ms > $3 RETURNING account_id";
        let _changing = self.change_sessions();
        transaction!(self, transaction => {
            let query = sqlx::query_scalar(TAKE).bind(token.as_str()).bind(RESET).bind(now_ms);
            let Some(account): Option<Id> = query.fetch_optional(&mut *transaction).await? else { return Ok(None) };
            replace_password!(transaction, account, password);
            revoke_api_tokens!(transaction, account);
            Ok(Some(account))
        })
    }

    /// Opens the link that makes the first admin, in place of an earlier one.
    pub async fn open_setup_link(&self, token: &TokenHash) -> Result<(), StoreError> {
        transaction!(self, transaction => {
            sqlx::query("DELETE FROM links WHERE purpose = $1").bind(SETUP).execute(&mut *transaction).await?;
            let query = sqlx::query(INSERT).bind(token.as_str()).bind(SETUP).bind(None::<Id>).bind(i64::MAX);
            query.execute(&mut *transaction).await?;
            Ok(())
        })
    }

    /// Whether this link makes the first admin.
    pub async fn setup_link(&self, token: &TokenHash) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT COUNT(*) FROM links WHERE token = $1 AND purpose = $2 \
                             AND NOT EXISTS (SELECT 1 FROM accounts WHERE role = 'admin')";
        let query = with_pool!(self, pool => {
            sqlx::query_scalar(QUERY).bind(token.as_str()).bind(SETUP).fetch_one(pool).await
        });
        let count: i64 = query?;
        Ok(count == 1)
    }

    /// Makes the first admin by this link. `None` if it works no more, or there is an admin already.
    pub async fn set_up(&self, token: &TokenHash, new: &NewAccount, now_ms: i64) -> Result<Option<Id>, StoreError> {
        const TAKE: &str = "DELETE FROM links WHERE token = $1 AND purpose = $2 \
                            AND NOT EXISTS (SELECT 1 FROM accounts WHERE role = 'admin')";
        let id = new_id(now_ms);
        transaction!(self, transaction => {
            let taken = sqlx::query(TAKE).bind(token.as_str()).bind(SETUP).execute(&mut *transaction).await?;
            if taken.rows_affected() == 0 {
                return Ok(None);
            }
            insert_account!(&mut *transaction, id, new, now_ms);
            Ok(Some(id))
        })
    }
}
