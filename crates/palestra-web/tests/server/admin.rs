//! What admins do, and how the first one comes to be.

use palestra_web::{AdminError, Config, NewAdmin, create_admin};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::people::{PASSWORD, admin, email, register, sign_in, somebody};
use crate::site::{Browser, Site, between};

#[tokio::test]
async fn admins_make_teachers_and_admins() {
    let site = Site::open().await;
    let (root, bob) = (admin(&site, "Root").await, somebody(&site, "Bob").await);
    let list = root.get("/admin/accounts?q=BOB").await.text;
    assert!(list.contains("bob@example.org") && list.contains("Real Bob") && !list.contains("root@example.org"));
    assert_eq!(root.get("/admin/accounts?q=%25&page=-1").await.status, 200, "nonsense shows the first page");
    let page = root.get("/admin/accounts").await.text;
    let id = |nickname: &str| {
        between(between(&page, &format!("<td><bdi>{nickname}</bdi>"), "</tr>"), "name=\"id\" value=\"", "\"")
    };
    let (of_root, of_bob) = (id("Root"), id("Bob"));
    let change = async |who: &Browser, id: &str, role: &str| {
        who.post("/admin/accounts/role", &[("id", id), ("role", role)]).await.status.as_u16()
    };
    assert_eq!(change(&bob, of_bob, "admin").await, 403);
    assert_eq!(change(&root, of_bob, "teacher").await, 200);
    assert!(bob.get("/settings").await.text.contains("Teacher"));
    assert_eq!(change(&bob, of_bob, "admin").await, 403);
    assert_eq!(change(&root, of_root, "student").await, 422, "the last admin stays");
    assert_eq!(root.post("/settings/delete", &[("password", PASSWORD)]).await.status, 422);
    assert_eq!(change(&root, of_bob, "emperor").await, 422);
    assert_eq!(change(&root, "7", "admin").await, 404);
    assert_eq!(change(&root, of_bob, "admin").await, 200);
    assert_eq!(change(&bob, of_root, "student").await, 200);
    assert_eq!(root.get("/admin/accounts").await.status, 403);
}

