//! Maps: what is shown of them, and to whom; who may keep, change and delete them.

use palestra_games::bandera::BUNDLED;
use palestra_store::{MAX_MAPS, NewAccount, Role, Store, Token};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::site::{Browser, Live, Seen, Site, between, send};

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

/// Uploads a map, shows it to everyone who has its address, and says that.
pub(crate) async fn shared(browser: &Browser, name: &str, body: &str) -> String {
    let seen = upload(browser, name, body).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    let address = seen.path.strip_prefix("/maps/").unwrap().to_owned();
    assert_eq!(share(browser, &address, "link").await.status, 200);
    address
}

async fn share(browser: &Browser, address: &str, visibility: &str) -> Seen {
    browser.post(&format!("/maps/{address}/share"), &[("visibility", visibility)]).await
}

/// Sends JSON, as the editor does.
pub(crate) async fn ask(browser: &Browser, path: &str, body: &Value) -> Seen {
    send(browser.client().post(browser.address(path)).json(body)).await
}

/// A small fair map as the editor sends it.
pub(crate) fn drawn() -> Value {
    let player = |row: u32, column: u32| json!([{"row": row, "column": column, "energy": 40}]);
    let rows = ["F.......", "........", "........", "........", "........", ".......F"];
    json!({"rows": rows, "teams": [player(2, 4), player(5, 5)]})
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
        assert!(page.contains("<palestra-board") && page.contains("Fair. All 21 guidelines are met."));
        assert!(!page.contains("maps.report."), "{page}");
    }
    assert!(!list.contains("multipart/form-data"), "only accounts are offered the form");
    assert_eq!(browser.get("/maps/none").await.status, 404);
}

#[tokio::test]
async fn a_map_is_private_until_it_is_shared() {
    let site = Site::open().await;
    let (owner, other) = (signed_in(&site, "Stu", Role::Student).await, signed_in(&site, "Oth", Role::Admin).await);
    let stranger = Browser::new(&site);
    let seen = upload(&owner, "My lagoon", &good()).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    assert!(!seen.text.contains("</script>\u{202e}") && seen.text.contains("My lagoon"));
    let page = seen.path.clone();
    let address = page.strip_prefix("/maps/").unwrap();
    let table = |map: &str| [("game", "bandera".to_owned()), ("map", map.to_owned()), ("seat2", "me".to_owned())];
    for browser in [&other, &stranger] {
        for path in [page.clone(), format!("{page}/text"), format!("/maps/new?from={address}")] {
            assert_eq!(browser.get(&path).await.status, 404, "{path}");
        }
        assert!(!browser.get("/maps").await.text.contains(address));
        assert!(!browser.get("/tables/new?game=bandera").await.text.contains(address));
        let fields = table(address);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let refused = browser.post("/tables", &fields).await;
        assert!(refused.status == 422 && refused.text.contains("that you can see"), "{}", refused.text);
    }
    assert_eq!(stranger.get(&format!("{page}/edit")).await.status, 401);
    assert_eq!(other.get(&format!("{page}/edit")).await.status, 404);
    assert!(owner.get("/tables/new?game=bandera").await.text.contains(address), "it is in the owner's own form");
    assert!(owner.get("/maps").await.text.contains(address));
    assert_eq!(share(&owner, address, "link").await.status, 200);
    for browser in [&other, &stranger] {
        assert_eq!(browser.get(&page).await.status, 200);
        assert!(browser.get(&format!("{page}/text")).await.text.contains("team 2:"));
        assert!(!browser.get("/maps").await.text.contains(address), "no list shows it");
        browser.open_table(&[("game", "bandera"), ("map", &format!("{}{page}", site.url)), ("seat2", "me")]).await;
    }
    assert_eq!(share(&owner, address, "private").await.status, 200);
    assert_eq!(stranger.get(&page).await.status, 404);
}

