//! Tokens of programs.

use palestra_store::{MAX_API_TOKENS, Scope, Scopes, Token};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn a_token_stands_for_its_account_until_it_is_revoked(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let token = Token::random().hash();
        let scopes: Scopes = [Scope::Play, Scope::Read].into_iter().collect();
        assert!(store.create_api_token(&token, ada, "my bot", &scopes, NOW_MS).await.unwrap());
        let (account, may) = store.use_api_token(&token, NOW_MS).await.unwrap().unwrap();
        assert_eq!((account.id, &may), (ada, &scopes));
        assert!(may.has(Scope::Read) && may.has(Scope::Play) && !may.has(Scope::Analyse));
        let [listed] = store.api_tokens(ada).await.unwrap().try_into().unwrap();
        assert_eq!((listed.label.as_str(), &listed.scopes, listed.created_ms), ("my bot", &scopes, NOW_MS));
        assert_eq!(store.api_tokens(bob).await.unwrap(), []);
        assert!(!store.revoke_api_token(bob, listed.id).await.unwrap(), "somebody else's");
        assert!(store.revoke_api_token(ada, listed.id).await.unwrap());
        assert!(!store.revoke_api_token(ada, listed.id).await.unwrap());
        assert_eq!(store.use_api_token(&token, NOW_MS).await.unwrap(), None);
    }

    async fn the_last_use_is_noted_to_the_minute(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let token = Token::random().hash();
        store.create_api_token(&token, ada, "my bot", &Scopes::default(), NOW_MS).await.unwrap();
        let used = async |now_ms| {
            store.use_api_token(&token, now_ms).await.unwrap().unwrap();
            store.api_tokens(ada).await.unwrap()[0].used_ms
        };
        assert_eq!(store.api_tokens(ada).await.unwrap()[0].used_ms, None);
        assert_eq!(used(NOW_MS).await, Some(NOW_MS));
        assert_eq!(used(NOW_MS + 59_999).await, Some(NOW_MS));
        assert_eq!(used(NOW_MS + 60_000).await, Some(NOW_MS + 60_000));
    }

    async fn an_account_has_so_many_tokens_and_no_more(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let create = async || {
            let token = Token::random().hash();
            store.create_api_token(&token, ada, "bot", &Scopes::default(), NOW_MS).await.unwrap()
        };
        for _ in 0..MAX_API_TOKENS {
            assert!(create().await);
        }
        assert!(!create().await);
    }

    async fn calls_at_once_do_not_exceed_the_limit(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let calls: Vec<_> = (0..2 * MAX_API_TOKENS)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move {
                    let token = Token::random().hash();
                    store.create_api_token(&token, ada, "bot", &Scopes::default(), NOW_MS).await
                })
            })
            .collect();
        let mut made = 0;
        for call in calls {
            made += i64::from(call.await.unwrap().unwrap());
        }
        assert_eq!(made, MAX_API_TOKENS);
        assert_eq!(store.api_tokens(ada).await.unwrap().len() as i64, MAX_API_TOKENS);
    }
}
