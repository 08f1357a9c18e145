//! Seeing the search think: the tree for programs, and its page in a real browser.

use std::time::{Duration, Instant};

use palestra_games::{AnyGame, GAMES, GameKind};
use palestra_search::any_player;
use palestra_search::engine::Never;
use palestra_search::tree::{Algorithm, Met, MoveOrder, Tree, TreeRequest, any_tree};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::people::somebody;
use crate::rated::{RatedGame, after};
use crate::site::{Browser, Seen, Site, WAIT_LIMIT, send};
use crate::walk::{AXE, axe};

/// The position of the tree that is shown to those who ask for nothing.
const EXAMPLE: &str = "1:14,1,0,3,0,2,0/15,0,4,2,0,1,6";

fn asking(browser: &Browser, wanted: &Value) -> RequestBuilder {
    browser.client().post(browser.address("/api/v1/tree")).json(wanted)
}

async fn ask(browser: &Browser, wanted: &Value) -> Seen {
    send(asking(browser, wanted)).await
}

fn json_of(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|_| panic!("{seen:?}"))
}

fn start(game: &str) -> Box<dyn AnyGame> {
    (GameKind::find(game).unwrap().start)("-").unwrap()
}

fn example() -> Box<dyn AnyGame> {
    (GameKind::find("mancala").unwrap().parse)(EXAMPLE).unwrap()
}

fn tree(position: &dyn AnyGame, order: MoveOrder, evaluation: &str, depth: u32) -> Tree {
    let request = TreeRequest::new(Algorithm::AlphaBeta, order, evaluation, depth);
    any_tree(position, &request, &mut Never).unwrap()
}

/// A page of the tree whose drawing is there.
async fn open(tab: &mut Tab, site: &Site, query: &str) {
    tab.open(&format!("{}/tree{query}", site.url)).await;
    tab.wait_for("document.querySelector('[data-part=node]').textContent !== '–'").await;
}

async fn text(tab: &mut Tab, selector: &str) -> String {
    let text = tab.eval(&format!("document.querySelector({}).innerText", json!(selector))).await;
    text.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn programs_get_the_tree_of_the_library() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for (order, word) in [(MoveOrder::Listed, "listed"), (MoveOrder::Best, "best"), (MoveOrder::Worst, "worst")] {
        let wanted = json!({"game": "mancala", "position": EXAMPLE, "order": word, "evaluation": "stores", "depth": 4});
        let expected = serde_json::to_value(tree(&*example(), order, "stores", 4)).unwrap();
        assert_eq!(json_of(&ask(&browser, &wanted).await), expected, "{word}");
    }
    let usual = json_of(&ask(&browser, &json!({"game": "mancala", "position": EXAMPLE})).await);
    assert_eq!((&usual["visited"], &usual["cutoffs"], &usual["score"]), (&json!(22), &json!(5), &json!(2)));
    let file = browser.get(&format!("/tree.json?game=mancala&position={EXAMPLE}&depth=3")).await;
    assert_eq!(json_of(&file), usual);
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"tree-mancala.json\"");
}

#[tokio::test]
async fn a_picture_speaks_the_language_of_its_reader_and_shows_the_plies_that_are_asked_for() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let address = format!("/tree.svg?game=mancala&position={EXAMPLE}&depth=3");
    let picture = browser.get(&address).await;
    assert_eq!(picture.headers["content-type"], "image/svg+xml");
    assert_eq!(picture.headers["content-disposition"], "attachment; filename=\"tree-mancala.svg\"");
    assert!(
        picture.text.starts_with("<svg") && picture.text.contains("Mancala: Alpha-beta to depth 3, moves as listed")
    );
    let smaller = browser.get(&format!("{address}&plies=1")).await.text;
    assert!(smaller.len() < picture.text.len() && smaller.starts_with("<svg"), "{smaller}");
    assert_eq!(browser.get(&format!("{address}&plies=999")).await.text, picture.text);
    browser.post("/language", &[("lang", "es")]).await;
    assert!(browser.get(&address).await.text.contains("Mancala: Alfa-beta a profundidad 3, jugadas según la lista"));
    let refused = browser.get("/tree.svg?game=mancala&depth=many").await;
    assert_eq!(refused.status, 422, "{refused:?}");
}

