//! Lines of play at their limits: long games, the largest map, games that an illegal move ended; and tables that begin from a
//! position of a line.

use futures_util::future::join_all;
use palestra_games::bandera::{BUNDLED, MAX_ENERGY};
use palestra_games::{GameKind, Record};
use palestra_store::NewGame;
use serde_json::{Value, json};

use crate::games::{game, guest, store};
use crate::maps::large;
use crate::people::somebody;
use crate::replay::{ENDGAME, ask, json_of, messages};
use crate::site::{Browser, Live, Site, send};

/// A game of this number of moves, none of which makes a point.
fn long_game(game: &str, options: &str, plies: usize) -> Record {
    let mut record = Record::new(GameKind::find(game).unwrap(), options).unwrap();
    for ply in 0..plies {
        let moves = record.position().moves();
        let is_idle = |mv: &&String| {
            let mut child = record.position().boxed_clone();
            child.play(mv).unwrap();
            child.outcome().is_none() && child.points() == record.position().points()
        };
        let first = (7 * ply + 3) % moves.len();
        let mv = moves[first..].iter().chain(&moves).find(is_idle).unwrap().clone();
        record.play(&mv).unwrap();
    }
    record
}

/// A small map whose players have as much energy as there is.
fn tireless() -> String {
    let mut is_energy = false;
    let words = BUNDLED[0].text.split_inclusive([' ', '\n']).map(|word| {
        let end = if word.ends_with('\n') { "\n" } else { " " };
        let is_number = std::mem::replace(&mut is_energy, word.trim() == "energy");
        if is_number { format!("{MAX_ENERGY}{end}") } else { word.to_owned() }
    });
    words.collect()
}

fn texts(record: &Record) -> Vec<String> {
    record.moves().iter().map(|mv| mv.text.clone()).collect()
}

/// All plies of a line, from as many answers as it takes.
async fn all_plies(site: &Site, wanted: &Value) -> Vec<Value> {
    let count = wanted["moves"].as_array().unwrap().len();
    let mut plies: Vec<Value> = vec![];
    loop {
        let from = plies.len().saturating_sub(1);
        let mut part = wanted.clone();
        part["from"] = json!(from);
        let seen = ask(site, "/api/v1/line", &part).await;
        assert!(seen.text.len() < 16 << 20, "{} bytes", seen.text.len());
        let line = json_of(&seen);
        let new = line["plies"].as_array().unwrap();
        assert!(plies.is_empty() || new.len() > 1, "each answer goes on");
        plies.truncate(from);
        plies.extend(new.iter().cloned());
        if plies.len() == count + 1 {
            return plies;
        }
    }
}

#[tokio::test]
async fn a_game_of_hundreds_of_moves_comes_in_one_answer() {
    let site = Site::open().await;
    let record = long_game("parchis", "-", 300);
    let line = json_of(&ask(&site, "/api/v1/line", &json!({"game": "parchis", "moves": texts(&record)})).await);
    let plies = line["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 301);
    assert_eq!(plies[300]["position"], record.position().notation());
}

#[tokio::test]
async fn the_longest_line_comes_whole() {
    let site = Site::open().await;
    let record = long_game("bandera", &tireless(), 3000);
    let start = record.start().notation();
    let plies = all_plies(&site, &json!({"game": "bandera", "position": start, "moves": texts(&record)})).await;
    let mut position = record.start().boxed_clone();
    for (index, ply) in plies.iter().enumerate() {
        assert_eq!(ply["position"], position.notation(), "ply {index}");
        if let Some(mv) = record.moves().get(index) {
            position.play(&mv.text).unwrap();
        }
    }
}

#[tokio::test]
async fn a_line_on_the_largest_map_comes_in_parts_and_delays_nobody() {
    let site = Site::open().await;
    let mut record = Record::new(GameKind::find("bandera").unwrap(), &large()).unwrap();
    for ply in 0..120 {
        let moves = record.position().moves();
        record.play(&moves[(5 * ply + 1) % moves.len()]).unwrap();
    }
    let wanted = json!({"game": "bandera", "position": record.start().notation(), "moves": texts(&record)});
    let mut answered = 0;
    let others = async {
        loop {
            assert_eq!(Browser::new(&site).get("/health").await.status, 200);
            answered += 1;
        }
    };
    let plies = tokio::select! { all = all_plies(&site, &wanted) => all, () = others => unreachable!() };
    assert!(answered >= 3, "{answered} others were answered meanwhile");
    assert_eq!(plies[120]["position"], record.position().notation());
}

#[tokio::test]
async fn positions_on_the_largest_map_are_judged() {
    let site = Site::open().await;
    let mut record = Record::new(GameKind::find("bandera").unwrap(), &large()).unwrap();
    for _ in 0..3 {
        let mv = record.position().moves()[0].clone();
        record.play(&mv).unwrap();
    }
    let start = record.start().notation();
    let mut known = 0;
    while known < 4 {
        let wanted = json!({"game": "bandera", "position": start, "moves": texts(&record), "from": known});
        let all = messages(&ask(&site, "/api/v1/evaluate", &wanted).await);
        let plies = all.iter().filter(|message| message["is"] == "ply").count();
        assert!(plies > 0, "nothing was found after {known} positions: {all:?}");
        known += plies;
    }
}

#[tokio::test]
async fn one_visitor_has_few_lines_on_maps_drawn_at_a_time() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    browser.get("/").await;
    let draw = |wanted: Value| send(browser.client().post(browser.address("/api/v1/line")).json(&wanted));
    let large = json!({"game": "bandera", "options": large()});
    let refused = async |wanted: &Value| {
        let all = join_all((0..6).map(|_| draw(wanted.clone()))).await;
        all.iter().filter(|seen| seen.status == 429).count()
    };
    let count = refused(&large).await;
    assert!((1..=4).contains(&count), "{count} were refused");
    assert_eq!(refused(&json!({"game": "mancala"})).await, 0, "small boards are not concerned");
    assert_eq!(draw(large).await.status, 200, "and then the next");
}