#[tokio::test]
async fn admins_confirm_by_hand() {
    let site = Site::open().await;
    let (root, bob) = (admin(&site, "Root").await, Browser::new(&site));
    register(&bob, "Bob", &email("Bob")).await;
    register(&bob, "Root2", &email("Root")).await;
    let page = root.get("/admin/accounts").await.text;
    let waiting = between(&page, "<h2>Not confirmed yet</h2>", "</main>");
    assert!(waiting.contains("bob@example.org") && !waiting.contains("Root2"), "{waiting}");
    let found =
        async |text: &str| root.get(&format!("/admin/accounts?q={text}")).await.text.contains("bob@example.org");
    assert!(found("BOB").await && found("bob%40ex").await && !found("b_b").await && !found("ada").await);
    let id = between(waiting, "name=\"id\" value=\"", "\"");
    let confirm = async |who: &Browser| who.post("/admin/registrations/confirm", &[("id", id)]).await.status.as_u16();
    assert_eq!(confirm(&bob).await, 401);
    assert_eq!(confirm(&root).await, 200);
    assert_eq!(confirm(&root).await, 404);
    assert_eq!(sign_in(&bob, "Bob", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn the_first_admin_is_made_by_a_link_that_works_once() {
    let path = |site: &Site| site.setup.as_deref().unwrap().strip_prefix(&site.url).unwrap().to_owned();
    let first = Site::open().await;
    let stale = path(&first);
    let site = Site::open_in(first.close().await, |_| {}).await;
    let (link, browser) = (path(&site), Browser::new(&site));
    assert_ne!(stale, link);
    let person =
        |nickname| [("name", "Root"), ("nickname", nickname), ("email", "root@example.org"), ("password", PASSWORD)];
    assert_eq!(browser.get(&stale).await.status, 404, "each start makes another");
    assert_eq!(browser.post(&stale, &person("Root")).await.status, 404);
    assert_eq!(browser.get("/setup/abcdefghijkmnpqrstuvwxyz23").await.status, 404);
    assert_eq!(browser.get(&link).await.status, 200);
    let wrong = browser.post(&link, &person("x")).await;
    assert!(wrong.status == 422 && wrong.text.contains("value=\"root@example.org\""), "{wrong:?}");
    let made = browser.post(&link, &person("Root")).await;
    assert!(made.text.contains("/admin/accounts"), "{made:?}");
    assert_eq!(browser.get("/admin/accounts").await.status, 200);
    assert_eq!(browser.get(&link).await.status, 404);
    assert_eq!(Browser::new(&site).post(&link, &person("Second")).await.status, 404);
    let again = Site::open_in(site.close().await, |_| {}).await;
    assert_eq!(again.setup, None);
}

#[tokio::test]
async fn an_admin_can_be_made_from_the_command_line() {
    let site = Site::open().await;
    admin(&site, "Root").await;
    let config = Config { data: site.folder.path().join("data"), ..Config::default() };
    let new = |nickname: &str, email: &str, password: &str| NewAdmin {
        name: "Somebody".to_owned(),
        nickname: nickname.to_owned(),
        email: email.to_owned(),
        password: password.to_owned(),
    };
    let wrong = [
        (new("root", "a@example.org", PASSWORD), "already"),
        (new("Other", "ROOT@example.org", PASSWORD), "already"),
        (new("x", "a@example.org", PASSWORD), "3 to 20"),
        (new("Other", "nowhere", PASSWORD), "address"),
        (new("Other", "a@example.org", "short"), "8 to 200"),
    ];
    for (new, says) in wrong {
        let refused = create_admin(&config, new).await;
        assert!(matches!(&refused, Err(AdminError::Person(text)) if text.contains(says)), "{refused:?}");
    }
    let link = site.setup.as_deref().unwrap().strip_prefix(&site.url).unwrap();
    assert_eq!(Browser::new(&site).get(link).await.status, 404, "there is an admin");
}

/// Makes a saved table unreadable, while no server runs.
async fn damage(folder: &TempDir, code: &str) {
    const QUERY: &str = "UPDATE tables SET state = REPLACE(state, 'mancala', 'go') WHERE code = $1";
    let database = folder.path().join("data/palestra.db");
    let mut connection = SqliteConnectOptions::new().filename(database).connect().await.unwrap();
    sqlx::query(QUERY).bind(code).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_table_that_cannot_be_read_is_set_aside_and_shown() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let bad = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let good = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let folder = site.close().await;
    damage(&folder, &bad).await;

    // Also at the second start, which does not try it again.
    let mut folder = folder;
    for start in 1..=2 {
        let site = Site::open_in(folder, |_| {}).await;
        let browser = browser.moved_to(&site);
        assert_eq!(browser.get(&format!("/t/{good}")).await.status, 200, "start {start}");
        assert_eq!(browser.get(&format!("/t/{bad}")).await.status, 404, "start {start}");
        let admin = admin(&site, &format!("Root{start}")).await;
        let page = admin.get("/admin/accounts").await.text;
        assert!(page.contains(&format!("<td>{bad}</td>")) && page.contains("there is no game"), "{page}");
        assert!(!page.contains(&good), "{page}");
        let metrics = browser.get("/metrics").await.text;
        assert!(metrics.contains("palestra_unreadable_tables "), "{metrics}");
        folder = site.close().await;
    }
}

#[tokio::test]
async fn a_table_that_is_set_aside_goes_with_its_player() {
    let site = Site::open().await;
    let (ada, bob) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    let adas = ada.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let bobs = bob.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let folder = site.close().await;
    for code in [&adas, &bobs] {
        damage(&folder, code).await;
    }
    let site = Site::open_in(folder, |_| {}).await;
    let root = admin(&site, "Root").await;
    let shown = async |code: &str| root.get("/admin/accounts").await.text.contains(&format!("<td>{code}</td>"));
    assert!(shown(&adas).await && shown(&bobs).await);
    let deleted = ada.moved_to(&site).post("/settings/delete", &[("password", PASSWORD)]).await;
    assert_eq!(deleted.path, "/");
    assert!(!shown(&adas).await);
    assert!(shown(&bobs).await, "somebody else's");
}
