//! The referee's side of the protocol with one bot, as a sans-IO state machine.

use std::fmt::Write;
use std::time::Duration;

use palestra_games::record::RecordedMove;
use palestra_games::{AnyGame, Side};

use crate::message::{Ending, FromBot, Info, ToBot, VERSION};
use crate::{Budget, ProtocolError, course};

/// Which protocol a bot speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Protocol 1.
    One,
    /// The protocol of the Mancala course of 2018.
    Course,
}

/// The start of a game, as a bot hears it.
#[derive(Clone, Copy, Debug)]
pub struct Greeting<'a> {
    /// The game's id.
    pub game: &'a str,
    /// The side that the bot plays.
    pub side: Side,
    /// How the game begins, one word: its options, or the position itself.
    pub options: &'a str,
    /// What a move may cost; protocol 1 tells it again with every turn.
    pub budget: Budget,
}

/// The question for a move, as a player hears it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The position.
    pub position: &'a dyn AnyGame,
    /// All moves since the game began. The bot is sent the ones that it has not seen.
    pub history: &'a [RecordedMove],
    /// What the move may cost.
    pub budget: Budget,
}

/// The end of a game, as a player hears it.
#[derive(Clone, Copy, Debug)]
pub struct GameEnd<'a> {
    /// What it was for the bot.
    pub ending: Ending,
    /// The points of side 1 and side 2.
    pub score: [i32; 2],
    /// Why it ended.
    pub reason: &'a str,
}

