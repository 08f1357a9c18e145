//! Bots: programs that accounts upload, built and tried in boxes.
//!
//! An upload (`upload`) becomes a numbered version, and a job. A worker builds it (`build`): the compiler, the names that a
//! course asks for, the questions of `palestra check`, test games. Each step is stored as it begins and ends (`report`), and
//! the page (`show`) fetches itself again meanwhile. A version that passes becomes the active one. Built programs are a cache
//! (`artefact`). Who may see what is decided in `access` alone.

mod access;
pub(crate) mod api;
#[cfg(target_os = "linux")]
mod artefact;
#[cfg(target_os = "linux")]
mod build;
mod change;
#[cfg(target_os = "linux")]
mod compare;
mod compared;
mod list;
mod name;
mod report;
#[cfg(target_os = "linux")]
mod search;
mod show;
mod sources;
mod upload;

#[cfg(target_os = "linux")]
use palestra_store::{Audience, Bot, BotVersion, MailKind};

#[cfg(target_os = "linux")]
pub(crate) use artefact::{Artefacts, NoProgram};
#[cfg(target_os = "linux")]
pub(crate) use build::build;
#[cfg(target_os = "linux")]
pub(crate) use compare::compare;
#[cfg(target_os = "linux")]
pub(crate) use search::searched;

pub(crate) use change::{activate, begin_comparison, delete, retry};
pub(crate) use list::{list, register};
pub(crate) use report::Report;
pub(crate) use show::show;
pub(crate) use sources::download as sources;
pub(crate) use upload::{MAX_BODY_BYTES, upload};

#[cfg(target_os = "linux")]
use crate::app::App;
#[cfg(target_os = "linux")]
use crate::http::error::Refused;
#[cfg(target_os = "linux")]
use crate::mail::Mail;

/// The name of a language in which bots are written.
fn language_name(language: &str) -> &'static str {
    match language {
        "python" => "Python",
        "rust" => "Rust",
        _ => "C++",
    }
}

/// Removes built programs that no version needs.
#[cfg(target_os = "linux")]
pub(crate) async fn tidy(app: &App) {
    let sources = match app.store.sources_in_use().await {
        Ok(sources) => sources,
        Err(error) => return drop(Refused::from(error)),
    };
    let app = app.clone();
    let tidied = tokio::task::spawn_blocking(move || app.artefacts.tidy(&sources)).await;
    if let Ok(Err(error)) = tidied {
        tracing::warn!(%error, "programs that no version needs cannot be removed");
    }
}

/// Tells the person who uploaded a version that it was refused.
#[cfg(target_os = "linux")]
async fn mail_refused(app: &App, bot: &Bot, version: &BotVersion) {
    let Some(account) = version.account_id else { return };
    match app.store.mail_addresses(Audience::Account(account), MailKind::UploadRefused).await {
        Ok(addresses) => {
            let link = app.origins.link(&format!("/bots/{}?version={}", bot.name, version.number));
            for to in addresses {
                app.mailer.send(Mail { to, locale: None, kind: "upload_refused", link: link.clone() });
            }
        }
        Err(error) => drop(Refused::from(error)),
    }
}
