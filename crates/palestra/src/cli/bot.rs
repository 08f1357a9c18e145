//! The command that uploads bots.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::client::ServerAddress;

#[derive(Debug, Args)]
pub(crate) struct Upload {
    /// The sources: a folder, a file, or a ZIP file.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) bot: PathBuf,

    /// The server, such as https://play.example. The token comes from the environment variable PALESTRA_TOKEN or a file,
    /// and has the scope bots.
    #[arg(long, value_name = "URL")]
    pub(crate) server: ServerAddress,

    /// Name under which the bot is registered (default: that of the folder or the file).
    #[arg(long, value_name = "NAME", value_parser = bot_name)]
    pub(crate) name: Option<String>,

    /// Note for the list of versions, such as 'captures first'.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,

    /// File with the API token (default: the environment variable PALESTRA_TOKEN).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) token: Option<PathBuf>,
}

fn bot_name(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { Ok(text.to_owned()) } else { Err("a bot's name has letters, digits and _".to_owned()) }
}

pub(super) const UPLOAD_EXAMPLES: &str = "\
Examples:
  palestra upload ./mybot --server https://play.example
  palestra upload Lento.cpp --server https://play.example --name Lento --token ~/.palestra-token
  PALESTRA_TOKEN=abcdefghijkmnpqrstuvwxyz23 palestra upload ./mybot --server http://localhost:4242 --note 'captures first'";
