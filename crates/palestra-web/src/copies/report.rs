//! The comparison of all sources of a course, kept until they change.

use std::sync::Arc;
use std::time::Duration;

use palestra_arena::copies::{Fingerprint, Pair, compare};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::found::{Found, Subject};
use super::print::{Printer, Prints};
use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;
use crate::rendering::Load;

/// The smallest share of pairs that are kept, in percent.
pub(super) const MIN_PERCENT: u8 = 10;

/// Hashes of all programs of a report. What comes after that many is left out, and the page says so.
const MAX_HASHES: usize = 4_000_000;

/// Fingerprints of former courses that are read at a time, for the sake of memory.
const KEPT_AT_A_TIME: usize = 20;

/// Pairs that are kept, those with the largest share.
const MAX_PAIRS: usize = 2000;

/// Time that a report may take by default. What is being read then is read to its end and kept, so that the next one gets further.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// Memory for fingerprints.
const PRINTS_BYTES: usize = 32 << 20;

/// Memory for reports.
const REPORTS_BYTES: usize = 8 << 20;

/// Reports that were looked at lately, and the fingerprints of which they are made.
pub(crate) struct Copies {
    pub(super) prints: Cache<Prints>,
    reports: Cache<Report>,
    /// Held while a report is made: one at a time, for the sake of memory.
    turn: Mutex<()>,
}

impl Default for Copies {
    fn default() -> Self {
        Self { prints: Cache::new(PRINTS_BYTES), reports: Cache::new(REPORTS_BYTES), turn: Mutex::default() }
    }
}

/// Something that was compared.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) subject: Subject,
    /// The name of its folder, if it is a program of a ZIP.
    pub(super) name: String,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// All that was compared, the teams first; the pairs have their indices.
    pub(super) programs: Vec<Compared>,
    /// How many of them are teams.
    pub(super) teams: usize,
    /// The pairs with the largest share first.
    pub(super) pairs: Vec<Pair>,
    /// What was not compared, or not all of it.
    pub(super) left_out: Vec<Compared>,
}

impl Weighed for Report {
    fn bytes(&self) -> usize {
        let compared = |all: &[Compared]| all.iter().map(|it| size_of_val(it) + it.name.len()).sum::<usize>();
        size_of_val(self) + compared(&self.programs) + size_of_val(self.pairs.as_slice()) + compared(&self.left_out)
    }
}

impl Report {
    /// The report on what was found; none if it takes too long.
    pub(super) async fn of(app: &App, found: &Found) -> Result<Option<Arc<Self>>, Refused> {
        let (copies, key) = (&app.copies, found.key());
        if let Some(report) = copies.reports.find(&key) {
            return Ok(Some(report));
        }
        let make = async {
            let _turn = copies.turn.lock().await;
            // Another visitor may have asked for it meanwhile.
            if let Some(report) = copies.reports.find(&key) {
                return Ok(report);
            }
            let report = Arc::new(Intake::of(app, found).await?.compared(app, found).await?);
            copies.reports.keep(&key, report.clone());
            Ok(report)
        };
        timeout(app.config.copies_timeout, make).await.ok().transpose()
    }

    /// The pair of these two.
    pub(super) fn pair(&self, subjects: [Subject; 2]) -> Option<&Pair> {
        self.pairs.iter().find(|pair| self.sides(pair).map(|side| side.subject) == subjects)
    }

    /// The two programs of a pair.
    pub(super) fn sides(&self, pair: &Pair) -> [&Compared; 2] {
        pair.programs.map(|program| &self.programs[program])
    }
}

/// The programs to compare, within the limit.
#[derive(Default)]
struct Intake {
    programs: Vec<Compared>,
    prints: Vec<Fingerprint>,
    teams: usize,
    hashes: usize,
    left_out: Vec<Compared>,
}

impl Intake {
    async fn of(app: &App, found: &Found) -> Result<Self, Refused> {
        let mut intake = Self::default();
        let printer = Printer::new(app, found).await?;
        for team in &found.teams {
            let prints = printer.team(team).await?;
            let compared = Compared { subject: Subject::Team(team.team), name: String::new() };
            if prints.is_partial {
                intake.left_out.push(compared.clone());
            }
            prints.programs.iter().for_each(|(_, print)| intake.add(compared.clone(), print.clone()));
        }
        intake.teams = intake.programs.len();
        for bot in &found.house {
            let compared = Compared { subject: Subject::House(bot.version), name: String::new() };
            let prints = printer.version(bot.version).await?;
            prints.programs.iter().for_each(|(_, print)| intake.add(compared.clone(), print.clone()));
        }
        for sources in &found.added {
            for (number, (name, print)) in printer.added(sources).await?.programs.iter().enumerate() {
                let subject = Subject::Added(sources.id, number);
                intake.add(Compared { subject, name: name.clone() }, print.clone());
            }
        }
        for rows in found.kept.chunks(KEPT_AT_A_TIME) {
            let ids = rows.last().map_or(0, |row| row.id)..=rows.first().map_or(0, |row| row.id);
            for (row, bytes) in app.store.fingerprint_hashes(&found.game, ids).await? {
                let compared = Compared { subject: Subject::Kept(row), name: String::new() };
                // What an earlier version made in another way cannot be compared.
                Fingerprint::of_bytes(&bytes).into_iter().for_each(|print| intake.add(compared.clone(), print));
            }
        }
        Ok(intake)
    }

    /// Adds a program that has something of its own, or notes that there is no room for it.
    fn add(&mut self, compared: Compared, print: Fingerprint) {
        if self.hashes + print.len() > MAX_HASHES {
            self.left_out.push(compared);
        } else if !print.is_empty() {
            self.hashes += print.len();
            self.programs.push(compared);
            self.prints.push(print);
        }
    }

    async fn compared(self, app: &App, found: &Found) -> Result<Report, Refused> {
        let Self { programs, prints, teams, left_out, .. } = self;
        let compare = move || {
            let (own, others) = prints.split_at(teams);
            compare(own, others).pairs
        };
        let mut pairs = app.rendering.run(Load::Heavy, compare).await?;
        pairs.retain(|pair| {
            let is_alike = pair.share() * 100.0 >= f64::from(MIN_PERCENT);
            is_alike && !found.is_one_bot(pair.programs.map(|program| programs[program].subject))
        });
        pairs.truncate(MAX_PAIRS);
        Ok(Report { programs, teams, pairs, left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_left_out_and_named() {
        let mut intake = Intake::default();
        let team = |team| Compared { subject: Subject::Team(team), name: String::new() };
        let print = |count: usize| (0..count as u64).collect::<Fingerprint>();
        for (number, hashes) in [(1, MAX_HASHES - 1), (2, 2), (3, 0), (4, 1)] {
            intake.add(team(number), print(hashes));
        }
        let subjects = |all: &[Compared]| all.iter().map(|it| it.subject).collect::<Vec<_>>();
        assert_eq!(subjects(&intake.programs), [Subject::Team(1), Subject::Team(4)]);
        assert_eq!(subjects(&intake.left_out), [Subject::Team(2)]);
    }
}