#[tokio::test]
async fn a_part_of_a_tree_is_what_the_whole_tree_has_there() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let whole = serde_json::to_value(tree(&*example(), MoveOrder::Listed, "stores", 4)).unwrap();
    let nodes = &whole["nodes"];
    // The second child of the root: its window comes from the first.
    let child = (2..).find(|node| nodes["parent"][*node] == 0).unwrap();
    let text = &whole["texts"][nodes["move"][child].as_u64().unwrap() as usize];
    let window = json!([nodes["alpha"][child], nodes["beta"][child]]);
    let wanted = json!({"game": "mancala", "position": EXAMPLE, "depth": 3, "at": [text], "window": window});
    let part = json_of(&ask(&browser, &wanted).await);
    assert_eq!((&part["score"], &part["max"]), (&nodes["score"][child], &whole["max"]));
    assert_eq!(part["visited"].as_u64().unwrap(), nodes["below"][child].as_u64().unwrap() + 1);
    let scores = part["nodes"]["score"].as_array().unwrap();
    assert_eq!(scores[..], nodes["score"].as_array().unwrap()[child..child + scores.len()]);
}

#[tokio::test]
async fn all_searches_of_a_comparison_find_the_same_value() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let wanted = json!({"game": "mancala", "position": EXAMPLE, "depth": 3});
    let seen = send(browser.client().post(browser.address("/api/v1/tree/compare")).json(&wanted)).await;
    let rows = json_of(&seen)["rows"].clone();
    let rows = rows.as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    let all = "minimax alphabeta-worst alphabeta-listed alphabeta-best deepening deepening-table";
    assert_eq!(names.join(" "), all);
    assert!(rows.iter().all(|row| row["score"] == 2 && row["is_stopped"] == false), "{rows:?}");
    let nodes: Vec<u64> = rows[..4].iter().map(|row| row["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [47, 38, 22, 19]);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_words() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for (wanted, words) in [
        (json!({"game": "chess"}), "There is no game chess"),
        (json!({"game": "mancala", "algorithm": "magic"}), "There is no algorithm magic"),
        (json!({"game": "mancala", "order": "random"}), "There is no order random"),
        (json!({"game": "mancala", "evaluation": "test"}), "It has: stores, strong"),
        (json!({"game": "mancala", "depth": 0}), "a number from 1 to"),
        (json!({"game": "mancala", "depth": 17}), "a number from 1 to"),
        (json!({"game": "mancala", "at": ["9"]}), "cannot be played"),
        (json!({"game": "mancala", "at": vec!["1"; 3001]}), "Too long"),
        (json!({"game": "mancala", "window": [3, 3]}), "alpha must be less than beta"),
        (json!({"game": "mancala", "window": [i32::MIN, null]}), "alpha must be less than beta"),
        (json!({"game": "mancala", "position": "1:24,0,0,0,0,0,0/24,0,0,0,0,0,0"}), "The game is over"),
        (json!({"game": "mancala", "position": "x"}), "cannot be read"),
        (json!({"game": "mancala", "deep": 3}), "unknown field"),
    ] {
        let seen = ask(&browser, &wanted).await;
        assert_eq!(seen.status, 422, "{wanted} {seen:?}");
        let message = json_of(&seen)["detail"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
    }
    let other = asking(&browser, &json!({"game": "mancala"})).header("origin", "http://evil.example");
    assert_eq!(send(other).await.status, 403, "other sites cannot ask");
}

#[tokio::test]
async fn a_page_with_bad_values_says_so_beside_the_field_and_loses_nothing() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for (query, field, words) in [
        ("game=chess&depth=5", "game", "There is no game chess"),
        ("game=mancala&position=nonsense&depth=5", "position", "cannot be read"),
        ("game=mancala&moves=1+9&depth=5", "moves", "cannot be played"),
        ("game=mancala&eval=typed&depth=5", "eval", "It has: stores, strong"),
        ("game=mancala&order=typed&depth=5", "order", "There is no order typed"),
        ("game=mancala&algorithm=typed&depth=5", "algorithm", "There is no algorithm typed"),
        ("game=mancala&depth=many", "depth", "a number from 1 to"),
    ] {
        let seen = browser.get(&format!("/tree?{query}")).await;
        assert_eq!(seen.status, 422, "{query}");
        assert!(seen.text.contains(&format!("id=\"{field}-error\"")) && seen.text.contains(words), "{query} {seen:?}");
        for (name, value) in
            query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(name, _)| *name != "game")
        {
            assert!(seen.text.contains(&format!("name=\"{name}\"")), "{query}");
            assert!(seen.text.contains(&value.replace('+', " ")), "{query}: {value}");
        }
    }
    let spanish = browser.post("/language", &[("lang", "es")]).await;
    assert_eq!(spanish.status, 200);
    assert!(browser.get("/tree?game=mancala&depth=x").await.text.contains("La profundidad es un número"));
}

