//! Uploaded maps.

use palestra_store::StoreError;

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn a_map_stays_when_whoever_made_it_goes(place: Place) {
        let store = place.open().await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        store.add_map("plaza", "##\n##", ada, NOW_MS).await.unwrap();
        assert!(matches!(store.add_map("plaza", "..", ada, NOW_MS).await, Err(StoreError::Taken)));
        let map = store.map("plaza").await.unwrap().unwrap();
        assert_eq!((map.body.as_str(), map.nickname.as_deref(), map.account_id), ("##\n##", Some("Ada"), Some(ada)));
        assert_eq!(store.map_count(ada).await.unwrap(), 1);
        store.delete_account(ada).await.unwrap();
        assert_eq!(store.maps().await.unwrap()[0].nickname, None);
        assert!(store.delete_map("plaza").await.unwrap());
        assert!(!store.delete_map("plaza").await.unwrap());
        assert_eq!(store.map("plaza").await.unwrap(), None);
        store.close().await;
    }
}