#[tokio::test]
async fn teachers_put_maps_into_the_list_of_all() {
    let site = Site::open().await;
    let (teacher, student) =
        (signed_in(&site, "Tea", Role::Teacher).await, signed_in(&site, "Stu", Role::Student).await);
    let stranger = Browser::new(&site);
    let address = shared(&teacher, "Pond", &good()).await;
    assert_eq!(share(&teacher, &address, "public").await.status, 200);
    assert!(stranger.get("/maps").await.text.contains(&format!("/maps/{address}")));
    assert!(stranger.get("/tables/new?game=bandera").await.text.contains(&address));
    let own = shared(&student, "Pond", &good()).await;
    assert_eq!(share(&student, &own, "public").await.status, 403);
    assert_eq!(share(&student, &own, "everyone").await.status, 422);
    assert!(!stranger.get("/maps").await.text.contains(&own));
}

#[tokio::test]
async fn only_owners_change_their_maps() {
    let site = Site::open().await;
    let (owner, other) = (signed_in(&site, "Own", Role::Student).await, signed_in(&site, "Oth", Role::Teacher).await);
    let (admin, stranger) = (signed_in(&site, "Adm", Role::Admin).await, Browser::new(&site));
    let shown = shared(&owner, "Shown", &good()).await;
    let seen = upload(&owner, "Secret", &good()).await;
    let secret = seen.path.strip_prefix("/maps/").unwrap().to_owned();
    let save = json!({"name": "Taken over", "map": drawn()});
    for (address, refusal) in [(&shown, 403), (&secret, 404)] {
        for (action, fields) in
            [("rename", [("name", "Mine")]), ("share", [("visibility", "link")]), ("delete", [("x", "")])]
        {
            let path = format!("/maps/{address}/{action}");
            assert_eq!(stranger.post(&path, &fields).await.status, 401, "{path}");
            assert_eq!(other.post(&path, &fields).await.status, refusal, "{path}");
            assert_eq!(owner.post_as_is(&path, &fields).await.status, 403, "{path} without the form's secret word");
        }
        let path = format!("/api/maps/{address}/save");
        assert_eq!(ask(&stranger, &path, &save).await.status, 401);
        assert_eq!(ask(&other, &path, &save).await.status, refusal);
        assert_eq!(ask(&admin, &path, &save).await.status, refusal);
    }
    for bundled in ["/maps/causeway/rename", "/maps/causeway/share", "/maps/causeway/delete"] {
        assert_eq!(admin.post(bundled, &[("name", "x"), ("visibility", "link")]).await.status, 403, "{bundled}");
    }
    assert_eq!(admin.post(&format!("/maps/{secret}/delete"), &[]).await.status, 404, "not even for admins");
    assert_eq!(admin.post(&format!("/maps/{shown}/delete"), &[]).await.status, 200, "what is shown, admins can delete");
    assert!(owner.get(&format!("/maps/{secret}")).await.text.contains("Secret"), "nothing has changed");
    assert_eq!(owner.post(&format!("/maps/{secret}/delete"), &[]).await.status, 200);
    assert_eq!(owner.post(&format!("/maps/{secret}/delete"), &[]).await.status, 404);
}

#[tokio::test]
async fn a_map_is_renamed_and_its_file_with_it() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Own", Role::Student).await;
    let (one, two) = (shared(&owner, "One", &good()).await, shared(&owner, "", &good()).await);
    assert!(owner.get(&format!("/maps/{two}")).await.text.contains("&#60;/script&#62;"), "named after its title");
    let renamed = owner.post(&format!("/maps/{one}/rename"), &[("name", "La charca")]).await;
    assert!(renamed.status == 200 && renamed.path == format!("/maps/{one}") && renamed.text.contains("La charca"));
    let file = owner.get(&format!("/maps/{one}/text")).await;
    assert!(file.text.starts_with("title: La charca\n"), "{}", file.text);
    assert!(file.headers["content-disposition"].to_str().unwrap().contains("la-charca.map"));
    let taken = owner.post(&format!("/maps/{two}/rename"), &[("name", "La charca")]).await;
    assert!(
        taken.status == 422 && taken.text.contains("id=\"name-error\"") && taken.text.contains("value=\"La charca\"")
    );
    assert_eq!(owner.post(&format!("/maps/{two}/rename"), &[("name", " ")]).await.status, 422);
}

