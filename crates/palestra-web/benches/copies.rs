//! The report on similar sources of a course of 120 bots. `cargo bench -p palestra-web --bench copies`, `-- --bots N --lines N`.
//!
//! Each team has a bot and a hand-in with the same source and a memo. A teacher opens the report after a restart, again, and
//! after a bot has changed; then the page of the first pair.

#[path = "../../palestra-arena/benches/copies/programs.rs"]
mod programs;

use std::time::{Duration, Instant};

use palestra_store::{
    Added, Built, House, MemberState, NewAccount, NewAssignment, NewBot, NewCourse, NewEntry, NewHandIn, NewVersion,
    Quotas, Registered, Role, Store, TimeRule, VersionState,
};
use palestra_web::{Config, NewAdmin, Server, create_admin};
use programs::programs;
use reqwest::Client;

const PASSWORD: &str = "a long enough password";

/// How often a page is opened.
const TRIES: usize = 15;

/// Bytes of a memo.
const MEMO_BYTES: usize = 300_000;

fn main() {
    let number = |name: &str, usual: usize| {
        let mut words = std::env::args().skip_while(|word| word != name);
        words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(usual)
    };
    // `cargo test --benches` runs this too, without the word.
    if !std::env::args().any(|word| word == "--bench") {
        return println!("run by cargo bench");
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(number("--bots", 120), number("--lines", 2000)));
}

fn ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

async fn measure(bots: usize, lines: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let listen = "127.0.0.1:0".parse().expect("an address");
    let config = Config { listen, data: folder.path().join("data"), ..Config::default() };
    let new = NewAdmin {
        name: "Root".into(),
        nickname: "root".into(),
        email: "root@example.org".into(),
        password: PASSWORD.into(),
    };
    create_admin(&config, new).await.expect("an admin");
    let store = Store::open_file(&config.data.join("palestra.db")).await.expect("a store");
    let class = Class::new(store).await;
    // The last one is what a bot becomes.
    let texts = programs(bots + 1, lines);
    let mut first = (0, 0);
    for (number, text) in texts[..bots].iter().enumerate() {
        let team = class.add_team(number, text).await;
        first = if number == 0 { team } else { first };
    }
    let server = Server::start(config).await.expect("the server starts");
    let address = format!("http://{}", server.address());
    let running = tokio::spawn(server.run(std::future::pending()));
    let client = sign_in(&address).await;
    let report = format!("/courses/{}/copies", class.code);
    println!("| {bots} bots and hand-ins of {lines} lines | time | size |\n|---|---|---|");
    let row = |what: &str, (time, size, _): &Opened| println!("| {what} | {} | {} KB |", ms(*time), size / 1000);
    let opened = open(&client, &address, &report).await;
    row("the report after a restart", &opened);
    row("again", &median(&client, &address, &report).await);
    class.upload(first, &texts[bots]).await;
    row("after a bot has changed", &open(&client, &address, &report).await);
    row("all pairs from 10 % on", &median(&client, &address, &format!("{report}?share=10")).await);
    let (_, rest) = opened.2.split_once(&format!("href=\"{report}/")).expect("a pair");
    let pair = format!("{report}/{}", rest.split_once('"').expect("its address").0);
    row("the page of a pair", &median(&client, &address, &pair).await);
    running.abort();
    class.store.close().await;
}

/// A course with an assignment.
struct Class {
    store: Store,
    code: String,
    course: i64,
    group: i64,
    assignment: i64,
}

impl Class {
    async fn new(store: Store) -> Self {
        let root = store.account_by_nickname("root").await.expect("a store").expect("an admin").id;
        let new = NewCourse {
            name: "AI".into(),
            year: "2026".into(),
            game: "mancala".into(),
            options: "-".into(),
            time_rule: TimeRule::Cpu(2000),
            domains: String::new(),
            time_zone: "Europe/Madrid".into(),
            ends_ms: i64::MAX / 2,
            keeps_fingerprints: true,
        };
        let code = store.create_course(root, &new, 1).await.expect("a course");
        let course = store.course(&code).await.expect("a store").expect("a course").id;
        let group = store.add_group(course, "A1", "", 1).await.expect("a group");
        let new = NewAssignment {
            title: "Practice".into(),
            due_ms: i64::MAX / 2,
            page_limit: 5,
            rubric: "mancala".into(),
            league_id: None,
            counted_run_id: None,
        };
        let assignment = store.create_assignment(course, &new, 1).await.expect("an assignment");
        let assignment = store.assignment(&assignment).await.expect("a store").expect("an assignment").id;
        Self { store, code, course, group, assignment }
    }

