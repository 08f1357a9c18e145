//! `palestra completions`: completion scripts for shells.

use std::io::Write;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::{Cli, PLAYERS};

/// Writes the script of a shell.
pub(crate) fn run(shell: Shell, out: &mut impl Write) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "palestra", &mut script);
    let script = String::from_utf8(script).context("the script is text")?;
    Ok(out.write_all(with_programs(shell, &script).as_bytes())?)
}

/// Where a player is expected, zsh would offer the built-in players alone; bash and fish offer files too.
fn with_programs(shell: Shell, script: &str) -> String {
    let names = PLAYERS.join(" ");
    match shell {
        Shell::Zsh => script.replace(&format!(":({names})"), &format!(":{{compadd {names}; _files}}")),
        _ => script.to_owned(),
    }
}
