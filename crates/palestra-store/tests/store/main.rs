//! The store, on SQLite and on PostgreSQL: whatever is asserted holds for both.

mod account;
mod api_token;
mod assignment;
mod backup;
mod bot;
mod change;
mod copies;
mod course;
mod deletion;
mod fault;
mod game;
mod heartbeat;
mod job;
mod league;
mod link;
mod mail_choice;
mod map;
mod member;
mod migration;
mod notice;
mod place;
mod registration;
mod roster;
mod run;
mod session;
mod table;
mod upgrade;

use palestra_store::{Account, NewAccount, Role, Store};

/// A moment.
const NOW_MS: i64 = 1_800_000_000_000;

/// Somebody who has no account yet.
fn somebody(nickname: &str) -> NewAccount {
    NewAccount {
        nickname: nickname.to_owned(),
        name: format!("{nickname}'s name"),
        email: format!("{nickname}@example.org"),
        password: "hash".to_owned(),
        role: Role::Student,
    }
}

/// A new account of a teacher.
async fn teacher(store: &Store, nickname: &str) -> Account {
    let new = NewAccount { role: Role::Teacher, ..somebody(nickname) };
    let id = store.create_account(&new, NOW_MS).await.unwrap();
    store.account(id).await.unwrap().unwrap()
}

/// A new account.
async fn account(store: &Store, nickname: &str) -> Account {
    let id = store.create_account(&somebody(nickname), NOW_MS).await.unwrap();
    store.account(id).await.unwrap().unwrap()
}
