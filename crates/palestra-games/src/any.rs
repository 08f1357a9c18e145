//! Games whose type is known only at run time, and the one list of games.

use std::any::Any;
use std::fmt::{self, Debug, Display};

use crate::draw::{About, Draw, Layout, Look, Scene, Step, Wording};
use crate::perft::{self, Perft};
use crate::{Game, Outcome, ParseError, Phrase, Side, phrase};

/// A position of some game: what crosses the borders of crates.
pub trait AnyGame: Debug + Send + Sync {
    /// Which game it is.
    fn kind(&self) -> &'static GameKind;
    /// See [`Game::turn`].
    fn turn(&self) -> Side;
    /// See [`Game::outcome`].
    fn outcome(&self) -> Option<Outcome>;
    /// See [`Game::points`].
    fn points(&self) -> [i32; 2];
    /// See [`Game::most_points`].
    fn most_points(&self) -> i32;
    /// See [`Game::key`].
    fn key(&self) -> u64;
    /// The legal moves as text.
    fn moves(&self) -> Vec<String>;
    /// Plays a move given as text, as [`Game::try_play`] does. An error leaves the position as it was.
    fn play(&mut self, mv: &str) -> Result<Played, PlayError>;
    /// The position as text.
    fn notation(&self) -> String;
    /// See [`Draw::layout`].
    fn layout(&self) -> Layout;
    /// See [`Draw::scene_with_previews`].
    fn scene(&self, last: Option<(Side, &str)>) -> Result<Scene, ParseError>;
    /// See [`Draw::steps`]; the move must be legal.
    fn steps(&self, mv: &str) -> Result<Vec<Step>, PlayError>;
    /// Counts move sequences, compiled for the game's own type; see [`perft()`](crate::perft()).
    fn perft(&self, depth: u32) -> Perft;
    /// Counts move sequences without playing the last move; see [`perft_bulk()`](crate::perft_bulk()).
    fn perft_bulk(&self, depth: u32) -> u64;
    /// A copy of the position.
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    /// For a downcast to the game's type.
    fn as_any(&self) -> &dyn Any;
}

/// What a move played through [`AnyGame::play`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The side that moved.
    pub side: Side,
    /// Whether the other side was then passed over because it cannot act.
    pub passed: bool,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
}

/// Why a move could not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The text is no move of this game.
    NotAMove {
        /// Where the text goes wrong.
        error: ParseError,
        /// The moves there were.
        legal: Vec<String>,
    },
    /// A move, but not in this position.
    Illegal {
        /// The move, as it was given.
        mv: String,
        /// The moves there were.
        legal: Vec<String>,
    },
    /// The game had ended.
    GameOver {
        /// The move, as it was given.
        mv: String,
    },
}

impl PlayError {
    /// What is wrong.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::NotAMove { error, legal } => phrase!(
                "play.not_a_move",
                "bad move at {error}; legal are: {legal}",
                error = error.phrase(),
                legal = legal.join(" "),
            ),
            Self::Illegal { mv, legal } => phrase!(
                "play.illegal",
                "{mv} is not legal here; legal are: {legal}",
                mv = mv.as_str(),
                legal = legal.join(" "),
            ),
            Self::GameOver { mv } => {
                phrase!("play.game_over", "{mv} comes after the end of the game", mv = mv.as_str())
            }
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.phrase(), f)
    }
}

impl std::error::Error for PlayError {}