/// A game of Mancala that ends with the choice of an empty pit.
fn lost_by_an_empty_pit() -> Record {
    let mut record = Record::from_position(&*(GameKind::find("mancala").unwrap().parse)(ENDGAME).unwrap());
    assert!(!record.position().moves().contains(&"2".to_owned()), "pit 2 is empty");
    record.play("2").unwrap();
    record.set_result([0, 48], "finished").unwrap();
    record
}

#[tokio::test]
async fn a_game_that_an_illegal_move_ended_is_replayed_and_judged() {
    let site = Site::open().await;
    let record = lost_by_an_empty_pit();
    let wanted = json!({"game": "mancala", "position": ENDGAME, "moves": ["2"]});
    let line = json_of(&ask(&site, "/api/v1/line", &wanted).await);
    let [before, after] = [0, 1].map(|ply| &line["plies"][ply]);
    assert_eq!((&before["turn"], &after["turn"], &after["points"]), (&json!(0), &Value::Null, &json!([0, 48])));
    assert_eq!((&after["move"], &after["by"], &after["steps"]), (&json!("2"), &json!(0), &json!([])));
    assert_ne!(before["scene"], after["scene"]);
    let all = messages(&ask(&site, "/api/v1/evaluate", &wanted).await);
    assert_eq!((&all[1]["cost"]["mistake"], &all[1]["value"]["winner"]), (&json!("blunder"), &json!(1)), "{all:?}");
    let pasted = ask(&site, "/api/record", &json!({"text": record.to_string()})).await;
    assert_eq!(json_of(&pasted)["games"][0]["moves"], json!(["2"]));
    let played = NewGame { record: record.to_string(), ..game("empty", 1000, [guest("ana"), guest("ben")]) };
    assert!(store(&site).await.add_game(&played).await.unwrap());
    assert_eq!(Browser::new(&site).get("/games/empty").await.status, 200);
    let tree = ask(&site, "/api/v1/tree", &wanted).await;
    assert!(tree.status == 422 && tree.text.contains("The game is over"), "{tree:?}");
}

#[tokio::test]
async fn the_moves_of_a_record_can_be_pasted_without_its_headers() {
    let site = Site::open().await;
    let kind = GameKind::find("bandera").unwrap();
    let mut record = Record::new(kind, "-").unwrap();
    while record.position().outcome().is_none() && !record.moves().iter().any(|mv| mv.played.passed) {
        let moves = record.position().moves();
        record.play(&moves[moves.len() - 1]).unwrap();
    }
    assert!(record.moves().iter().any(|mv| mv.played.passed), "a team was passed over");
    let text = record.to_string();
    let (_, moves) = text.split_once("\n\n").unwrap();
    assert!(moves.contains("pass"), "{moves}");
    let found = ask(&site, "/api/record", &json!({"game": "bandera", "text": moves})).await;
    assert_eq!(json_of(&found)["games"][0]["moves"], json!(texts(&record)));
}

#[tokio::test]
async fn one_plays_on_from_a_position_of_a_line() {
    let site = Site::open().await;
    let ana = somebody(&site, "ana").await;
    let query = format!("/tables/new?game=mancala&position={ENDGAME}");
    for (language, words) in [("en", "The games begin from the position"), ("es", "empiezan en la posición")] {
        ana.post("/language", &[("lang", language)]).await;
        let form = ana.get(&query).await;
        assert!(form.text.contains(&format!("name=\"position\" value=\"{ENDGAME}\"")), "{form:?}");
        assert!(form.text.contains(words) && !form.text.contains("name=\"rated\""), "{form:?}");
    }
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "me"), ("position", ENDGAME)]).await;
    let mut live = Live::open(&ana, &code, None).await;
    let start = (GameKind::find("mancala").unwrap().parse)(ENDGAME).unwrap();
    live.await_a("table").await;
    live.play(0, &start.moves()[0]).await;
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    let record = ana.get(&format!("/games/{}/record", ended["game"].as_str().unwrap())).await.text;
    assert!(record.contains(&format!("Position: {ENDGAME}")), "{record}");
}

#[tokio::test]
async fn a_form_for_a_position_that_cannot_be_says_why_and_is_still_a_form() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for (position, words) in
        [("nonsense", "Esa posición no es válida"), ("1:24,0,0,0,0,0,0/24,0,0,0,0,0,0", "la partida ya ha terminado")]
    {
        let path = format!("/tables/new?game=mancala&position={position}");
        let request = browser.client().get(browser.address(&path)).header("accept-language", "es");
        let seen = send(request).await;
        assert_eq!(seen.status, 422, "{position}");
        assert!(seen.text.contains(words) && !seen.text.contains("name=\"position\""), "{seen:?}");
    }
}
