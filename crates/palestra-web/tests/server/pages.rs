//! What every page has: a title, a way past the navigation, the visitor's language and theme; and forms that keep what was typed.

use palestra_games::GAMES;
use palestra_games::bandera::BUNDLED;
use reqwest::multipart::{Form, Part};

use crate::courses::Course;
use crate::people::{PASSWORD, admin, email, link, mail, register, sign_in, somebody};
use crate::site::{Browser, Seen, Site, between, send};

/// The pages for everyone.
const PAGES: [&str; 19] = [
    "/",
    "/tables",
    "/tables/new",
    "/tables/new?game=bandera",
    "/tables/new?game=mancala&position=1:14,1,0,3,0,2,0/15,0,4,2,0,1,6",
    "/leagues",
    "/games",
    "/games?own=yes",
    "/maps",
    "/analyse",
    "/rules",
    "/rules/bandera",
    "/rules/players/maestro",
    "/register",
    "/sign-in",
    "/forgotten",
    "/help",
    "/write-a-bot",
    "/privacy",
];

/// What holds for a page, whatever it says.
fn assert_sound(path: &str, language: &str, seen: &Seen) {
    let text = &seen.text;
    assert!(text.contains(&format!("<html lang=\"{language}\">")), "{path} in {language}");
    assert_eq!(text.matches("<h1").count(), 1, "{path} has one title");
    let body = between(text, "<body", "</body>");
    assert!(body.find("<a ") == body.find("<a class=\"skip\" href=\"#main\">"), "{path}: the first link skips");
    assert!(text.contains("<main id=\"main\""), "{path}");
    assert!(!text.contains(" style=") && !text.contains("<style"), "{path} has inline style");
    assert!(!text.split("<script").skip(1).any(|script| !script.starts_with(" type=\"module\" src=")), "{path}");
    let handlers = [" onclick=", " onload=", " onsubmit=", "javascript:"];
    assert!(!handlers.iter().any(|handler| text.contains(handler)), "{path} has inline script");
    // A key that has no text is shown as itself.
    for key in [
        ">shell.",
        ">table.",
        ">games.",
        ">home.",
        ">account.",
        ">about.",
        ">rules.",
        ">players.",
        ">course.",
        ">league.",
    ] {
        assert!(!text.contains(key), "{path} in {language} shows a key: {}", between(text, key, "<"));
    }
}

#[tokio::test]
async fn every_page_is_sound_in_both_languages() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let map = format!("/maps/{}", BUNDLED[0].name);
    let code = root.open_table(&[("game", "mancala"), ("seat2", "open"), ("visibility", "public")]).await;
    let table = format!("/t/{code}");
    let course = Course::create(&root, "Inteligencia Artificial").await;
    let join = course.add_group(&root, "A1").await;
    let courses: Vec<String> = course.pages().into_iter().map(|(_, path)| path).chain([join]).collect();
    let own = [map.as_str(), &table, "/settings", "/settings?saved", "/settings/tokens", "/admin/accounts", "/design"];
    for language in ["en", "es"] {
        root.post("/language", &[("lang", language)]).await;
        for path in PAGES.iter().copied().chain(own).chain(courses.iter().map(String::as_str)) {
            let seen = root.get(path).await;
            assert_eq!(seen.status, 200, "{path}");
            assert_sound(path, language, &seen);
        }
        assert_sound("/nothing-here", language, &root.get("/nothing-here").await);
    }
    let guest = Browser::new(&site);
    for path in PAGES {
        assert_sound(path, "en", &guest.get(path).await);
    }
}

#[tokio::test]
async fn the_navigation_says_where_one_is() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for (path, href, value) in [
        ("/", "/", "page"),
        ("/tables", "/tables", "page"),
        ("/tables/new", "/", "true"),
        ("/maps", "/maps", "page"),
        ("/maps/causeway", "/maps", "true"),
        ("/analyse", "/analyse", "page"),
        ("/rules", "/rules", "page"),
        ("/rules/parchis", "/rules", "true"),
        ("/rules/players/house", "/rules", "true"),
    ] {
        let text = browser.get(path).await.text;
        let nav = between(&text, "<nav class=\"places\"", "</nav>");
        assert!(nav.contains(&format!(" href=\"{href}\" aria-current=\"{value}\">")), "{path}: {nav}");
        assert_eq!(nav.matches("aria-current").count(), 1, "{path}");
    }
    let text = browser.get("/sign-in").await.text;
    assert!(!between(&text, "<nav class=\"places\"", "</nav>").contains("aria-current"));
}

