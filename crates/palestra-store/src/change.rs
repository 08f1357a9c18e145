//! What changes about an account.

use crate::account::nickname_key;
use crate::bot::withdraw_bots;
use crate::db::{transaction, with_pool};
use crate::member::withdraw_account;
use crate::table::{SET_ASIDE_MS, delete_unreadable_tables};
use crate::{Id, Role, Store, StoreError, StoreFuture, TokenHash};

/// In a transaction: sets a new password and deletes the sessions and links of the account.
macro_rules! replace_password {
    ($transaction:ident, $account:expr, $password:expr) => {
        let query = sqlx::query("UPDATE accounts SET password = $1 WHERE id = $2").bind($password).bind($account);
        query.execute(&mut *$transaction).await?;
        sqlx::query("DELETE FROM sessions WHERE account_id = $1").bind($account).execute(&mut *$transaction).await?;
        sqlx::query("DELETE FROM links WHERE account_id = $1").bind($account).execute(&mut *$transaction).await?;
    };
}
pub(crate) use replace_password;

/// In a transaction: revokes all API tokens of an account.
macro_rules! revoke_api_tokens {
    ($transaction:ident, $account:expr) => {
        sqlx::query("DELETE FROM api_tokens WHERE account_id = $1").bind($account).execute(&mut *$transaction).await?;
    };
}
pub(crate) use revoke_api_tokens;

/// The effect of a password change on the account's API tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiTokens {
    /// Existing sessions stay valid.
    Keep,
    /// All of them are revoked.
    Revoke,
}

/// In a transaction: locks the rows of all admins until it ends, and returns their ids.
macro_rules! lock_admins {
    ($transaction:ident) => {{
        const QUERY: &str = "UPDATE accounts SET role = role WHERE role = 'admin' RETURNING id";
        let admins: Vec<$crate::Id> = sqlx::query_scalar(QUERY).fetch_all(&mut *$transaction).await?;
        admins
    }};
}

impl Store {
    /// Gives an account another name and nickname. [`StoreError::Taken`] if another account has the nickname.
    pub async fn rename(&self, account: Id, name: &str, nickname: &str) -> Result<(), StoreError> {
        const QUERY: &str = "UPDATE accounts SET name = $1, nickname = $2, nickname_key = $3 WHERE id = $4";
        let _changing = self.change_sessions();
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(name).bind(nickname).bind(nickname_key(nickname)).bind(account);
            query.execute(pool).await?;
        });
        Ok(())
    }

    /// Gives an account a new password, and ends its sessions and links, all but the one session that is opened with
    /// it. Whether its API tokens end too is the owner's choice.
    pub async fn change_password(
        &self,
        account: Id,
        password: &str,
        api_tokens: ApiTokens,
        session: &TokenHash,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let _changing = self.change_sessions();
        transaction!(self, transaction => {
            replace_password!(transaction, account, password);
            if api_tokens == ApiTokens::Revoke {
                revoke_api_tokens!(transaction, account);
            }
            crate::session::insert_session!(&mut *transaction, session, account, now_ms);
            Ok(())
        })
    }

    /// Gives an account another role. `false` if it is the last admin, who stays, or nobody.
    pub async fn change_role(&self, account: Id, role: Role) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE accounts SET role = $1 WHERE id = $2";
        let _changing = self.change_sessions();
        transaction!(self, transaction => {
            if role != Role::Admin && lock_admins!(transaction) == [account] {
                return Ok(false);
            }
            let changed = sqlx::query(QUERY).bind(role.word()).bind(account).execute(&mut *transaction).await?;
            Ok(changed.rows_affected() == 1)
        })
    }

    /// Whether there is an admin.
    pub async fn has_admin(&self) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT COUNT(*) FROM accounts WHERE role = 'admin'";
        let count: i64 = with_pool!(self, pool => sqlx::query_scalar(QUERY).fetch_one(pool).await)?;
        Ok(count > 0)
    }

    /// Deletes an account, all that is only theirs, and the tables set aside that mention it. Their games stay, under
    /// [`DELETED`], their public maps, without a name, and the results of their bots and teams, under a number. `false` if
    /// it is the last admin, who stays.
    pub fn delete_account(&self, account: Id) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            const LEAVE: &str = "UPDATE game_players SET name = $1, account_id = NULL WHERE account_id = $2";
            const FORGET: &str = "DELETE FROM registrations WHERE email = (SELECT email FROM accounts WHERE id = $1)";
            const MAPS: &str = "DELETE FROM maps WHERE account_id = $1 AND visibility <> 'public'";
            const DELETE: &str = "DELETE FROM accounts WHERE id = $1 RETURNING nickname";
            let _changing = self.change_sessions();
            transaction!(self, transaction => {
                if lock_admins!(transaction) == [account] {
                    return Ok(false);
                }
                sqlx::query(LEAVE).bind(DELETED).bind(account).execute(&mut *transaction).await?;
                sqlx::query(FORGET).bind(account).execute(&mut *transaction).await?;
                sqlx::query(MAPS).bind(account).execute(&mut *transaction).await?;
                // First the bots: those of a pair go to the partner.
                withdraw_bots!(transaction, account);
                withdraw_account!(transaction, account);
                let nickname = sqlx::query_scalar(DELETE).bind(account).fetch_optional(&mut *transaction);
                let nickname: Option<String> = nickname.await?;
                if let Some(nickname) = nickname {
                    delete_unreadable_tables!(transaction, account, &nickname);
                }
                Ok(true)
            })
        })
    }

    /// Deletes expired registrations, links and sessions, and tables that were set aside [`SET_ASIDE_MS`] ago.
    pub async fn purge(&self, now_ms: i64) -> Result<(), StoreError> {
        let expired = [
            ("DELETE FROM registrations WHERE expires_ms <= $1", now_ms),
            ("DELETE FROM links WHERE expires_ms <= $1", now_ms),
            ("DELETE FROM sessions WHERE expires_ms <= $1", now_ms),
            ("DELETE FROM tables WHERE unreadable IS NOT NULL AND saved_ms <= $1", now_ms - SET_ASIDE_MS),
        ];
        let _writer = self.writer().await?;
        for (query, until_ms) in expired {
            with_pool!(self, pool => sqlx::query(query).bind(until_ms).execute(pool).await.map(drop))?;
        }
        Ok(())
    }
}

/// The name of the player in the games of a deleted account.
pub const DELETED: &str = "deleted";
