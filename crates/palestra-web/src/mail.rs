//! Mail: by SMTP, or as files in a folder and lines on the console.
//!
//! A mail holds nothing that a visitor typed: nobody can use the server to write to others, and nobody can add headers.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp::PoolConfig;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use palestra_store::{REGISTRATION_MS, code};
use tokio::sync::Semaphore;

use crate::app::now_ms;
use crate::calendar::Utc;
use crate::config::{ConfigError, Smtp};
use crate::locale::Locale;
use crate::metrics::MAIL_ERRORS;

/// Sends mails. Each is kept as a file until it is delivered; without SMTP that is all that happens to it.
#[derive(Clone)]
pub(crate) struct Mailer {
    folder: PathBuf,
    from: Mailbox,
    smtp: Option<AsyncSmtpTransport<Tokio1Executor>>,
    room: Arc<Semaphore>,
    is_silent: bool,
}

/// A mail about to be sent.
pub(crate) struct Mail {
    pub(crate) to: String,
    /// The language; without one the mail is in all of them.
    pub(crate) locale: Option<Locale>,
    /// Which text: `mail.KIND.subject` and `mail.KIND.body`.
    pub(crate) kind: &'static str,
    /// The link in it.
    pub(crate) link: String,
}

/// Time for a mail server to take a mail.
const SMTP_TIMEOUT: Duration = Duration::from_secs(20);

/// Time for which an unsent mail is kept: after it the links in the mail have expired.
const UNSENT_LIFETIME: Duration = Duration::from_millis(REGISTRATION_MS.unsigned_abs());

/// Mails that are sent at the same time.
const MAX_SENDING: usize = 8;

impl Mailer {
    /// A mailer that keeps its mails in this folder.
    pub(crate) fn new(folder: PathBuf, smtp: Option<&Smtp>) -> Result<Self, ConfigError> {
        let from = smtp.map_or("Palestra <palestra@localhost>", |smtp| &smtp.from);
        let from = from.parse().map_err(|_| ConfigError::MailFrom(from.to_owned()))?;
        let smtp = smtp.map(transport).transpose()?;
        Ok(Self { folder, from, smtp, room: Arc::new(Semaphore::new(MAX_SENDING)), is_silent: false })
    }

    /// The same mailer, or one that sends no mails.
    pub(crate) fn silent(self, is_silent: bool) -> Self {
        Self { is_silent, ..self }
    }

    /// Sends a mail in the background. Whether that succeeds is nobody's business but the log's: a page that told would
    /// tell whether there was a mail to send.
    pub(crate) fn send(&self, mail: Mail) {
        if self.is_silent {
            return;
        }
        let mailer = self.clone();
        tokio::spawn(async move {
            if let Err(error) = mailer.deliver(&mail).await {
                metrics::counter!(MAIL_ERRORS).increment(1);
                tracing::error!(%error, kind = mail.kind, "a mail could not be sent");
            }
        });
    }

    async fn deliver(&self, mail: &Mail) -> Result<(), MailError> {
        let message = self.message(mail)?;
        let kept = self.keep(message.formatted()).await;
        let Some(smtp) = &self.smtp else {
            tracing::info!(target: "palestra::mail", to = mail.to, link = mail.link, "mail");
            return kept.map(drop).map_err(MailError::Folder);
        };
        let _permit = self.room.acquire().await.expect("the semaphore is never closed");
        let sent = tokio::time::timeout(SMTP_TIMEOUT, smtp.send(message)).await;
        sent.map_err(|_| MailError::Late)?.map_err(MailError::Smtp)?;
        // A mail on its way needs no file, also if there was no room for one.
        if let Ok(path) = kept {
            tokio::fs::remove_file(path).await.map_err(MailError::Folder)?;
        }
        Ok(())
    }

