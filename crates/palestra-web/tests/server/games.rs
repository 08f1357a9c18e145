//! Games that were kept: pages, lists, records.

use palestra_games::{GameKind, Record};
use palestra_store::{NewAccount, NewGame, Player, PlayerKind, Role, Store};

use crate::maps::{get_beside_others, large, layout_of};
use crate::site::{Browser, Site, between};

/// The store of a site, beside its server.
pub(crate) async fn store(site: &Site) -> Store {
    Store::open_file(&site.folder.path().join("data/palestra.db")).await.unwrap()
}

pub(crate) fn guest(name: &str) -> Player {
    Player { kind: PlayerKind::Guest, account: None, name: name.to_owned() }
}

/// A game of mancala that player 2 resigned after some moves.
pub(crate) fn game(code: &str, ended_ms: i64, players: [Player; 2]) -> NewGame {
    let mut record = Record::new(GameKind::find("mancala").unwrap(), "-").unwrap();
    for _ in 0..4 {
        let mv = record.position().moves()[0].clone();
        record.play(&mv).unwrap();
    }
    record.set_result([48, 0], "resigned").unwrap();
    NewGame {
        code: code.to_owned(),
        game: "mancala".to_owned(),
        options: "-".to_owned(),
        table_code: None,
        is_public: true,
        is_rated: false,
        points: [48, 0],
        winner: Some(1),
        reason: "resigned".to_owned(),
        started_ms: ended_ms - 1000,
        ended_ms,
        record: record.to_string(),
        players,
    }
}

/// The address of all plies of the game that a page shows.
fn line_of(page: &str) -> &str {
    between(page, "as=\"fetch\" href=\"", "\"")
}

async fn account(store: &Store, nickname: &str) -> i64 {
    let new = NewAccount {
        nickname: nickname.to_owned(),
        name: "Real Name".to_owned(),
        email: format!("{nickname}@secret.example"),
        password: String::new(),
        role: Role::Student,
    };
    store.create_account(&new, 1).await.unwrap()
}

