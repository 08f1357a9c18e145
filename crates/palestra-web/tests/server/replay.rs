//! Lines of play, and the page that replays and analyses a game.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use palestra_arena::{BudgetStop, Judge, Judgement, Mistake};
use palestra_games::{AnyGame, GameKind, Record, Side};
use palestra_protocol::Budget;
use palestra_store::NewGame;
use serde_json::{Value, json};

use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::games::{game, guest, store};
use crate::site::{Browser, Seen, Site, send};
use crate::walk::{AXE, axe};

pub(crate) async fn ask(site: &Site, path: &str, wanted: &Value) -> Seen {
    let browser = Browser::new(site);
    send(browser.client().post(browser.address(path)).json(wanted)).await
}

pub(crate) fn json_of(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|_| panic!("{seen:?}"))
}

/// The messages of an answer that is a stream of events.
pub(crate) fn messages(seen: &Seen) -> Vec<Value> {
    let events = seen.text.split("\n\n").filter_map(|event| event.strip_prefix("data: "));
    events.map(|event| serde_json::from_str(event).unwrap()).collect()
}

/// The first moves of a game, each the last of those that are possible.
fn some_moves(position: &dyn AnyGame, count: usize) -> Vec<String> {
    let mut position = position.boxed_clone();
    let mut moves = vec![];
    while moves.len() < count && position.outcome().is_none() {
        let mv = position.moves().pop().unwrap();
        position.play(&mv).unwrap();
        moves.push(mv);
    }
    moves
}

