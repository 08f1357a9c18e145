//! Sessions.

use palestra_store::{ApiTokens, NewAccount, Role, SESSION_MS, Store, Token};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

/// Clones of a store share the version.
fn expect_new_version(store: &Store, seen: &mut u64, change: &str) {
    let version = store.clone().session_version();
    assert!(version > *seen, "{change}: {version}, was {seen}");
    *seen = version;
}

on_both! {
    async fn the_session_version_changes_with_every_end_of_a_session(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let admin = NewAccount { role: Role::Admin, ..somebody("Bob") };
        store.create_account(&admin, NOW_MS + 1).await.unwrap();
        let (session, link) = (Token::random().hash(), Token::random().hash());
        store.open_session(&session, ada, NOW_MS).await.unwrap();
        store.open_reset_link(&link, ada, NOW_MS).await.unwrap();
        let mut seen = store.session_version();
        store.rename(ada, "Ada", "ada").await.unwrap();
        expect_new_version(&store, &mut seen, "rename");
        store.change_role(ada, Role::Teacher).await.unwrap();
        expect_new_version(&store, &mut seen, "role");
        store.close_session(&session).await.unwrap();
        expect_new_version(&store, &mut seen, "sign out");
        store.reset_password(&link, "new", NOW_MS).await.unwrap();
        expect_new_version(&store, &mut seen, "reset");
        store.change_password(ada, "newer", ApiTokens::Keep, &session, NOW_MS).await.unwrap();
        expect_new_version(&store, &mut seen, "password");
        store.delete_account(ada).await.unwrap();
        expect_new_version(&store, &mut seen, "deletion");
        assert_eq!(store.session(&session, NOW_MS).await.unwrap(), None);
        assert_eq!(store.session_version(), seen, "a lookup changes nothing");
    }

    async fn a_session_is_its_owners_until_it_ends(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let (first, second) = (Token::random().hash(), Token::random().hash());
        store.open_session(&first, ada, NOW_MS).await.unwrap();
        store.open_session(&second, bob, NOW_MS).await.unwrap();
        let whose = async |token, now_ms| store.session(token, now_ms).await.unwrap().map(|account| account.id);
        assert_eq!(whose(&first, NOW_MS).await, Some(ada));
        assert_eq!(whose(&second, NOW_MS + SESSION_MS - 1).await, Some(bob));
        assert_eq!(whose(&second, NOW_MS + SESSION_MS).await, None);
        store.close_session(&first).await.unwrap();
        store.close_session(&first).await.unwrap();
        assert_eq!(whose(&first, NOW_MS).await, None);
        assert_eq!(whose(&second, NOW_MS).await, Some(bob));
        assert_eq!(whose(&Token::random().hash(), NOW_MS).await, None);
    }

    async fn a_password_that_was_right_must_still_be_it(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let (before, session) = (store.account(ada).await.unwrap().unwrap(), Token::random().hash());
        assert!(store.sign_in(&Token::random().hash(), &before, NOW_MS).await.unwrap());
        store.change_password(ada, "new hash", ApiTokens::Keep, &session, NOW_MS).await.unwrap();
        let late = Token::random().hash();
        assert!(!store.sign_in(&late, &before, NOW_MS).await.unwrap());
        assert_eq!(store.session(&late, NOW_MS).await.unwrap(), None);
        let after = store.account(ada).await.unwrap().unwrap();
        assert!(store.sign_in(&late, &after, NOW_MS).await.unwrap());
        assert_eq!(store.session(&late, NOW_MS).await.unwrap(), Some(after));
    }

    async fn nobody_is_signed_in_without_an_account(store: Store) {
        assert!(store.open_session(&Token::random().hash(), 7, NOW_MS).await.is_err());
    }
}
