//! Maps: what is shown of them, and who may upload and delete.

use palestra_games::bandera::BUNDLED;
use palestra_store::{NewAccount, Role, Store, Token};
use reqwest::multipart::{Form, Part};

use crate::site::{Browser, Seen, Site, between, send};

/// Somebody who is signed in.
pub(crate) async fn signed_in(site: &Site, nickname: &str, role: Role) -> Browser {
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

pub(crate) async fn upload(browser: &Browser, name: &str, body: &str) -> Seen {
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

/// A map of the greatest size there is, with some trees in it.
pub(crate) fn large() -> String {
    let tile = |row: usize, column: usize| match (row, column) {
        (5, 5) | (122, 122) => "F",
        _ if (row + column).is_multiple_of(17) => "^",
        _ => ".",
    };
    let line = |row| (0..128).map(|column| tile(row, column)).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = (0..128).map(line).collect();
    let teams = "team 1:\nrow 2 column 2 energy 100\n\nteam 2:\nrow 127 column 127 energy 100\n";
    format!("title: Large\n\nmap:\n{}\n\n{teams}", lines.join("\n"))
}

/// A site with the large map.
pub(crate) async fn with_large_map() -> Site {
    let site = Site::open().await;
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let csrf = teacher.csrf().await;
    let form = Form::new().text("csrf", csrf).text("name", "large").part("map", Part::text(large()).file_name("x"));
    // The page that follows is not asked for.
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let request = client.post(teacher.address("/maps")).header("cookie", teacher.cookies()).multipart(form);
    assert_eq!(send(request).await.status, 303);
    site
}

/// Where a page says that the layout of its board is.
pub(crate) fn layout_of(page: &str) -> String {
    between(page, "data-layout=\"", "\"").to_owned()
}

/// A page that takes long to make, while others are answered. Tests have one thread: it must not be the one that makes it.
pub(crate) async fn get_beside_others(site: &Site, browser: &Browser, path: &str) -> Seen {
    let mut answered = 0;
    let others = async {
        loop {
            assert_eq!(Browser::new(site).get("/health").await.status, 200);
            answered += 1;
        }
    };
    let page = tokio::select! { page = browser.get(path) => page, () = others => unreachable!("it goes on") };
    assert!(answered >= 3, "{answered} others were answered meanwhile");
    assert_eq!(page.status, 200);
    page
}

#[tokio::test]
async fn the_largest_map_has_a_small_page_and_delays_nobody() {
    let site = with_large_map().await;
    let browser = Browser::new(&site);
    let page = get_beside_others(&site, &browser, "/maps/large").await;
    assert!(page.text.len() < 50_000, "{} bytes", page.text.len());

    let path = layout_of(&page.text);
    let layout = browser.get(&path).await;
    assert!(layout.headers["cache-control"].to_str().unwrap().contains("immutable"));
    let cells: serde_json::Value = serde_json::from_str(&layout.text).unwrap();
    assert_eq!(cells["cells"].as_array().unwrap().len(), 128 * 128);
    let request = browser.client().get(browser.address(&path)).header("accept-encoding", "deflate, gzip");
    let packed = request.send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert!(packed.bytes().await.unwrap().len() < layout.text.len() / 5);
    let scene = browser.get(between(&page.text, "data-scene=\"", "\"")).await.text;
    assert!(scene.starts_with('{') && scene.contains("\"pieces\":[{"));
    for path in ["/drawings/nothinghere.json", "/drawings/nothing", &path.replace(".json", "")] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_map_that_takes_the_name_of_another_is_shown_itself() {
    let site = Site::open().await;
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let first = upload(&teacher, "changing", &BUNDLED[0].text.replacen("title: ", "title: First ", 1)).await.text;
    assert!(first.contains("First "));
    assert_eq!(teacher.post("/maps/changing/delete", &[]).await.status, 200);
    assert_eq!(teacher.get("/maps/changing").await.status, 404);
    let second = upload(&teacher, "changing", BUNDLED[1].text).await.text;
    assert!(!second.contains("First ") && layout_of(&first) != layout_of(&second));
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
