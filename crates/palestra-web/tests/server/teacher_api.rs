//! What programs of teachers do with leagues and marks.

use palestra_store::RunState;
use reqwest::Client;
use serde_json::{Value, json};

use crate::assignments::{Class, YESTERDAY};
use crate::courses::{Course, teacher};
use crate::leagues::Scene;
use crate::people::somebody;
use crate::site::{Browser, Seen, Site, send};
use crate::token::create;

async fn get(site: &Site, path: &str, token: &str) -> Seen {
    send(Client::new().get(format!("{}/api/v1{path}", site.url)).bearer_auth(token)).await
}

async fn post(site: &Site, path: &str, token: &str, body: &Value) -> Seen {
    send(Client::new().post(format!("{}/api/v1{path}", site.url)).bearer_auth(token).json(body)).await
}

fn json_of(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|_| panic!("{seen:?}"))
}

/// A token with the scope for courses.
async fn token_of(browser: &Browser) -> String {
    create(browser, "course", &["course"]).await
}

#[tokio::test]
async fn a_run_is_started_and_followed_by_teachers_alone() {
    let scene = Scene::open().await;
    scene.enter().await;
    let path = scene.create(&[]).await;
    let runs = format!("{path}/runs");
    let (stranger, other) = (somebody(&scene.site, "Stranger").await, teacher(&scene.site, &scene.root, "Other").await);
    Course::create(&other, "Other course").await;
    let wanted = json!({"reason": "a trial run", "is_counted": true});
    let run = scene.run(&path, 1).await;
    scene.finished(run).await;
    for (who, browser, refused) in
        [("stranger", &stranger, 404), ("other teacher", &other, 404), ("member", &scene.ada, 403)]
    {
        let token = token_of(browser).await;
        assert_eq!(post(&scene.site, &runs, &token, &wanted).await.status, refused, "{who}");
        assert_eq!(get(&scene.site, &format!("{runs}/1"), &token).await.status, refused, "{who}");
    }
    let weak = create(&scene.teacher, "weak", &["read", "play", "analyse", "bots"]).await;
    assert_eq!(post(&scene.site, &runs, &weak, &wanted).await.status, 403, "it lacks the scope");
    assert_eq!(get(&scene.site, &format!("{runs}/1"), &weak).await.status, 403);
    assert_eq!(post(&scene.site, &runs, "abcdefghijkmnpqrstuvwxyz23", &wanted).await.status, 401);
    let code = path.strip_prefix("/leagues/").unwrap();
    let league = scene.store.league(code).await.unwrap().unwrap().id;
    assert_eq!(scene.store.runs_of_league(league).await.unwrap().len(), 1, "none was started");

    let token = token_of(&scene.teacher).await;
    let first = json_of(&get(&scene.site, &format!("{runs}/1"), &token).await);
    let expected = json!({"league": code, "number": 1, "state": "finished", "played": 6, "games": 6, "failed": 0,
                          "path": format!("{runs}/1")});
    assert_eq!(first, expected);
    for number in ["2", "0", "x", "-1"] {
        assert_eq!(get(&scene.site, &format!("{runs}/{number}"), &token).await.status, 404, "{number}");
    }
    for wrong in [json!({}), json!({"reason": " "}), json!({"reason": 1}), json!([])] {
        assert_eq!(post(&scene.site, &runs, &token, &wrong).await.status, 422, "{wrong}");
    }
    let seen = post(&scene.site, &runs, &token, &wanted).await;
    assert_eq!(seen.status, 201, "{seen:?}");
    let second = json_of(&seen);
    assert_eq!((&second["number"], &second["games"], &second["state"]), (&json!(2), &json!(2), &json!("playing")));
    let run = scene.store.league_run(league, 2).await.unwrap().unwrap();
    assert_eq!((run.state, run.is_counted, run.is_final), (RunState::Playing, true, false));
    assert_eq!(run.reason.as_deref(), Some("a trial run"));
    let again = post(&scene.site, &runs, &token_of(&scene.root).await, &wanted).await;
    assert_eq!(
        (again.status.as_u16(), &json_of(&again)["key"]),
        (422, &json!("league.still_plays")),
        "an admin may, too"
    );
}

