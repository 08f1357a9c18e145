//! The log of `palestra serve`: lines on stderr, filtered by PALESTRA_LOG.

use anyhow::{Context, Result};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use crate::cli::LogFormat;
use crate::ui::error::HintExt;

/// The target of mails that cannot be sent. They are logged under any filter: an admin passes them on by hand.
const MAIL: &str = "palestra::mail";

/// Starts the log of this process, with the filter that the environment names.
pub(crate) fn start(format: LogFormat, filter: &str) -> Result<()> {
    let filter = parse(filter).hint(|| {
        "use a level (off, error, warn, info, debug or trace), or levels of single modules: palestra_web=debug,info"
            .to_owned()
    })?;
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(filter.with_target(MAIL, LevelFilter::INFO));
    match format {
        LogFormat::Text => registry.with(lines.with_ansi(false)).init(),
        LogFormat::Json => registry.with(lines.json()).init(),
    }
    Ok(())
}

/// Parses a filter such as `palestra_web=debug,info`. Of several levels for one part the last counts; an empty filter
/// is `info`.
fn parse(text: &str) -> Result<Targets> {
    let items: Vec<&str> = text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    if items.is_empty() {
        return Ok(Targets::new().with_default(LevelFilter::INFO));
    }
    items.into_iter().try_fold(Targets::new(), |targets, item| match item.split_once('=') {
        None => Ok(targets.with_default(level(item)?)),
        Some((part, word)) => Ok(targets.with_target(part.trim(), level(word.trim())?)),
    })
}

fn level(word: &str) -> Result<LevelFilter> {
    // The parser of levels takes an empty word for `error`.
    let level = if word.is_empty() { None } else { word.parse().ok() };
    level.with_context(|| format!("PALESTRA_LOG: {word:?} is not a level"))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn a_filter_has_a_level_for_all_and_levels_for_parts() {
        let targets = parse(" palestra_web=debug, WARN ,").unwrap();
        assert!(targets.would_enable("palestra_web::tables", &Level::DEBUG));
        assert!(!targets.would_enable("palestra_web", &Level::TRACE));
        assert!(targets.would_enable("hyper", &Level::WARN));
        assert!(!targets.would_enable("hyper", &Level::INFO));
    }

    #[test]
    fn without_a_filter_the_level_is_info() {
        for text in ["", " , "] {
            let targets = parse(text).unwrap();
            assert!(targets.would_enable("palestra", &Level::INFO), "{text:?}");
            assert!(!targets.would_enable("palestra", &Level::DEBUG), "{text:?}");
        }
    }

    #[test]
    fn a_word_that_is_no_level_is_named() {
        for (text, word) in [("loud", "loud"), ("info,palestra_web=loud", "loud"), ("a=b=c", "b=c"), ("a=", "")] {
            let error = parse(text).unwrap_err().to_string();
            assert_eq!(error, format!("PALESTRA_LOG: {word:?} is not a level"), "{text}");
        }
    }
}