#[tokio::test]
async fn a_search_that_takes_too_long_says_what_to_do() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let seen = ask(&browser, &json!({"game": "bandera", "algorithm": "minimax", "depth": 9})).await;
    assert_eq!(seen.status, 422, "{seen:?}");
    assert!(json_of(&seen)["detail"].as_str().unwrap().contains("Choose a smaller depth."), "{seen:?}");
}

#[tokio::test]
async fn no_tree_holds_a_position_near_a_rated_game() {
    let site = Site::open().await;
    let stranger = somebody(&site, "eve").await;
    let mut game = RatedGame::begin(&site).await;
    while game.moves.len() < 12 {
        let moves = game.position().moves();
        game.play(&moves[game.moves.len() % moves.len()]).await;
    }
    let moves = game.moves.clone();
    // The last eight plies are barred, with what may come next: from the fourth on.
    let from = |ply: usize, depth: u32| json!({"game": "mancala", "moves": moves[..ply], "depth": depth});
    assert_eq!(ask(&stranger, &from(2, 1)).await.status, 200, "its children are earlier");
    assert_eq!(ask(&stranger, &from(4, 1)).await.status, 422, "the root");
    assert_eq!(ask(&stranger, &from(3, 1)).await.status, 422, "a child of the root");
    for algorithm in Algorithm::ALL {
        for order in MoveOrder::ALL {
            let mut wanted = from(2, 2);
            (wanted["algorithm"], wanted["order"]) = (json!(algorithm), json!(order));
            let request = TreeRequest::new(algorithm, order, "stores", 2);
            let tree = any_tree(&*after(&moves[..2]), &request, &mut Never).unwrap();
            // Alpha-beta may leave the game's own line out, and then shows nothing of it.
            let holds = tree.recording.nodes.keys.contains(&after(&moves[..4]).key());
            assert!(holds || algorithm == Algorithm::AlphaBeta);
            let status = if holds { 422 } else { 200 };
            assert_eq!(ask(&stranger, &wanted).await.status, status, "a grandchild: {algorithm}, {order}");
        }
    }
    let mut part = from(0, 2);
    (part["at"], part["algorithm"]) = (json!(moves[..2]), json!("minimax"));
    assert_eq!(ask(&stranger, &part).await.status, 422, "a part of a tree whose grandchild it is");
    (part["at"], part["depth"]) = (json!(moves[..4]), json!(1));
    assert_eq!(ask(&stranger, &part).await.status, 422, "the root of a part");
    let query = format!("game=mancala&moves={}&depth=2&algorithm=minimax", moves[..2].join("+"));
    assert_eq!(stranger.get(&format!("/tree.json?{query}")).await.status, 422, "as a file");
    let secret = json!({"game": "mancala", "moves": moves[..4], "depth": 1});
    let compared = send(stranger.client().post(stranger.address("/api/v1/tree/compare")).json(&secret)).await;
    assert_eq!(compared.status, 422, "nor what it takes to search it");
    for player in [&game.ana, &game.ben] {
        let other = json!({"game": "conecta4boom", "depth": 1});
        assert_eq!(ask(player, &other).await.status, 422, "who plays a rated game gets no tree at all");
    }
    game.end().await;
    assert_eq!(ask(&game.ana, &from(4, 2)).await.status, 200, "it is over");
}

