//! `palestra admin`: manages accounts from the command line.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, Result, bail};
use palestra_web::{Config, NewAdmin, blocking};

use crate::cli::{Admin, CreateAdmin};
use crate::ui::error::HintExt;

pub(crate) fn run(command: &Admin, out: &mut impl Write) -> Result<()> {
    match command {
        Admin::Create(args) => create(args, out),
    }
}

fn create(args: &CreateAdmin, out: &mut impl Write) -> Result<()> {
    let CreateAdmin { nickname, name, email, place } = args;
    let new = NewAdmin {
        name: name.clone(),
        nickname: nickname.clone(),
        email: email.clone(),
        password: if io::stdin().is_terminal() { prompt_twice()? } else { read_line()? },
    };
    let config = Config { data: place.data(), database: place.database()?, ..Config::default() };
    blocking::create_admin(&config, new)?;
    writeln!(out, "{nickname} is an admin now.")?;
    Ok(())
}

/// Prompts for a password twice.
fn prompt_twice() -> Result<String> {
    let first = prompt("Password: ")?;
    if first != prompt("Repeat password: ")? {
        bail!("the passwords differ");
    }
    Ok(first)
}

fn prompt(question: &str) -> Result<String> {
    let mut terminal = anstream::stderr();
    write!(terminal, "{question}")?;
    terminal.flush()?;
    let answer = without_echo(read_line);
    writeln!(terminal)?;
    answer
}

/// Reads while the terminal does not echo the input.
#[cfg(target_os = "linux")]
fn without_echo(read: impl FnOnce() -> Result<String>) -> Result<String> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let stdin = io::stdin();
    let before = tcgetattr(&stdin).context("cannot set up the terminal")?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Now, &silent).context("cannot set up the terminal")?;
    let answer = read();
    tcsetattr(&stdin, OptionalActions::Now, &before).context("cannot set up the terminal")?;
    answer
}

#[cfg(not(target_os = "linux"))]
fn without_echo(_: impl FnOnce() -> Result<String>) -> Result<String> {
    Err(anyhow::anyhow!("this system has no password prompt")).hint(|| "pass the password on stdin".to_owned())
}

fn read_line() -> Result<String> {
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .context("cannot read the password")
        .hint(|| "it must be UTF-8 text".to_owned())?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
