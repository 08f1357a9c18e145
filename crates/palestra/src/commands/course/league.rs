//! `palestra course run-league`: a run of a league, played here or by a server.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use palestra_web::{
    Config, FolderError, LeagueOrder, LeagueProgress, ListedRun, OfflineError, RunEnd, StartError, blocking,
};
use serde_json::json;

use super::{Place, check_code, plain};
use crate::cli::RunLeague;
use crate::client::Client;
use crate::contest_setup::interrupt;
use crate::sandboxes;
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::units::{counted, written_clock};

/// How often a server is asked how far it is.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The reason of a run for which none was given.
const USUAL_REASON: &str = "started at the shell";

pub(super) fn run(args: &RunLeague, out: &mut impl Write) -> Result<()> {
    check_code(&args.code)?;
    match args.source.open()? {
        Place::Server(client) => on_server(args, &client, out),
        Place::Folder(config) => here(args, Config { sandbox: sandboxes::for_uploads(), ..*config }, out),
    }
}

/// Has the server play a run.
fn on_server(args: &RunLeague, client: &Client, out: &mut impl Write) -> Result<()> {
    let path = format!("/api/v1/leagues/{}/runs", args.code);
    let reason = args.reason.as_deref().unwrap_or(USUAL_REASON);
    let wanted = json!({"reason": reason, "is_counted": args.counted, "is_final": args.last}).to_string();
    let mut run: ListedRun = client.post(&path, "application/json", wanted.as_bytes())?.json()?;
    let page = client.address().link(&plain(&run.path));
    writeln!(out, "Run {} begins, with {}: {page}", run.number, games(run.games))?;
    out.flush()?;
    let mut bar = RunBar::new();
    while args.wait && run.goes_on() && !is_stuck(&run) {
        thread::sleep(POLL_INTERVAL);
        run = client.get(&format!("{path}/{}", run.number))?.json()?;
        bar.show(&run, None);
    }
    drop(bar);
    if is_stuck(&run) {
        return Err(anyhow!("{} could not be played", games(run.failed))).hint(|| format!("{page} says why"));
    }
    if args.wait { over(&run, out) } else { Ok(()) }
}

/// Whether only games that were set aside are left.
fn is_stuck(run: &ListedRun) -> bool {
    run.failed > 0 && run.played + run.failed == run.games
}

/// Plays a run, new or interrupted, to its end.
fn here(args: &RunLeague, config: Config, out: &mut impl Write) -> Result<()> {
    let RunLeague { code, reason, counted, last, .. } = args;
    let order = LeagueOrder {
        league: code.clone(),
        is_new: reason.is_some() || *counted || *last,
        reason: reason.as_deref().unwrap_or(USUAL_REASON).to_owned(),
        is_counted: *counted,
        is_final: *last,
    };
    let mut bar = RunBar::new();
    let mut on_progress = |progress: &LeagueProgress| bar.show(&progress.run, progress.trouble.as_deref());
    let result = blocking::run_league(&config, &order, &mut on_progress);
    drop(bar);
    let (run, end) = result.or_else(|error| with_hint(error, code))?;
    match end {
        RunEnd::Finished => over(&run, out),
        RunEnd::Interrupted => {
            interrupt();
            let ListedRun { number, played, games, .. } = run;
            writeln!(out, "Run {number} stops after {played} of {games} games.")?;
            writeln!(out, "It goes on with the next 'palestra serve', or with this command.")?;
            Ok(())
        }
        RunEnd::SetAside(reason) => Err(anyhow!("{} could not be played: {}", games(run.failed), plain(&reason)))
            .hint(|| "'palestra serve' shows admins what was set aside, and lets it be tried again".to_owned()),
    }
}

/// How a run ended.
fn over(run: &ListedRun, out: &mut impl Write) -> Result<()> {
    writeln!(out, "Run {} is {}: {}.", run.number, plain(&run.state), games(run.played))?;
    Ok(())
}

fn games(count: i64) -> String {
    counted(count.unsigned_abs(), "game", "games")
}

fn with_hint<T>(error: OfflineError, code: &str) -> Result<T> {
    match &error {
        OfflineError::Start(StartError::Folder(FolderError::InUse(_))) | OfflineError::Served => Err(error)
            .hint(|| format!("let the server play it: palestra course run-league {code} --server URL --token FILE")),
        OfflineError::NoSandbox(_) => Err(error).hint(|| "'palestra doctor' says what to do".to_owned()),
        _ => Err(error.into()),
    }
}

/// A progress bar of a run.
struct RunBar {
    progress: Progress,
    /// When the run was first seen, and how many games were played then.
    begun: Option<(Instant, i64)>,
}

impl RunBar {
    fn new() -> Self {
        Self { progress: Progress::new(), begun: None }
    }

    fn show(&mut self, run: &ListedRun, trouble: Option<&str>) {
        let (begun, before) = *self.begun.get_or_insert((Instant::now(), run.played));
        let ListedRun { played, games, .. } = *run;
        self.progress.show(|| {
            let count = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
            let bar = format!("{} {played} of {games} games", bar(count(played), count(games)));
            match trouble {
                Some(trouble) => format!("{bar}, waiting: {trouble}"),
                None => bar + &left(begun.elapsed(), count(played - before), count(games - played)),
            }
        });
    }
}

/// The time that is left if games take as long as those that were played.
fn left(elapsed: Duration, played: u32, open: u32) -> String {
    let left = elapsed.checked_div(played).map(|each| each.saturating_mul(open));
    left.map(|left| format!(", {} left", written_clock(left))).unwrap_or_default()
}