#[tokio::test]
async fn a_line_comes_whole_in_one_answer() {
    let site = Site::open().await;
    for (game, options) in [("mancala", "-"), ("desconecta4boom", "-"), ("parchis", "ALTERNED"), ("bandera", "lagoon")]
    {
        let start = (GameKind::find(game).unwrap().start)(options).unwrap();
        let moves = some_moves(&*start, 12);
        let line =
            json_of(&ask(&site, "/api/v1/line", &json!({"game": game, "options": options, "moves": moves})).await);
        let plies = line["plies"].as_array().unwrap();
        assert_eq!(plies.len(), moves.len() + 1, "{game}");
        let layout =
            send(Browser::new(&site).client().get(format!("{}{}", site.url, line["layout"].as_str().unwrap())));
        assert!(json_of(&layout.await)["cells"].is_array());
        let mut position = start.boxed_clone();
        for (index, ply) in plies.iter().enumerate() {
            assert_eq!(ply["position"], position.notation(), "{game}");
            let choices: Vec<&Value> =
                ply["scene"]["choices"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
            assert_eq!(choices.len(), position.moves().len(), "{game}");
            assert_eq!(ply["steps"].as_array().unwrap().is_empty(), index == 0, "{game}");
            assert_eq!(ply["points"], json!(position.points()));
            let is_over = position.outcome().is_some();
            assert_eq!(ply["turn"], if is_over { Value::Null } else { json!(position.turn().index()) });
            if index > 0 {
                assert_eq!((&ply["move"], ply["by"].is_u64()), (&json!(moves[index - 1]), true));
            }
            if let Some(mv) = moves.get(index) {
                position.play(mv).unwrap();
            }
        }
        let from = json_of(
            &ask(
                &site,
                "/api/v1/line",
                &json!({"game": game, "position": start.notation(), "moves": moves, "from": 5}),
            )
            .await,
        );
        assert_eq!(from["plies"].as_array().unwrap()[1..], plies[6..], "{game}");
        assert_eq!(from["plies"][0]["move"], plies[5]["move"]);
    }
}

#[tokio::test]
async fn a_line_that_cannot_be_is_refused_in_words() {
    let site = Site::open().await;
    for (wanted, words) in [
        (json!({"game": "shells"}), "There is no game shells"),
        (json!({"game": "mancala", "moves": ["4", "9"]}), "move 2: "),
        (json!({"game": "mancala", "moves": ["4"], "from": 2}), "fewer moves"),
        (json!({"game": "mancala", "position": "nonsense"}), "The position cannot be read"),
        (json!({"game": "mancala", "moves": vec!["1"; 3001]}), "Too long"),
        (json!({"game": "mancala", "from": -1}), "JSON"),
    ] {
        let seen = ask(&site, "/api/v1/line", &wanted).await;
        assert_eq!(seen.status, 422, "{seen:?}");
        let message = json_of(&seen)["detail"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
    }
}

/// A position in which every search ends within a moment.
pub(crate) const ENDGAME: &str = "1:14,1,0,3,0,2,0/15,0,4,2,0,1,6";

fn judged(position: &dyn AnyGame) -> Judgement {
    let quit = AtomicBool::new(false);
    let budget = Budget { states: Some(Judge::states(position.kind().id())), ..Budget::INFINITE };
    Judge::new().unwrap().judge(position, &mut BudgetStop::new(budget, &quit)).unwrap()
}

/// A game that begins in an endgame with the worst move there is and goes on with the best ones.
fn lost_game() -> Record {
    let mut record = Record::from_position(&*(GameKind::find("mancala").unwrap().parse)(ENDGAME).unwrap());
    let after = |mv: &String| {
        let mut child = record.position().boxed_clone();
        child.play(mv).unwrap();
        judged(&*child).score
    };
    let worst = record.position().moves().into_iter().min_by_key(after).unwrap();
    record.play(&worst).unwrap();
    while record.position().outcome().is_none() {
        let best = judged(record.position()).best[0].clone();
        record.play(&best).unwrap();
    }
    record
}

fn moves_of(record: &Record) -> Vec<String> {
    record.moves().iter().map(|mv| mv.text.clone()).collect()
}

#[tokio::test]
async fn each_position_of_a_game_is_judged_and_each_move_has_its_cost() {
    let site = Site::open().await;
    let record = lost_game();
    let wanted = json!({"game": "mancala", "position": ENDGAME, "moves": moves_of(&record)});
    let all = messages(&ask(&site, "/api/v1/evaluate", &wanted).await);
    assert_eq!(all.len(), record.moves().len() + 1, "an endgame is judged within one request");
    let mut before: Option<Judgement> = None;
    for (ply, message) in all.iter().enumerate() {
        let position = record.up_to(ply).position().boxed_clone();
        let judgement = judged(&*position);
        assert_eq!((&message["is"], &message["ply"]), (&json!("ply"), &json!(ply)));
        assert_eq!(message["best"], json!(judgement.best), "ply {ply}");
        assert_eq!(message["value"]["amount"], json!(judgement.worth.number()), "ply {ply}");
        let mistake = before.map(|before| {
            let mv = &record.moves()[ply - 1];
            before.cost(&judgement, "mancala", mv.played.side, &mv.text).mistake
        });
        let word = mistake.map(|mistake| match mistake {
            Some(Mistake::Blunder) => json!("blunder"),
            Some(Mistake::Mistake) => json!("mistake"),
            None => Value::Null,
        });
        assert_eq!(message["cost"].get("mistake").cloned(), word, "ply {ply}");
        before = Some(judgement);
    }
    assert_eq!(all[1]["cost"]["mistake"], "blunder", "the first move was the worst");
    let last = &all[all.len() - 1]["value"];
    let won = record.position().outcome().unwrap().winner().map(Side::index);
    assert_eq!((&last["winner"], &last["plies"], &last["is_proven"]), (&json!(won), &json!(0), &json!(true)));
    let rest = json!({"game": "mancala", "position": ENDGAME, "moves": moves_of(&record), "from": 2});
    assert_eq!(
        messages(&ask(&site, "/api/v1/evaluate", &rest).await),
        all[2..],
        "an evaluation goes on where it stopped"
    );
}

#[tokio::test]
async fn what_people_paste_is_read() {
    let site = Site::open().await;
    let read = async |game: &str, text: &str| {
        let seen = ask(&site, "/api/record", &json!({"game": game, "text": text})).await;
        (seen.status.as_u16(), json_of(&seen))
    };
    let record = lost_game();
    let text = format!("\u{feff}{record}");
    let (status, found) = read("parchis", &text).await;
    assert_eq!((status, &found["games"][0]["game"]), (200, &json!("mancala")), "a record says which game it is");
    assert_eq!(found["games"][0]["position"], ENDGAME);
    assert_eq!(found["games"][0]["moves"], json!(moves_of(&record)));
    let (_, found) = read("mancala", ENDGAME).await;
    assert_eq!((&found["games"][0]["position"], &found["games"][0]["moves"]), (&json!(ENDGAME), &json!([])));
    let (_, found) = read("parchis", ENDGAME).await;
    assert_eq!(found["games"][0]["game"], "mancala", "so does a position");
    let (_, found) = read("mancala", &format!("{ENDGAME} 3 5")).await;
    assert_eq!((&found["games"][0]["position"], &found["games"][0]["moves"]), (&json!(ENDGAME), &json!(["3", "5"])));
    let (_, found) = read("mancala", " 4\n1 ").await;
    assert_eq!((&found["games"][0]["position"], &found["games"][0]["moves"]), (&Value::Null, &json!(["4", "1"])));
    let (_, found) = read("", &format!("{text}\n{text}")).await;
    assert_eq!(found["games"].as_array().unwrap().len(), 2);
    // Of a long file the page sends the beginning, which ends in the middle of a record.
    let beginning = format!("{text}\n{text}\n{}", &text.replace('\u{feff}', "")[..40]);
    assert_eq!(read("", &beginning).await.0, 422);
    let cut = json_of(&ask(&site, "/api/record", &json!({"text": beginning, "is_cut": true})).await);
    assert_eq!((cut["games"].as_array().map(Vec::len), &cut["has_more"]), (Some(2), &json!(true)), "{cut}");
    for (game, text, words) in [
        ("mancala", "  \n", "nothing in that text"),
        ("mancala", "Game: mancala\n\n4 9\n", "The record cannot be read. At line 3, character 3"),
        ("mancala", "Game: shells\n", "There is no game shells"),
        ("", "4 1", "Choose the game first"),
        ("", "nonsense", "not a position of any game"),
        ("mancala", "1:0,4,4,4,4,4,4/0,4,4,4,4,4", "The position cannot be read"),
        ("mancala", "4 9", "move 2"),
    ] {
        let (status, refused) = read(game, text).await;
        assert_eq!(status, 422, "{text}");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(words), "{text}: {message}");
    }
}

/// How often a page is left while the engine searches.
const SEARCHES: u32 = 40;

#[tokio::test]
async fn a_search_ends_when_its_page_is_left() {
    let site = Site::open_with(|config| config.threads = 1).await;
    let browser = Browser::new(&site);
    browser.get("/").await;
    let begun = Instant::now();
    for _ in 0..SEARCHES {
        let wanted = json!({"game": "mancala", "lines": 3});
        let request = browser.client().post(browser.address("/api/analyse/stream")).json(&wanted);
        // The first words have come; then nobody listens any more.
        let mut answer = request.send().await.unwrap();
        while answer.status() == 429 {
            let again = browser.client().post(browser.address("/api/analyse/stream")).json(&wanted);
            answer = again.send().await.unwrap();
        }
        let first = answer.chunk().await.unwrap().unwrap();
        assert!(first.starts_with(b"data: {\"is\":\"depth\",\"depth\":1,"), "{first:?}");
    }
    // One thread would search for half a second each time.
    assert!(begun.elapsed() < Duration::from_millis(500) * SEARCHES, "{:?}", begun.elapsed());
}

/// A site with a finished game.
async fn with_game(record: &Record) -> Site {
    let site = Site::open().await;
    let played = NewGame { record: record.to_string(), ..game("exam", 1000, [guest("ana"), guest("ben")]) };
    assert!(store(&site).await.add_game(&played).await.unwrap());
    site
}

/// Where in the game the page is.
async fn at(tab: &mut Tab, ply: usize) {
    tab.wait_for(&format!("location.search.includes('ply={ply}')")).await;
}

/// What the page has asked for. (A browser asks for the icon by itself.)
const REQUESTS: &str =
    "performance.getEntriesByType('resource').map(({name}) => name).filter((name) => !name.includes('/favicon.'))";

#[tokio::test]
async fn a_lost_game_is_replayed_and_understood_by_keys_and_by_mouse() {
    let record = lost_game();
    let plies = record.moves().len();
    let site = with_game(&record).await;
    let mut chrome = Chrome::start().await;
    for (language, theme, width, lost, evaluated) in [
        ("en", "light", 1440, "against the best move", "positions evaluated"),
        ("es", "dark", 360, "frente a la mejor", "posiciones evaluadas"),
    ] {
        let mut tab = chrome.tab().await;
        tab.set_cookies(&site.url, &format!("lang={language}; theme={theme}")).await;
        tab.resize(width, 900).await;
        tab.open(&format!("{}/games/exam", site.url)).await;
        at(&mut tab, plies).await;
        tab.wait_for(&format!(
            "document.querySelector('[data-part=progress]').innerText === '{} {evaluated}'",
            plies + 1
        ))
        .await;
        tab.wait_for("document.querySelectorAll('.curve .blunder').length > 0").await;
        steps_ask_for_nothing(&mut tab, plies).await;
        // The mistake is looked at from before it: what was played, what was better, and what it cost.
        tab.press("ArrowUp").await;
        at(&mut tab, 0).await;
        tab.wait_for("document.querySelector('[data-part=was-played]').innerText.includes('??')").await;
        tab.wait_for("document.querySelectorAll('palestra-board .arrow.played').length === 1").await;
        tab.click(".moves [data-node='1']").await;
        at(&mut tab, 1).await;
        let sentence = tab.eval("document.querySelector('[data-part=sentence]').innerText").await;
        assert!(sentence.as_str().unwrap().contains(lost), "{sentence}");
        side_lines(&mut tab, &record).await;
        if let Some(axe) = axe() {
            tab.eval(&axe).await;
            assert_eq!(tab.eval(AXE).await, json!([]), "{language}");
        }
        assert_no_complaints(&tab);
    }
}

/// The whole game, forth and back, by keys, buttons, the curve and by itself, without the engine: nothing is asked for.
async fn steps_ask_for_nothing(tab: &mut Tab, plies: usize) {
    tab.wait_for("document.querySelector('.found').hidden").await;
    tab.press("Home").await;
    tab.wait_for("document.querySelectorAll('.found button').length > 0").await;
    tab.wait_for("document.querySelectorAll('palestra-board .arrow.best').length === 1").await;
    tab.click("[data-part=engine-switch]").await;
    tab.wait_for("document.querySelector('.found').hidden").await;
    // The search that was broken off is in the list of requests a moment later.
    tab.eval("new Promise((resolve) => setTimeout(resolve, 300))").await;
    tab.eval("performance.clearResourceTimings()").await;
    for ply in 1..=plies {
        tab.press("ArrowRight").await;
        at(tab, ply).await;
    }
    for (key, ply) in [("ArrowLeft", plies - 1), ("Home", 0), ("End", plies)] {
        tab.press(key).await;
        at(tab, ply).await;
    }
    let bar = if tab.eval("innerWidth < 861").await == true { ".table-bar" } else { ".stepper" };
    for (way, ply) in [("first", 0), ("next", 1), ("previous", 0)] {
        tab.click(&format!("{bar} [data-go={way}]")).await;
        at(tab, ply).await;
    }
    tab.click(".curve").await;
    tab.wait_for("!location.search.includes('ply=0')").await;
    tab.press("Home").await;
    tab.eval("document.querySelector('[data-part=speed]').value = '600'").await;
    tab.press(" ").await;
    at(tab, 2).await;
    tab.press(" ").await;
    tab.wait_for("document.querySelector('[data-do=play]').getAttribute('aria-pressed') === 'false'").await;
    tab.press("End").await;
    at(tab, plies).await;
    assert_eq!(tab.eval(REQUESTS).await, json!([]));
}

/// Another move is tried on the board; it stays in the list, moves up and goes away.
async fn side_lines(tab: &mut Tab, record: &Record) {
    tab.press("Home").await;
    at(tab, 0).await;
    let other = record.start().moves().into_iter().find(|mv| *mv != record.moves()[0].text).unwrap();
    tab.click(&format!("[data-id=pit1-{other}]")).await;
    tab.wait_for("document.querySelector('.tried [aria-current]') !== null").await;
    tab.wait_for(&format!("location.search.includes('moves={other}&')")).await;
    tab.wait_for("!document.querySelector('[data-part=side-line]').hidden").await;
    let link = tab.eval("document.querySelector('[data-part=from-here]').search").await;
    assert!(link.as_str().unwrap().contains("game=mancala&position="), "{link}");
    tab.click("[data-go=back-to-game]").await;
    at(tab, 0).await;
    tab.click(".tried button").await;
    tab.click("[data-do=remove]").await;
    tab.wait_for("document.querySelector('.tried') === null").await;
    at(tab, 0).await;
    tab.click("[data-part=engine-switch]").await;
    tab.wait_for("document.querySelectorAll('.found button').length > 0").await;
    // A line of the engine is tried by a click.
    tab.click(".found li:last-child button").await;
    tab.wait_for("document.querySelector('.moves [aria-current]') !== null && !location.search.includes('ply=0')")
        .await;
}

#[tokio::test]
async fn a_record_is_pasted_corrected_and_shown_with_its_names_and_notes() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.open(&format!("{}/analyse", site.url)).await;
    tab.wait_for("document.querySelector('palestra-board .cell') !== null").await;
    let paste = async |tab: &mut Tab, text: &str| {
        tab.eval(&format!("document.querySelector('#load-text').value = {}", json!(text))).await;
        tab.click("[data-part=load-show]").await;
    };
    paste(&mut tab, "Game: mancala\nPlayer1: ana\nPlayer2: ben\n\n4 9\n").await;
    tab.wait_for("document.querySelector('#load-error').innerText.includes('line 5, character 3')").await;
    assert!(tab.eval("document.querySelector('#load-text').value").await.as_str().unwrap().contains("4 9"));
    let text = "Game: mancala\nPlayer1: ana\nPlayer2: ben\n\n4 {a good beginning} 1 5\n";
    paste(&mut tab, text).await;
    tab.wait_for("location.pathname === '/analyse' && document.querySelector('.player-bar') !== null").await;
    tab.wait_for("document.querySelector('[data-part=name-1]').innerText === 'ben'").await;
    at(&mut tab, 3).await;
    tab.click("#tab-notes").await;
    tab.wait_for("document.querySelector('.notes').innerText.includes('a good beginning')").await;
    tab.click(".notes button").await;
    at(&mut tab, 1).await;
    // The record that can be copied is the one that was pasted, without the notes.
    tab.eval("navigator.clipboard.writeText = async (text) => { window.copied = text; }; 0").await;
    tab.press("End").await;
    tab.click("[data-copy=record]").await;
    tab.wait_for("window.copied !== undefined").await;
    let copied = tab.eval("window.copied").await;
    let copied = Record::read_all(copied.as_str().unwrap().as_bytes()).unwrap().remove(0);
    assert_eq!((moves_of(&copied).join(" ").as_str(), copied.tag("Player2")), ("4 1 5", Some("ben")));
    // From this page, another: two games in one file.
    tab.click("[data-do=load]").await;
    tab.wait_for("document.querySelector('dialog.load').open").await;
    paste(&mut tab, &format!("{text}\nGame: parchis\n\n")).await;
    tab.wait_for("document.querySelectorAll('#load-which option').length === 2").await;
    tab.eval("document.querySelector('#load-which').value = '1'").await;
    tab.click("[data-part=load-show]").await;
    tab.wait_for("document.querySelector('h1').innerText === 'Parchís'").await;
    let is_expected = |complaint: &&String| complaint.contains("422") && complaint.contains("/api/record");
    let others: Vec<&String> = tab.complaints().iter().filter(|complaint| !is_expected(complaint)).collect();
    assert!(others.is_empty(), "{others:?}");
}