#[tokio::test]
async fn a_theme_is_chosen_kept_and_given_up() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    assert!(!browser.get("/").await.text.contains("data-theme"));
    for theme in ["light", "dark"] {
        let changed = browser.post("/theme", &[("theme", theme)]).await;
        assert!(changed.text.contains(&format!("<html lang=\"en\" data-theme=\"{theme}\">")), "{theme}");
        assert!(browser.get("/nothing-here").await.text.contains(&format!("data-theme=\"{theme}\"")));
    }
    assert!(!browser.post("/theme", &[("theme", "auto")]).await.text.contains("data-theme"));
    assert_eq!(browser.post("/theme", &[("theme", "\"><script>")]).await.status, 422);
    browser.set_cookie("theme=\"><script>");
    assert!(!browser.get("/").await.text.contains("data-theme"), "a cookie is not believed");
}

#[tokio::test]
async fn the_icon_is_there() {
    let site = Site::open().await;
    let seen = Browser::new(&site).get("/favicon.ico").await;
    assert_eq!((seen.status.as_u16(), seen.headers["content-type"].to_str().unwrap()), (200, "image/svg+xml"));
}

/// The form is there again, the field is marked, and a sentence says why.
fn assert_wrong(seen: &Seen, field: &str, says: &str) {
    assert_eq!(seen.status, 422, "{}", seen.text);
    let text = &seen.text;
    assert!(text.contains(&format!("aria-invalid=\"true\" aria-describedby=\"{field}-error")), "{field}: {text}");
    let sentence = between(text, &format!("id=\"{field}-error\">"), "</p>");
    assert!(sentence.contains(says), "{field}: {sentence}");
    assert!(!text.contains(PASSWORD));
}

#[tokio::test]
async fn a_wrong_password_leaves_the_form() {
    let site = Site::open().await;
    somebody(&site, "Ada").await;
    let browser = Browser::new(&site);
    let wrong = sign_in(&browser, "Ada", "wrong horse").await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text.contains("value=\"ada@example.org\"") && wrong.text.contains("role=\"alert\""), "{wrong:?}");
    assert_eq!(wrong.text.matches("aria-invalid=\"true\" aria-describedby=\"form-error\"").count(), 2);
    assert!(!wrong.text.contains("wrong horse"));

    register(&browser, "Bob", &email("Bob")).await;
    let early = sign_in(&browser, "Bob", PASSWORD).await;
    assert!(early.status == 422 && early.text.contains("not confirmed yet"), "{early:?}");
    assert!(!sign_in(&browser, "Bob", "wrong horse").await.text.contains("not confirmed yet"));
    let link = link(&mail(&site, &email("Bob"), "/confirm/").await);
    assert_wrong(&browser.post(&link, &[("password", "wrong horse")]).await, "password", "not the password");
}

#[tokio::test]
async fn settings_keep_what_was_typed_and_say_when_it_is_saved() {
    let site = Site::open().await;
    let (_bob, ada) = (somebody(&site, "Bob").await, somebody(&site, "Ada").await);
    let taken = ada.post("/settings/profile", &[("name", "Typed Name"), ("nickname", "bob")]).await;
    assert_wrong(&taken, "nickname", "already taken");
    assert!(taken.text.contains("value=\"Typed Name\"") && taken.text.contains("value=\"bob\""));
    let saved = ada.post("/settings/profile", &[("name", "Typed Name"), ("nickname", "Ada")]).await;
    assert!(saved.text.contains("Saved.") && !ada.get("/settings").await.text.contains("Saved."));
    let wrong = ada.post("/settings/password", &[("current", "wrong horse"), ("password", "another horse")]).await;
    assert_wrong(&wrong, "current", "not your password");
    let short = ada.post("/settings/password", &[("current", "x"), ("password", "short")]).await;
    assert_wrong(&short, "password", "8 to 200");
    assert_wrong(&ada.post("/settings/delete", &[("password", "wrong horse")]).await, "delete", "not your password");
    let token = ada.post("/settings/tokens", &[("label", "typed label")]).await;
    assert!(token.status == 422 && token.text.contains("value=\"typed label\""), "{token:?}");
}

