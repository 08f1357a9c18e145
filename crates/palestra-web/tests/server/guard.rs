//! Who may do what, and what cannot be smuggled in.

use palestra_games::bandera::BUNDLED;
use reqwest::multipart::{Form, Part};
use serde_json::json;

use crate::people::{PASSWORD, admin, email, give_role, mail, mails, register, somebody};
use crate::site::{Browser, Live, Site, send};

type Fields = (&'static str, &'static [(&'static str, &'static str)]);

/// Every form but that with a file.
const FORMS: [Fields; 72] = [
    ("/courses/my-course/house", &[("bot", "Sparta"), ("house", "hidden")]),
    ("/assignments", &[("course", "my-course")]),
    ("/assignments/my-work/edit", &[("title", "Changed")]),
    ("/assignments/my-work/delete", &[]),
    ("/assignments/my-work/trial", &[]),
    ("/assignments/my-work/marks", &[("p.1.memo", "3")]),
    ("/assignments/my-work/marks/compute", &[("reason", "again")]),
    ("/assignments/my-work/marks/count", &[("run", "abc")]),
    ("/assignments/my-work/marks/1", &[("what", "copy"), ("reason", "copied")]),
    ("/assignments/my-work/publish", &[]),
    ("/assignments/my-work/hide", &[]),
    ("/register", &[("name", "N"), ("nickname", "Newcomer"), ("email", "new@example.org"), ("password", PASSWORD)]),
    ("/confirm/abcdefghijkmnpqrstuvwxyz23", &[("password", PASSWORD)]),
    ("/sign-in", &[("email", "ada@example.org"), ("password", PASSWORD)]),
    ("/sign-out", &[]),
    ("/forgotten", &[("email", "ada@example.org")]),
    ("/reset/abcdefghijkmnpqrstuvwxyz23", &[("password", PASSWORD)]),
    (
        "/setup/abcdefghijkmnpqrstuvwxyz23",
        &[("name", "N"), ("nickname", "Nnn"), ("email", "n@n.example"), ("password", PASSWORD)],
    ),
    ("/settings/profile", &[("name", "Changed"), ("nickname", "Changed")]),
    ("/settings/password", &[("current", PASSWORD), ("password", "changed password")]),
    ("/settings/tokens", &[("label", "changed"), ("read", "on")]),
    ("/settings/tokens/revoke", &[("id", "1")]),
    ("/settings/delete", &[("password", PASSWORD)]),
    ("/admin/registrations/confirm", &[("id", "1")]),
    ("/admin/accounts/role", &[("id", "1"), ("role", "admin")]),
    ("/admin/jobs/retry", &[("subject", "build/1")]),
    ("/admin/jobs/drop", &[("subject", "build/1")]),
    ("/language", &[("lang", "es")]),
    ("/theme", &[("theme", "dark")]),
    ("/tables", &[("game", "mancala")]),
    ("/bots", &[("name", "Changed"), ("game", "mancala"), ("language", "cpp")]),
    ("/bots/Lento/activate", &[("number", "1")]),
    ("/bots/Lento/delete-version", &[("number", "1")]),
    ("/bots/Lento/retry", &[("number", "1")]),
    ("/bots/Lento/compare", &[("number", "1"), ("other", "2")]),
    ("/maps/my-map/delete", &[]),
    ("/maps/my-map/rename", &[("name", "Changed")]),
    ("/maps/my-map/share", &[("visibility", "link")]),
    ("/courses", &[("name", "Changed")]),
    ("/courses/my-course/claim", &[]),
    ("/courses/my-course/groups", &[("code", "A1"), ("name", "")]),
    ("/courses/my-course/groups/1", &[("code", "A1"), ("name", "")]),
    ("/courses/my-course/groups/1/renew", &[]),
    ("/courses/my-course/groups/1/close", &[]),
    ("/courses/my-course/groups/1/delete", &[]),
    ("/join/abcd-efgh-2345", &[]),
    ("/courses/my-course/ask", &[("group", "")]),
    ("/courses/my-course/leave", &[]),
    ("/courses/my-course/settings", &[("name", "Changed")]),
    ("/courses/my-course/teachers", &[("teacher", "Ada")]),
    ("/courses/my-course/teachers/remove", &[("id", "1")]),
    ("/courses/my-course/members/1/accept", &[]),
    ("/courses/my-course/members/1/remove", &[]),
    ("/courses/my-course/members/1/move", &[("group", "1")]),
    ("/courses/my-course/members/1/deny", &[]),
    ("/courses/my-course/members/1/pair", &[("with", "1")]),
    ("/courses/my-course/members/1/part", &[]),
    ("/courses/my-course/roster/import", &[("list", "Changed,new@example.org")]),
    ("/courses/my-course/invite", &[]),
    ("/courses/my-course/notices", &[("group", ""), ("text", "Changed")]),
    ("/courses/my-course/notices/1/delete", &[]),
    ("/courses/my-course/copies/1/remove", &[]),
    ("/settings/mails", &[]),
    ("/courses/my-course/entry", &[("bot", "Changed")]),
    ("/courses/my-course/leagues/new", &[("name", "Changed")]),
    ("/leagues/my-league/edit", &[("name", "Changed")]),
    ("/leagues/my-league/delete", &[]),
    ("/leagues/my-league/run", &[("reason", "Changed")]),
    ("/leagues/my-league/runs/1/mark", &[]),
    ("/leagues/my-league/runs/1/publish", &[]),
    ("/leagues/my-league/runs/1/state", &[("do", "pause"), ("reason", "Changed")]),
    ("/leagues/my-league/runs/1/void", &[("game", "1"), ("reason", "Changed")]),
];

