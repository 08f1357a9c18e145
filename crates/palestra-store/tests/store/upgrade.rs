//! Databases and backups of every earlier schema version. `fixtures` has, for each version, a SQLite file (`v1.db.gz`) and a
//! backup (`v1.backup`), both with the rows of `rows.sql`. A new migration adds its own two files; the old ones stay:
//!
//! ```sh
//! palestra restore v3.backup --data new
//! palestra backup v4.backup --data new
//! gzip -9nc new/palestra.db > v4.db.gz
//! ```

use std::io::Read;

use flate2::read::GzDecoder;

use palestra_store::MapVisibility;

use crate::NOW_MS;
use crate::backup::backup;
use crate::place::{Place, on_both};

/// What belongs to one schema version.
struct Version {
    number: usize,
    migration: &'static str,
    sqlite: &'static [u8],
    backup: &'static str,
}

const VERSIONS: &[Version] = &[
    Version {
        number: 1,
        migration: include_str!("../../migrations/0001_start.sql"),
        sqlite: include_bytes!("fixtures/v1.db.gz"),
        backup: include_str!("fixtures/v1.backup"),
    },
    Version {
        number: 2,
        migration: include_str!("../../migrations/0002_indexes.sql"),
        sqlite: include_bytes!("fixtures/v2.db.gz"),
        backup: include_str!("fixtures/v2.backup"),
    },
    Version {
        number: 3,
        migration: include_str!("../../migrations/0003_unreadable_tables.sql"),
        sqlite: include_bytes!("fixtures/v3.db.gz"),
        backup: include_str!("fixtures/v3.backup"),
    },
    Version {
        number: 4,
        migration: include_str!("../../migrations/0004_maps_of_accounts.sql"),
        sqlite: include_bytes!("fixtures/v4.db.gz"),
        backup: include_str!("fixtures/v4.backup"),
    },
    Version {
        number: 5,
        migration: include_str!("../../migrations/0005_courses.sql"),
        sqlite: include_bytes!("fixtures/v5.db.gz"),
        backup: include_str!("fixtures/v5.backup"),
    },
    Version {
        number: 6,
        migration: include_str!("../../migrations/0006_reasons_of_runs.sql"),
        sqlite: include_bytes!("fixtures/v6.db.gz"),
        backup: include_str!("fixtures/v6.backup"),
    },
];

const ROWS: &str = include_str!("fixtures/rows.sql");

/// The backup that every version leads to.
fn newest() -> &'static str {
    VERSIONS.last().unwrap().backup
}

/// A database of an earlier version.
async fn build(place: &Place, version: &Version) {
    match place {
        Place::Sqlite(_) => {
            let mut file = vec![];
            GzDecoder::new(version.sqlite).read_to_end(&mut file).unwrap();
            std::fs::write(place.file(), file).unwrap();
        }
        Place::Postgres(_) => {
            // The rows are of the first version; the later migrations change them as they changed those of people.
            place.run("CREATE TABLE schema_version (version BIGINT PRIMARY KEY)").await;
            for Version { number, migration, .. } in &VERSIONS[..version.number] {
                place.run(migration).await;
                place.run(&format!("INSERT INTO schema_version VALUES ({number})")).await;
                if *number == 1 {
                    place.run(ROWS).await;
                }
            }
        }
    }
}

/// An empty database of the same kind.
async fn empty_like(place: &Place) -> Place {
    match place {
        Place::Sqlite(_) => Place::sqlite(),
        Place::Postgres(_) => Place::postgres().await,
    }
}

on_both! {
    async fn a_database_of_every_version_is_migrated(place: Place) {
        for version in VERSIONS {
            let place = empty_like(place).await;
            build(&place, version).await;
            let store = place.open().await;
            let migrated = String::from_utf8(backup(&store).await).unwrap();
            assert_eq!(migrated, newest(), "version {}", version.number);
            store.close().await;
            place.check().await;
            place.remove().await;
        }
    }

    async fn a_backup_of_every_version_is_restored(place: Place) {
        for version in VERSIONS {
            let place = empty_like(place).await;
            let store = place.open().await;
            store.restore(version.backup.as_bytes()).await.unwrap();
            let restored = String::from_utf8(backup(&store).await).unwrap();
            assert_eq!(restored, newest(), "version {}", version.number);
            store.close().await;
            // The restored database is of the newest version: it can be opened again.
            place.open().await.close().await;
            place.check().await;
            place.remove().await;
        }
    }

    async fn maps_of_earlier_versions_keep_their_addresses_and_stay_public(place: Place) {
        build(place, &VERSIONS[2]).await;
        for number in 0..25 {
            let name = if number == 0 { "new".to_owned() } else { format!("map-{number}") };
            place.run(&format!("INSERT INTO maps (id, name, body, account_id, created_ms) VALUES ({number}, '{name}', '.', 10, 1)")).await;
        }
        let store = place.open().await;
        for (address, name) in [("hills", "hills"), ("orphan", "orphan"), ("map-24", "map-24"), ("new_", "new")] {
            let map = store.map(address).await.unwrap().unwrap();
            assert_eq!((map.name.as_str(), map.visibility), (name, MapVisibility::Public));
        }
        assert_eq!(store.map("new").await.unwrap(), None);
        assert_eq!(store.maps_of(10).await.unwrap().len(), 25, "who has more than the limit keeps them");
        assert_eq!(store.add_map(10, "one more", ".", NOW_MS).await.unwrap(), None);
        assert!(store.add_map(11, "another", ".", NOW_MS).await.unwrap().is_some());
        store.close().await;
    }

    async fn why_a_run_of_an_earlier_version_stands_still_is_kept(place: Place) {
        build(place, &VERSIONS[4]).await;
        for (id, state) in (1..).zip(["playing", "paused", "finished", "given up"]) {
            place.run(&format!(
                "INSERT INTO runs (id, code, kind, number, due_ms, state, is_counted, is_final, is_published, plan, settings, \
                 reason, started_ms) VALUES ({id}, 'run{id}', 'league', {id}, {id}, '{state}', FALSE, FALSE, FALSE, '', '', \
                 'the fan stopped', 1)"
            )).await;
        }
        let store = place.open().await;
        for (code, reason, stop_reason) in [
            ("run1", Some("the fan stopped"), None),
            ("run2", None, Some("the fan stopped")),
            ("run3", Some("the fan stopped"), None),
            ("run4", None, Some("the fan stopped")),
        ] {
            let run = store.run(code).await.unwrap().unwrap();
            assert_eq!((run.reason.as_deref(), run.stop_reason.as_deref()), (reason, stop_reason), "{code}");
        }
        store.close().await;
    }

    async fn a_damaged_backup_of_an_earlier_version_changes_nothing(place: Place) {
        let store = place.open().await;
        let empty = backup(&store).await;
        let damaged = VERSIONS[0].backup.replace("hash e", "hash f");
        assert!(store.restore(damaged.as_bytes()).await.is_err());
        assert_eq!(backup(&store).await, empty);
        store.restore(VERSIONS[0].backup.as_bytes()).await.unwrap();
        store.close().await;
    }
}
