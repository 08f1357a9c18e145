//! Lines of play, and the page that replays and analyses a game.

use palestra_games::{AnyGame, GameKind};
use serde_json::{Value, json};

use crate::site::{Browser, Seen, Site, send};

async fn ask(site: &Site, path: &str, wanted: &Value) -> Seen {
    let browser = Browser::new(site);
    send(browser.client().post(browser.address(path)).json(wanted)).await
}

fn json_of(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|_| panic!("{seen:?}"))
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
        let line = json_of(&ask(&site, "/api/line", &json!({"game": game, "options": options, "moves": moves})).await);
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
            &ask(&site, "/api/line", &json!({"game": game, "position": start.notation(), "moves": moves, "from": 5}))
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
        (json!({"game": "mancala", "moves": vec!["1"; 2001]}), "Too long"),
        (json!({"game": "mancala", "from": -1}), "JSON"),
    ] {
        let seen = ask(&site, "/api/line", &wanted).await;
        assert_eq!(seen.status, 422, "{seen:?}");
        let message = json_of(&seen)["message"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
    }
}