#[tokio::test]
async fn an_account_keeps_twenty_maps() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Own", Role::Teacher).await;
    let save = async |name: &str| ask(&owner, "/api/maps", &json!({"name": name, "map": drawn()})).await;
    let first = save("map 0").await;
    assert_eq!(first.status, 201, "{}", first.text);
    for number in 1..MAX_MAPS {
        assert_eq!(save(&format!("map {number}")).await.status, 201);
    }
    let full = save("one more").await;
    assert!(full.status == 422 && full.text.contains("20 maps already"), "{}", full.text);
    assert_eq!(upload(&owner, "one more", &good()).await.status, 422);
    assert_eq!(ask(&owner, "/api/maps/generate", &json!({"rows": 8, "columns": 8, "players": 1})).await.status, 200);
    let address: Value = serde_json::from_str(&first.text).unwrap();
    let address = address["address"].as_str().unwrap();
    let again = ask(&owner, &format!("/api/maps/{address}/save"), &json!({"name": "map 0", "map": drawn()})).await;
    assert_eq!(again.status, 200, "the old ones can still be changed: {}", again.text);
    let taken = ask(&owner, &format!("/api/maps/{address}/save"), &json!({"name": "map 1", "map": drawn()})).await;
    let taken: Value = serde_json::from_str(&taken.text).unwrap();
    assert_eq!((taken["error"].as_str(), taken["field"].as_str()), (Some("bad"), Some("name")), "{taken}");
    owner.post(&format!("/maps/{address}/delete"), &[]).await;
    assert_eq!(save("one more").await.status, 201);
}

#[tokio::test]
async fn guests_draw_measure_and_play_but_keep_nothing() {
    let site = Site::open().await;
    let guest = Browser::new(&site);
    assert!(guest.get("/maps/new").await.text.contains("Keeping a map needs an account"));
    assert!(guest.get("/maps/new?from=lagoon").await.text.contains("Copy of lagoon"));
    let named = json!({"name": "", "map": drawn()});
    assert_eq!(ask(&guest, "/api/maps", &named).await.status, 401);
    let report = ask(&guest, "/api/maps/report", &json!({"map": drawn()})).await.text;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["state"], "fair", "{report}");
    let text = ask(&guest, "/api/maps/text", &named).await.text;
    let text: Value = serde_json::from_str(&text).unwrap();
    let read = ask(&guest, "/api/maps/read", &json!({"text": text["text"]})).await.text;
    let read: Value = serde_json::from_str(&read).unwrap();
    assert_eq!((&read["map"], read["name"].as_str()), (&drawn(), Some("Unnamed map")));
    let table = ask(&guest, "/api/maps/play", &named).await;
    assert_eq!(table.status, 200, "{}", table.text);
    let url: Value = serde_json::from_str(&table.text).unwrap();
    let code = url["url"].as_str().unwrap().strip_prefix("/t/").unwrap().to_owned();
    let mut live = Live::open(&guest, &code, None).await;
    let seats = live.await_a("table").await["table"]["state"]["seats"].to_string();
    assert!(seats.contains("ninja1"), "{seats}");
}

#[tokio::test]
async fn what_cannot_be_a_map_is_said_with_its_cells() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Own", Role::Student).await;
    owner.post("/language", &[("lang", "es")]).await;
    let mut map = drawn();
    map["rows"][1] = json!("...#....");
    let report: Value =
        serde_json::from_str(&ask(&owner, "/api/maps/report", &json!({"map": map})).await.text).unwrap();
    assert_eq!((&report["state"], &report["cells"]), (&json!("unplayable"), &json!([12])));
    assert!(report["sentence"].as_str().unwrap().contains("el jugador 1 empieza en un muro"), "{report}");
    let refused = ask(&owner, "/api/maps", &json!({"name": "x", "map": map})).await;
    assert!(refused.status == 422 && refused.text.contains("aún no es válido"), "{}", refused.text);
    for body in
        [json!({"map": {"rows": [], "teams": [[], []]}}), json!({"map": 3}), json!([]), json!({"map": drawn(), "x": 1})]
    {
        let seen = ask(&owner, "/api/maps/report", &body).await;
        assert!([200, 422].contains(&seen.status.as_u16()), "{body}: {}", seen.text);
    }
    let wide = json!({"map": {"rows": vec!["."; 4000], "teams": [[], []]}});
    assert!(ask(&owner, "/api/maps/report", &wide).await.text.contains("4000 filas"));
    let generate = json!({"rows": 128, "columns": 128, "players": 8});
    assert_eq!(ask(&owner, "/api/maps/generate", &generate).await.status, 422);
}