#[tokio::test]
async fn a_game_has_a_page_positions_and_a_record() {
    let site = Site::open().await;
    let (store, browser) = (store(&site).await, Browser::new(&site));
    let ana = Player { kind: PlayerKind::Account, account: Some(account(&store, "Ana").await), name: "Ana".to_owned() };
    let ninja = Player { kind: PlayerKind::BuiltIn, account: None, name: "ninja1".to_owned() };
    assert!(store.add_game(&game("first", 1000, [ana, ninja])).await.unwrap());
    let page = browser.get("/games/first").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Ana won") && page.text.contains("the other side resigned"), "{}", page.text);
    assert!(!page.text.contains("secret.example") && !page.text.contains("Real Name"));
    let line = browser.get(line_of(&page.text)).await;
    assert!(line.headers["cache-control"].to_str().unwrap().contains("immutable"));
    let line: serde_json::Value = serde_json::from_str(&line.text).unwrap();
    let plies = line["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 5);
    for (index, ply) in plies.iter().enumerate() {
        assert_eq!(ply["scene"]["last"].as_array().unwrap().is_empty(), index == 0);
    }
    // It ends where it was resigned.
    let end = Record::read_all(game("first", 0, [guest("a"), guest("b")]).record.as_bytes()).unwrap().remove(0);
    assert_eq!(plies[4]["position"], end.position().notation());
    assert_eq!(browser.get("/games/none").await.status, 404);
    assert_eq!(browser.get("/games/first/analyse").await.path, "/games/first", "an old address");
    let text = browser.get("/games/first/record").await;
    assert!(text.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let records = Record::read_all(text.text.as_bytes()).unwrap();
    assert_eq!(records[0].tag("Player1"), Some("Ana"));
    assert_eq!(records[0].tag("Player2"), Some("ninja1"));
    assert_eq!(records[0].moves().len(), 4);
}

#[tokio::test]
async fn a_game_on_the_largest_map_has_a_small_page_and_delays_nobody() {
    let site = Site::open().await;
    let (store, browser) = (store(&site).await, Browser::new(&site));
    let mut record = Record::new(GameKind::find("bandera").unwrap(), &large()).unwrap();
    let mv = record.position().moves()[0].clone();
    record.play(&mv).unwrap();
    record.set_result([1, 0], "resigned").unwrap();
    let [game_id, options] = ["bandera", "large"].map(str::to_owned);
    let played = game("large", 1000, [guest("a"), guest("b")]);
    let played = NewGame { game: game_id, options, record: record.to_string(), ..played };
    assert!(store.add_game(&played).await.unwrap());
    let page = get_beside_others(&site, &browser, "/games/large").await;
    assert!(page.text.len() < 50_000, "{} bytes", page.text.len());
    let layout: serde_json::Value = serde_json::from_str(&browser.get(&layout_of(&page.text)).await.text).unwrap();
    assert_eq!(layout["cells"].as_array().unwrap().len(), 128 * 128);
    let line: serde_json::Value = serde_json::from_str(&browser.get(line_of(&page.text)).await.text).unwrap();
    let [before, after] = [0, 1].map(|ply| line["plies"][ply]["scene"]["last"].as_array().unwrap());
    assert!(before.is_empty() && !after.is_empty(), "{before:?} {after:?}");
}

#[tokio::test]
async fn pages_of_games_are_not_made_one_after_the_other() {
    let site = Site::open().await;
    let (store, browser) = (store(&site).await, Browser::new(&site));
    store.add_game(&game("first", 1000, [guest("a"), guest("b")])).await.unwrap();
    let page = browser.get("/games/first").await.text;
    let mut asked = 0;
    while browser.get("/games/first").await.status == 200 {
        asked += 1;
        assert!(asked < 2000, "there is no limit");
    }
    assert_eq!(browser.get("/games/first").await.status, 429);
    assert_eq!(browser.get("/games/first/record").await.status, 429);
    assert_eq!(browser.get(line_of(&page)).await.status, 200, "a replay goes on");
}

#[tokio::test]
async fn lists_show_public_games_that_pass_the_filter_page_by_page() {
    let site = Site::open().await;
    let (store, browser) = (store(&site).await, Browser::new(&site));
    for number in 0..60 {
        let rival = if number % 2 == 0 { "even" } else { "odd" };
        store.add_game(&game(&format!("g{number}"), 1000 + number, [guest("zoe"), guest(rival)])).await.unwrap();
    }
    let hidden = NewGame { is_public: false, ..game("hidden", 5000, [guest("zoe"), guest("hidden")]) };
    store.add_game(&hidden).await.unwrap();
    assert_eq!(browser.get("/games/hidden").await.status, 200, "whoever knows the address may look");
    let mut seen = vec![];
    let mut path = "/games?player=even".to_owned();
    loop {
        let page = browser.get(&path).await.text;
        assert!(!page.contains("/games/hidden"));
        seen.extend(page.split("href=\"/games/g").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
        let Some((before, _)) = page.split_once("\" rel=\"next\"") else { break };
        path = before.rsplit_once("href=\"").unwrap().1.replace("&#38;", "&").replace("&amp;", "&");
    }
    let even: Vec<String> = (0..60).rev().step_by(2).map(|number| (number - 1).to_string()).collect();
    assert_eq!(seen, even);
    let nobody = browser.get("/games?player=nobody").await.text;
    assert!(!nobody.contains("href=\"/games/g") && nobody.contains("No game matches"));
    for (query, is_there) in [
        ("game=mancala", true),
        ("game=bandera", false),
        ("result=1", true),
        ("result=2", false),
        ("reason=resigned", true),
        ("reason=timeout", false),
        ("from=1970-01-01&to=1970-01-01", true),
        ("from=1970-01-02", false),
        ("to=1969-12-31", false),
    ] {
        let page = browser.get(&format!("/games?{query}")).await.text;
        assert_eq!(page.contains("href=\"/games/g"), is_there, "{query}");
    }
    assert_eq!(browser.get("/games?from=yesterday").await.status, 422);
    let records = browser.get("/games.txt?player=odd").await.text;
    assert_eq!(Record::read_all(records.as_bytes()).unwrap().len(), 30);
    assert_eq!(Record::read_all(browser.get("/games.txt").await.text.as_bytes()).unwrap().len(), 60);
}

#[tokio::test]
async fn a_game_is_kept_once() {
    let site = Site::open().await;
    let store = store(&site).await;
    assert!(store.add_game(&game("once", 1000, [guest("a"), guest("b")])).await.unwrap());
    assert!(!store.add_game(&game("once", 2000, [guest("c"), guest("d")])).await.unwrap());
    assert_eq!(store.game("once").await.unwrap().unwrap().players[0].name, "a");
}

#[tokio::test]
async fn a_deleted_account_leaves_no_name_behind() {
    let site = Site::open().await;
    let (store, browser) = (store(&site).await, Browser::new(&site));
    // An account that is gone by the time the game ends.
    let gone = Player { kind: PlayerKind::Account, account: Some(12345), name: "Vanished".to_owned() };
    store.add_game(&game("gone", 1000, [gone, guest("b")])).await.unwrap();
    for path in ["/games/gone", "/games", "/games/gone/record", "/games.txt"] {
        let text = browser.get(path).await.text;
        assert!(text.contains("deleted") && !text.contains("Vanished"), "{path}: {text}");
    }
}

#[tokio::test]
async fn names_cannot_break_out_of_pages_and_records() {
    let site = Site::open().await;
    let (store, browser) = (store(&site).await, Browser::new(&site));
    let evil = "</script><b>\u{1b}[31m\u{202e}x{y}\"'";
    store.add_game(&game("evil", 1000, [guest(evil), guest("\u{200f}")])).await.unwrap();
    for path in ["/games", "/games/evil", &format!("/games?player={}", "%3C%2Fscript%3E%22%3E%3Cb%3E")] {
        let text = browser.get(path).await.text;
        assert!(!text.contains("</script><b>") && !text.contains("\"><b>"), "{path}");
    }
    let text = browser.get("/games/evil/record").await.text;
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{200f}']), "{text:?}");
    assert_eq!(Record::read_all(text.as_bytes()).unwrap().len(), 1);
}
