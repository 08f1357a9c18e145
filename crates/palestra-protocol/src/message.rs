//! The lines of protocol 1, both ways. What is written reads back.

use std::fmt;
use std::time::Duration;

use palestra_games::Side;

use crate::budget::{Budget, millis, number};

/// The version that is spoken.
pub const VERSION: u32 = 1;

/// What the referee says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToBot<'a> {
    /// The first line.
    Hello(u32),
    /// A game begins, or is told anew because it did not go as the bot knows it.
    Game {
        /// The game's id.
        game: &'a str,
        /// The side that the bot plays.
        seat: Side,
        /// The game's options, one word.
        options: &'a str,
    },
    /// The whole position.
    Position(&'a str),
    /// The moves since the bot last answered; after [`ToBot::Game`], all moves since the beginning.
    History(Vec<&'a str>),
    /// The legal moves.
    Legal(Vec<&'a str>),
    /// The bot's turn.
    Go(Budget),
    /// What the last move cost.
    Used {
        /// CPU time; unknown for a remote bot.
        cpu: Option<Duration>,
        /// Time by the clock on the wall.
        wall: Duration,
    },
    /// The game is over.
    Result {
        /// What it was for the bot.
        result: Ending,
        /// The points of side 1 and side 2.
        score: [i32; 2],
        /// Why it ended.
        reason: &'a str,
    },
    /// Answer now.
    Stop,
    /// Answer with [`FromBot::Pong`] and the same word.
    Ping(&'a str),
    /// A setting of the bot. A bot that follows it may say so with [`FromBot::Option`].
    Option {
        /// Its name.
        name: &'a str,
        /// Its value, the rest of the line.
        value: &'a str,
    },
    /// The last line.
    Bye,
}

/// What a bot says.
#[derive(Clone, Debug, PartialEq)]
pub enum FromBot<'a> {
    /// What it is called.
    Name(&'a str),
    /// The bot has started.
    Ready,
    /// What it thinks.
    Info(Info<'a>),
    /// Its move.
    Move(&'a str),
    /// The answer to [`ToBot::Ping`].
    Pong(&'a str),
    /// The answer to [`ToBot::Option`] of a bot that follows it.
    Option {
        /// Its name.
        name: &'a str,
        /// Its value, the rest of the line.
        value: &'a str,
    },
}

/// What a bot thinks of the position, as far as it says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info<'a> {
    /// How many plies it looked ahead.
    pub depth: Option<u32>,
    /// What it expects, from its own side, in a unit of its own.
    pub score: Option<f64>,
    /// How many positions it visited.
    pub states: Option<u64>,
    /// What it expects to be played.
    pub pv: Vec<&'a str>,
    /// Anything else, the rest of the line.
    pub text: Option<&'a str>,
}

/// What a game was for a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Ending {
    /// The bot won.
    Win,
    /// A draw.
    Draw,
    /// The bot lost.
    Loss,
}

impl Ending {
    /// The word for it, as in `result` lines.
    fn word(self) -> &'static str {
        self.into()
    }
}

impl<'a> ToBot<'a> {
    /// Reads a line; the error says what is wrong with it.
    pub fn parse(line: &'a str) -> Result<Self, &'static str> {
        let (word, rest) = first_word(line);
        let one = || only_word(rest).ok_or("one word is missing or too many");
        let none = |message| if rest.is_empty() { Ok(message) } else { Err("there is too much on the line") };
        match word {
            "hello" => one().and_then(|version| number(version).map(ToBot::Hello).ok_or("the version is no number")),
            "game" => game(rest).ok_or("a game is told as: game NAME seat SIDE options WORD"),
            "position" => one().map(ToBot::Position),
            "history" => Ok(ToBot::History(rest.split_whitespace().collect())),
            "legal" => Ok(ToBot::Legal(rest.split_whitespace().collect())),
            "go" => Budget::parse(rest.split_whitespace()).map(ToBot::Go).ok_or("the budget cannot be read"),
            "used" => used(rest).ok_or("times are told as: used cpu MS wall MS"),
            "result" => result(rest).ok_or("a result is told as: result win score N-N reason WORDS"),
            "stop" => none(ToBot::Stop),
            "ping" => one().map(ToBot::Ping),
            "option" => option(rest).map(|(name, value)| ToBot::Option { name, value }),
            "bye" => none(ToBot::Bye),
            _ => Err("the first word is unknown"),
        }
    }
}

fn game(rest: &str) -> Option<ToBot<'_>> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [game, "seat", seat, "options", options] = words[..] else { return None };
    let seat = Side::BOTH.into_iter().zip(["1", "2"]).find(|&(_, number)| number == seat)?.0;
    Some(ToBot::Game { game, seat, options })
}

fn used(rest: &str) -> Option<ToBot<'_>> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words[..] {
        ["cpu", cpu, "wall", wall] => Some(ToBot::Used { cpu: Some(millis(cpu)?), wall: millis(wall)? }),
        ["wall", wall] => Some(ToBot::Used { cpu: None, wall: millis(wall)? }),
        _ => None,
    }
}

fn result(rest: &str) -> Option<ToBot<'_>> {
    let (word, rest) = first_word(rest);
    let result = word.parse().ok()?;
    let (score, rest) = first_word(rest.strip_prefix("score ")?);
    let (one, two) = score.split_once('-')?;
    let reason = rest.strip_prefix("reason ").filter(|reason| !reason.is_empty())?;
    Some(ToBot::Result { result, score: [number(one)?, number(two)?], reason })
}