/// What is sent otherwise: a form with a file, and JSON.
const OTHERS: [&str; 26] = [
    "/courses/my-course/roster",
    "/courses/my-course/copies",
    "/bots/Lento/versions",
    "/maps",
    "/assignments/my-work/hand-in",
    "/api/analyse",
    "/api/analyse/stream",
    "/api/evaluate",
    "/api/line",
    "/api/record",
    "/api/tables",
    "/api/tree",
    "/api/tree/compare",
    "/api/v1/analyse",
    "/api/v1/evaluate",
    "/api/v1/line",
    "/api/v1/tables",
    "/api/v1/tree",
    "/api/v1/tree/compare",
    "/api/maps",
    "/api/maps/report",
    "/api/maps/generate",
    "/api/maps/read",
    "/api/maps/text",
    "/api/maps/play",
    "/api/maps/my-map/save",
];

#[test]
fn whatever_can_be_sent_is_tried_here() {
    let routes = include_str!("../../src/routes.rs");
    let posts = routes.lines().filter(|line| line.contains("post(") && line.contains(".route("));
    let mut missing: Vec<&str> = posts.map(|line| line.split('"').nth(1).unwrap()).collect();
    assert!(missing.len() > 15);
    let matches = |route: &str, path: &str| {
        let (route, path): (Vec<_>, Vec<_>) = (route.split('/').collect(), path.split('/').collect());
        route.len() == path.len() && route.iter().zip(&path).all(|(part, word)| part.starts_with('{') || part == word)
    };
    missing.retain(|route| !FORMS.iter().map(|(path, _)| *path).chain(OTHERS).any(|path| matches(route, path)));
    assert!(missing.is_empty(), "{missing:?}");
}

