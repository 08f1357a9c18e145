//! `palestra games`: lists the games, or describes one.

use std::io::{self, Write};

use palestra_games::{GAMES, GameKind, with_game};
use palestra_search::{Playable, any_players};

use crate::ui::style::{HEADING, paint};
use crate::ui::text::{hang, paragraph, width};

/// All games and their options.
pub(crate) fn list(out: &mut impl Write) -> io::Result<()> {
    for kind in GAMES {
        writeln!(out, "{}  {}", paint(HEADING, kind.id()), kind.about.name)?;
        writeln!(out, "{}", paragraph(2, kind.about.summary, width()))?;
        let words: Vec<&str> = kind.about.options.iter().map(|(word, _)| *word).collect();
        if !words.is_empty() {
            writeln!(out, "  options: {}", hang(11, words, width()))?;
        }
    }
    Ok(())
}

/// The rules of a game, its options, and how it is written.
pub(crate) fn describe(kind: &GameKind, out: &mut impl Write) -> io::Result<()> {
    let about = &kind.about;
    writeln!(out, "{} ({})", paint(HEADING, about.name), about.id)?;
    writeln!(out, "{}", paragraph(0, about.summary, width()))?;

    let rules: Vec<String> = about.rules.iter().map(|rule| paragraph(2, rule, width())).collect();
    section(out, "Rules", &rules.join("\n\n"))?;
    section(out, "Options", &options(kind))?;
    section(out, "Moves", &paragraph(2, about.move_notation, width()))?;
    section(out, "Positions", &paragraph(2, about.position_notation, width()))?;
    let cap = match about.move_cap {
        Some(cap) => format!("A match ends in a draw after {cap} moves. This is not a rule of the game."),
        None => "None: every game ends on its own.".to_owned(),
    };
    section(out, "Move cap", &paragraph(2, &cap, width()))?;

    let evaluations = with_game!(kind.id(), G => <G as Playable>::EVALUATIONS).unwrap_or_default();
    let evaluations: Vec<_> = evaluations.iter().map(|evaluation| (evaluation.name, evaluation.summary)).collect();
    section(out, "Evaluations", &table(&evaluations))?;
    let players = any_players(kind.id()).unwrap_or_default();
    let players: Vec<_> = players.iter().map(|player| (player.name, player.summary.as_str())).collect();
    section(out, "Players", &table(&players))
}

fn section(out: &mut impl Write, heading: &str, body: &str) -> io::Result<()> {
    writeln!(out, "\n{}\n{body}", paint(HEADING, heading))
}

fn options(kind: &GameKind) -> String {
    let mut options: Vec<(&str, String)> =
        kind.about.options.iter().map(|&(word, meaning)| (word, meaning.to_owned())).collect();
    match options.first_mut() {
        None => return "  None.".to_owned(),
        Some((_, meaning)) => meaning.push_str(" (default)"),
    }
    table(&options)
}

/// Words and their meanings, side by side.
fn table(rows: &[(&str, impl AsRef<str>)]) -> String {
    let indent = 4 + rows.iter().map(|(word, _)| word.chars().count()).max().unwrap_or(0);
    let line = |(word, meaning): &(&str, _)| {
        let text = hang(indent, AsRef::<str>::as_ref(meaning).split(' '), width());
        format!("  {word:<0$}{text}", indent - 2)
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
