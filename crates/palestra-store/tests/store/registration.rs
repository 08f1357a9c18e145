//! Those who have asked for an account.

use palestra_store::{NewAccount, REGISTRATION_MS, Role, StoreError, Token};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn a_registration_becomes_an_account_once(store: Store) {
        let token = Token::random().hash();
        store.register(&token, &NewAccount { role: Role::Admin, ..somebody("Ada") }, NOW_MS).await.unwrap();
        let asked = store.registration(&token, NOW_MS).await.unwrap().unwrap();
        assert_eq!((asked.nickname.as_str(), asked.email.as_str()), ("Ada", "ada@example.org"));
        assert_eq!(store.account_by_nickname("Ada").await.unwrap(), None);
        let id = store.confirm(asked.id, NOW_MS).await.unwrap().unwrap();
        let account = store.account(id).await.unwrap().unwrap();
        assert_eq!((account.name.as_str(), account.role), ("Ada's name", Role::Student), "nobody registers as an admin");
        assert_eq!(store.confirm(asked.id, NOW_MS).await.unwrap(), None);
        assert_eq!(store.registration(&token, NOW_MS).await.unwrap(), None);
    }

    async fn a_registration_lapses(store: Store) {
        let token = Token::random().hash();
        store.register(&token, &somebody("Ada"), NOW_MS).await.unwrap();
        let asked = store.registration(&token, NOW_MS + REGISTRATION_MS - 1).await.unwrap().unwrap();
        assert_eq!(store.registration(&token, NOW_MS + REGISTRATION_MS).await.unwrap(), None);
        assert_eq!(store.confirm(asked.id, NOW_MS + REGISTRATION_MS).await.unwrap(), None);
        store.purge(NOW_MS + REGISTRATION_MS - 1).await.unwrap();
        assert_eq!(store.registrations("", 9, NOW_MS).await.unwrap(), [asked]);
        store.purge(NOW_MS + REGISTRATION_MS).await.unwrap();
        assert_eq!(store.registrations("", 9, NOW_MS).await.unwrap(), []);
    }

    async fn the_latest_registration_of_an_address_is_found(store: Store) {
        for (nickname, asked_ms) in [("Ada", NOW_MS - 1), ("Ada2", NOW_MS)] {
            let new = NewAccount { nickname: nickname.to_owned(), ..somebody("Ada") };
            store.register(&Token::random().hash(), &new, asked_ms).await.unwrap();
        }
        let found = async |email: &str, now_ms| {
            store.registration_by_email(email, now_ms).await.unwrap().map(|registration| registration.nickname)
        };
        assert_eq!(found(" ADA@example.org", NOW_MS).await.as_deref(), Some("Ada2"));
        assert_eq!(found("bob@example.org", NOW_MS).await, None);
        assert_eq!(found("ada@example.org", NOW_MS + REGISTRATION_MS).await, None);
    }

    async fn of_several_with_one_address_one_is_confirmed(store: Store) {
        let (first, second, other) = (Token::random().hash(), Token::random().hash(), Token::random().hash());
        store.register(&first, &somebody("Ada"), NOW_MS).await.unwrap();
        store.register(&second, &NewAccount { nickname: "Ada2".to_owned(), ..somebody("Ada") }, NOW_MS).await.unwrap();
        store.register(&other, &somebody("Bob"), NOW_MS).await.unwrap();
        let chosen = store.registration(&second, NOW_MS).await.unwrap().unwrap();
        assert!(store.confirm(chosen.id, NOW_MS).await.unwrap().is_some());
        assert_eq!(store.registration(&first, NOW_MS).await.unwrap(), None);
        assert!(store.registration(&other, NOW_MS).await.unwrap().is_some());
    }

    async fn whoever_confirms_second_finds_the_nickname_taken(store: Store) {
        let (first, second) = (Token::random().hash(), Token::random().hash());
        store.register(&first, &somebody("Ada"), NOW_MS).await.unwrap();
        let late = NewAccount { email: "late@example.org".to_owned(), ..somebody("ADA") };
        store.register(&second, &late, NOW_MS).await.unwrap();
        let ids = [&first, &second].map(|token| store.registration(token, NOW_MS));
        let [first_asked, second_asked] = ids;
        let (first_id, second_id) = (first_asked.await.unwrap().unwrap().id, second_asked.await.unwrap().unwrap().id);
        assert!(store.confirm(first_id, NOW_MS).await.unwrap().is_some());
        let refused = store.confirm(second_id, NOW_MS).await;
        assert!(matches!(refused, Err(StoreError::Taken)), "{refused:?}");
        assert!(store.registration(&second, NOW_MS).await.unwrap().is_some(), "nothing was changed");
        assert_eq!(store.account_by_email("late@example.org").await.unwrap(), None);
    }

    async fn two_at_once_confirm_once(store: Store) {
        let token = Token::random().hash();
        store.register(&token, &somebody("Ada"), NOW_MS).await.unwrap();
        let id = store.registration(&token, NOW_MS).await.unwrap().unwrap().id;
        let both = [(); 2].map(|()| {
            let store = store.clone();
            tokio::spawn(async move { store.confirm(id, NOW_MS).await })
        });
        let mut made = 0;
        for one in both {
            made += usize::from(one.await.unwrap().unwrap().is_some());
        }
        assert_eq!(made, 1);
    }

    async fn admins_do_not_see_registrations_of_known_addresses(store: Store) {
        store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        for nickname in ["Ada3", "Bob", "Cem"] {
            let email = if nickname == "Ada3" { "ada@example.org".to_owned() } else { somebody(nickname).email };
            store.register(&Token::random().hash(), &NewAccount { email, ..somebody(nickname) }, NOW_MS).await.unwrap();
        }
        let seen = store.registrations("", 9, NOW_MS).await.unwrap();
        let mut seen: Vec<&str> = seen.iter().map(|asked| asked.nickname.as_str()).collect();
        seen.sort_unstable();
        assert_eq!(seen, ["Bob", "Cem"]);
        assert_eq!(store.registrations("", 1, NOW_MS).await.unwrap().len(), 1);
    }
}
