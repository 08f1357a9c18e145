//! Reopens the tables of a server that was stopped, or that crashed.

use std::collections::HashSet;
use std::time::Duration;

use palestra_store::{Id, KeptTable, StoreError};
use tokio::sync::mpsc;

use super::driver::Driver;
use super::layout::TableLayout;
use super::table::{Now, Table};
use super::{Handle, MAX_QUEUED_INPUTS, Tables};
use crate::app::{App, now_ms};
use crate::metrics::UNREADABLE_TABLES;

/// A table as it was saved.
struct Restored {
    kept: KeptTable,
    table: Table,
}

impl Tables {
    /// Reopens all tables that the store has. The number of queries does not depend on the number of tables.
    pub(crate) async fn reopen(&self, app: &App) -> Result<(), StoreError> {
        let alive_ms = app.store.last_beat().await?;
        let mut restored = restore(app).await?;
        find_invited(app, &mut restored).await?;
        let seated: Vec<Id> =
            restored.iter().flat_map(|Restored { table, .. }| table.accounts()).map(|(id, _)| id).collect();
        let accounts = app.store.existing_accounts(&seated).await?;
        let mut messages = app.store.messages_by_table().await?;
        for Restored { kept, table } in restored {
            let messages = messages.remove(&kept.code).unwrap_or_default();
            let clock = resumed_clock(&kept, alive_ms);
            self.resume(app, kept, forget_deleted(table, &accounts, clock), clock, messages);
        }
        Ok(())
    }

    /// Starts the driver of a table, from this time on its clock.
    fn resume(&self, app: &App, kept: KeptTable, table: Table, clock: Duration, messages: Vec<(i64, String)>) {
        let (code, owner) = (kept.code.clone(), app.limits.earlier_owner(&table.setup().creator));
        let address = owner.person;
        let layout = TableLayout::of(table.setup());
        let channel = mpsc::channel(MAX_QUEUED_INPUTS);
        let to = channel.0.clone();
        let (driver, summary) = Driver::new(app.clone(), owner, table, kept, clock, channel);
        self.add(&code, Handle { to, summary, address, layout });
        tokio::spawn(driver.with_log(messages).run());
    }
}

/// Reads all tables. One that cannot be read is set aside: it stays in the store for a month for an admin, and is not tried
/// again.
async fn restore(app: &App) -> Result<Vec<Restored>, StoreError> {
    let mut restored = vec![];
    for kept in app.store.tables().await? {
        match Table::restore(&kept.code, &kept.state, saved_clock(&kept)) {
            Ok(table) => restored.push(Restored { kept, table }),
            Err(reason) => {
                tracing::error!(table = kept.code, reason, "a saved table cannot be read and is set aside");
                app.store.set_aside(&kept.code, &reason, now_ms()).await?;
            }
        }
    }
    let unreadable = count_unreadable(app).await?;
    if unreadable > 0 {
        tracing::warn!(unreadable, "some saved tables are set aside: /admin/accounts lists them");
    }
    Ok(restored)
}

/// Counts the tables that are set aside, for the metrics too.
pub(crate) async fn count_unreadable(app: &App) -> Result<i64, StoreError> {
    let unreadable = app.store.unreadable_count().await?;
    ::metrics::gauge!(UNREADABLE_TABLES).set(unreadable as f64);
    Ok(unreadable)
}

/// The time on the table's clock when it was saved.
fn saved_clock(kept: &KeptTable) -> Duration {
    Duration::from_millis(kept.clock_ms.unsigned_abs())
}

/// The time on the table's clock from which it goes on: clocks ran until the last heartbeat of the server.
fn resumed_clock(kept: &KeptTable, alive_ms: Option<i64>) -> Duration {
    let up_ms = alive_ms.map_or(0, |alive_ms| alive_ms.saturating_sub(kept.saved_ms).max(0));
    saved_clock(kept) + Duration::from_millis(up_ms.unsigned_abs())
}

/// Removes the names of players whose accounts were deleted while the table was closed.
fn forget_deleted(mut table: Table, accounts: &HashSet<Id>, clock: Duration) -> Table {
    let now = Now { clock, unix_ms: now_ms() };
    table.reopen(now);
    for (account, nickname) in table.accounts() {
        if !accounts.contains(&account) {
            table.forget(account, &nickname, now);
        }
    }
    table
}

/// Looks up the accounts of seats that an earlier version reserved by nickname.
async fn find_invited(app: &App, restored: &mut [Restored]) -> Result<(), StoreError> {
    let invited = restored.iter_mut().flat_map(|Restored { table, .. }| table.invited_mut());
    let by_nickname = invited.filter(|invited| invited.account.is_none()).map(|invited| invited.nickname.clone());
    let nicknames: Vec<String> = by_nickname.collect();
    if nicknames.is_empty() {
        return Ok(());
    }
    let nicknames: Vec<&str> = nicknames.iter().map(String::as_str).collect();
    let ids = app.store.account_ids(&nicknames).await?;
    for Restored { kept, table } in restored {
        let mut is_changed = false;
        for invited in table.invited_mut().filter(|invited| invited.account.is_none()) {
            invited.account = ids.get(&invited.nickname).copied();
            is_changed = true;
        }
        if is_changed {
            kept.state = table.save(saved_clock(kept));
        }
    }
    Ok(())
}
