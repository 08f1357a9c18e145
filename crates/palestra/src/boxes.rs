//! Programs that are not trusted run in boxes.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use palestra_arena::Contest;
pub(crate) use palestra_sandbox::USUAL_MEMORY;
use palestra_sandbox::{Helper, Sandbox};

use crate::ui::error::HintExt;
use crate::ui::style::{HINT, paint};

/// The sandbox of this machine, if it is wanted. Without one that holds nothing is run.
pub(crate) fn sandbox(is_wanted: bool) -> Result<Option<Arc<Sandbox>>> {
    if !is_wanted {
        return Ok(None);
    }
    let helper = Helper::this_program().context("cannot open this program")?;
    match Sandbox::new(helper) {
        Ok(sandbox) => Ok(Some(Arc::new(sandbox))),
        Err(error) => {
            let hint = error.hint().unwrap_or_else(|| "palestra doctor tells more".to_owned());
            Err(error).hint(|| hint)
        }
    }
}

/// Says what the boxes of a contest lack, if anything.
pub(crate) fn warn(contest: &Contest, out: &mut impl Write) -> Result<()> {
    warn_of(contest.box_lacks().as_deref(), out)
}

/// Says what boxes lack, if anything.
pub(crate) fn warn_of(lacks: Option<&str>, out: &mut impl Write) -> Result<()> {
    if let Some(lacks) = lacks.filter(|lacks| !lacks.is_empty()) {
        let warning = paint(HINT, "warning:");
        writeln!(out, "{warning} the boxes are {lacks}; 'palestra doctor' says what follows and what to do")?;
    }
    Ok(())
}
