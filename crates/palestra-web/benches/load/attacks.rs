//! Parts with visitors who mean no good, and how long others wait meanwhile.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use palestra_store::{MapVisibility, NewAccount, Role, Store};
use tokio::io::AsyncReadExt;

use crate::client::{Visitor, between, connect, connect_from, http};
use crate::{Crowd, Delays, PART};

const IDLE_CONNECTIONS: usize = 5000;
const IDLE_ADDRESSES: usize = 20;
const MAP_PAGES: usize = 60;
const SILENT_SOCKETS: usize = 900;
const SILENT_TABLES: usize = 3;
const MAX_PART: Duration = Duration::from_secs(90);
const PROBE_INTERVAL: Duration = Duration::from_millis(50);
const PROBE_TIMEOUT: Duration = Duration::from_secs(30);

/// The address of this machine with a number.
fn source(number: usize) -> IpAddr {
    Ipv4Addr::new(127, 0, 1 + (number / 250) as u8, 1 + (number % 250) as u8).into()
}

/// Connections that say nothing, or half a head; a new one takes the place of each that the server closes.
pub(crate) async fn idle_connections(crowd: &Crowd) {
    let closed = Arc::new(AtomicU64::new(0));
    let idle: Vec<_> = (0..IDLE_CONNECTIONS)
        .map(|number| {
            let (address, closed) = (crowd.address.clone(), closed.clone());
            let sent = ["", "GET / HTTP/1.1\r\nhost: here\r\nx-"][number % 2];
            tokio::spawn(async move {
                while let Ok(mut stream) = connect_from(source(number % IDLE_ADDRESSES), &address, sent).await {
                    let _ = stream.read(&mut [0; 64]).await;
                    closed.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let part = format!("{IDLE_CONNECTIONS} idle connections of {IDLE_ADDRESSES} addresses");
    probe(crowd, &part, tokio::time::sleep(PART)).await;
    idle.iter().for_each(tokio::task::JoinHandle::abort);
    println!("| | closed by the server | {} | | | |", closed.load(Ordering::Relaxed));
}

/// Answers to `/health` and `/` while something else goes on, though not for ever, and the moves delivered meanwhile.
async fn probe(crowd: &Crowd, part: &str, meanwhile: impl Future<Output = ()>) {
    crowd.moves.told();
    let delays = ["/health", "/"].map(|path| (path, Delays::default()));
    let asking = delays.iter().map(|(path, delays)| async move {
        loop {
            let sent = Instant::now();
            let answer =
                async { http(&mut connect(&crowd.address).await, &crowd.address, "GET", path, "", "").await.0 };
            // One that does not come counts as that.
            let status = tokio::time::timeout(PROBE_TIMEOUT, answer).await;
            assert!(status.is_err() || status == Ok(200), "{path}: {status:?}");
            delays.add(sent.elapsed());
            tokio::time::sleep(PROBE_INTERVAL).await;
        }
    });
    let asking = futures_util::future::join_all(asking);
    tokio::select! {
        _ = asking => {}
        done = tokio::time::timeout(MAX_PART, meanwhile) => {
            if done.is_err() {
                println!("| {part}: not over after {MAX_PART:?} | | | | | |");
            }
        }
    }
    println!("| {part} | moves delivered | {} |", crowd.moves.told());
    for (path, delays) in &delays {
        println!("| | `{path}` | {} |", delays.told());
    }
}

/// A map of 128x128 cells, kept as if a teacher had uploaded it.
/// Everyone can see it; returns its address.
pub(crate) async fn add_large_map(database: &Path) -> String {
    let store = Store::open_file(database).await.expect("a database");
    let [nickname, name] = ["teacher", ""].map(str::to_owned);
    let new = NewAccount { nickname, name, email: "t@e.org".to_owned(), password: String::new(), role: Role::Teacher };
    let teacher = store.create_account(&new, 1).await.expect("an account");
    let line = |row: usize| {
        (0..128).map(|column| if (row + column).is_multiple_of(17) { "^" } else { "." }).collect::<Vec<_>>()
    };
    let lines: Vec<String> = (0..128).map(|row| line(row).join(" ")).collect();
    let lines = lines.join("\n").replacen('.', "F", 1);
    let teams = "team 1:\nrow 2 column 2 energy 100\n\nteam 2:\nrow 127 column 127 energy 100\n";
    let text = format!("title: Large\n\nmap:\n{lines}\n\n{teams}");
    let address = store.add_map(teacher, "Large", &text, 1).await.expect("a map").expect("it is the first");
    store.show_map(teacher, &address, MapVisibility::Link).await.expect("it is shown");
    store.close().await;
    address
}

/// The page of the large map, asked for by many at once, layout and all.
pub(crate) async fn map_pages(crowd: &Crowd, map: &str) {
    let pages = Delays::default();
    let ask = async |path: &str, encoding: &str| {
        http(&mut connect(&crowd.address).await, &crowd.address, "GET", path, encoding, "").await.2
    };
    let all = (0..MAP_PAGES).map(|_| async {
        let sent = Instant::now();
        let page = ask(&format!("/maps/{map}"), "").await;
        for part in ["data-layout=\"", "data-scene=\""] {
            ask(&between(&page, part, "\""), "accept-encoding: gzip\r\n").await;
        }
        pages.add(sent.elapsed());
    });
    let all = async { drop(futures_util::future::join_all(all).await) };
    probe(crowd, &format!("{MAP_PAGES} pages of a 128x128 map at once"), all).await;
    println!("| | pages with their boards | {} |", pages.told());
}

/// Sockets at tables with the large map that never read what they are sent.
pub(crate) async fn silent_sockets(crowd: &Crowd, map: &str) {
    let mut codes = vec![];
    for _ in 0..SILENT_TABLES {
        codes.push(Visitor::new(&crowd.address).await.open_table(&format!("game=bandera&options={map}")).await);
    }
    let silent = async {
        let mut sockets = vec![];
        for number in 0..SILENT_SOCKETS {
            let head = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                        sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
            let code = &codes[number % codes.len()];
            let request = format!("GET /t/{code}/live HTTP/1.1\r\nhost: {}\r\n{head}\r\n\r\n", crowd.address);
            sockets.push(connect_from(source(number / 30), &crowd.address, &request).await.expect("a connection"));
        }
        tokio::time::sleep(PART).await;
    };
    let part = format!("{SILENT_SOCKETS} silent sockets at {SILENT_TABLES} tables with that map");
    probe(crowd, &part, silent).await;
}
