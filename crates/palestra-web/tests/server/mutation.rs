//! Requests with bytes changed: the server may refuse them in any way, but has no fault of its own.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::courses::Course;
use crate::maps::drawn;
use crate::people::somebody;
use crate::site::{Browser, Live, Site};
use crate::trouble::Schema;

/// Requests that are tried on each database.
const CASES: usize = 2000;

/// Lines that are tried at a table.
const LINES: usize = 2000;

/// Words that mean something, or should not be there.
const WORDS: [&str; 12] =
    ["%00", "%ff", "\0", "\u{202e}", "</script>", "'", "\"", "-1", "99999999999999999999", "null", "[[[[", "%25"];

fn mutate(bytes: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..bytes.len().max(1));
        match rng.random_range(0..6) {
            _ if bytes.is_empty() => bytes.push(b'{'),
            0 => bytes[at] = rng.random(),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, rng.random()),
            3 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, WORDS[rng.random_range(0..WORDS.len())].bytes())),
        }
    }
    bytes
}

/// A record that is pasted.
const RECORD: &str = "Game: mancala\nPlayer1: ana\nPlayer2: ben\n\n4 {a note} 1\n6 3\n";

/// Requests of a visitor with these cookies: head, other headers, body.
fn requests(cookies: &str, csrf: &str, code: &str, course: &str) -> Vec<Vec<u8>> {
    let get = |path: &str, headers: &str| format!("GET {path} HTTP/1.1\r\n{headers}\r\n");
    let post = |path: &str, kind: &str, body: &str| {
        let length = body.len();
        format!("POST {path} HTTP/1.1\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
    };
    let form =
        |path: &str, fields: &str| post(path, "application/x-www-form-urlencoded", &format!("{fields}&csrf={csrf}"));
    let part =
        |name: &str, value: &str| format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let upload =
        [part("csrf", csrf), part("name", "my-map"), part("map", "title: x\n\nmap:\n. . .\n")].concat() + "--x--\r\n";
    let roster = [part("csrf", csrf), part("list", "Nombre;Correo\nAna;ana@example.org\n")].concat() + "--x--\r\n";
    let wanted = json!({"game": "mancala", "moves": ["1", "2"], "lines": 1, "states": 10}).to_string();
    let line = json!({"game": "desconecta4boom", "moves": ["1", "2", "3"], "from": 1}).to_string();
    // Many other digits are empty pits, which end the game.
    let empty =
        json!({"game": "mancala", "position": "1:14,1,0,3,0,2,0/15,0,4,2,0,1,6", "moves": ["3", "5"]}).to_string();
    let tree = json!({"game": "mancala", "depth": 2, "at": ["1"], "window": [-5, 5], "order": "best"}).to_string();
    let table = json!({"game": "parchis", "options": "ALTERNED", "seat2": "open", "clock": "game", "seconds": 60});
    let all = [
        get("/games?game=mancala&player=Ada&result=win&reason=finished&from=2026-01-01&to=2026-12-31&before=abc", ""),
        get("/games.txt?player=Ada", ""),
        get(&format!("/t/{code}"), "accept-language: es-ES,en;q=0.8\r\n"),
        get("/t/abcdefghjkmn", "x-forwarded-for: 192.0.2.1, 192.0.2.2\r\n"),
        get("/games/abcdefghjkmn/record", "referer: http://x/y\r\n"),
        get("/maps/causeway", ""),
        get("/confirm/abcdefghijkmnpqrstuvwxyz23", ""),
        get("/admin/accounts?q=Ada&page=1", ""),
        get("/analyse?game=mancala&position=1:0,4,4,4,4,4,4/0,4,4,4,4,4,4&moves=1+2", ""),
        get("/tree?game=mancala&algorithm=minimax&order=worst&eval=strong&depth=2", ""),
        get("/tree.svg?game=mancala&moves=1+2&depth=2&plies=2", ""),
        get("/api/v1/games?cursor=6162&limit=3", "authorization: Bearer abcdefghijkmnpqrstuvwxyz23\r\n"),
        get("/api/v1/me", "authorization: Bearer abcdefghijkmnpqrstuvwxyz23\r\n"),
        form(
            "/tables",
            "game=bandera&options=lagoon&seat1=me&seat2=reserved&reserved2=Ada&nickname=eve&clock=turn&seconds=9",
        ),
        form("/sign-in", "email=ada%40example.org&password=correct+horse"),
        form("/register", "name=N&nickname=New&email=new%40example.org&password=correct+horse"),
        form("/settings/profile", "name=N&nickname=Ada"),
        form("/settings/tokens", "label=x&read=on"),
        form("/admin/accounts/role", "id=7&role=teacher"),
        post("/api/v1/analyse", "application/json", &wanted),
        post("/api/analyse/stream", "application/json", &wanted),
        post("/api/v1/evaluate", "application/json", &line),
        post("/api/v1/line", "application/json", &line),
        post("/api/v1/line", "application/json", &empty),
        post("/api/v1/evaluate", "application/json", &empty),
        get("/tables/new?game=mancala&position=1:14,1,0,3,0,2,0/15,0,4,2,0,1,6", ""),
        post("/api/record", "application/json", &json!({"game": "mancala", "text": RECORD}).to_string()),
        post("/api/v1/tree", "application/json", &tree),
        post("/api/v1/tree/compare", "application/json", &json!({"game": "parchis", "depth": 1}).to_string()),
        post("/api/v1/tables", "application/json", &table.to_string()),
        post("/maps", "multipart/form-data; boundary=x", &upload),
        get("/maps/new?from=causeway", ""),
        get("/courses", ""),
        get(&format!("{course}/members?group=A1"), ""),
        get("/join?code=abcd-efgh-2345", ""),
        form(
            "/courses",
            "name=N&year=Y&game=bandera%2Fcauseway&map=orchard&rule=cpu&amount=2&domains=a.example&time_zone=UTC&ends=2029-07-31",
        ),
        form(
            &format!("{course}/settings"),
            "name=N&year=Y&game=mancala&rule=depth&amount=8&time_zone=UTC&ends=2029-07-31",
        ),
        form(&format!("{course}/groups"), "code=A1&name=N"),
        form(&format!("{course}/groups/7/renew"), ""),
        form(&format!("{course}/members/7/pair"), "with=8"),
        form(&format!("{course}/notices"), "group=&text=hola"),
        form(&format!("{course}/roster/import"), "list=Ana%2Cana%40example.org%2CA1&group=&remove=7"),
        form(&format!("{course}/ask"), "group=7"),
        form("/settings/mails", "notice=on"),
        post(&format!("{course}/roster"), "multipart/form-data; boundary=x", &roster),
        form("/tables", "game=bandera&map=http%3A%2F%2Fx%2Fmaps%2Fabcdefghjkmn&seat2=me"),
        post("/api/maps/report", "application/json", &json!({"map": drawn()}).to_string()),
        post("/api/maps", "application/json", &json!({"name": "x", "map": drawn()}).to_string()),
        post(
            "/api/maps/generate",
            "application/json",
            &json!({"rows": 8, "columns": 8, "players": 1, "seed": 7}).to_string(),
        ),
    ];
    let with_rest = |request: String| {
        request.replacen("\r\n", &format!("\r\nhost: here\r\nconnection: close\r\ncookie: {cookies}\r\n"), 1)
    };
    all.map(|request| with_rest(request).into_bytes()).to_vec()
}

async fn answer(site: &Site, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(site.url.trim_start_matches("http://")).await.unwrap();
    // A client that is refused early may not hear the rest.
    let _ = stream.write_all(request).await;
    let _ = stream.shutdown().await;
    let mut answer = vec![];
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn survives(site: Site, seed: u64) -> Site {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (root, ada) = (admin_of(&site).await, somebody(&site, "Ada").await);
    let code = ada.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let course = Course::create(&root, "AI").await;
    course.add_group(&root, "A1").await;
    let mut all = vec![];
    for browser in [&root, &ada, &Browser::new(&site)] {
        let csrf = browser.csrf().await;
        all.extend(requests(&browser.cookies(), &csrf, &code, &course.path));
    }
    let mut refused = 0;
    for case in 0..CASES {
        let request = mutate(&all[case % all.len()], &mut rng);
        let answer = answer(&site, &request).await;
        assert!(!answer.starts_with("HTTP/1.1 500"), "{}\n{answer}", String::from_utf8_lossy(&request));
        refused += usize::from(answer.starts_with("HTTP/1.1 4"));
    }
    assert!(refused > CASES / 10, "only {refused} were wrong");

    let mut live = Live::open(&ada, &code, None).await;
    let commands = [
        json!({"do": "move", "ply": 0, "text": "1"}),
        json!({"do": "chat", "text": "hola"}),
        json!({"do": "sit", "seat": 1, "nickname": "eve"}),
        json!({"do": "take_back"}),
    ];
    for line in 0..LINES {
        let command = mutate(commands[line % commands.len()].to_string().as_bytes(), &mut rng);
        live.say_text(&String::from_utf8_lossy(&command)).await;
        if line % 100 == 0 {
            live.await_a("refused").await;
        }
    }
    assert_eq!(Browser::new(&site).get("/health").await.status, 200);
    let mut late = Live::open(&ada, &code, None).await;
    assert_eq!(late.await_a("table").await["table"]["code"], code, "the table is there");
    site
}

/// The admin that the set-up link makes.
async fn admin_of(site: &Site) -> Browser {
    let browser = Browser::new(site);
    let path = site.setup.as_deref().unwrap().strip_prefix(&site.url).unwrap().to_owned();
    let fields = [("name", "R"), ("nickname", "Root"), ("email", "root@example.org"), ("password", "correct horse")];
    assert_eq!(browser.post(&path, &fields).await.status, 200);
    browser
}

#[tokio::test]
async fn whatever_is_sent_the_server_has_no_fault() {
    survives(Site::open_with(|config| config.trust_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await, 1).await;
}

#[tokio::test]
async fn nor_has_it_with_postgresql() {
    let schema = Schema::create().await;
    let site = Site::open_with(|config| config.database = Some(schema.address())).await;
    survives(site, 2).await.close().await;
    schema.remove().await;
}
