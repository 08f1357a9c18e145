//! The sandboxes in which `--sandbox` runs untrusted programs.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use palestra_arena::Contest;
pub(crate) use palestra_sandbox::USUAL_MEMORY;
use palestra_sandbox::{Helper, Sandbox};

use crate::ui::error::HintExt;
use crate::ui::style::{HINT, paint};

/// The sandbox of this machine, or `None` without `--sandbox`. If a layer that must hold is missing this is an error:
/// a program is never run with less protection than was asked for.
pub(crate) fn sandbox(is_enabled: bool) -> Result<Option<Arc<Sandbox>>> {
    if !is_enabled {
        return Ok(None);
    }
    let helper = Helper::this_program().context("cannot open this program")?;
    match Sandbox::new(helper) {
        Ok(sandbox) => Ok(Some(Arc::new(sandbox))),
        Err(error) => {
            let hint = error.hint().unwrap_or_else(|| "run 'palestra doctor' for details".to_owned());
            Err(error).hint(|| hint)
        }
    }
}

/// The sandbox for programs that were uploaded to a server, or why there is none.
pub(crate) fn for_uploads() -> Result<Arc<Sandbox>, String> {
    let found = sandbox(true).and_then(|found| found.context("there is none"));
    found.map_err(|error| format!("{error:#}"))
}

/// Warns about the layers that the sandboxes of a contest lack.
pub(crate) fn warn(contest: &Contest, out: &mut impl Write) -> Result<()> {
    warn_lacks(contest.box_lacks().as_deref(), out)
}

/// Warns about the layers that sandboxes lack: nothing is written if there is no sandbox, or none of them is missing.
pub(crate) fn warn_lacks(lacks: Option<&str>, out: &mut impl Write) -> Result<()> {
    if let Some(lacks) = lacks.filter(|lacks| !lacks.is_empty()) {
        let warning = paint(HINT, "warning:");
        writeln!(out, "{warning} the sandboxes are {lacks}; 'palestra doctor' shows the consequences and what to do")?;
    }
    Ok(())
}
