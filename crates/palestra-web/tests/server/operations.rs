//! What whoever runs a server sees of it.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palestra_store::{NewAccount, Role, Store, Token};
use palestra_web::{Config, FolderError, Server, StartError};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::site::{Browser, Site, WAIT_LIMIT, send};

#[tokio::test]
async fn a_server_that_is_well_says_so() {
    let site = Site::open().await;
    let seen = Browser::new(&site).get("/health").await;
    assert_eq!((seen.status.as_u16(), seen.text.as_str()), (200, "{\"status\":\"ok\"}"));
    assert!(!seen.headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn a_server_that_cannot_write_says_so() {
    let site = Site::open_with(|config| config.database_timeout = Duration::from_millis(100)).await;
    let data = site.folder.path().join("data");
    // A folder where the probe is written: the file cannot be made, whoever the server runs as.
    std::fs::create_dir(data.join("health.probe")).unwrap();
    let seen = Browser::new(&site).get("/health").await;
    assert_eq!((seen.status.as_u16(), seen.text.as_str()), (503, "{\"disk\":\"fault\",\"status\":\"failing\"}"));
    std::fs::remove_dir(data.join("health.probe")).unwrap();
    let since = Instant::now();
    while Browser::new(&site).get("/health").await.status != 200 {
        assert!(since.elapsed() < WAIT_LIMIT, "it is not well again within {WAIT_LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!data.join("health.probe").exists());
}

/// The cookie of somebody with this role, made behind the server's back.
async fn signed_in(site: &Site, role: Role) -> String {
    let store = Store::open_file(&site.folder.path().join("data/palestra.db")).await.unwrap();
    let (nickname, email) = (role.word().to_owned(), format!("{role}@example.org"));
    let new = NewAccount { nickname, email, name: String::new(), password: String::new(), role };
    let id = store.create_account(&new, 1).await.unwrap();
    let token = Token::random();
    store.open_session(&token.hash(), id, i64::MAX / 2).await.unwrap();
    store.close().await;
    format!("palestra=s{}", token.secret())
}

#[tokio::test]
async fn metrics_are_for_the_machine_itself_and_admins() {
    let site = Site::open_with(|config| config.trust_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
    let browser = Browser::new(&site);
    let metrics = browser.get("/metrics").await;
    assert_eq!(metrics.status, 200);
    assert!(metrics.headers["content-type"].to_str().unwrap().starts_with("text/plain; version=0.0.4"));
    for name in ["websockets", "tables", "thinking_waiting", "store_errors_total"] {
        assert!(metrics.text.contains(&format!("# TYPE palestra_{name} ")), "{}", metrics.text);
    }

    let from = |address: &str| browser.client().get(browser.address("/metrics")).header("x-forwarded-for", address);
    assert_eq!(send(from("203.0.113.5")).await.status, 401);
    assert_eq!(send(from("127.0.0.1")).await.status, 401, "a proxy must not open the door");
    for (role, status) in [(Role::Student, 403), (Role::Teacher, 403), (Role::Admin, 200)] {
        let cookie = signed_in(&site, role).await;
        assert_eq!(send(from("203.0.113.5").header("cookie", cookie)).await.status, status, "{role}");
    }
}

#[tokio::test]
async fn requests_are_counted_by_the_pattern_of_their_address() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    browser.get("/assets/nothing-of-that-name.css").await;
    browser.get("/a-secret-link").await;
    let metrics = browser.get("/metrics").await.text;
    assert!(metrics.contains("palestra_requests_total{path=\"/assets/{name}\",status=\"404\"}"), "{metrics}");
    assert!(metrics.contains("palestra_requests_total{path=\"other\",status=\"404\"}"), "{metrics}");
    assert!(metrics.contains("palestra_request_seconds_bucket{path=\"other\",le=\"0.1\"}"), "{metrics}");
    assert!(!metrics.contains("a-secret-link"), "addresses may be secrets");
}

#[tokio::test]
async fn a_folder_is_private_and_belongs_to_one_server() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).unwrap();
    let site = Site::open_in(folder, |_| {}).await;
    assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
    let listen = "127.0.0.1:0".parse().unwrap();
    let second = Server::start(Config { listen, data: data.clone(), ..Config::default() }).await;
    assert!(matches!(second.err(), Some(StartError::Folder(FolderError::InUse(path))) if path == data));
    let folder = site.close().await;
    Site::open_in(folder, |_| {}).await.close().await;
}

#[tokio::test]
async fn a_server_beats_while_it_runs() {
    let site = Site::open().await;
    let store = Store::open_file(&site.folder.path().join("data/palestra.db")).await.unwrap();
    let since = Instant::now();
    while store.last_beat().await.unwrap().is_none() {
        assert!(since.elapsed() < WAIT_LIMIT, "no heartbeat within {WAIT_LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    store.close().await;
    site.close().await;
}

#[tokio::test]
async fn a_server_does_not_wait_for_ever_for_those_who_are_slow() {
    let site = Site::open_with(|config| config.grace = Duration::from_millis(20)).await;
    let mut slow = TcpStream::connect(site.url.trim_start_matches("http://")).await.unwrap();
    slow.write_all(b"POST /language HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\nhalf").await.unwrap();
    Browser::new(&site).get("/health").await;
    site.close().await;
}
