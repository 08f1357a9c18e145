//! How fast pages come, how large they are, and how soon a move is seen: `cargo bench -p palestra-web --bench pages`.
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

use chrome::Chrome;
use people::admin;
use site::Site;

const USAGE: &str = "\
usage: cargo bench -p palestra-web --bench pages -- [--runs N] [--moves N]

Opens every page in Chromium and measures, against the goals of the project:

  first contentful paint  from the start of the navigation, cache empty, server on this machine: 300 ms
  size                    HTML, styles, scripts and images as they are transferred, without the JSON of boards: 120 KB
  frame                   from the message of a move to the first animation frame after the board changed: 50 ms
  drawn                   until the work on that frame is done
  handler                 how long the handler of that message runs, what it makes the browser lay out included
  all script              JavaScript until the motion is over, without layout, as Chromium counts it: 8 ms on a Bandera
                          board of 16x20

  --runs N    visits of each page (default 7)
  --moves N   moves of each game (default 60)";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let number = |name: &str, usual: usize| match args.iter().position(|arg| arg == name) {
        Some(at) => args.get(at + 1).and_then(|word| word.parse().ok()).filter(|number| *number > 0),
        None => Some(usual),
    };
    let known = args.iter().all(|arg| ["--runs", "--moves"].contains(&&**arg) || arg.parse::<usize>().is_ok());
    let (Some(runs), Some(moves), true) = (number("--runs", 7), number("--moves", 60), known) else {
        println!("{USAGE}");
        return;
    };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(measure(runs, moves));
}

async fn measure(runs: usize, moves: usize) {
    let site = Site::open().await;
    let visitor = admin(&site, "Ada").await;
    let mut chrome = Chrome::start().await;
    visits::measure(&mut chrome, &site, &visitor, runs).await;
    moves::measure(&mut chrome, &site, moves).await;
    replays::measure(&mut chrome, &site, runs).await;
    trees::measure(&mut chrome, &site, &visitor, runs).await;
}

/// The median, the 95th of a hundred and the worst of some measurements.
fn summary(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    [values[values.len() / 2], values[last * 95 / 100], values[last]]
}