#[tokio::test]
async fn no_file_and_no_json_is_taken_from_another_page() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let own = root.csrf().await;
    let form = |csrf: &str| {
        let map = Part::text(BUNDLED[2].text).file_name("x.map");
        Form::new().text("csrf", csrf.to_owned()).text("name", "my-map").part("map", map)
    };
    let upload = |csrf: &str| root.client().post(root.address("/maps")).multipart(form(csrf));
    assert_eq!(send(upload("")).await.status, 403);
    assert_eq!(send(upload("abcdefghijkmnpqrstuvwxyz23")).await.status, 403);
    assert_eq!(send(upload(&own).header("origin", "http://evil.example")).await.status, 403);
    assert!(!root.get("/maps").await.text.contains("my-map"), "nothing was taken");
    let taken = send(upload(&own).header("origin", &site.url)).await;
    assert_eq!(taken.status, 200);
    let drawn = json!({"name": "Drawn", "map": crate::maps::drawn()});
    let [map, text, plan] = [
        json!({"map": crate::maps::drawn()}),
        json!({"text": BUNDLED[0].text}),
        json!({"rows": 8, "columns": 8, "players": 1}),
    ];
    let own_map = format!("/api{}/save", taken.path);
    for (path, body) in [
        ("/api/maps", &drawn),
        ("/api/maps/report", &map),
        ("/api/maps/generate", &plan),
        ("/api/maps/read", &text),
        ("/api/maps/text", &drawn),
        ("/api/maps/play", &drawn),
        (&own_map, &json!({"name": "Redrawn", "map": crate::maps::drawn()})),
    ] {
        let ask = || root.client().post(root.address(path)).json(body);
        assert_eq!(send(ask().header("origin", "http://evil.example")).await.status, 403, "{path}");
        assert!(send(ask().header("origin", &site.url)).await.status.is_success(), "{path}");
    }
    for path in OTHERS.into_iter().filter(|path| path.starts_with("/api/") && !path.starts_with("/api/maps")) {
        let body =
            if path == "/api/record" { json!({"text": "4 1", "game": "mancala"}) } else { json!({"game": "mancala"}) };
        let ask = || root.client().post(root.address(path)).json(&body);
        assert_eq!(send(ask().header("origin", "http://evil.example")).await.status, 403, "{path}");
        assert!(send(ask().header("origin", &site.url)).await.status.is_success(), "{path}");
    }
    let code = root.open_table(&[("game", "mancala"), ("seat2", "open")]).await;
    for path in [format!("/t/{code}/bot?name=mybot"), format!("/t/{code}/live")] {
        let upgrade = root.client().get(root.address(&path)).header("connection", "upgrade");
        let upgrade = upgrade.header("upgrade", "websocket").header("sec-websocket-version", "13");
        let upgrade = upgrade.header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==").header("origin", "null");
        assert_eq!(upgrade.send().await.unwrap().status(), 403, "{path}");
    }
}

#[tokio::test]
async fn no_form_is_taken_from_another_page() {
    let site = Site::open().await;
    let (root, ada) = (admin(&site, "Root").await, somebody(&site, "Ada").await);
    let (foreign, own) = (ada.csrf().await, root.csrf().await);
    for (path, fields) in FORMS {
        assert_eq!(root.post_as_is(path, fields).await.status, 403, "{path} without the word");
        let with = |csrf| fields.iter().copied().chain([("csrf", csrf)]).collect::<Vec<_>>();
        assert_eq!(root.post_as_is(path, &with(&foreign)).await.status, 403, "{path} with somebody else's");
        let request = root.client().post(root.address(path)).form(&with(&own)).header("origin", "http://evil.example");
        assert_eq!(send(request).await.status, 403, "{path} from another site");
        assert_eq!(root.get("/admin/accounts").await.status, 200, "{path}");
    }
    assert!(root.get("/").await.text.contains("lang=\"en\""));
    let page = root.get("/admin/accounts").await.text;
    assert!(!page.contains("Changed") && !page.contains("new@example.org"));
    assert!(ada.get("/settings").await.text.contains("Student"));
}

#[tokio::test]
async fn every_page_and_action_is_for_those_it_is_for() {
    let site = Site::open().await;
    let (root, stranger) = (admin(&site, "Root").await, Browser::new(&site));
    let (student, teacher) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    give_role(&root, "Bob", "teacher").await;
    for path in ["/settings", "/settings/tokens", "/settings/export", "/api/me"] {
        assert_eq!(stranger.get(path).await.status, 401, "{path}");
        assert_eq!(student.get(path).await.status, 200, "{path}");
    }
    assert_eq!(stranger.get("/admin/accounts").await.status, 401);
    for other in [&student, &teacher] {
        assert_eq!(other.get("/admin/accounts").await.status, 403);
        assert!(!other.get("/").await.text.contains("/admin/"));
    }
    for (path, fields) in FORMS.into_iter().filter(|(path, _)| path.starts_with("/settings")) {
        assert_eq!(stranger.post(path, fields).await.status, 401, "{path}");
    }
    for (path, fields) in FORMS.into_iter().filter(|(path, _)| path.starts_with("/admin")) {
        assert_eq!(stranger.post(path, fields).await.status, 401, "{path}");
        assert_eq!(student.post(path, fields).await.status, 403, "{path}");
        assert_eq!(teacher.post(path, fields).await.status, 403, "{path}");
    }
    assert!(student.get("/settings").await.text.contains("Student"), "nothing was changed");
}