#[tokio::test]
async fn a_new_table_keeps_what_was_typed() {
    let site = Site::open().await;
    somebody(&site, "Ada").await;
    let browser = Browser::new(&site);
    let open = async |fields: &[(&str, &str)]| {
        browser.post("/tables", &[&[("game", "mancala"), ("seat1", "me"), ("increment", "7")], fields].concat()).await
    };
    let taken = open(&[("nickname", "ada")]).await;
    assert_wrong(&taken, "nickname", "nickname of an account");
    assert!(taken.text.contains("value=\"ada\"") && taken.text.contains("name=\"increment\" value=\"7\""));
    assert_wrong(&open(&[("nickname", "Ninja 1")]).await, "nickname", "name of a built-in player");
    let forgotten = open(&[("seat2", "open"), ("reserved2", "Ada")]).await;
    assert_wrong(&forgotten, "reserved2", "open to everyone");
    assert_wrong(&open(&[("seat2", "reserved"), ("reserved2", "Nobody")]).await, "reserved2", "Nobody");
    assert_wrong(&open(&[("clock", "game"), ("minutes", "lots")]).await, "minutes", "1 second");
    assert_wrong(&open(&[("clock", "turn"), ("seconds", "0")]).await, "seconds", "1 second");
    let slow = [("game", "mancala"), ("clock", "game"), ("increment", "4000")];
    assert_wrong(&browser.post("/tables", &slow).await, "increment", "one hour");
}

/// Sends a form to be shown again in another language, as the switch in the header does.
async fn switch(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> Seen {
    browser.post(&format!("{path}?lang=es"), fields).await
}

#[tokio::test]
async fn a_form_that_came_back_changes_its_language_and_keeps_what_was_typed() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let visitor = Browser::new(&site);
    let person = [("name", "Typed Name"), ("nickname", "x"), ("email", "typed@school.example"), ("password", PASSWORD)];
    for (browser, path, fields) in [
        (&visitor, "/register", &person[..]),
        (&visitor, "/sign-in", &[("email", "typed@school.example"), ("password", "typed horse")]),
        (&visitor, "/forgotten", &[("email", "typed@")]),
        (&visitor, "/tables", &[("game", "mancala"), ("nickname", "Ada")]),
        (&ada, "/settings/profile", &[("name", "Typed Name"), ("nickname", "x")]),
        (&ada, "/settings/tokens", &[("label", "typed label")]),
    ] {
        let wrong = browser.post(path, fields).await;
        assert_eq!(wrong.status, 422, "{path}");
        let button = format!("form=\"{path}\" formaction=\"{path}?lang=es\" formnovalidate");
        assert!(wrong.text.contains(&button) && wrong.text.contains(&format!("id=\"{path}\"")), "{path}");
        let spanish = switch(browser, path, fields).await;
        assert_sound(path, "es", &spanish);
        assert!(spanish.status == 422 && spanish.text.contains("Todavía no se ha enviado nada."), "{path}");
        assert!(!spanish.text.contains("aria-invalid"), "{path}");
        let typed = fields.iter().filter(|(name, _)| !["password", "game"].contains(name));
        for (_, value) in typed {
            assert!(spanish.text.contains(&format!("value=\"{value}\"")), "{path}: {value}");
        }
        assert!(browser.get("/help").await.text.contains("<html lang=\"es\">"), "{path}: the choice is kept");
        browser.post("/language", &[("lang", "en")]).await;
    }
}

