//! How fast pages come, how large they are, how soon a move is seen, how soon long games and large trees are open and how
//! smoothly they move: `cargo bench -p palestra-web --bench pages`.
//!
//! A real server and Chromium without a window, both on this machine. Every visit to a page is that of a new browser whose
//! cache is empty. Moves are made by another client, and reach the page as they do in a game.

#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../tests/server/chrome.rs"]
mod chrome;
#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../tests/server/line.rs"]
mod line;
#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../tests/server/people.rs"]
mod people;
#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../tests/server/site.rs"]
mod site;

mod moves;
mod replays;
mod trace;
mod trees;
mod visits;

use std::time::Duration;

use chrome::{Chrome, Tab};
use people::admin;
use site::Site;

const USAGE: &str = "\
usage: cargo bench -p palestra-web --bench pages -- [--runs N] [--moves N] [--only PART]

Opens every page in Chromium and measures, against the goals of the project:

  first contentful paint  from the start of the navigation, cache empty, server on this machine: 300 ms
  size                    HTML, styles, scripts and images as they are transferred, without the JSON of boards: 120 KB
  frame                   from the message of a move to the first animation frame after the board changed: 50 ms
  drawn                   until the work on that frame is done
  handler                 how long the handler of that message runs, what it makes the browser lay out included
  all script              JavaScript until the motion is over, without layout, as Chromium counts it: 8 ms on a Bandera
                          board of 16x20
  open                    from the start of the navigation to the end of the frame that shows a game of 300 moves with its
                          board: 300 ms; a tree of 100,000 nodes: 1 s
  longest task            on the main thread, in a trace of Chromium: 50 ms while a tree is stepped through and moved

  --runs N    visits of each page (default 7)
  --moves N   moves of each game (default 60)
  --only PART visits, moves, replays or trees";

const PARTS: [&str; 4] = ["visits", "moves", "replays", "trees"];

/// What to measure.
struct Wanted {
    runs: usize,
    moves: usize,
    only: Option<String>,
}

fn main() {
    match wanted(std::env::args().skip(1).filter(|arg| arg != "--bench")) {
        Some(wanted) => tokio::runtime::Runtime::new().expect("a runtime").block_on(measure(&wanted)),
        None => println!("{USAGE}"),
    }
}

/// What the command line asks for; nothing if it makes no sense.
fn wanted(mut args: impl Iterator<Item = String>) -> Option<Wanted> {
    let mut wanted = Wanted { runs: 7, moves: 60, only: None };
    while let Some(name) = args.next() {
        let value = args.next()?;
        let number = || value.parse().ok().filter(|number| *number > 0);
        match name.as_str() {
            "--runs" => wanted.runs = number()?,
            "--moves" => wanted.moves = number()?,
            "--only" if PARTS.contains(&&*value) => wanted.only = Some(value),
            _ => return None,
        }
    }
    Some(wanted)
}

async fn measure(Wanted { runs, moves, only }: &Wanted) {
    let site = Site::open().await;
    let visitor = admin(&site, "Ada").await;
    let mut chrome = Chrome::start().await;
    for part in PARTS.into_iter().filter(|part| only.as_deref().is_none_or(|only| only == *part)) {
        match part {
            "visits" => visits::measure(&mut chrome, &site, &visitor, *runs).await,
            "moves" => moves::measure(&mut chrome, &site, *moves).await,
            "replays" => replays::measure(&mut chrome, &site, *runs).await,
            _ => trees::measure(&mut chrome, &site, &visitor, *runs).await,
        }
    }
}

/// How long Chromium needs for the interface of a new window, which it loads beside the first page.
const WINDOW_TIME: Duration = Duration::from_millis(1200);

/// A window of its own, with an empty cache, on a screen of the usual size; the browser does nothing else any more.
async fn window(chrome: &mut Chrome) -> Tab {
    let mut tab = chrome.tab().await;
    tab.resize(1440, 900).await;
    tokio::time::sleep(WINDOW_TIME).await;
    tab
}

/// The median, the 95th of a hundred and the worst of some measurements.
fn summary(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    [values[values.len() / 2], values[last * 95 / 100], values[last]]
}