impl<G: Draw> AnyGame for G {
    fn kind(&self) -> &'static GameKind {
        GameKind::find(G::ABOUT.id).expect("every game that is drawn stands in a list of games")
    }

    fn turn(&self) -> Side {
        Game::turn(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(self)
    }

    fn points(&self) -> [i32; 2] {
        Game::points(self)
    }

    fn most_points(&self) -> i32 {
        Game::most_points(self)
    }

    fn key(&self) -> u64 {
        Game::key(self)
    }

    fn moves(&self) -> Vec<String> {
        Game::moves(self).iter().map(ToString::to_string).collect()
    }

    fn play(&mut self, text: &str) -> Result<Played, PlayError> {
        if Game::outcome(self).is_some() {
            return Err(PlayError::GameOver { mv: text.to_owned() });
        }
        let side = Game::turn(self);
        let mv = parse_move(self, text)?;
        self.try_play(mv).map_err(|_| illegal(self, text))?;
        let outcome = Game::outcome(self);
        let passed = G::PASSES && outcome.is_none() && Game::turn(self) == side;
        Ok(Played { side, passed, outcome })
    }

    fn notation(&self) -> String {
        self.to_string()
    }

    fn layout(&self) -> Layout {
        Draw::layout(self)
    }

    fn scene(&self, last: Option<(Side, &str)>) -> Result<Scene, ParseError> {
        let last = last.map(|(side, mv)| Ok((side, mv.parse()?))).transpose()?;
        Ok(self.scene_with_previews(last))
    }

    fn steps(&self, text: &str) -> Result<Vec<Step>, PlayError> {
        let mv = parse_move(self, text)?;
        if self.is_legal(mv) { Ok(Draw::steps(self, mv)) } else { Err(illegal(self, text)) }
    }

    fn perft(&self, depth: u32) -> Perft {
        perft::perft(self, depth)
    }

    fn perft_bulk(&self, depth: u32) -> u64 {
        perft::perft_bulk(self, depth)
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Clone for Box<dyn AnyGame> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

fn parse_move<G: Draw>(position: &G, text: &str) -> Result<G::Move, PlayError> {
    text.parse().map_err(|error| PlayError::NotAMove { error, legal: AnyGame::moves(position) })
}

fn illegal<G: Draw>(position: &G, text: &str) -> PlayError {
    PlayError::Illegal { mv: text.to_owned(), legal: AnyGame::moves(position) }
}

/// An entry of the list of games.
#[derive(Debug)]
pub struct GameKind {
    /// The game's description: names, rules, notations.
    pub about: About,
    /// Its colours and shapes.
    pub look: Look,
    /// The texts of its labels.
    pub labels: &'static [Wording],
    /// Whether people see it in lists.
    pub is_listed: bool,
    /// The start of a game with these options (`-` for the default).
    pub start: fn(options: &str) -> Result<Box<dyn AnyGame>, ParseError>,
    /// The position with this notation.
    pub parse: fn(position: &str) -> Result<Box<dyn AnyGame>, ParseError>,
}

impl GameKind {
    const fn of<G: Draw>(is_listed: bool) -> Self {
        Self { about: G::ABOUT, look: G::LOOK, labels: G::LABELS, is_listed, start: start::<G>, parse: parse::<G> }
    }

    /// The game's name in commands, files and addresses.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.about.id
    }

    /// The start of a game with these options, or this position: the word that [`Record::beginning`] gives.
    ///
    /// [`Record::beginning`]: crate::Record::beginning
    pub fn begin(&self, word: &str) -> Result<Box<dyn AnyGame>, ParseError> {
        (self.start)(word).or_else(|error| (self.parse)(word).map_err(|_| error))
    }

    /// All games, those that no list shows too.
    pub fn all() -> impl Iterator<Item = &'static Self> + Clone {
        GAMES.iter().chain(HIDDEN)
    }

    /// The game with this id, in a list or not.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::all().find(|kind| kind.about.id == id)
    }
}

fn start<G: Draw>(options: &str) -> Result<Box<dyn AnyGame>, ParseError> {
    let options = if options == "-" { G::Options::default() } else { options.parse()? };
    Ok(Box::new(G::new(&options)))
}

fn parse<G: Draw>(position: &str) -> Result<Box<dyn AnyGame>, ParseError> {
    Ok(Box::new(position.parse::<G>()?))
}

/// Makes `GAMES` and `with_game!` from one list of games.
macro_rules! games {
    ($d:tt $($id:literal => $module:ident::$game:ident),* $(,)?) => {
        /// The games, as people see them in lists.
        pub static GAMES: &[GameKind] = &[$(GameKind::of::<$crate::$module::$game>(true)),*];

        /// Turns a game's id into its type: `with_game!(id, G => expression using G)` is `Some` of the expression's
        /// value, or `None` when there is no such game.
        #[macro_export]
        macro_rules! with_game {
            ($d id:expr, $d G:ident => $d body:expr) => {
                match $d id {
                    $($id => {
                        type $d G = $crate::$module::$game;
                        Some($d body)
                    })*
                    _ => None,
                }
            };
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn ids_of_the_list_are_the_games_own() {
                $(assert_eq!($id, <$crate::$module::$game as Draw>::ABOUT.id);)*
            }
        }
    };
}

games! { $
    "mancala" => mancala::Mancala,
    "conecta4boom" => boom::Conecta4Boom,
    "desconecta4boom" => boom::Desconecta4Boom,
    "parchis" => parchis::Parchis,
    "bandera" => bandera::Bandera,
}

/// Games for tests of what is to know no game: nobody sees them in a list, and no built-in player plays them.
static HIDDEN: &[GameKind] = &[GameKind::of::<crate::shells::Shells>(false)];
