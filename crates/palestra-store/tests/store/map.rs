//! Maps that accounts keep.

use futures_util::future::join_all;
use palestra_store::{MAX_MAPS, MapVisibility, StoreError};

use crate::place::on_both;
use crate::{NOW_MS, somebody};

on_both! {
    async fn a_map_is_its_owners_until_it_is_shown(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let address = store.add_map(ada, "Plaza", "##", NOW_MS).await.unwrap().unwrap();
        let map = store.map(&address).await.unwrap().unwrap();
        assert_eq!((map.body.as_str(), map.nickname.as_deref(), map.account_id), ("##", Some("Ada"), Some(ada)));
        assert_eq!(map.visibility, MapVisibility::Private);
        assert!(store.public_maps(0, 9).await.unwrap().is_empty());
        for visibility in [MapVisibility::Link, MapVisibility::Public] {
            assert!(!store.show_map(bob, &address, visibility).await.unwrap(), "somebody else's");
            assert!(store.show_map(ada, &address, visibility).await.unwrap());
            assert_eq!(store.map(&address).await.unwrap().unwrap().visibility, visibility);
            let listed = store.public_maps(0, 9).await.unwrap().len();
            assert_eq!(listed, usize::from(visibility == MapVisibility::Public));
        }
        assert!(store.delete_map(&address).await.unwrap());
        assert!(!store.delete_map(&address).await.unwrap());
        assert_eq!(store.map(&address).await.unwrap(), None);
    }

    async fn names_are_unique_for_each_owner_alone(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        let address = store.add_map(ada, "Plaza", "##", NOW_MS).await.unwrap().unwrap();
        assert!(matches!(store.add_map(ada, "Plaza", "..", NOW_MS).await, Err(StoreError::Taken)));
        assert_ne!(store.add_map(bob, "Plaza", "..", NOW_MS).await.unwrap().unwrap(), address);
        let other = store.add_map(ada, "Arena", "..", NOW_MS).await.unwrap().unwrap();
        assert!(matches!(store.save_map(ada, &other, "Plaza", "..").await, Err(StoreError::Taken)));
        assert!(!store.save_map(bob, &other, "Mine", "..").await.unwrap(), "somebody else's");
        assert!(store.save_map(ada, &other, "Dunes", "~~").await.unwrap());
        let names: Vec<_> = store.maps_of(ada).await.unwrap().into_iter().map(|map| (map.name, map.body)).collect();
        assert_eq!(names, [("Dunes", "~~"), ("Plaza", "##")].map(|(name, body)| (name.to_owned(), body.to_owned())));
    }

    async fn an_account_has_so_many_maps_however_fast_they_come(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let names: Vec<String> = (0..MAX_MAPS + 5).map(|number| format!("map {number}")).collect();
        let kept = join_all(names.iter().map(|name| store.add_map(ada, name, "..", NOW_MS))).await;
        let kept = kept.into_iter().filter(|kept| kept.as_ref().unwrap().is_some()).count();
        assert_eq!(kept as i64, MAX_MAPS);
        let maps = store.maps_of(ada).await.unwrap();
        assert_eq!(maps.len() as i64, MAX_MAPS);
        assert!(store.delete_map(&maps[0].address).await.unwrap());
        assert!(store.add_map(ada, "room again", "..", NOW_MS).await.unwrap().is_some());
    }

    async fn public_maps_come_in_pages(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        for (name, now_ms) in ["dunes", "arena", "cliffs", "bridge", "estuary"].into_iter().zip(NOW_MS..) {
            let address = store.add_map(ada, name, "..", now_ms).await.unwrap().unwrap();
            store.show_map(ada, &address, MapVisibility::Public).await.unwrap();
        }
        let names = async |offset, limit| {
            let maps = store.public_maps(offset, limit).await.unwrap();
            maps.into_iter().map(|map| map.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0, 2).await, ["arena", "bridge"]);
        assert_eq!(names(2, 2).await, ["cliffs", "dunes"]);
        assert_eq!(names(4, 2).await, ["estuary"]);
        assert!(names(5, 2).await.is_empty() && names(u32::MAX, u32::MAX).await.is_empty());
        store.delete_account(ada).await.unwrap();
        assert_eq!(store.public_maps(0, 9).await.unwrap()[0].nickname, None, "they stay, without a name");
    }
}
