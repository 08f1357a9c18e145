//! `palestra new`: creates a folder with a bot that works as it is.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use palestra_games::GameKind;
use palestra_search::player::any_player;

use crate::cli;
use crate::contest_setup::quoted;
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, paint};

/// A game's name in the kits, and its evaluation in the three languages. The examples in the repository play Mancala;
/// those of the other games are made from them.
struct Example {
    game: &'static str,
    type_name: &'static str,
    evaluate: [&'static str; 3],
}

macro_rules! example {
    ($game:literal, $type_name:literal) => {
        Example {
            game: $game,
            type_name: $type_name,
            evaluate: [
                include_str!(concat!("../../../../kits/cpp/", $game, "/evaluate.cpp")),
                include_str!(concat!("../../../../kits/python/", $game, "/evaluate.py")),
                include_str!(concat!("../../../../kits/rust/", $game, "/evaluate.rs")),
            ],
        }
    };
}

const EXAMPLES: [Example; 4] = [
    example!("conecta4boom", "Conecta4Boom"),
    example!("desconecta4boom", "Desconecta4Boom"),
    example!("parchis", "Parchis"),
    example!("bandera", "Bandera"),
];

/// A kit: the file beside the bot, and how an example in the repository finds it.
struct Kit {
    file: &'static str,
    text: &'static str,
    bot: &'static str,
    /// The alpha-beta example for Mancala.
    alphabeta: &'static str,
    /// How `evaluate`, with the comment above it, begins and ends in the example.
    evaluate: (&'static str, &'static str),
    /// The line of the examples that leads to the kit, and what it is beside the bot.
    include: (&'static str, &'static str),
    /// What to type to build the bot by hand, if it needs to be built.
    build: Option<&'static str>,
    run: &'static str,
}

const KITS: [Kit; 3] = [
    Kit {
        file: "palestra.hpp",
        text: include_str!("../../../../kits/cpp/palestra.hpp"),
        bot: "bot.cpp",
        alphabeta: include_str!("../../../../kits/cpp/mancala/alphabeta.cpp"),
        evaluate: ("// How good the position is", "\n\n"),
        include: ("", ""),
        build: Some("g++ -O2 -std=c++17 -o bot bot.cpp"),
        run: "./bot",
    },
    Kit {
        file: "palestra.py",
        text: include_str!("../../../../kits/python/palestra.py"),
        bot: "bot.py",
        alphabeta: include_str!("../../../../kits/python/mancala/alphabeta.py"),
        evaluate: ("def evaluate(", "\n\n\n"),
        include: ("", ""),
        build: None,
        run: "python3 bot.py",
    },
    Kit {
        file: "palestra.rs",
        text: include_str!("../../../../kits/rust/palestra.rs"),
        bot: "bot.rs",
        alphabeta: include_str!("../../../../kits/rust/mancala/alphabeta.rs"),
        evaluate: ("/// How good the position is", "\n\n"),
        include: ("#[path = \"../palestra.rs\"]\n", ""),
        build: Some("rustc --edition 2021 -O -o bot bot.rs"),
        run: "./bot",
    },
];

/// Writes the folder, and prints the next steps.
pub(crate) fn run(args: &cli::New, out: &mut impl Write) -> Result<()> {
    let folder = Path::new(&args.folder);
    let name = name(args, folder)?;
    let (game, kit) = (args.game.id(), &KITS[args.language as usize]);
    let example = example(args.game, args.language as usize).with_context(|| format!("no example for {game}"))?;
    let bot = example.replace(kit.include.0, kit.include.1).replace("\"AlphaBeta\"", &format!("\"{name}\""));
    let parents = make_folder(folder)?;
    let files = [(kit.file, kit.text.to_owned()), (kit.bot, bot), ("README.md", readme(&name, game, kit))];
    for (file, text) in files {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    if let Some(parent) = parents {
        writeln!(out, "Created the folder '{}'.", parent.display())?;
    }
    write_next_steps(args, game, kit, out)
}

/// The alpha-beta example of a game in one of the languages, as an index of [`KITS`].
fn example(game: &GameKind, language: usize) -> Option<String> {
    let kit = &KITS[language];
    if game.id() == "mancala" {
        return Some(kit.alphabeta.to_owned());
    }
    let example = EXAMPLES.iter().find(|example| example.game == game.id())?;
    let evaluate = example.evaluate[language];
    let (begin, end) = kit.evaluate;
    let (before, rest) = kit.alphabeta.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    let renamed = |text: &str| {
        let text = text.replace("Plays Mancala by", &format!("Plays {} by", game.about.name));
        text.replace("Mancala", example.type_name).replace("mancala", example.game)
    };
    // Rust warns of an import that the evaluation does not use.
    let before = if evaluate.contains("other(") { renamed(before) } else { renamed(before).replace(", other}", "}") };
    Some(format!("{before}{}{end}{}", evaluate.trim_end(), renamed(after)))
}

/// The bot's name: the folder's, or the one given by `--name`.
fn name(args: &cli::New, folder: &Path) -> Result<String> {
    let folder_name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = args.name.as_deref().unwrap_or(folder_name);
    let is_plain = |c: char| c.is_alphanumeric() || "_-".contains(c);
    if name.is_empty() || name.chars().count() > 40 || !name.chars().all(is_plain) {
        return Err(anyhow!("'{name}' is not a valid name for a bot"))
            .hint(|| "a name has 1 to 40 letters, digits, _ and -: choose one with --name".to_owned());
    }
    if any_player(args.game.id(), name, 0).is_ok() || name == "human" {
        return Err(anyhow!("'{name}' is the name of a built-in player"))
            .hint(|| "choose another name with --name, or another folder".to_owned());
    }
    Ok(name.to_owned())
}

/// Creates a folder; an empty one may exist, but nothing is ever replaced. Returns the parent if it had to be created too.
fn make_folder(folder: &Path) -> Result<Option<&Path>> {
    let is_taken = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) => error.kind() == ErrorKind::NotADirectory,
    };
    if is_taken {
        return Err(anyhow!("'{}' already exists", folder.display()))
            .hint(|| "choose a new folder or an empty one".to_owned());
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists());
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    Ok(parent)
}