#[tokio::test]
async fn a_change_of_language_does_nothing_else() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let visitor = Browser::new(&site);
    let person = [("name", "Bob"), ("nickname", "Bob"), ("email", "bob@school.example"), ("password", PASSWORD)];
    let address = email("Ada");
    let right = [
        (&visitor, "/register", &person[..]),
        (&visitor, "/sign-in", &[("email", address.as_str()), ("password", PASSWORD)]),
        (&visitor, "/tables", &[("game", "mancala")]),
        (&ada, "/settings/profile", &[("name", "Else"), ("nickname", "Else")]),
        (&ada, "/settings/password", &[("current", PASSWORD), ("password", "another horse")]),
        (&ada, "/settings/tokens", &[("label", "typed label"), ("read", "on")]),
        (&ada, "/settings/delete", &[("password", PASSWORD)]),
    ];
    for (browser, path, fields) in right {
        assert_eq!(switch(browser, path, fields).await.status, 422, "{path}");
    }
    assert!(ada.get("/settings").await.text.contains("value=\"Ada\""));
    assert!(!ada.get("/settings/tokens").await.text.contains("typed label"));
    assert!(sign_in(&visitor, "Ada", PASSWORD).await.status.is_success());
    assert_eq!(crate::people::mails(&site, "bob@school.example"), [""; 0]);

    let stranger = Browser::new(&site);
    let forged = stranger.post_as_is("/register?lang=es", &person).await;
    assert_eq!(forged.status, 403);
    assert!(stranger.get("/").await.text.contains("<html lang=\"en\">"), "only forms of this site switch anything");
}

/// What libraries say in English must not reach a Spanish page.
#[tokio::test]
async fn reasons_of_libraries_are_said_in_the_language_of_the_page() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    root.post("/language", &[("lang", "es")]).await;
    let check = |seen: &Seen, english: &str, spanish: &str| {
        assert_eq!(seen.status, 422, "{english}");
        let sentence = between(&seen.text, "-error\">", "</p>").replace("&#39;", "'").replace("&#34;", "\"");
        assert!(!sentence.contains(english) && sentence.contains(spanish), "{english}: {sentence}");
        for word in [" the ", " is ", " at ", "expected", "legal are", "there "] {
            assert!(!sentence.contains(word), "{word}: {sentence}");
        }
    };
    for kind in GAMES {
        let ask = async |what: &str| root.get(&format!("/analyse?game={}&{what}=%3F", kind.id())).await;
        let error = (kind.parse)("?").unwrap_err();
        check(&ask("position").await, error.problem.english(), "En el carácter 1: se esperaba");
        let error = (kind.start)("-").unwrap().play("?").unwrap_err().phrase();
        check(&ask("moves").await, error.english(), "jugada 1: jugada mal escrita en el carácter 1: ");
        let fields = [("game", kind.id()), ("position", "?")];
        check(&root.post("/tables", &fields).await, "bad position", "En el carácter 1: se esperaba");
    }
    for (map, english, spanish) in [
        ("title: x\n\nmap:\n. . ?\n", "is no tile", "En la línea 4, carácter 5: '?' no es ningún tipo de casilla"),
        ("no map", "a file begins", "un archivo empieza con uno de estos encabezados"),
        ("title: x\n\nmap:\n.\n\nteam 1:\n", "is missing", "falta la parte \"team 2:\""),
    ] {
        let form = Form::new().text("csrf", root.csrf().await).text("name", "a-map");
        let form = form.part("map", Part::text(map).file_name("x.map"));
        check(&send(root.client().post(root.address("/maps")).multipart(form)).await, english, spanish);
    }
    let player = [("game", "mancala"), ("seat2", "alphabeta:x")];
    check(&root.post("/tables", &player).await, "no depth", "A alphabeta:x le falta una profundidad");
}

#[tokio::test]
async fn a_map_that_is_not_fair_is_told_why_in_the_language_of_the_page() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    root.post("/language", &[("lang", "es")]).await;
    let unfair = BUNDLED[2].text.replacen("energy 35", "energy 34", 1);
    let seen = crate::maps::upload(&root, "unfair", &unfair).await;
    let verdict = between(&seen.text, "class=\"verdict padded\">", "</p>");
    assert!(verdict.contains("no es justo: el jugador 2 tiene energía"), "{verdict}");
}

