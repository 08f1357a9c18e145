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
        assert_eq!(store.maps(0, 9).await.unwrap()[0].nickname, None);
        assert!(store.delete_map("plaza").await.unwrap());
        assert!(!store.delete_map("plaza").await.unwrap());
        assert_eq!(store.map("plaza").await.unwrap(), None);
        store.close().await;
    }

    async fn maps_come_in_pages(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        for (name, now_ms) in ["dunes", "arena", "cliffs", "bridge", "estuary"].into_iter().zip(NOW_MS..) {
            store.add_map(name, "..", ada, now_ms).await.unwrap();
        }
        let names = async |offset, limit| {
            let maps = store.maps(offset, limit).await.unwrap();
            maps.into_iter().map(|map| map.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0, 2).await, ["arena", "bridge"]);
        assert_eq!(names(2, 2).await, ["cliffs", "dunes"]);
        assert_eq!(names(4, 2).await, ["estuary"]);
        assert!(names(5, 2).await.is_empty() && names(u32::MAX, u32::MAX).await.is_empty());
    }
}