#[tokio::test]
async fn games_on_a_map_outlive_it() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Own", Role::Student).await;
    let address = shared(&owner, "Doomed", &good()).await;
    let fields = [("game", "bandera"), ("options", address.as_str()), ("seat2", "me"), ("visibility", "public")];
    let (over, running) = (owner.open_table(&fields).await, owner.open_table(&fields).await);
    let mut live = Live::open(&owner, &over, None).await;
    live.play(0, "1:N").await;
    live.say(json!({"do": "resign"})).await;
    let game = live.await_a("ended").await["state"]["ended"]["game"].as_str().unwrap().to_owned();
    let layout = layout_of(&owner.get(&format!("/t/{running}")).await.text);
    let shapes = owner.get(&layout).await.text;
    owner.post(&format!("/maps/{address}/delete"), &[]).await;
    let folder = site.close().await;
    let site = Site::open_in(folder, |_| {}).await;
    let owner = owner.moved_to(&site);
    assert_eq!(owner.get(&format!("/maps/{address}")).await.status, 404);
    let replay = owner.get(&format!("/games/{game}")).await;
    assert!(replay.status == 200 && replay.text.contains("Doomed"), "{}", replay.text);
    assert_eq!(owner.get(&layout_of(&replay.text)).await.text, shapes);
    let record = owner.get(&format!("/games/{game}/record")).await.text;
    assert!(record.contains("8x8:"), "the record holds the map: {record}");
    assert_eq!(owner.get(&layout_of(&owner.get(&format!("/t/{running}")).await.text)).await.text, shapes);
    Live::open(&owner, &running, None).await.await_a("table").await;
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

/// A site with the large map, and its address.
pub(crate) async fn with_large_map() -> (Site, String) {
    let site = Site::open().await;
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let csrf = teacher.csrf().await;
    let form = Form::new().text("csrf", csrf).text("name", "large").part("map", Part::text(large()).file_name("x"));
    // The page that follows is not asked for.
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let request = |path: &str| client.post(teacher.address(path)).header("cookie", teacher.cookies());
    let seen = send(request("/maps").multipart(form)).await;
    assert_eq!(seen.status, 303);
    let path = seen.headers["location"].to_str().unwrap().to_owned();
    let fields = [("csrf", teacher.csrf().await), ("visibility", "link".to_owned())];
    assert_eq!(send(request(&format!("{path}/share")).form(&fields)).await.status, 303);
    (site, path.strip_prefix("/maps/").unwrap().to_owned())
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
    let (site, address) = with_large_map().await;
    let browser = Browser::new(&site);
    let page = get_beside_others(&site, &browser, &format!("/maps/{address}")).await;
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
async fn a_map_that_has_changed_is_shown_as_it_is_now() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Tea", Role::Student).await;
    let first = upload(&owner, "Changing", BUNDLED[0].text).await;
    let save = json!({"name": "Changing", "map": drawn()});
    assert_eq!(ask(&owner, &format!("/api{}/save", first.path), &save).await.status, 200);
    assert_ne!(layout_of(&first.text), layout_of(&owner.get(&first.path).await.text));
}

#[tokio::test]
async fn a_bad_map_is_refused_with_the_line() {
    let site = Site::open().await;
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let bad = upload(&teacher, "bad-map", "title: x\n\nmap:\n. . ?\n").await;
    assert_eq!(bad.status, 422);
    assert!(bad.text.contains("line 4"), "{}", bad.text);
    assert_eq!(upload(&teacher, &"x".repeat(41), &good()).await.status, 422);
    assert_eq!(upload(&teacher, "twice", &good()).await.status, 200);
    assert_eq!(upload(&teacher, "twice", &good()).await.status, 422);
    assert_eq!(upload(&teacher, "large", &"#".repeat(100_000)).await.status, 422);
    assert_eq!(upload(&Browser::new(&site), "no map", &good()).await.status, 401);
}
