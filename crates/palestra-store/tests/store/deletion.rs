//! What is kept about somebody, and what is left when they go.

use palestra_store::{DELETED, KeptTable, Scope, Scopes, TableChange, Token};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

/// A finished game between this account and another.
fn game(ada: i64, bob: i64) -> String {
    format!(
        "INSERT INTO games (id, code, game, options, is_public, is_rated, points_1, points_2, winner, reason, \
         started_ms, ended_ms, record) VALUES (1, 'abc', 'mancala', '-', TRUE, FALSE, 25, 23, 1, 'finished', 5, 9, '4 1'); \
         INSERT INTO game_players (game_id, side, kind, account_id, name) VALUES (1, 1, 'account', {ada}, 'Ada'); \
         INSERT INTO game_players (game_id, side, kind, account_id, name) VALUES (1, 2, 'account', {bob}, 'Bob'); \
         INSERT INTO maps (id, address, name, body, visibility, account_id, created_ms) VALUES \
         (1, 'abc', 'plaza', '##', 'public', {ada}, 3), (2, 'def', 'secret', '##', 'private', {ada}, 4), \
         (3, 'ghi', 'shown', '##', 'link', {ada}, 5)"
    )
}

on_both! {
    async fn all_that_is_kept_can_be_taken_away(place: Place) {
        let store = place.open().await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        place.run(&game(ada, bob)).await;
        store.open_session(&Token::random().hash(), ada, NOW_MS).await.unwrap();
        let scopes: Scopes = [Scope::Read].into_iter().collect();
        store.create_api_token(&Token::random().hash(), ada, "my bot", &scopes, NOW_MS).await.unwrap();
        let held = store.export_account(ada).await.unwrap().unwrap();
        assert_eq!(held.account.email, "ada@example.org");
        assert_eq!((held.sessions.len(), held.api_tokens[0].label.as_str()), (1, "my bot"));
        let [game] = held.games.as_slice() else { panic!("{:?}", held.games) };
        assert_eq!((game.code.as_str(), game.side, game.winner, game.record.as_str()), ("abc", 1, Some(1), "4 1"));
        let maps: Vec<_> = held.maps.iter().map(|map| (map.name.as_str(), map.visibility.word())).collect();
        assert_eq!(maps, [("plaza", "public"), ("secret", "private"), ("shown", "link")]);
        assert_eq!((held.maps[0].address.as_str(), held.maps[0].body.as_str()), ("abc", "##"));
        let other = store.export_account(bob).await.unwrap().unwrap();
        assert_eq!((other.sessions.len(), other.api_tokens.len(), other.games[0].side, other.maps.len()), (0, 0, 2, 0));
        assert_eq!(store.export_account(7).await.unwrap(), None);
        store.close().await;
    }

    async fn games_stay_when_somebody_goes(place: Place) {
        let store = place.open().await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        place.run(&game(ada, bob)).await;
        let tokens = [(); 4].map(|()| Token::random().hash());
        let [session, api_token, link, registration] = &tokens;
        store.open_session(session, ada, NOW_MS).await.unwrap();
        store.create_api_token(api_token, ada, "my bot", &Scopes::default(), NOW_MS).await.unwrap();
        store.open_reset_link(link, ada, NOW_MS).await.unwrap();
        store.register(registration, &somebody("Ada"), NOW_MS).await.unwrap();
        assert!(store.delete_account(ada).await.unwrap());
        assert_eq!(store.account(ada).await.unwrap(), None);
        assert_eq!(store.session(session, NOW_MS).await.unwrap(), None);
        assert_eq!(store.use_api_token(api_token, NOW_MS).await.unwrap(), None);
        assert_eq!(store.reset_link(link, NOW_MS).await.unwrap(), None);
        assert_eq!(store.registration(registration, NOW_MS).await.unwrap(), None);
        assert_eq!(store.export_account(bob).await.unwrap().unwrap().games.len(), 1, "it is Bob's game too");
        // A column that must not be empty refuses what does not find its row.
        place.run(&format!(
            "INSERT INTO heartbeat (id, alive_ms) VALUES (1, (SELECT game_id FROM game_players \
             WHERE side = 1 AND name = '{DELETED}' AND account_id IS NULL)); \
             INSERT INTO heartbeat (id, alive_ms) VALUES (2, (SELECT game_id FROM game_players \
             WHERE side = 2 AND name = 'Bob' AND account_id = {bob})); \
             INSERT INTO heartbeat (id, alive_ms) VALUES (3, (SELECT id FROM maps WHERE account_id IS NULL))"
        )).await;
        assert_eq!(store.map("def").await.unwrap(), None, "what was nobody else's business is gone");
        assert_eq!(store.map("ghi").await.unwrap(), None, "a link ends with its owner's account");
        assert!(store.create_account(&somebody("Ada"), NOW_MS).await.is_ok(), "the nickname and the address are free");
        store.close().await;
    }

    async fn tables_set_aside_go_with_whom_they_mention(store: Store) {
        let underscored = store.create_account(&somebody("A_da"), NOW_MS).await.unwrap();
        let other = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let tables = [
            ("seat", format!("{{\"id\":{underscored},\"nickname\":\"of long ago\"}}"), "hello"),
            ("chat", "{\"name\":\"A_da\"}".to_owned(), "hello"),
            ("said", "???".to_owned(), "{\"name\":\"A_da\"}"),
            ("others", format!("{{\"id\":{other},\"nickname\":\"Axda\"}}"), "{\"name\":\"Bob\"}"),
            ("readable", "{\"name\":\"A_da\"}".to_owned(), "hello"),
        ];
        for (code, state, said) in tables {
            let table = KeptTable { code: code.to_owned(), state, clock_ms: 0, saved_ms: NOW_MS };
            let messages = [(1, said.to_owned())];
            let change = TableChange { table: &table, messages: &messages, forget_before: 0, game: None };
            store.save_table(change).await.unwrap();
            if code != "readable" {
                store.set_aside(code, "it makes no sense", NOW_MS).await.unwrap();
            }
        }
        assert!(store.delete_account(underscored).await.unwrap());
        let [left] = store.unreadable_tables(9).await.unwrap().try_into().unwrap();
        assert_eq!(left.code, "others");
        for code in ["seat", "chat", "said"] {
            assert_eq!(store.table_messages(code).await.unwrap(), [], "{code}");
        }
        assert_eq!(store.tables().await.unwrap().len(), 1, "the server anonymises what it can read");
    }
}
