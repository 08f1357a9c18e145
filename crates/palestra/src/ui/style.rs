//! Colours. Everything is written with them; the streams leave them out where they do not belong.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use palestra_games::Side;

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();

pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// The colours of cells and pieces whose looks have one: Parchís's four, and the terrain of El Juego de la Bandera.
pub(crate) fn of_kind(kind: &str) -> Option<Style> {
    let colour = match kind.rsplit('-').next()? {
        "yellow" => AnsiColor::Yellow,
        "red" => AnsiColor::Red,
        "blue" | "water" => AnsiColor::Blue,
        "green" | "forest" => AnsiColor::Green,
        "mud" => AnsiColor::Yellow,
        "wall" => AnsiColor::BrightBlack,
        _ => return None,
    };
    Some(colour.on_default())
}

/// The colour of a side, none without an owner. Cyan and magenta differ on light and dark backgrounds, and for most
/// colour-blind readers.
pub(crate) const fn owner(owner: Option<Side>) -> Style {
    match owner {
        Some(Side::One) => AnsiColor::Cyan.on_default().bold(),
        Some(Side::Two) => AnsiColor::Magenta.on_default().bold(),
        None => Style::new(),
    }
}

/// Decides whether colours are shown, for the whole program.
pub(crate) fn choose(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// The text in a style.
pub(crate) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