/// A connection on which a large tree was asked for, of which only the head is read.
async fn half_read(site: &Site, visitor: &Browser) -> TcpStream {
    // Some 75,000 nodes in 3.8 MB: more than the system keeps for a connection.
    let position = "1:2,4,4,4,4,4,0/2,4,4,4,4,4,4";
    let wanted = json!({"game": "mancala", "position": position, "algorithm": "minimax", "depth": 7}).to_string();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(site.url.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    let head = format!(
        "POST /api/tree HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncookie: {}\r\ncontent-length: {}\r\n\r\n",
        visitor.cookies(),
        wanted.len()
    );
    stream.write_all(format!("{head}{wanted}").as_bytes()).await.unwrap();
    let mut begin = [0; 15];
    stream.read_exact(&mut begin).await.unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200 OK");
    stream
}

#[tokio::test]
async fn a_tree_counts_as_under_way_until_its_reader_has_it() {
    let site = Site::open().await;
    let visitor = somebody(&site, "ana").await;
    let slow = [half_read(&site, &visitor).await, half_read(&site, &visitor).await];
    let wanted = json!({"game": "mancala", "depth": 1});
    assert_eq!(ask(&visitor, &wanted).await.status, 429, "an account has two at a time");
    drop(slow);
    let begun = Instant::now();
    while ask(&visitor, &wanted).await.status != 200 {
        assert!(begun.elapsed() < WAIT_LIMIT, "nobody waits for them any more");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_page_counts_the_nodes_of_the_textbook_in_every_game() {
    let site = Site::open().await;
    let visitor = somebody(&site, "ana").await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, &visitor.cookies()).await;
    for kind in GAMES {
        for algorithm in ["minimax", "alphabeta"] {
            open(&mut tab, &site, &format!("?game={}&algorithm={algorithm}&depth=2", kind.id())).await;
            let evaluation = tab.eval("document.querySelector('[data-part=evaluation]').value").await;
            let name = format!("{algorithm}:2:{}", evaluation.as_str().unwrap());
            let mut player = any_player(kind.id(), &name, 1).unwrap();
            let nodes = player.choose(&*start(kind.id()), &mut Never).unwrap().nodes;
            let shown = text(&mut tab, "[data-part=nodes]").await.replace(',', "");
            assert_eq!(shown, nodes.to_string(), "{} {name}", kind.id());
        }
    }
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn the_sentence_of_each_cut_names_the_ancestor_whose_bound_was_met() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    let position = start("conecta4boom");
    for (query, tree) in [
        (String::new(), tree(&*example(), MoveOrder::Listed, "stores", 3)),
        (
            format!("?game=mancala&position={EXAMPLE}&order=worst&depth=5"),
            tree(&*example(), MoveOrder::Worst, "stores", 5),
        ),
        ("?game=conecta4boom&eval=test&depth=3".to_owned(), tree(&*position, MoveOrder::Listed, "test", 3)),
    ] {
        open(&mut tab, &site, &query).await;
        let cuts = tree.cuts();
        assert_eq!(text(&mut tab, "[data-part=cuts]").await, cuts.len().to_string(), "{query}");
        for (number, node) in (1..).zip(cuts.iter().take(40)) {
            tab.press("c").await;
            tab.wait_for(&format!("document.querySelector('[data-part=cut]').value === '{number}'")).await;
            let cut = tree.cut(*node).unwrap();
            let Met::Ancestor(ancestor) = cut.met else { panic!("the whole tree has no outside") };
            let moves = tree.recording.moves_to(ancestor).join(" ");
            let place = if ancestor == 0 { "At the root".to_owned() } else { format!("Further up, after {moves}") };
            assert_eq!(text(&mut tab, ".happens a").await, place, "{query}, cut-off {number}");
            let sentence = text(&mut tab, ".happens .why").await.replace('−', "-");
            let (alpha, beta) = if cut.is_max { (cut.value, cut.bound) } else { (cut.bound, cut.value) };
            assert!(sentence.starts_with(&format!("{alpha} ≥ {beta}: ")), "{sentence}");
        }
    }
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn one_walks_through_the_search_by_keys_and_by_mouse() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    for (language, theme, width, over) in [
        ("en", "light", 1440, "The search is over: move 1 is best, and MAX gets 2."),
        ("es", "dark", 360, "La búsqueda ha terminado: la jugada 1 es la mejor y MAX obtiene 2."),
    ] {
        let mut tab = chrome.tab().await;
        tab.set_cookies(&site.url, &format!("lang={language}; theme={theme}")).await;
        tab.resize(width, 900).await;
        open(&mut tab, &site, "").await;
        assert_eq!(text(&mut tab, ".happens p").await, over);
        by_keys(&mut tab).await;
        by_mouse(&mut tab).await;
        if let Some(axe) = axe() {
            tab.eval(&axe).await;
            assert_eq!(tab.eval(AXE).await, json!([]), "{language}");
        }
        assert_no_complaints(&tab);
    }
}

async fn at_node(tab: &mut Tab, node: u32) {
    tab.wait_for(&format!("document.querySelector('[data-part=node]').textContent === '{node}'")).await;
}

async fn by_keys(tab: &mut Tab) {
    tab.press("Home").await;
    at_node(tab, 1).await;
    tab.press("ArrowRight").await;
    at_node(tab, 2).await;
    tab.press("ArrowLeft").await;
    at_node(tab, 1).await;
    tab.press("c").await;
    // The window of the first cut-off is closed: [2, -1], further up after move 1.
    tab.wait_for("document.querySelector('.happens .cut') !== null").await;
    at_node(tab, 8).await;
    tab.wait_for("document.querySelectorAll('[data-part=children] .skipped').length === 3").await;
    tab.wait_for("document.querySelectorAll('palestra-board .count').length > 0").await;
    tab.press("End").await;
    at_node(tab, 22).await;
    tab.wait_for("location.search.includes('depth=3') && !location.search.includes('step=')").await;
}

async fn by_mouse(tab: &mut Tab) {
    tab.click("[data-go=next-cut]").await;
    at_node(tab, 8).await;
    tab.click(".happens a").await;
    tab.wait_for("document.querySelector('[data-part=return]:not([hidden])') !== null").await;
    tab.wait_for("document.querySelector('[data-part=way] [aria-current]').innerText === '1'").await;
    tab.click("[data-part=return]").await;
    tab.wait_for("document.querySelector('.happens .cut') !== null").await;
    tab.eval("document.querySelector('[data-part=cut]').value = 5; document.querySelector('[data-part=cut]').dispatchEvent(new Event('change'))").await;
    at_node(tab, 22).await;
    tab.click("[data-part=children] .child").await;
    tab.wait_for("document.querySelector('[data-part=way] [aria-current]').innerText === '2'").await;
    tab.eval("document.querySelector('[name=find]').value = '-2'").await;
    tab.click("[data-part=find] button").await;
    tab.wait_for("document.querySelector('[data-part=found]').innerText.startsWith('1 ')").await;
    tab.click("[data-algorithm=minimax]").await;
    tab.wait_for("document.querySelector('[data-part=nodes]').textContent === '47'").await;
    tab.wait_for("document.querySelectorAll('[data-part=rows] tr').length === 6").await;
    tab.wait_for("document.querySelector('[data-part=compare-state]').textContent === ''").await;
    tab.click("[data-algorithm=alphabeta]").await;
    tab.wait_for("document.querySelector('[data-part=nodes]').textContent === '22'").await;
    tab.wait_for("document.querySelector('[data-part=compare-state]').textContent === ''").await;
}

#[tokio::test]
async fn what_lies_below_a_large_tree_is_loaded_when_it_is_asked_for() {
    let site = Site::open().await;
    let visitor = somebody(&site, "ana").await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, &visitor.cookies()).await;
    open(&mut tab, &site, "?game=mancala&algorithm=minimax&depth=7").await;
    assert_eq!(text(&mut tab, "[data-part=nodes]").await, "143,522");
    // Into the first node of each level, down to one whose children were not sent.
    for _ in 0..6 {
        tab.click("[data-part=children] .child").await;
    }
    let last = "document.querySelector('[data-part=slider]').max";
    let before = tab.eval(&format!("Number({last})")).await.as_f64().unwrap();
    tab.click("[data-part=children] .button").await;
    tab.wait_for(&format!("Number({last}) > {before}")).await;
    tab.wait_for("document.querySelectorAll('[data-part=children] .leaf').length > 0").await;
    assert_eq!(text(&mut tab, "[data-part=nodes]").await, "143,522");
    assert_no_complaints(&tab);
}