    /// A student with a bot that is entered, and a hand-in; the ids of account and bot.
    async fn add_team(&self, number: usize, text: &str) -> (i64, i64) {
        let (store, now_ms) = (&self.store, 2 + number as i64);
        let new = NewAccount {
            name: format!("Student {number}"),
            nickname: format!("student{number}"),
            email: format!("student{number}@example.org"),
            password: String::new(),
            role: Role::Student,
        };
        let id = store.create_account(&new, now_ms).await.expect("an account");
        let account = store.account(id).await.expect("a store").expect("an account");
        store.join_course((self.course, self.group), &account, MemberState::Member, now_ms).await.expect("a member");
        let member = store.member_of(self.course, id).await.expect("a store").expect("a member");
        let name = format!("Bot{number}");
        let new = NewBot { name: &name, game: "mancala", language: "cpp", account: id, course: None, house: House::No };
        let registered = store.register_bot(&new, 9, now_ms).await.expect("a store");
        let Registered::Bot(bot) = registered else { panic!("{registered:?}") };
        self.upload((id, bot), text).await;
        let entry = NewEntry { team: member.team_id, bot, account: id, reason: None };
        store.enter_bot(&entry, now_ms).await.expect("an entry");
        let memo = noise(number as u64);
        let archive = palestra_arena::zip([("Bot.cpp", text.as_bytes()), ("memo.pdf", &memo)]).expect("a zip");
        let new = NewHandIn {
            assignment: self.assignment,
            team: member.team_id,
            account: id,
            archive: &archive,
            memo_name: Some("memo.pdf"),
            memo_pages: Some(4),
            remarks: "[]",
        };
        store.add_hand_in(&new, now_ms).await.expect("a hand-in");
        (id, bot)
    }

    async fn upload(&self, (account, bot): (i64, i64), text: &str) {
        let files = [("bot.cpp".to_owned(), text.as_bytes().to_vec())];
        let new = NewVersion { bot, account, note: "", files: &files };
        let added = self.store.add_version(&new, &Quotas::default(), 9).await.expect("a store");
        let Added::Version { id, .. } = added else { panic!("{added:?}") };
        let built = Built { state: VersionState::Ready, report: "{}", compiler: None, flags: None };
        assert!(self.store.end_build(id, &built).await.expect("a store"));
    }
}

/// Bytes that cannot be compressed.
fn noise(seed: u64) -> Vec<u8> {
    let mut rng = palestra_games::rng::Rng::new(seed);
    (0..MEMO_BYTES).map(|_| rng.below(256) as u8).collect()
}

/// The time until a page is there, its size as it is sent, and its text.
type Opened = (Duration, usize, String);

async fn open(client: &Client, address: &str, path: &str) -> Opened {
    let begun = Instant::now();
    let ask = || client.get(format!("{address}{path}"));
    let answer = ask().header("accept-encoding", "gzip").send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    let size = answer.bytes().await.expect("a page").len();
    let time = begun.elapsed();
    (time, size, ask().send().await.expect("an answer").text().await.expect("a text"))
}

/// The median of several.
async fn median(client: &Client, address: &str, path: &str) -> Opened {
    let mut all = vec![];
    for _ in 0..TRIES {
        all.push(open(client, address, path).await);
    }
    all.sort_unstable();
    all.swap_remove(TRIES / 2)
}

async fn sign_in(address: &str) -> Client {
    let client = Client::builder().cookie_store(true).build().expect("a client");
    let page = client.get(format!("{address}/sign-in")).send().await.expect("a page").text().await.expect("a text");
    let (_, rest) = page.split_once("name=\"csrf\" value=\"").expect("a form");
    let csrf = rest.split_once('"').expect("a value").0;
    let fields = [("email", "root@example.org"), ("password", PASSWORD), ("csrf", csrf)];
    let answer = client.post(format!("{address}/sign-in")).form(&fields).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{}", answer.status());
    client
}