/// The name and the value of an option.
fn option(rest: &str) -> Result<(&str, &str), &'static str> {
    match first_word(rest) {
        ("", _) | (_, "") => Err("an option has a name and a value"),
        option => Ok(option),
    }
}

impl<'a> FromBot<'a> {
    /// Reads a line; the error says what is wrong with it.
    pub fn parse(line: &'a str) -> Result<Self, &'static str> {
        let (word, rest) = first_word(line);
        match word {
            "move" => only_word(rest).map(FromBot::Move).ok_or("a move is one word"),
            "info" => Info::parse(rest).map(FromBot::Info),
            "ready" if rest.is_empty() => Ok(FromBot::Ready),
            "ready" => Err("nothing follows ready"),
            "id" => match first_word(rest) {
                ("name", name) if !name.is_empty() => Ok(FromBot::Name(name)),
                _ => Err("a bot says its name as: id name NAME"),
            },
            "pong" => only_word(rest).map(FromBot::Pong).ok_or("pong is followed by the word of the ping"),
            "option" => option(rest).map(|(name, value)| FromBot::Option { name, value }),
            "" => Err("the line is empty"),
            _ => Err("its first word is none of: id ready info move pong option"),
        }
    }
}

impl<'a> Info<'a> {
    fn parse(mut rest: &'a str) -> Result<Self, &'static str> {
        let mut info = Info::default();
        while !rest.is_empty() {
            let (name, values) = first_word(rest);
            match name {
                "pv" => {
                    info.pv = values.split_whitespace().collect();
                    return Ok(info);
                }
                "text" => {
                    info.text = Some(values);
                    return Ok(info);
                }
                _ => {}
            }
            let (value, others) = first_word(values);
            match name {
                "depth" => info.depth = Some(number(value).ok_or("the depth is no number")?),
                "states" => info.states = Some(number(value).ok_or("the number of states is no number")?),
                "score" => {
                    let score = value.parse().ok().filter(|score: &f64| score.is_finite());
                    info.score = Some(score.ok_or("the score is no number")?);
                }
                _ => return Err("info has depth, score, states, pv and text, and nothing else"),
            }
            rest = others;
        }
        Ok(info)
    }
}

/// The first word, and the rest of the line without the blanks around it.
pub(crate) fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    (word, rest.trim_start())
}

fn only_word(rest: &str) -> Option<&str> {
    (!rest.is_empty() && !rest.contains([' ', '\t'])).then_some(rest)
}

impl fmt::Display for ToBot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello(version) => write!(f, "hello {version}"),
            Self::Game { game, seat, options } => {
                write!(f, "game {game} seat {} options {options}", seat.index() + 1)
            }
            Self::Position(position) => write!(f, "position {position}"),
            Self::History(moves) => write_words(f, "history", moves),
            Self::Legal(moves) => write_words(f, "legal", moves),
            Self::Go(budget) => write!(f, "go {budget}"),
            Self::Used { cpu: Some(cpu), wall } => write!(f, "used cpu {} wall {}", cpu.as_millis(), wall.as_millis()),
            Self::Used { cpu: None, wall } => write!(f, "used wall {}", wall.as_millis()),
            Self::Result { result, score: [one, two], reason } => {
                write!(f, "result {} score {one}-{two} reason {reason}", result.word())
            }
            Self::Stop => f.write_str("stop"),
            Self::Ping(token) => write!(f, "ping {token}"),
            Self::Option { name, value } => write!(f, "option {name} {value}"),
            Self::Bye => f.write_str("bye"),
        }
    }
}

