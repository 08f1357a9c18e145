//! All accounts, for admins.

use palestra_store::{NewAccount, ROSTER_PAGE};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn accounts_are_found_by_what_an_admin_may_know(store: Store) {
        let ada = NewAccount { name: "Álvaro Ruiz".to_owned(), ..somebody("Ada_1") };
        store.create_account(&ada, NOW_MS).await.unwrap();
        store.create_account(&somebody("bob"), NOW_MS).await.unwrap();
        store.create_account(&somebody("Cem"), NOW_MS).await.unwrap();
        let found = async |text: &str| {
            let roster = store.roster(text, 0).await.unwrap();
            roster.accounts.into_iter().map(|account| account.nickname).collect::<Vec<_>>()
        };
        assert_eq!(found("").await, ["Ada_1", "bob", "Cem"]);
        assert_eq!(found("ADA").await, ["Ada_1"]);
        assert_eq!(found("Álvaro").await, ["Ada_1"]);
        assert_eq!(found("ruiz").await, ["Ada_1"]);
        assert_eq!(found("cem@EXAMPLE").await, ["Cem"]);
        assert_eq!(found("_").await, ["Ada_1"], "a sign that means itself");
        assert!(found("%").await.is_empty() && found("!").await.is_empty() && found("hash").await.is_empty());
    }

    async fn accounts_come_in_pages(store: Store) {
        for (number, now_ms) in (0..=ROSTER_PAGE).zip(NOW_MS..) {
            store.create_account(&somebody(&format!("user{number:03}")), now_ms).await.unwrap();
        }
        let (first, second) = (store.roster("user", 0).await.unwrap(), store.roster("user", 1).await.unwrap());
        assert_eq!((first.accounts.len(), first.has_more), (ROSTER_PAGE, true));
        assert_eq!((second.accounts.len(), second.has_more), (1, false));
        assert_eq!(second.accounts[0].nickname, "user050");
        assert_eq!(store.roster("", u32::MAX).await.unwrap().accounts, []);
    }
}
