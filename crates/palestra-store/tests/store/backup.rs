//! Backups: from each database to each, and what happens to files that are not as they were written.

use palestra_store::backup::{Part, Reader};
use palestra_store::{BackupError, NewAccount, Role, Store, StoreError, Token};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use crate::place::{Place, on_both};
use crate::{NOW_MS, somebody};

/// A row in every table, with and without what may be missing, and texts that are hard to write down.
const ROWS: &str = "
    INSERT INTO registrations VALUES (1, 'r', 'Eve', 'eve', 'Eve', 'eve@example.org', 'hash', 5);
    INSERT INTO links VALUES ('l', 'setup', NULL, 9223372036854775807);
    INSERT INTO maps VALUES (1, 'hills', 'two
lines, \"quoted\" \\ and ñ🎲', NULL, 6, 'Hills', 'public');
    INSERT INTO tables VALUES (1, 'abc', '{}', 1, 2, 3, NULL);
    INSERT INTO table_messages VALUES ('abc', 1, 'hello'), ('abc', 2, '');
    INSERT INTO games VALUES (1, 'g', 'mancala', '', NULL, TRUE, FALSE, -5, 5, NULL, 'finished', 3, 4, 'record');
    INSERT INTO game_players VALUES (1, 1, 'guest', NULL, 'somebody');
    INSERT INTO courses VALUES (2, 'c', 'AI', '2026-27', 'mancala', '', 'cpu 2000', 'ugr.es', 'Europe/Madrid', 9, TRUE, NULL, NULL, 1);
    INSERT INTO course_groups VALUES (3, 2, 'A1', 'Informática', NULL, 1);
    INSERT INTO course_teams VALUES (4, 3, NULL, 1);
    INSERT INTO course_members VALUES (5, 2, 4, NULL, 'pending', 'bob@example.org', 'Bob', NULL, NULL, 1);
    INSERT INTO notices VALUES (6, 2, NULL, NULL, 'hello', 1);
    INSERT INTO bots VALUES (7, 'Greedy', 'greedy', 'mancala', 'cpp', NULL, 2, NULL, 8, NULL, 1);
    INSERT INTO bot_versions VALUES (8, 7, 1, NULL, '', 'hash', 3, 'ready', '{}', 'g++ 12', '-O2', 1);
    INSERT INTO bot_files VALUES (8, 'bot.cpp', 'hash');
    INSERT INTO entries VALUES (9, 4, 7, NULL, NULL, 1);
    INSERT INTO leagues VALUES (10, 'l', 2, 3, 'League', '{}', 'points', 2000, 1, FALSE, NULL, TRUE, 77, 1);
    INSERT INTO league_guests VALUES (10, 7);
    INSERT INTO assignments VALUES (11, 'a', 2, 'Practice', 9, 5, 'mancala', 10, NULL, NULL, NULL, NULL, 1);
    INSERT INTO hand_ins VALUES (12, 11, 4, NULL, 'hash', 'memo.pdf', 5, '[]', FALSE, 1);
    INSERT INTO runs VALUES (13, 'r', 'league', 10, NULL, NULL, 1, 77, 'given up', TRUE, FALSE, FALSE, '{}', '{}', 'again', NULL, 1, 2, 'too late');
    INSERT INTO run_players VALUES (13, 0, 'Greedy', NULL, 7, 8, 1, 'hash', 'g++ 12', '-O2', 4, 'A1', TRUE);
    INSERT INTO run_games VALUES (14, 13, 0, 0, 0, 'g', 28, 20, 1, 5, 6, NULL, 32, 2, NULL, NULL, NULL);
    INSERT INTO game_traces VALUES ('g', 13, '[]', 'thinking', '', NULL);
    INSERT INTO mark_entries VALUES (15, 11, 4, 'memo', 250, 'good', NULL, 1);
    INSERT INTO jobs VALUES (16, 'version 8', 'build', '{}', 0, 0, 0, 'waiting', 0, NULL, NULL, NULL, 1);";

/// Bytes that are no text, written as each database wants them.
async fn add_bytes(place: &Place) {
    let bytes = match place {
        Place::Sqlite(_) => "x'00ff80'",
        Place::Postgres(_) => "'\\x00ff80'::bytea",
    };
    place
        .run(&format!(
            "INSERT INTO blobs VALUES ('hash', {bytes}, 1);
             INSERT INTO added_sources VALUES (19, 2, 'github', 'hash', FALSE, 1);
             INSERT INTO fingerprints VALUES (17, 2, 8, 'mancala', '2026-27', 'Greedy', FALSE, {bytes}, 1)"
        ))
        .await;
}

async fn fill(place: &Place) -> Store {
    let store = place.open().await;
    let ada = store.create_account(&NewAccount { role: Role::Admin, ..somebody("Ada") }, NOW_MS).await.unwrap();
    store.open_session(&Token::random().hash(), ada, NOW_MS).await.unwrap();
    store.beat(NOW_MS).await.unwrap();
    place.run(ROWS).await;
    place.run(&format!("INSERT INTO api_tokens VALUES (1, {ada}, 't', 'mine', 'play', 7, NULL)")).await;
    place
        .run(&format!(
            "INSERT INTO course_teachers VALUES (2, {ada});
             INSERT INTO unwanted_mails VALUES ({ada}, 'run_finished');
             INSERT INTO comparisons VALUES (18, 8, 8, {ada}, 'waiting', '{{}}', 1)"
        ))
        .await;
    add_bytes(place).await;
    store
}

pub(crate) async fn backup(store: &Store) -> Vec<u8> {
    let mut file = vec![];
    store.backup(&mut file).await.unwrap();
    file
}

on_both! {
    async fn a_backup_fits_either_database(place: Place) {
        let store = fill(place).await;
        let file = backup(&store).await;
        store.close().await;
        let others = [Place::sqlite(), Place::postgres().await];
        for other in others {
            let store = other.open().await;
            assert_eq!(store.restore(&*file).await.unwrap(), 37);
            assert_eq!(store.account_by_nickname("ada").await.unwrap().unwrap().role, Role::Admin);
            let again = String::from_utf8(backup(&store).await).unwrap();
            assert_eq!(again, String::from_utf8(file.clone()).unwrap());
            store.close().await;
            other.check().await;
            other.remove().await;
        }
    }

    async fn every_table_is_part_of_a_backup(place: Place) {
        let store = fill(place).await;
        let file = backup(&store).await;
        let mut reader = Reader::new(&*file).unwrap();
        let mut empty = vec![];
        while let Some(part) = reader.next_part().unwrap() {
            if let Part::Table(table) = part && table.rows == 0 {
                empty.push(table.table);
            }
        }
        assert!(empty.is_empty(), "this test has no row for {empty:?}, so that nobody knows whether it can be restored");
        store.close().await;
    }

    async fn a_database_that_holds_something_is_left_alone(place: Place) {
        let store = fill(place).await;
        let file = backup(&store).await;
        let refused = store.restore(&*file).await;
        assert!(matches!(refused, Err(BackupError::NotEmpty("accounts"))), "{refused:?}");
        assert_eq!(backup(&store).await, file);
        store.close().await;
    }

    async fn a_damaged_file_changes_nothing(place: Place) {
        let other = Place::sqlite();
        let source = fill(&other).await;
        let file = backup(&source).await;
        source.close().await;
        let store = place.open().await;
        let empty = backup(&store).await;
        let lines = file.iter().filter(|byte| **byte == b'\n').count();
        // Cut off after each line; the last of them is the checksum.
        let cuts = (0..lines).map(|count| {
            let at = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(count).unwrap().0;
            file[..at].to_vec()
        });
        let changed = String::from_utf8(file.clone()).unwrap().replace("Ada's name", "Eva's name").into_bytes();
        for damaged in cuts.chain([changed, [&*file, b"\n"].concat()]) {
            let refused = store.restore(&*damaged).await;
            assert!(matches!(refused, Err(BackupError::Damaged { .. })), "{refused:?}");
        }
        assert_eq!(backup(&store).await, empty);
        assert!(store.restore(&*file).await.is_ok());
        store.close().await;
    }

    async fn a_row_that_breaks_a_rule_takes_the_rest_with_it(place: Place) {
        let other = Place::sqlite();
        let source = fill(&other).await;
        let file = String::from_utf8(backup(&source).await).unwrap();
        source.close().await;
        let store = place.open().await;
        let empty = backup(&store).await;
        let id = file.lines().nth(2).unwrap()[1..].split(',').next().unwrap();
        let forged = |from: &str, to: &str| {
            assert!(file.contains(from));
            signed(&file.replacen(from, to, 1))
        };
        // The account is another than the one that its session belongs to; a column's name is more than a name.
        let refused = store.restore(forged(&format!("[{id},"), "[7,").as_bytes()).await;
        assert!(matches!(refused, Err(BackupError::Store(StoreError::Other(_)))), "{refused:?}");
        let refused = store.restore(forged("\"alive_ms\"", "\"id) VALUES (1); --\"").as_bytes()).await;
        assert!(matches!(refused, Err(BackupError::Damaged { .. })), "{refused:?}");
        let refused = store.restore(forged("\"schema\":", "\"schema\":100").as_bytes()).await;
        assert!(matches!(refused, Err(BackupError::Version { found: 1000.. })), "{refused:?}");
        assert_eq!(backup(&store).await, empty);
        assert!(store.restore(signed(&file).as_bytes()).await.is_ok());
        store.close().await;
    }

    async fn a_backup_is_of_one_moment(place: Place) {
        let store = place.open().await;
        let writing = {
            let store = store.clone();
            tokio::spawn(async move {
                // Ids of one millisecond can collide, however rarely.
                for number in 0..100 {
                    let new = somebody(&format!("nick{number}"));
                    let id = store.create_account(&new, NOW_MS + number).await.unwrap();
                    store.open_session(&Token::random().hash(), id, NOW_MS).await.unwrap();
                }
            })
        };
        let mut is_written = false;
        while !is_written {
            is_written = writing.is_finished();
            let file = backup(&store).await;
            let mut reader = Reader::new(&*file).unwrap();
            let mut rows = std::collections::HashMap::new();
            while let Some(part) = reader.next_part().unwrap() {
                if let Part::Table(table) = part {
                    rows.insert(table.table, table.rows);
                }
            }
            let (accounts, sessions) = (rows["accounts"], rows["sessions"]);
            assert!(accounts == sessions || accounts == sessions + 1, "{accounts} accounts, {sessions} sessions");
        }
        writing.await.unwrap();
        store.close().await;
    }
}

/// The file with a checksum that is right.
fn signed(file: &str) -> String {
    let (rest, _) = file.trim_end().rsplit_once('\n').unwrap();
    let sum: String = Sha256::digest(format!("{rest}\n")).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{rest}\n{{\"sha256\":\"{sum}\"}}\n")
}

/// Mutations that are tried.
const CASES: usize = 4000;

#[tokio::test]
async fn the_reader_survives_mutation() {
    let place = Place::sqlite();
    let store = fill(&place).await;
    let file = backup(&store).await;
    store.close().await;
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    for _ in 0..CASES {
        let mutated = mutate(&file, &mut rng);
        let read = read_all(&mutated);
        assert!(read.is_err() || mutated == file, "{}", String::from_utf8_lossy(&mutated));
    }
    assert!(read_all(&file).is_ok());
}

fn read_all(file: &[u8]) -> Result<(), BackupError> {
    let mut reader = Reader::new(file)?;
    while reader.next_part()?.is_some() {}
    Ok(())
}

fn mutate(bytes: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..bytes.len().max(1));
        match rng.random_range(0..5) {
            _ if bytes.is_empty() => bytes.push(b'{'),
            0 => bytes[at] = rng.random(),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, rng.random()),
            3 => bytes.truncate(at),
            _ => bytes.extend_from_within(at..),
        }
    }
    bytes
}
