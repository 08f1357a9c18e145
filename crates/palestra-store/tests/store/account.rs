//! Accounts.

use palestra_store::{NewAccount, Role, StoreError};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn an_account_is_found_by_all_its_names(store: Store) {
        let id = store.create_account(&NewAccount { role: Role::Teacher, ..somebody("Ada") }, NOW_MS).await.unwrap();
        let account = store.account(id).await.unwrap().unwrap();
        assert_eq!((account.nickname.as_str(), account.name.as_str()), ("Ada", "Ada's name"));
        assert_eq!((account.email.as_str(), account.password.as_str()), ("ada@example.org", "hash"));
        assert_eq!((account.role, account.created_ms), (Role::Teacher, NOW_MS));
        for nickname in ["Ada", "ADA", "ada"] {
            assert_eq!(store.account_by_nickname(nickname).await.unwrap().as_ref(), Some(&account));
        }
        assert_eq!(store.account_by_email(" Ada@Example.ORG ").await.unwrap(), Some(account));
        assert_eq!(store.account_by_nickname("Ad%").await.unwrap(), None);
        assert_eq!(store.account(id + 1).await.unwrap(), None);
    }

    async fn a_nickname_and_an_address_belong_to_one(store: Store) {
        store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let same_nickname = NewAccount { email: "other@example.org".to_owned(), ..somebody("aDA") };
        let same_address = NewAccount { email: "ADA@example.org".to_owned(), ..somebody("Bob") };
        for taken in [same_nickname, same_address] {
            let refused = store.create_account(&taken, NOW_MS).await;
            assert!(matches!(refused, Err(StoreError::Taken)), "{refused:?}");
        }
        assert_eq!(store.account_by_nickname("Bob").await.unwrap(), None);
    }

    async fn two_at_once_do_not_get_the_same_nickname(store: Store) {
        let both = [1, 2].map(|number| {
            let (store, email) = (store.clone(), format!("{number}@example.org"));
            tokio::spawn(async move { store.create_account(&NewAccount { email, ..somebody("Ada") }, NOW_MS).await })
        });
        let mut made = 0;
        for one in both {
            made += usize::from(one.await.unwrap().is_ok());
        }
        assert_eq!(made, 1);
    }

    async fn any_text_is_kept_as_it_is(store: Store) {
        for (number, text) in ["'; DROP TABLE accounts; --", "\u{202e}\u{1b}[31m", "</script>", "ñ🎲", ""].into_iter().enumerate() {
            let new = NewAccount { name: text.to_owned(), ..somebody(&format!("nick{number}")) };
            let id = store.create_account(&new, NOW_MS).await.unwrap();
            assert_eq!(store.account(id).await.unwrap().unwrap().name, text);
        }
    }

    async fn a_text_that_cannot_be_kept_is_nobodys_fault(store: Store) {
        let nul = "a\0b";
        let found = store.account_by_nickname(nul).await;
        assert!(matches!(found, Ok(None) | Err(StoreError::Text)), "{found:?}");
        let made = store.create_account(&somebody(nul), NOW_MS).await;
        assert!(matches!(made, Ok(_) | Err(StoreError::Text)), "{made:?}");
    }
}
