//! Links that work once.

use palestra_store::{NewAccount, RESET_MS, Role, Scopes, Token};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn a_new_password_ends_sessions_and_links(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let tokens = [(); 5].map(|()| Token::random().hash());
        let [used, spare, bobs, session, bobs_session] = &tokens;
        for (token, account) in [(used, ada), (spare, ada), (bobs, bob)] {
            store.open_reset_link(token, account, NOW_MS).await.unwrap();
        }
        store.open_session(session, ada, NOW_MS).await.unwrap();
        store.open_session(bobs_session, bob, NOW_MS).await.unwrap();
        assert_eq!(store.reset_link(used, NOW_MS).await.unwrap().unwrap().id, ada);
        assert_eq!(store.reset_password(used, "new", NOW_MS).await.unwrap(), Some(ada));
        assert_eq!(store.account(ada).await.unwrap().unwrap().password, "new");
        for gone in [used, spare] {
            assert_eq!(store.reset_link(gone, NOW_MS).await.unwrap(), None);
            assert_eq!(store.reset_password(gone, "newer", NOW_MS).await.unwrap(), None);
        }
        assert_eq!(store.session(session, NOW_MS).await.unwrap(), None);
        assert!(store.session(bobs_session, NOW_MS).await.unwrap().is_some());
        assert!(store.reset_link(bobs, NOW_MS).await.unwrap().is_some());
        assert_eq!(store.account(bob).await.unwrap().unwrap().password, "hash");
    }

    async fn a_reset_password_revokes_api_tokens(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let tokens = [(); 3].map(|()| Token::random().hash());
        let [link, adas, bobs] = &tokens;
        for (token, account) in [(adas, ada), (bobs, bob)] {
            store.create_api_token(token, account, "bot", &Scopes::default(), NOW_MS).await.unwrap();
        }
        store.open_reset_link(link, ada, NOW_MS).await.unwrap();
        store.reset_password(link, "new", NOW_MS).await.unwrap();
        assert_eq!(store.use_api_token(adas, NOW_MS).await.unwrap(), None);
        assert!(store.use_api_token(bobs, NOW_MS).await.unwrap().is_some(), "another account's token");
    }

    async fn a_link_expires(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let token = Token::random().hash();
        store.open_reset_link(&token, ada, NOW_MS).await.unwrap();
        assert!(store.reset_link(&token, NOW_MS + RESET_MS - 1).await.unwrap().is_some());
        assert_eq!(store.reset_link(&token, NOW_MS + RESET_MS).await.unwrap(), None);
        assert_eq!(store.reset_password(&token, "new", NOW_MS + RESET_MS).await.unwrap(), None);
        assert_eq!(store.account(ada).await.unwrap().unwrap().password, "hash");
        store.purge(NOW_MS + RESET_MS).await.unwrap();
        assert_eq!(store.reset_link(&token, NOW_MS).await.unwrap(), None);
    }

    async fn the_first_admin_is_made_once(store: Store) {
        let (old, token) = (Token::random().hash(), Token::random().hash());
        store.open_setup_link(&old).await.unwrap();
        store.open_setup_link(&token).await.unwrap();
        assert!(!store.setup_link(&old).await.unwrap(), "the next start makes another");
        assert!(store.setup_link(&token).await.unwrap());
        assert!(!store.has_admin().await.unwrap());
        assert_eq!(store.reset_link(&token, NOW_MS).await.unwrap(), None, "it is for that alone");
        assert_eq!(store.reset_password(&token, "new", NOW_MS).await.unwrap(), None);
        let admin = NewAccount { role: Role::Admin, ..somebody("Ada") };
        assert_eq!(store.set_up(&old, &admin, NOW_MS).await.unwrap(), None);
        assert!(store.set_up(&token, &admin, NOW_MS).await.unwrap().is_some());
        assert!(store.has_admin().await.unwrap());
        let second = NewAccount { role: Role::Admin, ..somebody("Bob") };
        assert_eq!(store.set_up(&token, &second, NOW_MS).await.unwrap(), None);
    }

    async fn with_an_admin_there_is_nothing_to_set_up(store: Store) {
        let token = Token::random().hash();
        store.open_setup_link(&token).await.unwrap();
        store.create_account(&NewAccount { role: Role::Admin, ..somebody("Ada") }, NOW_MS).await.unwrap();
        assert!(!store.setup_link(&token).await.unwrap());
        let second = NewAccount { role: Role::Admin, ..somebody("Bob") };
        assert_eq!(store.set_up(&token, &second, NOW_MS).await.unwrap(), None);
    }
}
