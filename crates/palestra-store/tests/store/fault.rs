//! What happens when the database cannot do what it is asked: it says so in time, keeps what it has, and goes on when it
//! can.

use std::path::Path;
use std::process::Command;
use std::str::FromStr;
use std::time::{Duration, Instant};

use palestra_store::{OpenOptions, Store, StoreError};
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::task::JoinHandle;

use crate::place::{Place, postgres_address};
use crate::{NOW_MS, somebody};

const BRIEF: OpenOptions = OpenOptions { busy_timeout: Duration::from_millis(200), max_pages: None, must_exist: false };

/// Writes until there is no room.
async fn fill_up(store: &Store) -> (usize, StoreError) {
    let name = "x".repeat(4000);
    for (number, now_ms) in (NOW_MS..).enumerate() {
        let mut new = somebody(&format!("nick{number}"));
        new.name.clone_from(&name);
        if let Err(error) = store.create_account(&new, now_ms).await {
            return (number, error);
        }
    }
    unreachable!("there is an end to every disk")
}

#[tokio::test]
async fn a_full_database_keeps_what_it_has() {
    let place = Place::sqlite();
    let store = place.open_with(OpenOptions { max_pages: Some(300), ..BRIEF }).await;
    let (kept, error) = fill_up(&store).await;
    assert!(kept > 0 && matches!(error, StoreError::Full), "{error:?}");
    store.ping().await.unwrap();
    assert!(store.account_by_nickname("nick0").await.unwrap().is_some());
    assert!(store.account_by_nickname(&format!("nick{kept}")).await.unwrap().is_none());
    store.close().await;
    place.check().await;
    let store = place.open().await;
    store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn a_database_without_bytes_is_not_taken_for_a_new_one() {
    let place = Place::sqlite();
    let store = place.open().await;
    store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
    store.close().await;
    std::fs::write(place.file(), "").unwrap();
    for must_exist in [false, true] {
        let refused = Store::open_file_with(&place.file(), &OpenOptions { must_exist, ..BRIEF }).await;
        let Err(error @ StoreError::Empty(_)) = refused else { panic!("{refused:?}") };
        assert!(error.to_string().ends_with("is an empty file, not a database"), "{error}");
    }
    assert_eq!(std::fs::metadata(place.file()).unwrap().len(), 0, "it is left as it is");
    std::fs::remove_file(place.file()).unwrap();
    place.open().await.close().await;
}

/// A file system with little room; for root alone.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(path: &'a Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        let mounted = mount.args(["-t", "tmpfs", "-o", "size=1m", "palestra-test"]).arg(path).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(Self(path))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

/// Whoever may not mount has the test above.
#[tokio::test]
async fn a_full_disk_corrupts_nothing() {
    let place = Place::sqlite();
    let file = place.file();
    let Some(_disk) = SmallDisk::mount(file.parent().unwrap()) else { return };
    let ballast = file.with_file_name("ballast");
    std::fs::write(&ballast, vec![0; 300 << 10]).unwrap();
    let store = place.open_with(BRIEF).await;
    let (kept, error) = fill_up(&store).await;
    assert!(kept > 0 && matches!(error, StoreError::Full), "{error:?}");
    let refused = store.beat(NOW_MS).await;
    assert!(matches!(refused, Ok(()) | Err(StoreError::Full)), "{refused:?}");
    assert!(store.account_by_nickname("nick0").await.unwrap().is_some());
    std::fs::remove_file(ballast).unwrap();
    store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
    store.close().await;
    place.check().await;
}

#[tokio::test]
async fn a_database_that_could_not_be_made_can_be_made_later() {
    let place = Place::sqlite();
    let file = place.file();
    let Some(_disk) = SmallDisk::mount(file.parent().unwrap()) else { return };
    let ballast = file.with_file_name("ballast");
    assert!(std::fs::write(&ballast, vec![0; 2 << 20]).is_err(), "the disk is full");
    assert!(Store::open_file_with(&file, &BRIEF).await.is_err());
    std::fs::remove_file(ballast).unwrap();
    place.open().await.close().await;
}

#[tokio::test]
async fn a_locked_database_is_busy_and_then_is_not() {
    let place = Place::sqlite();
    let store = place.open_with(BRIEF).await;
    let mut other = place.sqlite_connection().await;
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let refused = store.create_account(&somebody("Ada"), NOW_MS).await;
    assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
    assert_eq!(store.account_by_nickname("Ada").await.unwrap(), None, "one can read meanwhile");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
    store.close().await;
    place.check().await;
}

#[tokio::test]
async fn whoever_waits_behind_others_for_a_locked_database_waits_no_longer() {
    let place = Place::sqlite();
    let store = place.open_with(BRIEF).await;
    let mut other = place.sqlite_connection().await;
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let begun = Instant::now();
    let writers: Vec<_> = (0..50)
        .map(|_| {
            tokio::spawn({
                let store = store.clone();
                async move { store.beat(NOW_MS).await }
            })
        })
        .collect();
    for writer in writers {
        let refused = writer.await.unwrap();
        assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
    }
    // One after the other they would need 10 s.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    store.beat(NOW_MS).await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn postgresql_goes_away_and_comes_back() {
    let place = Place::postgres().await;
    let wire = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = wire.local_addr().unwrap().port();
    let connected = tokio::spawn(connect(wire));
    // Long enough for what must succeed, on a busy machine too.
    let options = OpenOptions { busy_timeout: Duration::from_secs(3), ..BRIEF };
    let store = Store::open_with(&through(&place, port), &options).await.unwrap();
    store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
    connected.abort();
    assert!(connected.await.is_err());
    for _ in 0..2 {
        let refused = store.create_account(&somebody("Bob"), NOW_MS).await;
        assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
    }
    let connected = tokio::spawn(connect(TcpListener::bind(("127.0.0.1", port)).await.unwrap()));
    store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
    assert!(store.account_by_nickname("Ada").await.unwrap().is_some());
    store.close().await;
    connected.abort();
    place.remove().await;
}

/// The address of a place, with another way to get there.
fn through(place: &Place, port: u16) -> String {
    let options = PgConnectOptions::from_str(&postgres_address()).unwrap();
    let (_, search_path) = place.address().rsplit_once("options[").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let database = options.get_database().unwrap_or("postgres");
    format!("postgres://{}@127.0.0.1:{port}/{database}?sslmode=disable&options[{search_path}", options.get_username())
}

/// The wire between a store and PostgreSQL; it is cut when the task ends.
async fn connect(wire: TcpListener) {
    let options = PgConnectOptions::from_str(&postgres_address()).unwrap();
    let mut ends: Vec<AbortOnDrop> = vec![];
    loop {
        let (near, _) = wire.accept().await.unwrap();
        let (host, port) = (options.get_host().to_owned(), options.get_port());
        let socket = options.get_socket().map(|folder| folder.join(format!(".s.PGSQL.{port}")));
        ends.push(AbortOnDrop(tokio::spawn(async move {
            match socket {
                Some(socket) => pass(near, UnixStream::connect(socket).await.unwrap()).await,
                None => pass(near, TcpStream::connect((host, port)).await.unwrap()).await,
            }
        })));
    }
}

async fn pass(mut near: TcpStream, mut far: impl AsyncRead + AsyncWrite + Unpin) {
    let _ = copy_bidirectional(&mut near, &mut far).await;
}

struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
