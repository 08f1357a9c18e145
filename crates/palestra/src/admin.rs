//! `palestra admin`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use palestra_store::{NewAccount, Role, StoreError};
use palestra_web::hash_password;

use crate::archive::open_store;
use crate::cli::{Admin, CreateAdmin};
use crate::error::HintExt;
use crate::serve::runtime;

pub(crate) fn run(command: &Admin, out: &mut impl Write) -> Result<()> {
    match command {
        Admin::Create(args) => create(args, out),
    }
}

fn create(args: &CreateAdmin, out: &mut impl Write) -> Result<()> {
    let password = password()?;
    let CreateAdmin { nickname, name, email, place } = args;
    let new = NewAccount {
        nickname: nickname.clone(),
        name: name.clone(),
        email: email.clone(),
        password: hash_password(&password),
        role: Role::Admin,
    };
    let made = runtime()?.block_on(async {
        let store = open_store(place).await?;
        let made = store.create_account(&new, now_ms()).await;
        store.close().await;
        anyhow::Ok(made)
    })?;
    if let Err(StoreError::Taken) = made {
        bail!("the nickname or the address has an account already");
    }
    made?;
    writeln!(out, "{nickname} is an admin now.")?;
    Ok(())
}

fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}

/// Fewer are guessed too easily.
const LEAST_CHARS: usize = 10;

/// A password that somebody types twice and nobody sees, or the first line of a pipe.
fn password() -> Result<String> {
    let password = if io::stdin().is_terminal() { typed()? } else { line()? };
    if password.chars().count() < LEAST_CHARS {
        bail!("a password has at least {LEAST_CHARS} characters");
    }
    Ok(password)
}

fn typed() -> Result<String> {
    let first = asked("Password: ")?;
    if first != asked("Once more: ")? {
        bail!("the two are not the same");
    }
    Ok(first)
}

fn asked(question: &str) -> Result<String> {
    let mut terminal = anstream::stderr();
    write!(terminal, "{question}")?;
    terminal.flush()?;
    let answer = unseen(line);
    writeln!(terminal)?;
    answer
}

/// Reads while the terminal does not show what is typed.
#[cfg(target_os = "linux")]
fn unseen(read: impl FnOnce() -> Result<String>) -> Result<String> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let stdin = io::stdin();
    let before = tcgetattr(&stdin).context("the terminal")?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Now, &silent).context("the terminal")?;
    let answer = read();
    tcsetattr(&stdin, OptionalActions::Now, &before).context("the terminal")?;
    answer
}

#[cfg(not(target_os = "linux"))]
fn unseen(_: impl FnOnce() -> Result<String>) -> Result<String> {
    Err(anyhow::anyhow!("passwords cannot be typed here")).hint(|| "give the password by a pipe".to_owned())
}

fn line() -> Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).context("the password").hint(|| "it must be UTF-8 text".to_owned())?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
