//! `palestra man`: manual pages, one for each command.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::contest_setup::quoted;
use crate::file;
use crate::ui::error::HintExt;

/// Writes all pages into a folder, and lists them.
pub(crate) fn run(folder: &Path, out: &mut impl Write) -> Result<()> {
    make_folder(folder)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![];
    collect(&command, &mut pages)?;
    for (name, text) in &pages {
        let path = folder.join(name);
        let path = path.to_str().with_context(|| format!("'{}' is not UTF-8 text", path.display()))?;
        file::replace(path, text)?;
        writeln!(out, "{path}")?;
    }
    let first = quoted(&folder.join("palestra.1").to_string_lossy());
    Ok(writeln!(out, "{} pages; run 'man -l {first}' to read the first.", pages.len())?)
}

fn make_folder(folder: &Path) -> Result<()> {
    match fs::create_dir_all(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(anyhow!("'{}' exists and is not a folder", folder.display()))
                .hint(|| "choose a folder, which is created if needed".to_owned())
        }
        made => made
            .with_context(|| format!("cannot create the folder '{}'", folder.display()))
            .hint(|| "choose a writable folder".to_owned()),
    }
}

/// The pages of a command and of all below it, with their names.
fn collect(command: &Command, pages: &mut Vec<(String, String)>) -> Result<()> {
    let page = Man::new(command.clone()).source(concat!("palestra ", env!("CARGO_PKG_VERSION"))).manual("Palestra");
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), String::from_utf8(text).context("the page is text")?));
    command.get_subcommands().try_for_each(|below| collect(below, pages))
}
