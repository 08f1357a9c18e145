//! Games that are kept.

use palestra_store::{GameEnd, GameFilter, NewGame, Player, PlayerKind};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

/// A game that ended so many milliseconds from now.
pub(crate) fn game(code: &str, players: [Player; 2], after_ms: i64) -> NewGame {
    NewGame {
        code: code.to_owned(),
        game: "mancala".to_owned(),
        options: "-".to_owned(),
        table_code: Some("table".to_owned()),
        is_public: true,
        is_rated: false,
        points: [25, 23],
        winner: Some(1),
        reason: "finished".to_owned(),
        started_ms: NOW_MS,
        ended_ms: NOW_MS + after_ms,
        record: "Game: mancala\n".to_owned(),
        players,
    }
}

pub(crate) fn player(kind: PlayerKind, account: Option<i64>, name: &str) -> Player {
    Player { kind, account, name: name.to_owned() }
}

fn of_two(code: &str, after_ms: i64) -> NewGame {
    let players = [player(PlayerKind::Guest, None, "ana"), player(PlayerKind::BuiltIn, None, "ninja1")];
    game(code, players, after_ms)
}

on_both! {
    async fn a_game_is_kept_once(place: Place) {
        let store = place.open().await;
        let first = of_two("a", 1);
        assert!(store.add_game(&first).await.unwrap());
        let again = NewGame { winner: Some(2), ..first.clone() };
        assert!(!store.add_game(&again).await.unwrap());
        assert_eq!(store.game("a").await.unwrap(), Some(first));
        assert_eq!(store.game("b").await.unwrap(), None);
        assert_eq!(store.last_game_of("table").await.unwrap().as_deref(), Some("a"));
        assert_eq!(store.last_game_of("other").await.unwrap(), None);
        store.close().await;
    }

    async fn games_are_found_by_account_and_by_table(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let players = || [player(PlayerKind::Account, Some(ada), "Ada"), player(PlayerKind::BuiltIn, None, "ninja1")];
        let at = |table: &str, game: NewGame| NewGame { table_code: Some(table.to_owned()), is_public: false, ..game };
        store.add_game(&at("one", game("a", players(), 1))).await.unwrap();
        store.add_game(&at("two", of_two("b", 2))).await.unwrap();
        store.add_game(&at("three", of_two("c", 3))).await.unwrap();
        let found = async |account, tables: &[&str], limit| -> Vec<String> {
            let tables: Vec<String> = tables.iter().map(|table| (*table).to_owned()).collect();
            let games = store.games_of(account, &tables, limit).await.unwrap();
            games.into_iter().map(|game| game.code).collect()
        };
        assert_eq!(found(Some(ada), &[], 9).await, ["a"]);
        assert_eq!(found(None, &["two", "three", "none"], 9).await, ["c", "b"]);
        assert_eq!(found(Some(ada), &["one", "three"], 9).await, ["c", "a"]);
        assert_eq!(found(Some(ada), &["one", "three"], 1).await, ["c"]);
        assert!(found(None, &[], 9).await.is_empty());
    }

    async fn days_that_never_come_have_no_games(store: Store) {
        store.add_game(&of_two("a", 1)).await.unwrap();
        let count = async |filter| store.games(&filter, 10).await.unwrap().len();
        for far in [8_000_000_000_000, i64::MAX] {
            assert_eq!(count(GameFilter { from_ms: Some(far), ..GameFilter::default() }).await, 0);
            assert_eq!(count(GameFilter { to_ms: Some(far), ..GameFilter::default() }).await, 1);
            assert_eq!(count(GameFilter { to_ms: Some(-far), ..GameFilter::default() }).await, 0);
        }
    }

    async fn players_have_the_names_of_today_and_none_when_they_are_gone(place: Place) {
        let store = place.open().await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let players = [player(PlayerKind::Account, Some(ada), "Ada"), player(PlayerKind::Program, None, "bot")];
        store.add_game(&game("a", players, 1)).await.unwrap();
        store.rename(ada, "Ada's name", "Countess").await.unwrap();
        let names = async || store.game("a").await.unwrap().unwrap().players.map(|player| player.name);
        assert_eq!(names().await, ["Countess", "bot"]);
        store.delete_account(ada).await.unwrap();
        assert_eq!(names().await, ["deleted", "bot"]);
        // The account may go while the game goes on.
        let players = [player(PlayerKind::Account, Some(ada), "Ada"), player(PlayerKind::Program, None, "bot")];
        store.add_game(&game("b", players, 2)).await.unwrap();
        assert_eq!(store.game("b").await.unwrap().unwrap().players[0].name, "deleted");
        store.close().await;
    }

    async fn lists_are_filtered_and_cut_into_pages(place: Place) {
        let store = place.open().await;
        for (code, after_ms) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
            store.add_game(&of_two(code, after_ms)).await.unwrap();
        }
        store.add_game(&NewGame { is_public: false, ..of_two("private", 5) }).await.unwrap();
        let drawn = NewGame { winner: None, reason: "agreed".to_owned(), game: "parchis".to_owned(), ..of_two("e", 6) };
        store.add_game(&drawn).await.unwrap();
        let codes = async |filter: GameFilter, limit| {
            let games = store.games(&filter, limit).await.unwrap();
            games.into_iter().map(|game| game.code).collect::<String>()
        };
        let all = GameFilter::default();
        assert_eq!(codes(all.clone(), 10).await, "edcba");
        assert_eq!(codes(all.clone(), 2).await, "ed");
        assert_eq!(codes(GameFilter { before: Some("d".to_owned()), ..all.clone() }, 2).await, "cb");
        assert_eq!(codes(GameFilter { game: Some("parchis".to_owned()), ..all.clone() }, 9).await, "e");
        assert_eq!(codes(GameFilter { result: Some(GameEnd::Draw), ..all.clone() }, 9).await, "e");
        assert_eq!(codes(GameFilter { result: Some(GameEnd::First), ..all.clone() }, 9).await, "dcba");
        assert_eq!(codes(GameFilter { reason: Some("agreed".to_owned()), ..all.clone() }, 9).await, "e");
        let span = GameFilter { from_ms: Some(NOW_MS + 2), to_ms: Some(NOW_MS + 4), ..all.clone() };
        assert_eq!(codes(span, 9).await, "cb");
        assert_eq!(codes(GameFilter { player: Some("ana".to_owned()), ..all.clone() }, 9).await, "edcba");
        assert_eq!(codes(GameFilter { player: Some("' OR 1=1 --".to_owned()), ..all }, 9).await, "");
        store.close().await;
    }
}
