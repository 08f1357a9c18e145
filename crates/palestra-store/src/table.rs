//! Live tables. Their state is opaque here: a text that the server writes and reads.

use std::collections::HashMap;

use crate::db::{new_id, transaction, with_pool};
use crate::game::insert_game;
use crate::row::row;
use crate::{NewGame, Store, StoreError, StoreFuture};

/// A table as it was last saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTable {
    /// Its address.
    pub code: String,
    /// Its state, as the server writes it.
    pub state: String,
    /// The time on its clock when it was saved.
    pub clock_ms: i64,
    /// When it was saved.
    pub saved_ms: i64,
}

row!(KeptTable { code, state, clock_ms, saved_ms });

/// A table whose state could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableTable {
    /// Its address.
    pub code: String,
    /// When it was set aside.
    pub set_aside_ms: i64,
    /// Why it cannot be read.
    pub reason: String,
}

row!(UnreadableTable { code, set_aside_ms, reason });

/// How long a table that was set aside is kept.
pub const SET_ASIDE_MS: i64 = 30 * 24 * 3600 * 1000;

/// A change to a table, saved in one transaction.
#[derive(Clone, Copy, Debug)]
pub struct TableChange<'a> {
    /// The table as it stands now.
    pub table: &'a KeptTable,
    /// The messages since the last change: numbers and texts.
    pub messages: &'a [(i64, String)],
    /// Messages before this number are deleted.
    pub forget_before: i64,
    /// A game that ended.
    pub game: Option<&'a NewGame>,
}

const SAVE: &str = "INSERT INTO tables (id, code, state, clock_ms, saved_ms, created_ms) VALUES ($1, $2, $3, $4, $5, $5) \
                    ON CONFLICT (code) DO UPDATE SET state = $3, clock_ms = $4, saved_ms = $5";
/// Replaces a message that was committed although the connection broke before the server learnt of it.
const SAY: &str = "INSERT INTO table_messages (table_code, seq, body) VALUES ($1, $2, $3) \
                   ON CONFLICT (table_code, seq) DO UPDATE SET body = $3";
const FORGET: &str = "DELETE FROM table_messages WHERE table_code = $1 AND seq < $2";

/// In a transaction: deletes the tables set aside whose state or messages contain the id or the nickname of an account. What
/// cannot be read cannot be anonymised, so that the whole table goes, also if the nickname is only part of a word there.
macro_rules! delete_unreadable_tables {
    ($transaction:ident, $account:expr, $nickname:expr) => {
        const QUERY: &str = "DELETE FROM tables WHERE unreadable IS NOT NULL AND (\
                             state LIKE $1 ESCAPE '!' OR state LIKE $2 ESCAPE '!' OR EXISTS (\
                             SELECT 1 FROM table_messages WHERE table_code = tables.code AND body LIKE $2 ESCAPE '!'))";
        let (id, nickname) = ($crate::roster::pattern(&$account.to_string()), $crate::roster::pattern($nickname));
        sqlx::query(QUERY).bind(id).bind(nickname).execute(&mut *$transaction).await?;
    };
}
pub(crate) use delete_unreadable_tables;

impl Store {
    /// Saves a table, its new messages, and the game that ended, if one did, in one transaction.
    pub fn save_table<'a>(&'a self, change: TableChange<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let TableChange { table, messages, forget_before, game } = change;
            transaction!(self, transaction => {
                let save = sqlx::query(SAVE).bind(new_id(table.saved_ms)).bind(&table.code).bind(&table.state);
                save.bind(table.clock_ms).bind(table.saved_ms).execute(&mut *transaction).await?;
                for (seq, body) in messages {
                    sqlx::query(SAY).bind(&table.code).bind(seq).bind(body).execute(&mut *transaction).await?;
                }
                if forget_before > 0 {
                    sqlx::query(FORGET).bind(&table.code).bind(forget_before).execute(&mut *transaction).await?;
                }
                if let Some(game) = game {
                    insert_game!(transaction, game);
                }
                Ok(())
            })
        })
    }

    /// All tables except unreadable ones.
    pub async fn tables(&self) -> Result<Vec<KeptTable>, StoreError> {
        const QUERY: &str = "SELECT code, state, clock_ms, saved_ms FROM tables WHERE unreadable IS NULL ORDER BY id";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).fetch_all(pool).await)?)
    }

    /// Marks a table as unreadable, with the reason. [`Store::tables`] leaves it out, and it stays in the database for
    /// [`SET_ASIDE_MS`], or until an account that it mentions is deleted.
    pub async fn set_aside(&self, code: &str, reason: &str, now_ms: i64) -> Result<(), StoreError> {
        // The time of the last save is replaced: a server may have been off for longer than tables are kept.
        const QUERY: &str = "UPDATE tables SET unreadable = $1, saved_ms = $2 WHERE code = $3";
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            sqlx::query(QUERY).bind(reason).bind(now_ms).bind(code).execute(pool).await?;
        });
        Ok(())
    }

    /// The tables that were set aside, the latest first: at most `limit`.
    pub async fn unreadable_tables(&self, limit: u32) -> Result<Vec<UnreadableTable>, StoreError> {
        const QUERY: &str = "SELECT code, saved_ms AS set_aside_ms, unreadable AS reason FROM tables \
                             WHERE unreadable IS NOT NULL ORDER BY id DESC LIMIT $1";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(i64::from(limit)).fetch_all(pool).await)?)
    }

    /// How many tables were set aside.
    pub async fn unreadable_count(&self) -> Result<i64, StoreError> {
        const QUERY: &str = "SELECT COUNT(*) FROM tables WHERE unreadable IS NOT NULL";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).fetch_one(pool).await)?)
    }

    /// The messages of all tables, by the table's code: numbers and texts, in order.
    pub async fn messages_by_table(&self) -> Result<HashMap<String, Vec<(i64, String)>>, StoreError> {
        const QUERY: &str = "SELECT table_code, seq, body FROM table_messages ORDER BY table_code, seq";
        let rows: Vec<(String, i64, String)> = with_pool!(self, pool => sqlx::query_as(QUERY).fetch_all(pool).await)?;
        let mut messages: HashMap<_, Vec<_>> = HashMap::new();
        for (code, seq, body) in rows {
            messages.entry(code).or_default().push((seq, body));
        }
        Ok(messages)
    }

    /// The messages of a table: numbers and texts, in order.
    pub async fn table_messages(&self, code: &str) -> Result<Vec<(i64, String)>, StoreError> {
        const QUERY: &str = "SELECT seq, body FROM table_messages WHERE table_code = $1 ORDER BY seq";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(code).fetch_all(pool).await)?)
    }

    /// Deletes a table; its games stay.
    pub async fn remove_table(&self, code: &str) -> Result<(), StoreError> {
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            sqlx::query("DELETE FROM tables WHERE code = $1").bind(code).execute(pool).await?;
        });
        Ok(())
    }
}