impl fmt::Display for FromBot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Ready => f.write_str("ready"),
            Self::Info(info) => write!(f, "info{}{info}", if *info == Info::default() { "" } else { " " }),
            Self::Move(mv) => write!(f, "move {mv}"),
            Self::Pong(token) => write!(f, "pong {token}"),
            Self::Option { name, value } => write!(f, "option {name} {value}"),
        }
    }
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut blank = "";
        let mut word = |f: &mut fmt::Formatter<'_>| {
            f.write_str(blank)?;
            blank = " ";
            Ok(())
        };
        if let Some(depth) = self.depth {
            word(f)?;
            write!(f, "depth {depth}")?;
        }
        if let Some(score) = self.score {
            word(f)?;
            write!(f, "score {score}")?;
        }
        if let Some(states) = self.states {
            word(f)?;
            write!(f, "states {states}")?;
        }
        if !self.pv.is_empty() {
            word(f)?;
            return write_words(f, "pv", &self.pv);
        }
        if let Some(text) = self.text {
            word(f)?;
            write!(f, "text {text}")?;
        }
        Ok(())
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, name: &str, words: &[&str]) -> fmt::Result {
    f.write_str(name)?;
    for word in words {
        f.write_str(" ")?;
        f.write_str(word)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_lines_of_the_documented_session_are_read() {
        let to_bot = [
            "hello 1",
            "game mancala seat 1 options -",
            "position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4",
            "history 4 1",
            "history",
            "legal 1 2 3 4 5 6",
            "go cpu 2000 wall 6000",
            "go states 140000",
            "go depth 4",
            "go infinite",
            "used cpu 812 wall 840",
            "used wall 840",
            "result win score 28-20 reason finished",
            "result loss score 0-48 reason no move in time",
            "ping 7f",
            "stop",
            "option threads 2",
            "bye",
        ];
        for line in to_bot {
            assert_eq!(ToBot::parse(line).map(|message| message.to_string()), Ok(line.to_owned()));
        }
        let from_bot = [
            "id name MyBot",
            "ready",
            "info",
            "info depth 7 score 12 states 81234 pv 4 1 6",
            "info score -0.5 text I think so",
            "move 4",
            "pong 7f",
            "option eval test",
        ];
        for line in from_bot {
            assert_eq!(FromBot::parse(line).map(|message| message.to_string()), Ok(line.to_owned()));
        }
    }

    #[test]
    fn blanks_make_no_difference_and_case_does() {
        assert_eq!(FromBot::parse("  move \t 4 "), Ok(FromBot::Move("4")));
        assert!(FromBot::parse("Move 4").is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for line in [
            "",
            "4",
            "move",
            "move 4 1",
            "ready now",
            "id MyBot",
            "info depth",
            "info depth x",
            "info nps 7",
            "pong",
            "option eval",
        ] {
            assert!(FromBot::parse(line).is_err(), "{line:?}");
        }
        for line in [
            "go",
            "go cpu",
            "go cpu 1 cpu 2",
            "go cpu -1",
            "go infinite 1",
            "game mancala",
            "result win",
            "used",
            "bye 1",
        ] {
            assert!(ToBot::parse(line).is_err(), "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused_and_what_is_read_is_written_alike(line in "((move|info|go|used|result|game|id|legal|option|text|cpu|score|depth|1|-|x) ?){0,8}") {
            if let Ok(message) = ToBot::parse(&line) {
                let written = message.to_string();
                prop_assert_eq!(ToBot::parse(&written), Ok(message.clone()));
            }
            if let Ok(message) = FromBot::parse(&line) {
                let written = message.to_string();
                prop_assert_eq!(FromBot::parse(&written), Ok(message.clone()));
            }
        }

        #[test]
        fn anything_at_all_is_answered(line: String) {
            let _ = (ToBot::parse(&line), FromBot::parse(&line));
        }
    }
}
