//! Tables at which no other person plays, over the socket; games that begin with a move or from a position.

use serde_json::json;

use crate::people::somebody;
use crate::site::{Browser, Live, Site};

#[tokio::test]
async fn a_built_in_player_moves_for_a_person_as_often_as_asked() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.say(json!({"do": "stand_in", "player": "greedy", "moves": 3})).await;
    assert_eq!(live.await_a("stand_in").await["state"]["stand_in"], json!({"name": "greedy", "moves": 3}));
    for ply in 1..=3 {
        assert_eq!(live.await_a("moved").await["ply"], ply);
    }
    live.say(json!({"do": "stand_in", "player": "ninja9", "moves": 1})).await;
    assert!(live.await_a("refused").await["text"].as_str().unwrap().contains("There is no player ninja9"));
    live.say(json!({"do": "stand_in", "player": "random", "moves": null})).await;
    assert!(live.await_a("ended").await["state"]["stand_in"].is_null());
}

#[tokio::test]
async fn players_are_chosen_sides_changed_and_games_begun_anew() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me"), ("nickname", "ana")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.play(0, "1").await;
    live.say(json!({"do": "change_sides"})).await;
    assert_eq!(live.await_a("sides_changed").await["state"]["first"], 1);
    live.say(json!({"do": "set_player", "seat": 0, "player": "greedy"})).await;
    assert_eq!(live.await_a("seat").await["state"]["seats"][0]["kind"], "built_in");
    assert_eq!(live.await_a("moved").await["seat"], 0, "it is its turn");
    live.say(json!({"do": "set_player", "seat": 0, "player": "me"})).await;
    assert_eq!(live.await_a("seat").await["state"]["seats"][0]["name"], "ana");
    live.say(json!({"do": "restart"})).await;
    let began = live.await_a("began").await;
    assert_eq!((&began["state"]["ply"], &began["state"]["first"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn a_position_is_played_on_at_another_table() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    let scene = live.play(0, "1").await["state"]["scene"].clone();
    live.say(json!({"do": "play_from_here"})).await;
    let other = live.await_a("opened").await["code"].as_str().unwrap().to_owned();
    assert_ne!(other, code);
    let table = Live::open(&browser, &other, None).await.await_a("table").await["table"].clone();
    assert_eq!((&table["state"]["turn"], &table["moves"]), (&json!(1), &json!([])));
    assert_eq!(table["state"]["scene"]["pieces"], scene["pieces"]);
}

#[tokio::test]
async fn in_a_rated_game_only_the_players_move() {
    let site = Site::open().await;
    let (ana, ben) = (somebody(&site, "ana").await, somebody(&site, "ben").await);
    let fields = [("game", "mancala"), ("seat2", "reserved"), ("reserved2", "ben"), ("rated", "yes")];
    let code = ana.open_table(&fields).await;
    let casual = ana.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let (mut of_ana, mut of_ben) = (Live::open(&ana, &code, None).await, Live::open(&ben, &code, None).await);
    of_ben.say(json!({"do": "sit", "seat": 1})).await;
    of_ana.await_a("began").await;
    for command in [
        json!({"do": "change_sides"}),
        json!({"do": "restart"}),
        json!({"do": "stop_stand_in"}),
        json!({"do": "set_player", "seat": 1, "player": "me"}),
        json!({"do": "play_from_here"}),
    ] {
        of_ana.say(command.clone()).await;
        let text = of_ana.await_a("refused").await["text"].clone();
        assert_eq!(text, "In a rated game only the players move.", "{command}");
    }
    // Whoever plays a rated game has no help at another table either.
    let mut of_casual = Live::open(&ana, &casual, None).await;
    for live in [&mut of_ana, &mut of_casual] {
        live.say(json!({"do": "stand_in", "player": "maestro", "moves": 1})).await;
        assert!(live.await_a("refused").await["text"].as_str().unwrap().contains("rated"));
    }
}

#[tokio::test]
async fn a_table_may_begin_with_a_move_or_from_a_position() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me"), ("move", "3")]).await;
    let table = Live::open(&browser, &code, None).await.await_a("table").await["table"].clone();
    assert_eq!(table["moves"], json!([[0, "3"]]));
    let position = "2:8,0,0,0,4,4,4/8,4,4,4,4,4,0";
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me"), ("position", position)]).await;
    let table = Live::open(&browser, &code, None).await.await_a("table").await["table"].clone();
    assert_eq!(table["state"]["turn"], 1);
    let wrong = [
        (&[("move", "7")][..], "not legal"),
        (&[("seat1", "ninja1"), ("seat2", "me"), ("move", "1")], "not your turn"),
        (&[("seat2", "open"), ("move", "1")], "No game"),
        (&[("position", "nonsense")], "position"),
        (&[("position", "1:24,0,0,0,0,0,0/24,0,0,0,0,0,0")], "over"),
    ];
    for (fields, says) in wrong {
        let seen = browser.post("/tables", &[&[("game", "mancala")], fields].concat()).await;
        assert!(seen.status == 422 && seen.text.contains(says), "{fields:?}: {}", seen.text);
    }
}
