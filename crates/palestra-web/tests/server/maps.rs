//! Maps: what is shown of them, and who may upload and delete.

use palestra_games::bandera::BUNDLED;
use palestra_store::{NewAccount, Role, Store, Token};
use reqwest::multipart::{Form, Part};

use crate::site::{Browser, Seen, Site, send};

/// Somebody who is signed in.
async fn signed_in(site: &Site, nickname: &str, role: Role) -> Browser {
    let store = Store::open_file(&site.folder.path().join("data/palestra.db")).await.unwrap();
    let new = NewAccount {
        nickname: nickname.to_owned(),
        name: nickname.to_owned(),
        email: format!("{nickname}@school.example"),
        password: String::new(),
        role,
    };
    let now_ms = 4_000_000_000_000;
    let (account, token) = (store.create_account(&new, now_ms).await.unwrap(), Token::random());
    store.open_session(&token.hash(), account, now_ms).await.unwrap();
    let browser = Browser::new(site);
    browser.set_cookie(&format!("palestra=s{}", token.secret()));
    browser
}

async fn upload(browser: &Browser, name: &str, body: &str) -> Seen {
    let csrf = browser.csrf().await;
    let form = Form::new().text("csrf", csrf).text("name", name.to_owned());
    let form = form.part("map", Part::text(body.to_owned()).file_name("x.map"));
    send(browser.client().post(browser.address("/maps")).multipart(form)).await
}

fn good() -> String {
    BUNDLED[2].text.replacen("title: ", "title: </script>\u{202e}", 1)
}

#[tokio::test]
async fn bundled_maps_are_drawn_with_the_verdict() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let list = browser.get("/maps").await.text;
    for bundled in BUNDLED {
        assert!(list.contains(&format!("href=\"/maps/{}\"", bundled.name)));
        let page = browser.get(&format!("/maps/{}", bundled.name)).await.text;
        assert!(page.contains("<palestra-board") && page.contains("The map is fair and within the guidelines."));
        assert!(!page.contains("maps.report."), "{page}");
    }
    assert!(!list.contains("multipart/form-data"), "only teachers are offered the form");
    assert_eq!(browser.get("/maps/none").await.status, 404);
}

#[tokio::test]
async fn a_teacher_uploads_a_map_and_everybody_sees_it() {
    let site = Site::open().await;
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let seen = upload(&teacher, "my-lagoon", &good()).await;
    assert_eq!((seen.status.as_u16(), seen.path.as_str()), (200, "/maps/my-lagoon"), "{}", seen.text);
    assert!(!seen.text.contains("</script>\u{202e}") && seen.text.contains("my-lagoon"));
    let stranger = Browser::new(&site);
    assert!(stranger.get("/maps").await.text.contains("/maps/my-lagoon"));
    assert!(stranger.get("/maps/my-lagoon/text").await.text.contains("team 2:"));
}

#[tokio::test]
async fn a_bad_map_is_refused_with_the_line() {
    let site = Site::open().await;
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let bad = upload(&teacher, "bad-map", "title: x\n\nmap:\n. . ?\n").await;
    assert_eq!(bad.status, 422);
    assert!(bad.text.contains("line 4"), "{}", bad.text);
    for name in ["ab", "Upper", "../../etc", "causeway"] {
        assert_eq!(upload(&teacher, name, &good()).await.status, 422, "{name}");
    }
    assert_eq!(upload(&teacher, "twice", &good()).await.status, 200);
    assert_eq!(upload(&teacher, "twice", &good()).await.status, 422);
    assert_eq!(upload(&teacher, "large", &"#".repeat(100_000)).await.status, 422);
}

#[tokio::test]
async fn only_teachers_upload_and_only_owners_and_admins_delete() {
    let site = Site::open().await;
    let stranger = Browser::new(&site);
    let student = signed_in(&site, "Stu", Role::Student).await;
    let owner = signed_in(&site, "Own", Role::Teacher).await;
    let other = signed_in(&site, "Oth", Role::Teacher).await;
    let admin = signed_in(&site, "Adm", Role::Admin).await;
    assert_eq!(upload(&stranger, "no-map", &good()).await.status, 401);
    assert_eq!(upload(&student, "no-map", &good()).await.status, 403);
    for name in ["map-one", "map-two"] {
        assert_eq!(upload(&owner, name, &good()).await.status, 200);
    }
    assert_eq!(stranger.post("/maps/map-one/delete", &[]).await.status, 401);
    assert_eq!(student.post("/maps/map-one/delete", &[]).await.status, 403);
    assert_eq!(other.post("/maps/map-one/delete", &[]).await.status, 403);
    assert_eq!(owner.post_as_is("/maps/map-one/delete", &[]).await.status, 403, "without the form's secret word");
    assert!(stranger.get("/maps").await.text.contains("map-one"));
    assert_eq!(owner.post("/maps/map-one/delete", &[]).await.status, 200);
    assert_eq!(admin.post("/maps/map-two/delete", &[]).await.status, 200);
    let list = stranger.get("/maps").await.text;
    assert!(!list.contains("map-one") && !list.contains("map-two"));
    assert_eq!(owner.post("/maps/map-one/delete", &[]).await.status, 404);
}
