//! Parsers of numbers, addresses and games: each error says what is allowed.

use std::ffi::OsStr;
use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use ipnet::IpNet;
use palestra_games::{GAMES, GameKind};

/// A whole number of this range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A seed of random choices.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    whole(0..=u64::MAX)(text)
}

/// An even number from 2 on.
pub(super) fn even(max: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (2..=max).contains(number) && number % 2 == 0);
        number.ok_or_else(|| format!("expected an even number from 2 to {max}"))
    }
}

/// A difference of strength in Elo points.
pub(super) fn elo(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (-1000.0..=1000.0).contains(number));
    number.ok_or_else(|| "expected a number from -1000 to 1000, such as 20 or -2.5".to_owned())
}

/// The probability of an error.
pub(super) fn error_rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| 0.0 < number && number < 0.5);
    number.ok_or_else(|| "expected a probability above 0 and below 0.5, such as 0.05".to_owned())
}

/// `ROWSxCOLUMNS`.
pub(super) fn size(text: &str) -> Result<(usize, usize), String> {
    let parsed = text.split_once('x').and_then(|(rows, cols)| Some((rows.parse().ok()?, cols.parse().ok()?)));
    parsed.ok_or_else(|| "expected rows and columns, such as 12x16".to_owned())
}

/// An IP address and a port.
pub(super) fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an IP address and a port, such as 127.0.0.1:4242 or [::1]:4242".to_owned())
}

/// An IP network.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    text.parse().map_err(|_| "expected a network in CIDR notation, such as 127.0.0.1/32 or 10.0.0.0/8".to_owned())
}

/// A game by its id, in any case.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = &'static GameKind;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        match find_game(value) {
            Some(kind) => Ok(kind),
            // The error of a list of values names all of them, and the nearest.
            None => {
                Err(PossibleValuesParser::new(game_ids()).parse_ref(command, arg, value).expect_err("no such game"))
            }
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(game_ids()))
    }
}

/// A game, or else a word that stands where a game could.
#[derive(Clone, Debug)]
pub(super) enum GameOrWord {
    Game(&'static GameKind),
    Word(String),
}

/// Takes any word, and offers the games in help and completions.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameOrWordParser;

impl TypedValueParser for GameOrWordParser {
    type Value = GameOrWord;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<GameOrWord, clap::Error> {
        let word = || GameOrWord::Word(value.to_string_lossy().into_owned());
        Ok(find_game(value).map_or_else(word, GameOrWord::Game))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(game_ids()))
    }
}

fn find_game(value: &OsStr) -> Option<&'static GameKind> {
    GameKind::find(&value.to_str()?.to_ascii_lowercase()).filter(|kind| kind.is_listed)
}

fn game_ids() -> impl Iterator<Item = PossibleValue> {
    GAMES.iter().map(|kind| PossibleValue::new(kind.id()).help(kind.about.summary))
}

/// A player's name or a program: any word. Completions offer these names.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayerParser(pub(super) &'static [&'static str]);

/// Players for a board in the terminal that every game has.
pub(super) const PEOPLE_AND_PLAYERS: [&str; 7] = ["human", "random", "greedy", "ninja1", "ninja2", "ninja3", "maestro"];

/// The built-in players that every game has and that take no further words.
pub(crate) const PLAYERS: [&str; 6] = ["random", "greedy", "ninja1", "ninja2", "ninja3", "maestro"];

impl TypedValueParser for PlayerParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;
    use palestra_search::any_players;

    use super::*;
    use crate::cli::Cli;

    /// The names of values that are numbers, times, sizes or addresses.
    const PARSED: [&str; 15] =
        ["ADDR", "CIDR", "D", "DEPTH", "ELO", "K", "LINK", "N", "P", "PERCENT", "RxC", "SEED", "SIDE", "SIZE", "TIME"];

    /// The names of all other values.
    const WORDS: [&str; 35] = [
        "ASSIGNMENT",
        "BOT",
        "COURSE",
        "DIR",
        "EMAIL",
        "FILE",
        "FIRST",
        "FOLDER",
        "FORMAT",
        "GAME",
        "LANGUAGE",
        "LEAGUE",
        "MAP",
        "MOVES",
        "NAME",
        "NAME=PATH",
        "NAME=PROGRAM",
        "NEW",
        "NICK",
        "NICKNAME",
        "OLD",
        "OPTIONS",
        "ORDER",
        "PLAYER",
        "POSITION",
        "PREFIX",
        "RUBRIC",
        "SECOND",
        "SENDER",
        "SHELL",
        "SIGN",
        "TEXT",
        "URL",
        "WHEN",
        "WORDS",
    ];

    /// What Rust's own parsers say, and what is no sentence.
    const RAW: [&str; 8] = [
        "invalid digit",
        "invalid float",
        "invalid socket",
        "invalid IP",
        "empty string",
        "too large",
        "is not in",
        "Error",
    ];

    /// Gives bad values to each argument of a command and of all below it; how many arguments that were.
    fn give_bad_values(command: &Command, path: &[String]) -> usize {
        let mut given = 0;
        for arg in command.get_arguments().filter(|arg| arg.get_num_args().is_some_and(|count| count.takes_values())) {
            let name = arg.get_value_names().expect("values have names")[0].as_str();
            assert!(PARSED.contains(&name) || WORDS.contains(&name), "{path:?}: is {name} parsed, or a word?");
            if PARSED.contains(&name) {
                given += 1;
                ["x", "99999999999999999999999"].iter().for_each(|value| refuses(path, arg, value));
            }
        }
        let below = command.get_subcommands().map(|below| {
            let path = [path, &[below.get_name().to_owned()]].concat();
            give_bad_values(below, &path)
        });
        given + below.sum::<usize>()
    }

    fn refuses(path: &[String], arg: &Arg, value: &str) {
        let words = match arg.get_long() {
            Some(long) => vec![format!("--{long}={value}")],
            None => vec!["mancala".to_owned(), value.to_owned()],
        };
        let line = [path, &words].concat();
        let error = Cli::command().try_get_matches_from(&line).expect_err("a bad value");
        let message = error.to_string();
        assert_eq!(error.kind(), ErrorKind::ValueValidation, "{line:?}: {message}");
        assert!(!RAW.iter().any(|raw| message.contains(raw)), "{line:?}: {message}");
        let says_what_is_allowed = ["expected", "such as", "looks like"].iter().any(|words| message.contains(words));
        assert!(says_what_is_allowed, "{line:?}: {message}");
    }

    #[test]
    fn every_number_time_size_and_address_that_is_wrong_has_an_error_that_says_what_is_allowed() {
        let mut cli = Cli::command().disable_help_subcommand(true);
        cli.build();
        let given = give_bad_values(&cli, &["palestra".to_owned()]);
        assert!(given > 60, "{given} arguments of all commands");
    }

    #[test]
    fn games_are_found_in_any_case() {
        for line in ["games Mancala", "show BANDERA", "check ./bot --game Parchis", "new cpp Conecta4Boom bot"] {
            let words = ["palestra"].into_iter().chain(line.split(' '));
            assert!(Cli::command().try_get_matches_from(words).is_ok(), "{line}");
        }
    }

    #[test]
    fn every_game_has_the_players_that_completions_offer() {
        for kind in GAMES {
            let players = any_players(kind.id()).expect("one of the games");
            for name in PLAYERS {
                assert!(players.iter().any(|player| player.name == name), "{name} in {}", kind.id());
            }
        }
    }
}