fn readme(name: &str, game: &str, kit: &Kit) -> String {
    let Kit { file, bot, run, .. } = kit;
    let building = kit.build.map_or("There is nothing to build: Python runs the bot as it is.".to_owned(), |build| {
        format!("Palestra rebuilds the folder whenever it has changed. To build it by hand:\n\n```sh\n{build}\n```")
    });
    format!(
        "# {name}\n\n\
         A bot for {game}. It works as it is, but loses to ninja1: `{bot}` is an alpha-beta search no deeper than its\n\
         MAX_DEPTH, and its `evaluate` knows very little about the game.\n\n\
         | file | |\n|---|---|\n\
         | `{bot}` | the bot; change it as you like |\n\
         | `{file}` | the rules of all games and the protocol; read it, but do not change it |\n\n\
         ## Build and try\n\n\
         {building}\n\n\
         In this folder:\n\n\
         ```sh\n\
         palestra check . --game {game}                      # finds common mistakes\n\
         palestra check . --game {game} --search             # and compares its alpha-beta with Palestra's own\n\
         palestra match {game} . ninja1 --games 10           # not better than ninja1 yet\n\
         palestra match {game} . greedy --show               # shows every move, and the bot's stderr\n\
         ```\n\n\
         ## Make it better\n\n\
         Keep a copy before you change something:\n\n\
         ```sh\n\
         cp -r . ../{name}-old\n\
         ```\n\n\
         Improve `evaluate` first: the comment above it has an idea. Then test whether the new version is better:\n\n\
         ```sh\n\
         palestra sprt {game} new=. old=../{name}-old\n\
         ```\n\n\
         When the evaluation is good, raise MAX_DEPTH: the search deepens iteratively, and stops before the time is over.\n\n\
         A bot reads lines from stdin and writes lines to stdout (`{run}` waits for input), so print debug output to\n\
         stderr. `palestra games {game}` shows the rules and the notation of moves and positions.\n"
    )
}

fn write_next_steps(args: &cli::New, game: &str, kit: &Kit, out: &mut impl Write) -> Result<()> {
    let folder = quoted(&args.folder);
    let path = if args.folder.starts_with(['.', '/']) { folder.clone() } else { format!("./{folder}") };
    writeln!(out, "{}", paint(HEADING, format!("A bot for {} is in {folder}: {}", args.game.about.name, kit.bot)))?;
    writeln!(out, "Try it:")?;
    writeln!(out, "  palestra check {path} --game {game}")?;
    writeln!(out, "  palestra match {game} {path} ninja1 --games 10")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;

    use super::*;

    #[test]
    fn every_game_has_an_example_of_its_own_in_every_language() {
        for game in GAMES {
            for (language, kit) in KITS.iter().enumerate() {
                let text = example(game, language).unwrap_or_else(|| panic!("{}: no {}", game.id(), kit.bot));
                let place = format!("{} of {}:\n{text}", kit.bot, game.id());
                assert!(text.contains(&format!("Plays {} by alpha-beta", game.about.name)), "{place}");
                assert_eq!(text.to_lowercase().contains("mancala"), game.id() == "mancala", "{place}");
                assert_eq!(text.matches(kit.evaluate.0).count(), 1, "one evaluation in {place}");
                assert!(!text.contains("\n\n\n\n"), "{place}");
                assert!(text.lines().all(|line| line.chars().count() <= 120), "a long line in {place}");
            }
        }
    }
}