    /// Removes mails whose links have had their time: they hold addresses of people who may be gone.
    pub(crate) async fn tidy(&self) -> io::Result<()> {
        let folder = self.folder.clone();
        let tidied = tokio::task::spawn_blocking(move || {
            let files = match std::fs::read_dir(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                files => files?,
            };
            for file in files {
                let file = file?;
                let is_mail =
                    file.path().extension().is_some_and(|extension| extension == "eml" || extension == "part");
                let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
                if is_mail && age > UNSENT_LIFETIME {
                    std::fs::remove_file(file.path())?;
                }
            }
            Ok(())
        });
        tidied.await.map_err(io::Error::other)?
    }

    fn message(&self, mail: &Mail) -> Result<Message, MailError> {
        let to: Address = mail.to.parse().map_err(|_| MailError::Address)?;
        let locales = mail.locale.as_ref().map_or(Locale::ALL, std::slice::from_ref);
        let text = |part: &str, between: &str| {
            let key = format!("mail.{}.{part}", mail.kind);
            locales.iter().map(|locale| locale.with(&key, &[("link", &mail.link)])).collect::<Vec<_>>().join(between)
        };
        let message =
            Message::builder().from(self.from.clone()).to(Mailbox::new(None, to)).subject(text("subject", " · "));
        Ok(message.header(ContentType::TEXT_PLAIN).body(text("body", "\n\n"))?)
    }

    /// Writes a file that only the owner of the server can read.
    async fn keep(&self, message: Vec<u8>) -> io::Result<PathBuf> {
        let Utc { year, month, day, hour, minute, second } = Utc::from_ms(now_ms());
        let time = format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}");
        let path = self.folder.join(format!("{time}-{}.eml", code()));
        let kept = path.clone();
        let folder = self.folder.clone();
        let written = tokio::task::spawn_blocking(move || {
            crate::data_folder::make_private(&folder)?;
            // Under another name until it is complete; only its owner can read it.
            let mut draft = tempfile::Builder::new().suffix(".part").tempfile_in(&folder)?;
            draft.write_all(&message)?;
            draft.persist_noclobber(path).map(drop).map_err(io::Error::from)
        });
        written.await.map_err(io::Error::other)??;
        Ok(kept)
    }
}

fn transport(smtp: &Smtp) -> Result<AsyncSmtpTransport<Tokio1Executor>, ConfigError> {
    // The error may quote the address, and with it the password.
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(&smtp.url).map_err(|_| ConfigError::Smtp)?;
    if let Some(tls) = tls(&smtp.url).map_err(|_| ConfigError::Smtp)? {
        builder = builder.tls(tls);
    }
    Ok(builder.timeout(Some(SMTP_TIMEOUT)).pool_config(PoolConfig::new().max_size(MAX_SENDING as u32)).build())
}

/// TLS parameters for the mail server, if the URL asks for TLS: public authorities and those of this machine are
/// trusted.
fn tls(url: &str) -> Result<Option<Tls>, lettre::transport::smtp::Error> {
    let uri: Option<Uri> = url.parse().ok();
    let Some((scheme, host)) = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.host()?))) else {
        return Ok(None);
    };
    let words = uri.as_ref().and_then(Uri::query).unwrap_or_default();
    let kind: fn(TlsParameters) -> Tls = match scheme {
        "smtps" => Tls::Wrapper,
        _ if words.contains("tls=required") => Tls::Required,
        _ if words.contains("tls=opportunistic") => Tls::Opportunistic,
        _ => return Ok(None),
    };
    let mut parameters = TlsParameters::builder(host.to_owned()).certificate_store(CertificateStore::WebpkiRoots);
    for trusted in rustls_native_certs::load_native_certs().certs {
        if let Ok(certificate) = Certificate::from_der(trusted.to_vec()) {
            parameters = parameters.add_root_certificate(certificate);
        }
    }
    Ok(Some(kind(parameters.build()?)))
}

/// Why a mail is not sent.
#[derive(Debug, thiserror::Error)]
enum MailError {
    #[error("the address is none")]
    Address,
    #[error("the mail cannot be written: {0}")]
    Text(#[from] lettre::error::Error),
    #[error("the mail folder: {0}")]
    Folder(#[source] io::Error),
    #[error("the mail server: {0}")]
    Smtp(#[source] lettre::transport::smtp::Error),
    #[error("the mail server takes too long")]
    Late,
}