#[tokio::test]
async fn what_people_write_stays_text() {
    let site = Site::open().await;
    let (root, ada) = (admin(&site, "Root").await, somebody(&site, "Ada").await);
    let hostile = "</script><script>alert(1)</script>\"'&";
    let changed = ada.post("/settings/profile", &[("name", hostile), ("nickname", "Ada")]).await;
    assert_eq!(changed.status, 200);
    let search = format!("/admin/accounts?q={}", "%3C%2Fscript%3E%3Cscript%3Ealert(1)");
    for page in [changed.text, root.get("/admin/accounts").await.text, root.get(&search).await.text] {
        assert!(page.contains("alert(1)") && !page.contains("<script"), "{page}");
    }
    let refused = [
        ("Ada\u{1b}[2J", "Ada"),
        ("Ada\u{202e}", "Ada"),
        ("Ada\r\nBcc: all@example.org", "Ada"),
        ("Ada", hostile),
        ("Ada", "Ada\u{202e}"),
        ("Ada", "A\u{200b}da"),
        ("Ada", "Ada\u{1b}[31m"),
        ("Ada", "deleted"),
    ];
    for (name, nickname) in refused {
        let seen = ada.post("/settings/profile", &[("name", name), ("nickname", nickname)]).await;
        assert_eq!(seen.status, 422, "{name:?} {nickname:?}");
    }
    let again = register(&Browser::new(&site), "<script>", "x@example.org").await;
    assert!(again.status == 422 && !again.text.contains("<script"), "{again:?}");
}

#[tokio::test]
async fn no_header_is_added_to_a_mail() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let person = |name, email| [("name", name), ("nickname", "Ada"), ("email", email), ("password", PASSWORD)];
    let lines = person("Ada\r\nBcc: all@example.org", "ada@example.org");
    assert_eq!(browser.post("/register", &lines).await.status, 422);
    for address in ["ada@example.org\r\nBcc: all@example.org", "ada@example.org, all@example.org", "<ada@example.org>"]
    {
        assert_eq!(browser.post("/register", &person("Ada", address)).await.status, 422, "{address:?}");
        assert_eq!(browser.post("/forgotten", &[("email", address)]).await.status, 422, "{address:?}");
    }
    assert_eq!(browser.post("/register", &person("Free pills at evil.example", &email("Ada"))).await.status, 200);
    let told = mail(&site, &email("Ada"), "/confirm/").await;
    assert!(!told.contains("pills") && !told.contains("Bcc"), "a mail holds nothing that a visitor wrote: {told}");
    assert!(mails(&site, "all@example.org").is_empty());
}

#[tokio::test]
async fn addresses_and_names_are_not_public() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let (ada, bob) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    give_role(&root, "Ada", "teacher").await;
    let form = Form::new().text("csrf", ada.csrf().await).text("name", "my-map");
    let form = form.part("map", Part::text(BUNDLED[2].text).file_name("x.map"));
    let map = send(ada.client().post(ada.address("/maps")).multipart(form)).await.path;
    assert_eq!(ada.post(&format!("{map}/share"), &[("visibility", "public")]).await.status, 200);
    let code = ada.open_table(&[("game", "mancala"), ("seat2", "me"), ("visibility", "public")]).await;
    let mut live = Live::open(&ada, &code, None).await;
    live.say(json!({"do": "chat", "text": "hola"})).await;
    live.say(json!({"do": "resign"})).await;
    let game = live.await_a("ended").await["state"]["ended"]["game"].as_str().unwrap().to_owned();
    let waiting = ada.open_table(&[("game", "mancala"), ("seat2", "open"), ("visibility", "public")]).await;
    let mut seen = Live::open(&bob, &code, None).await.await_a("table").await.to_string();
    assert!(seen.contains("Ada") && seen.contains("hola"), "{seen}");
    let stranger = Browser::new(&site);
    for path in ["/tables", &format!("/t/{waiting}"), "/games", &format!("/games/{game}"), "/games.txt", "/maps", &map]
    {
        for browser in [&bob, &stranger] {
            let page = browser.get(path).await;
            assert_eq!(page.status, 200, "{path}");
            // A table's page gets its names by the socket.
            assert!(page.text.contains("Ada") || path.starts_with("/t/"), "{path}: {}", page.text);
            seen += &page.text;
        }
    }
    assert!(!seen.contains("Real Ada") && !seen.contains("ada@example.org"), "{seen}");
}