#[tokio::test]
async fn leagues_are_listed_with_their_courses() {
    let scene = Scene::open().await;
    let path = scene.create(&[]).await;
    let seen = get(&scene.site, "/courses", &token_of(&scene.teacher).await).await;
    let league = json_of(&seen)["items"][0]["leagues"][0].clone();
    assert_eq!((&league["code"], &league["name"]), (&json!(path.strip_prefix("/leagues/").unwrap()), &json!("Main")));
    assert!(league["group"].is_null() && league["due_ms"].is_i64(), "{league}");
}

#[tokio::test]
async fn marks_are_read_with_their_games_by_teachers_alone() {
    let class = Class::open(YESTERDAY).await;
    class.marking(&[("Ben", "Lento", [1, 1, 1, 1]), ("Cleo", "Rapido", [0, 0, 1, 1])]).await;
    class.league(&[("Ben", "Lento", 1)]).await;
    let ben = class.team("Ben").await;
    class.ana.post(&class.at("/marks"), &[(&format!("p.{ben}.memo"), "2.5")]).await;
    let path = class.at("/marks");
    let (stranger, other) = (somebody(&class.site, "Stranger").await, teacher(&class.site, &class.root, "Other").await);
    for (who, browser, status) in [
        ("stranger", &stranger, 404),
        ("other teacher", &other, 404),
        ("member", &class.ben, 403),
        ("teacher", &class.ana, 200),
        ("admin", &class.root, 200),
    ] {
        assert_eq!(get(&class.site, &path, &token_of(browser).await).await.status, status, "{who}");
    }
    let weak = create(&class.ana, "weak", &["read", "play", "analyse", "bots"]).await;
    assert_eq!(get(&class.site, &path, &weak).await.status, 403, "it lacks the scope");
    assert_eq!(send(Client::new().get(format!("{}/api/v1{path}", class.site.url))).await.status, 401);

    let marks = json_of(&get(&class.site, &path, &token_of(&class.ana).await).await);
    assert_eq!(marks["rubric"][1], json!({"key": "bot", "title": "B: against the course's bots", "maximum": 3.0}));
    let [ben, cleo] = [&marks["teams"][0], &marks["teams"][1]];
    assert_eq!(
        (&ben["members"][0]["name"], &ben["total"], &cleo["total"]),
        (&json!("Real Ben"), &json!(9.5), &json!(1.5))
    );
    assert_eq!(ben["parts"][0]["points"], 2.5);
    assert!(cleo["parts"][0]["points"].is_null(), "{cleo}");
    let games = ben["parts"][1]["games"].as_array().unwrap();
    let opponents: Vec<_> = games.iter().map(|game| (&game["opponent"], &game["side"], &game["result"])).collect();
    assert_eq!(opponents, [(&json!("house"), &json!(1), &json!("won")), (&json!("house"), &json!(2), &json!("won"))]);

    // The same games stand in the table of games, each with its address.
    let table = class.ana.get(&class.at("/marks.csv?of=games&decimal=comma")).await.text;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "\u{feff}Full name;Group;Bot;Part;Points;Opponent;Side;Score;Result;Game");
    let code = games[0]["code"].as_str().unwrap();
    let line = lines.iter().find(|line| line.contains(code)).unwrap_or_else(|| panic!("{table}"));
    assert!(line.starts_with("Real Ben;A1;;B: against the course's bots;3,00;house;1;"), "{line}");
    assert!(line.ends_with(&format!(";won;{}/games/{code}", class.site.url)), "{line}");
    let list = "/leagues/league5/runs/1/games?of=1";
    assert_eq!(ben["parts"][2]["league_games"], list);
    assert!(lines.contains(&format!("Real Ben;A1;;C: league;4,00;;;;;{}{list}", class.site.url).as_str()), "{table}");
    assert_eq!(lines.len(), 1 + 3 + 2, "Cleo's points come from the two games that were won");
    assert!(class.ana.get(&class.at(&format!("/marks/{}", class.team("Ben").await))).await.text.contains(list));
}
