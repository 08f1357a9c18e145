//! What changes about an account.

use palestra_store::{ApiTokens, NewAccount, Role, Scopes, StoreError, Token};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn a_nickname_can_be_changed_to_a_free_one(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        store.rename(ada, "Ada Byron", "ADA").await.unwrap();
        let account = store.account(ada).await.unwrap().unwrap();
        assert_eq!((account.name.as_str(), account.nickname.as_str()), ("Ada Byron", "ADA"));
        let refused = store.rename(ada, "Ada Byron", "bOb").await;
        assert!(matches!(refused, Err(StoreError::Taken)), "{refused:?}");
        store.rename(ada, "Ada Byron", "Lovelace").await.unwrap();
        assert_eq!(store.account_by_nickname("ada").await.unwrap(), None);
        assert_eq!(store.account_by_nickname("lovelace").await.unwrap().unwrap().id, ada);
    }

    async fn a_changed_password_leaves_the_one_new_session(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let tokens = [(); 4].map(|()| Token::random().hash());
        let [here, elsewhere, link, new] = &tokens;
        store.open_session(here, ada, NOW_MS).await.unwrap();
        store.open_session(elsewhere, ada, NOW_MS).await.unwrap();
        store.open_reset_link(link, ada, NOW_MS).await.unwrap();
        store.change_password(ada, "new", ApiTokens::Keep, new, NOW_MS).await.unwrap();
        assert_eq!(store.session(here, NOW_MS).await.unwrap(), None);
        assert_eq!(store.session(elsewhere, NOW_MS).await.unwrap(), None);
        assert_eq!(store.reset_link(link, NOW_MS).await.unwrap(), None);
        assert_eq!(store.session(new, NOW_MS).await.unwrap().unwrap().password, "new");
    }

    async fn a_changed_password_revokes_api_tokens_only_when_asked(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let (adas, bobs) = (Token::random().hash(), Token::random().hash());
        for (token, account) in [(&adas, ada), (&bobs, bob)] {
            store.create_api_token(token, account, "bot", &Scopes::default(), NOW_MS).await.unwrap();
        }
        for (api_tokens, stays) in [(ApiTokens::Keep, true), (ApiTokens::Revoke, false)] {
            store.change_password(ada, "new", api_tokens, &Token::random().hash(), NOW_MS).await.unwrap();
            let found = store.use_api_token(&adas, NOW_MS).await.unwrap();
            assert_eq!(found.is_some(), stays, "{api_tokens:?}");
        }
        assert!(store.use_api_token(&bobs, NOW_MS).await.unwrap().is_some(), "another account's token");
    }

    async fn the_last_admin_stays_one(store: Store) {
        let ada = store.create_account(&NewAccount { role: Role::Admin, ..somebody("Ada") }, NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        assert!(!store.change_role(ada, Role::Teacher).await.unwrap());
        assert!(!store.delete_account(ada).await.unwrap());
        assert!(store.change_role(ada, Role::Admin).await.unwrap());
        assert!(store.change_role(bob, Role::Teacher).await.unwrap());
        assert!(store.change_role(bob, Role::Admin).await.unwrap());
        assert!(store.change_role(ada, Role::Student).await.unwrap());
        assert!(!store.change_role(bob, Role::Student).await.unwrap());
        assert_eq!(store.account(ada).await.unwrap().unwrap().role, Role::Student);
        assert!(!store.change_role(7, Role::Admin).await.unwrap(), "nobody");
    }

    async fn two_admins_cannot_demote_each_other_at_once(store: Store) {
        let admin = async |nickname: &str| {
            let new = NewAccount { role: Role::Admin, ..somebody(nickname) };
            store.create_account(&new, NOW_MS).await.unwrap()
        };
        let both = [admin("Ada").await, admin("Bob").await].map(|id| {
            let store = store.clone();
            tokio::spawn(async move { store.change_role(id, Role::Student).await })
        });
        let mut demoted = 0;
        for one in both {
            demoted += usize::from(one.await.unwrap().unwrap());
        }
        assert_eq!(demoted, 1);
        assert!(store.has_admin().await.unwrap());
    }
}