#[tokio::test]
async fn clocks_are_chosen_in_minutes_and_told_so() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let clock = async |fields: &[(&str, &str)]| {
        let usual = [("game", "mancala"), ("seat2", "open"), ("visibility", "public")];
        browser.open_table(&[&usual, fields].concat()).await;
        browser.get("/tables").await.text
    };
    assert!(clock(&[("clock", "3+2")]).await.contains("3 min + 2 s a move"));
    assert!(clock(&[("clock", "game"), ("minutes", "0.5"), ("seconds", "9")]).await.contains(">30 s<"));
    assert!(clock(&[("clock", "turn"), ("minutes", "5"), ("seconds", "90")]).await.contains("1 min 30 s a move"));
    assert!(clock(&[("clock", "game"), ("seconds", "5400")]).await.contains(">1 h 30 min<"), "as programs write it");
}

#[tokio::test]
async fn analysis_and_uploads_keep_what_was_typed() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let wrong = root.get("/analyse?game=parchis&position=%3C%2Fscript%3E").await;
    assert_wrong(&wrong, "load", "cannot be read");
    assert!(
        wrong.text.contains(">&#60;/script&#62;</textarea>")
            && wrong.text.contains("<option value=\"parchis\" selected>"),
        "{wrong:?}"
    );
    assert_wrong(&root.get("/analyse?game=parchis&moves=nowhere").await, "load", "cannot be played");
    let csrf = root.csrf().await;
    let upload = async |name: &str, map: &'static str| {
        let form = Form::new().text("csrf", csrf.clone()).text("name", name.to_owned());
        let form = form.part("map", Part::text(map).file_name("x.map"));
        send(root.client().post(root.address("/maps")).multipart(form)).await
    };
    let bad = upload("typed-name", "no map").await;
    assert_wrong(&bad, "map", "cannot be used");
    assert!(bad.text.contains("value=\"typed-name\""));
    upload("causeway", BUNDLED[2].text).await;
    assert_wrong(&upload("causeway", BUNDLED[2].text).await, "name", "already");
}

#[tokio::test]
async fn the_first_page_finds_the_games_of_a_guest() {
    let site = Site::open().await;
    let (browser, stranger) = (Browser::new(&site), Browser::new(&site));
    let code = browser.open_table(&[("game", "mancala"), ("move", "3")]).await;
    assert!(browser.get("/").await.text.contains(&format!("/t/{code}")));
    assert!(!stranger.get("/").await.text.contains(&code));
    let mut live = crate::site::Live::open(&browser, &code, None).await;
    let table = live.await_a("table").await.to_string();
    assert!(table.contains("\"3\""), "the first move is made: {table}");
    live.say(serde_json::json!({"do": "resign"})).await;
    let game = live.await_a("ended").await["state"]["ended"]["game"].as_str().unwrap().to_owned();
    // The cookie that the first page has set leads to the game, also when the table is closed.
    for path in ["/", "/games?own=yes"] {
        assert!(browser.get(path).await.text.contains(&format!("/games/{game}")), "{path}");
        assert!(!stranger.get(path).await.text.contains(&game), "{path}");
    }
    assert!(!browser.get("/games").await.text.contains(&game), "it was for those with the link");
    assert!(stranger.get("/games?own=yes").await.text.contains("You have not finished a game yet."));
}

#[tokio::test]
async fn the_first_page_speaks_of_every_game_in_the_language_of_the_visitor() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let english = browser.get("/").await.text;
    let spanish = browser.post("/language", &[("lang", "es")]).await.text;
    for kind in GAMES {
        let rules = format!("id=\"rules-{}\"", kind.id());
        assert_ne!(between(&english, &rules, "</p>"), between(&spanish, &rules, "</p>"), "{}", kind.id());
    }
    assert!(
        !spanish.contains("lang=\"en\">") || spanish.matches("lang=\"en\"").count() <= 2,
        "only the switch is English"
    );
}

#[tokio::test]
async fn the_privacy_page_says_who_runs_the_server() {
    let site = Site::open_with(|config| {
        config.operator = Some("A <b>School</b>".to_owned());
        config.contact = Some("help@school.example".to_owned());
    })
    .await;
    let text = Browser::new(&site).get("/privacy").await.text;
    assert!(text.contains("A &#60;b&#62;School&#60;/b&#62;") && text.contains("mailto:help@school.example"), "{text}");
    let silent = Site::open().await;
    assert!(Browser::new(&silent).get("/privacy").await.text.contains("has not given their name"));
}
