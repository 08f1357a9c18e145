//! Live tables.

use palestra_store::{KeptTable, PlayerKind, SET_ASIDE_MS, TableChange, UnreadableTable};

use crate::NOW_MS;
use crate::game::{game, player};
use crate::place::on_both;

fn table(code: &str, state: &str, clock_ms: i64) -> KeptTable {
    KeptTable { code: code.to_owned(), state: state.to_owned(), clock_ms, saved_ms: NOW_MS + clock_ms }
}

fn messages(of: std::ops::Range<i64>) -> Vec<(i64, String)> {
    of.map(|seq| (seq, format!("message {seq}"))).collect()
}

on_both! {
    async fn a_table_is_kept_with_what_was_said(place: Place) {
        let store = place.open().await;
        let (first, second) = (table("a", "one", 5), table("a", "two", 9));
        let said = messages(1..4);
        store.save_table(TableChange { table: &first, messages: &said, forget_before: 0, game: None }).await.unwrap();
        assert_eq!(store.tables().await.unwrap(), [first]);
        let said = messages(4..6);
        store.save_table(TableChange { table: &second, messages: &said, forget_before: 3, game: None }).await.unwrap();
        assert_eq!(store.tables().await.unwrap(), [second]);
        assert_eq!(store.table_messages("a").await.unwrap(), messages(3..6));
        store.remove_table("a").await.unwrap();
        assert_eq!(store.tables().await.unwrap(), []);
        assert_eq!(store.table_messages("a").await.unwrap(), []);
        store.close().await;
    }

    async fn the_messages_of_all_tables_are_read_at_once(place: Place) {
        let store = place.open().await;
        assert!(store.messages_by_table().await.unwrap().is_empty());
        for (code, said) in [("b", messages(1..12)), ("a", messages(9..11)), ("silent", vec![])] {
            let table = table(code, "one", 5);
            store.save_table(TableChange { table: &table, messages: &said, forget_before: 0, game: None }).await.unwrap();
        }
        let read = store.messages_by_table().await.unwrap();
        let mut codes: Vec<&str> = read.keys().map(String::as_str).collect();
        codes.sort_unstable();
        assert_eq!(codes, ["a", "b"]);
        for code in codes {
            assert_eq!(read[code], store.table_messages(code).await.unwrap(), "{code}");
        }
        store.close().await;
    }

    async fn a_table_that_is_set_aside_stays_in_the_database(place: Place) {
        let store = place.open().await;
        let (good, bad) = (table("good", "one", 5), table("bad", "???", 7));
        for table in [&good, &bad] {
            let change = TableChange { table, messages: &messages(1..3), forget_before: 0, game: None };
            store.save_table(change).await.unwrap();
        }
        store.set_aside("bad", "it makes no sense", NOW_MS + 9).await.unwrap();
        store.close().await;
        let store = place.open().await;
        assert_eq!(store.tables().await.unwrap(), [good]);
        let reason = "it makes no sense".to_owned();
        let set_aside = UnreadableTable { code: "bad".to_owned(), set_aside_ms: NOW_MS + 9, reason };
        assert_eq!(store.unreadable_tables(9).await.unwrap(), [set_aside]);
        assert_eq!(store.unreadable_count().await.unwrap(), 1);
        assert_eq!(store.table_messages("bad").await.unwrap(), messages(1..3));
        store.close().await;
    }

    async fn a_table_that_is_set_aside_expires(place: Place) {
        let store = place.open().await;
        let (good, bad) = (table("good", "one", 5), table("bad", "???", 7));
        for table in [&good, &bad] {
            let change = TableChange { table, messages: &messages(1..3), forget_before: 0, game: None };
            store.save_table(change).await.unwrap();
        }
        // The server was off for longer than tables are kept.
        let set_aside_ms = NOW_MS + 2 * SET_ASIDE_MS;
        store.set_aside("bad", "it makes no sense", set_aside_ms).await.unwrap();
        for (age_ms, left) in [(SET_ASIDE_MS - 1, 1), (SET_ASIDE_MS, 0)] {
            store.purge(set_aside_ms + age_ms).await.unwrap();
            assert_eq!(store.unreadable_count().await.unwrap(), left, "after {age_ms} ms");
        }
        assert_eq!(store.table_messages("bad").await.unwrap(), []);
        assert_eq!(store.tables().await.unwrap(), [good], "one that can be read stays");
        store.close().await;
    }

    async fn a_change_is_kept_wholly_or_not_at_all(place: Place) {
        let store = place.open().await;
        let (first, second) = (table("a", "one", 5), table("a", "two", 9));
        let said = messages(1..3);
        store.save_table(TableChange { table: &first, messages: &said, forget_before: 0, game: None }).await.unwrap();
        let players = [player(PlayerKind::Guest, None, "ana"), player(PlayerKind::Guest, None, "ben")];
        let ended = game("a-1", players, 9);
        // What is written last cannot be.
        place.run("ALTER TABLE game_players RENAME TO hidden").await;
        let said = messages(3..4);
        let change = TableChange { table: &second, messages: &said, forget_before: 0, game: Some(&ended) };
        assert!(store.save_table(change).await.is_err());
        place.run("ALTER TABLE hidden RENAME TO game_players").await;
        assert_eq!(store.tables().await.unwrap(), [first]);
        assert_eq!(store.table_messages("a").await.unwrap(), messages(1..3));
        assert_eq!(store.game("a-1").await.unwrap(), None);
        store.save_table(change).await.unwrap();
        assert_eq!(store.game("a-1").await.unwrap(), Some(ended));
        store.close().await;
    }

    async fn what_was_kept_without_anybody_learning_it_is_replaced(place: Place) {
        let store = place.open().await;
        let (first, second) = (table("a", "one", 5), table("a", "two", 9));
        let lost = [(1, "nobody heard this".to_owned())];
        store.save_table(TableChange { table: &first, messages: &lost, forget_before: 0, game: None }).await.unwrap();
        let said = messages(1..3);
        store.save_table(TableChange { table: &second, messages: &said, forget_before: 0, game: None }).await.unwrap();
        assert_eq!(store.table_messages("a").await.unwrap(), said);
        store.close().await;
    }
}