/// What a line of a bot means.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard<'a> {
    /// Nothing that the referee needs to know.
    Nothing,
    /// What the bot is called.
    Name(&'a str),
    /// The bot is ready for its first turn.
    Ready,
    /// What it thinks.
    Info(Info<'a>),
    /// Its move.
    Move(&'a str),
}

/// The referee's side of the protocol with one bot. Lines to send are appended to `out`; lines that were read go to
/// [`Session::hear`], one by one.
#[derive(Clone, Debug)]
pub struct Session {
    dialect: Dialect,
    state: State,
    /// What to say once the bot is there.
    begin: String,
    /// The moves that the bot knows of, its own included, each followed by a blank.
    known: String,
    side: Side,
    pings: u32,
    /// The option that the bot was told last, and whether it follows it.
    option: Option<(String, String)>,
    follows_option: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The bot was greeted and has not answered yet.
    Greeted,
    /// The course's bot is to answer the time limit with some line, whatever it says.
    Timed,
    /// The course's bot is to confirm its side.
    Seated,
    /// The opponent is to move.
    Idle,
    /// The bot is to move.
    Thinking,
    /// The bot was sent `bye`.
    Over,
}

impl Session {
    /// A session that has not begun.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            state: State::Greeted,
            begin: String::new(),
            known: String::new(),
            side: Side::One,
            pings: 0,
            option: None,
            follows_option: false,
        }
    }

    /// The dialect of the session.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Greets the bot, also anew. It is ready when [`Heard::Ready`] is heard.
    pub fn start(&mut self, greeting: &Greeting<'_>, out: &mut String) {
        let &Greeting { game, side, options, budget } = greeting;
        *self = Self { side, ..Self::new(self.dialect) };
        match self.dialect {
            Dialect::One => {
                say(out, &ToBot::Hello(VERSION));
                say(&mut self.begin, &ToBot::Game { game, seat: side, options });
            }
            Dialect::Course => {
                out.push_str("PING\n");
                self.begin = course::begin(side, budget);
            }
        }
    }

    /// Tells the bot a setting, once it was greeted. The course's protocol has none.
    pub fn set(&mut self, name: &str, value: &str, out: &mut String) {
        if self.dialect == Dialect::One {
            say(out, &ToBot::Option { name, value });
            (self.option, self.follows_option) = (Some((name.to_owned(), value.to_owned())), false);
        }
    }

    /// Whether the bot has said that it follows the setting that it was told last.
    #[must_use]
    pub const fn follows_option(&self) -> bool {
        self.follows_option
    }

    /// Tells the bot that it is its turn. If the game did not go as the bot knows it, because a move was taken back or
    /// refused, the game begins anew for it.
    pub fn go(&mut self, turn: &Turn<'_>, out: &mut String) {
        self.state = State::Thinking;
        match self.dialect {
            Dialect::One => {
                let news = self.news(turn.history).unwrap_or_else(|| {
                    self.known.clear();
                    out.push_str(&self.begin);
                    turn.history
                });
                news.iter().for_each(|mv| self.known.extend([&mv.text, " "]));
                // The same as the messages write, but for every move of every game: without lists of their words.
                out.extend(["position ", &turn.position.notation(), "\nhistory"]);
                news.iter().for_each(|mv| out.extend([" ", &mv.text]));
                out.push_str("\nlegal");
                turn.position.moves().iter().for_each(|mv| out.extend([" ", mv]));
                out.push('\n');
                say(out, &ToBot::Go(turn.budget));
            }
            Dialect::Course => course::go(self.side, turn, out),
        }
    }

    /// The moves that the bot has not heard of; `None` if the game did not go as it knows it.
    fn news<'t>(&self, history: &'t [RecordedMove]) -> Option<&'t [RecordedMove]> {
        let (mut known, mut news) = (self.known.as_str(), history);
        while !known.is_empty() {
            let (mv, rest) = news.split_first()?;
            known = known.strip_prefix(mv.text.as_str())?.strip_prefix(' ')?;
            news = rest;
        }
        Some(news)
    }

    /// Tells the bot what its move cost.
    pub fn used(&mut self, cpu: Option<Duration>, wall: Duration, out: &mut String) {
        if self.dialect == Dialect::One {
            say(out, &ToBot::Used { cpu, wall });
        }
    }

    /// Tells a bot that thinks to answer now. The course's protocol has no word for it.
    pub fn stop(&mut self, out: &mut String) {
        if self.dialect == Dialect::One && self.state == State::Thinking {
            say(out, &ToBot::Stop);
        }
    }

    /// Asks for a sign of life.
    pub fn ping(&mut self, out: &mut String) {
        if self.dialect == Dialect::One {
            self.pings += 1;
            let _ = writeln!(out, "ping {}", self.pings);
        }
    }

    /// Tells the bot how the game ended, and sends it away.
    pub fn end(&mut self, end: &GameEnd<'_>, out: &mut String) {
        match self.dialect {
            Dialect::One => {
                say(out, &ToBot::Result { result: end.ending, score: end.score, reason: end.reason });
                say(out, &ToBot::Bye);
            }
            Dialect::Course => out.push_str("END\n"),
        }
        self.state = State::Over;
    }

    /// What a line means. After a fault the talk is over.
    pub fn hear<'a>(&mut self, line: &'a str, out: &mut String) -> Result<Heard<'a>, ProtocolError> {
        match self.dialect {
            Dialect::One => self.hear_one(line, out),
            Dialect::Course => self.hear_course(line, out),
        }
    }

    fn hear_one<'a>(&mut self, line: &'a str, out: &mut String) -> Result<Heard<'a>, ProtocolError> {
        let unasked = |expected| Err(ProtocolError::Unasked { line: line.to_owned(), expected });
        if self.state == State::Over {
            return Ok(Heard::Nothing);
        }
        let message = FromBot::parse(line).map_err(|why| ProtocolError::Unknown { line: line.to_owned(), why })?;
        match (message, self.state) {
            (FromBot::Name(name), State::Greeted) => Ok(Heard::Name(name)),
            (FromBot::Ready, State::Greeted) => {
                self.state = State::Idle;
                out.push_str(&self.begin);
                Ok(Heard::Ready)
            }
            (FromBot::Info(info), State::Thinking) => Ok(Heard::Info(info)),
            (FromBot::Move(mv), State::Thinking) => {
                self.state = State::Idle;
                self.known.extend([mv, " "]);
                Ok(Heard::Move(mv))
            }
            (FromBot::Pong(token), _) if token.parse().is_ok_and(|token: u32| (1..=self.pings).contains(&token)) => {
                Ok(Heard::Nothing)
            }
            (FromBot::Option { name, value }, _)
                if self.option.as_ref().is_some_and(|told| (name, value) == (&told.0, &told.1)) =>
            {
                self.follows_option = true;
                Ok(Heard::Nothing)
            }
            (FromBot::Option { .. }, _) => {
                unasked("an option is answered with the same words, and only if it was told")
            }
            (_, State::Greeted) => unasked("the first answer is ready, or id name NAME and then ready"),
            (_, State::Idle) => unasked("it was not its turn: each go is answered with one move, and nothing after it"),
            _ => unasked("go is answered with move, and before it with any number of info lines"),
        }
    }

    fn hear_course<'a>(&mut self, line: &'a str, out: &mut String) -> Result<Heard<'a>, ProtocolError> {
        let unknown = |why| Err(ProtocolError::Unknown { line: line.to_owned(), why });
        let word = line.trim();
        match self.state {
            State::Greeted if word.eq_ignore_ascii_case("PONG") => {
                out.push_str(&self.begin);
                self.state = State::Timed;
                Ok(Heard::Nothing)
            }
            State::Greeted => unknown("PING is answered with PONG"),
            State::Timed => {
                self.state = State::Seated;
                Ok(Heard::Nothing)
            }
            State::Seated if word.eq_ignore_ascii_case("OK") => {
                self.state = State::Idle;
                Ok(Heard::Ready)
            }
            State::Seated => unknown("SETPLAYER is answered with OK"),
            State::Thinking if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.state = State::Idle;
                Ok(Heard::Move(word))
            }
            State::Thinking => unknown("GETMOVE is answered with a number"),
            State::Idle => Err(ProtocolError::Unasked { line: line.to_owned(), expected: "it was not its turn" }),
            State::Over => Ok(Heard::Nothing),
        }
    }
}

fn say(out: &mut String, message: &ToBot<'_>) {
    writeln!(out, "{message}").expect("a string takes everything");
}
