//! A database is brought up to date.

use palestra_store::{OpenOptions, Store, StoreError};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn what_is_there_stays_when_a_database_is_opened_again(place: Place) {
        let store = place.open().await;
        store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        store.close().await;
        let store = place.open().await;
        assert!(store.account_by_nickname("Ada").await.unwrap().is_some());
        store.close().await;
    }

    async fn servers_that_start_at_once_share_a_new_database(place: Place) {
        let starts = [(); 4].map(|()| {
            let address = place.address();
            tokio::spawn(async move { Store::open(&address).await })
        });
        for (number, start) in starts.into_iter().enumerate() {
            let store = start.await.unwrap().unwrap_or_else(|error| panic!("server {number}: {error}"));
            store.create_account(&somebody(&format!("nick{number}")), NOW_MS + number as i64).await.unwrap();
            store.close().await;
        }
    }

    async fn a_newer_database_is_left_alone(place: Place) {
        place.open().await.close().await;
        place.run("INSERT INTO schema_version (version) VALUES (1000)").await;
        for must_exist in [false, true] {
            let refused = Store::open_with(&place.address(), &OpenOptions { must_exist, ..OpenOptions::default() }).await;
            assert!(matches!(refused, Err(StoreError::Newer { found: 1000, .. })), "{refused:?}");
        }
    }

    async fn a_step_that_fails_leaves_nothing(place: Place) {
        // A table of the same name stands in the way of one of the last.
        place.run("CREATE TABLE games (id BIGINT)").await;
        assert!(Store::open(&place.address()).await.is_err());
        // Had the tables before it stayed, this could not be done.
        place.run("CREATE TABLE accounts (id BIGINT)").await;
        place.run("DROP TABLE accounts").await;
        place.run("DROP TABLE games").await;
        let store = place.open().await;
        store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        store.close().await;
    }

    async fn a_database_that_must_be_there_is_not_made(place: Place) {
        let there = OpenOptions { must_exist: true, ..OpenOptions::default() };
        assert!(Store::open_with(&place.address(), &there).await.is_err());
        place.run("CREATE TABLE schema_version (version BIGINT PRIMARY KEY)").await;
        let refused = Store::open_with(&place.address(), &there).await;
        assert!(matches!(refused, Err(StoreError::Older { found: 0, .. })), "{refused:?}");
        place.open().await.close().await;
        place.open_with(there).await.close().await;
    }
}

#[tokio::test]
async fn an_address_of_no_kind_is_refused_and_not_shown() {
    let refused = Store::open("mysql://me:secret@host/name").await.unwrap_err();
    assert!(matches!(refused, StoreError::Address));
    assert!(!refused.to_string().contains("secret"));
}

#[tokio::test]
#[cfg(unix)]
async fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    Store::open_file(&path).await.unwrap().close().await;
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    let store = Store::open_file(&path).await.unwrap();
    store.beat(NOW_MS).await.unwrap();
    let modes = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().metadata().unwrap().permissions().mode() & 0o777);
    let modes: Vec<u32> = modes.collect();
    assert_eq!(modes, [0o600; 3], "the database, and what SQLite keeps beside it");
    store.close().await;
}
