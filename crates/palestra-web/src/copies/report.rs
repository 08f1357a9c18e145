//! The comparison of all sources of a course, kept until they change.

use std::sync::Arc;
use std::time::Duration;

use palestra_arena::copies::{Fingerprint, Given, Pair, compare};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::found::{Found, Subject, TeamSources};
use super::program::ReadSources;
use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;
use crate::rendering::Load;

/// The smallest share of pairs that are kept, in percent.
pub(super) const MIN_PERCENT: u8 = 10;

/// Hashes of all programs of a report. What comes after that many is left out, and the page says so.
const MAX_HASHES: usize = 4_000_000;

/// Pairs that are kept, those with the largest share.
const MAX_PAIRS: usize = 2000;

/// Time that a report may take. What was read until then is kept, so that the next one gets further.
const MAX_TIME: Duration = Duration::from_secs(30);

/// Memory for fingerprints.
const PRINTS_BYTES: usize = 32 << 20;

/// Memory for reports.
const REPORTS_BYTES: usize = 8 << 20;

/// Reports that were looked at lately, and the fingerprints of which they are made.
pub(crate) struct Copies {
    prints: Cache<Print>,
    reports: Cache<Report>,
    /// Held while a report is made: one at a time, for the sake of memory.
    turn: Mutex<()>,
}

impl Default for Copies {
    fn default() -> Self {
        Self { prints: Cache::new(PRINTS_BYTES), reports: Cache::new(REPORTS_BYTES), turn: Mutex::default() }
    }
}

/// What is compared of a team.
struct Print {
    fingerprint: Fingerprint,
    /// Whether sources are missing from it.
    is_partial: bool,
}

impl Weighed for Print {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.fingerprint.len() * size_of::<u64>()
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// All that was compared; the pairs have their indices.
    pub(super) subjects: Vec<Subject>,
    /// The pairs with the largest share first.
    pub(super) pairs: Vec<Pair>,
    /// What was not compared, or not all of it.
    pub(super) left_out: Vec<Subject>,
}

impl Weighed for Report {
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(self.subjects.as_slice())
            + size_of_val(self.pairs.as_slice())
            + size_of_val(self.left_out.as_slice())
    }
}

impl Report {
    /// The report on what was found.
    pub(super) async fn of(app: &App, found: &Found) -> Result<Arc<Self>, Refused> {
        let (copies, key) = (&app.copies, found.key());
        if let Some(report) = copies.reports.find(&key) {
            return Ok(report);
        }
        let make = async {
            let _turn = copies.turn.lock().await;
            // Another visitor may have asked for it meanwhile.
            if let Some(report) = copies.reports.find(&key) {
                return Ok(report);
            }
            let report = Arc::new(Self::new(app, found).await?);
            copies.reports.keep(&key, report.clone());
            Ok(report)
        };
        timeout(MAX_TIME, make).await.map_err(|_| Refused::bad("copies.slow"))?
    }

    async fn new(app: &App, found: &Found) -> Result<Self, Refused> {
        let (mut report, mut prints, mut hashes) = (Self::default(), vec![], 0);
        for team in &found.teams {
            let print = print(app, team).await?;
            let is_compared = hashes + print.fingerprint.len() <= MAX_HASHES;
            if print.is_partial || !is_compared {
                report.left_out.push(Subject::Team(team.team));
            }
            if is_compared && !print.fingerprint.is_empty() {
                hashes += print.fingerprint.len();
                report.subjects.push(Subject::Team(team.team));
                prints.push(print);
            }
        }
        report.pairs = app.rendering.run(Load::Heavy, move || pairs(&prints)).await?;
        Ok(report)
    }

    /// The pair of these two.
    pub(super) fn pair(&self, subjects: [Subject; 2]) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.programs.map(|program| self.subjects[program]) == subjects)
    }
}

fn pairs(prints: &[Arc<Print>]) -> Vec<Pair> {
    let own: Vec<&Fingerprint> = prints.iter().map(|print| &print.fingerprint).collect();
    let mut pairs = compare(&own, &[]).pairs;
    pairs.retain(|pair| pair.share() * 100.0 >= f64::from(MIN_PERCENT));
    pairs.truncate(MAX_PAIRS);
    pairs
}

/// The fingerprint of a team's sources.
async fn print(app: &App, team: &TeamSources) -> Result<Arc<Print>, Refused> {
    let key = team.key();
    if let Some(print) = app.copies.prints.find(&key) {
        return Ok(print);
    }
    let read = ReadSources::of_team(app, team).await?;
    let make = move || {
        let is_partial = read.is_partial;
        Print { fingerprint: read.scanned(Given::kits()).0.fingerprint(), is_partial }
    };
    let print = Arc::new(app.rendering.run(Load::Heavy, make).await?);
    app.copies.prints.keep(&key, print.clone());
    Ok(print)
}
