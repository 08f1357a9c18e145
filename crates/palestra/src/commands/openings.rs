//! `palestra openings`: generates balanced openings.

use std::io::Write;

use anyhow::Result;
use palestra_games::GameKind;
use palestra_search::openings;

use crate::ui::progress::Progress;

/// Writes openings in the format of the bundled ones.
pub(crate) fn run(kind: &GameKind, seed: u64, out: &mut impl Write) -> Result<()> {
    let mut progress = Progress::new();
    let lines = openings::make(kind.id(), seed, &mut |done, of| {
        progress.show(|| format!("{done} of {of} candidates"));
    })?;
    progress.erase();
    writeln!(out, "# palestra openings {} --seed {seed}: options, value, moves", kind.id())?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}
