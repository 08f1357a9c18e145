//! Rubrics: how a mark is made of games, of a league's points and of what a teacher enters.
//!
//! A rubric is a small TOML file (`read.rs`); the bundled ones are files too. Which games a bot has to play follows from
//! it ([`Rubric::pairings`]), and so does the mark, a pure function of the finished games ([`Rubric::mark`]).

mod mark;
mod ratio;
mod read;

use palestra_games::Side;

pub use mark::{COPY, Candidate, Cause, Flag, LeaguePlace, Mark, PartMark, RubricGame, SearchResult, TOTAL};
pub use ratio::Ratio;
pub use read::{MAX_RUBRIC_BYTES, RubricError};

/// How marks are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rubric {
    /// Its title.
    pub title: Title,
    /// The ids of the games for which it is; every game if there is none.
    pub games: Vec<String>,
    /// How many games a bot plays on each side against each opponent.
    pub games_a_side: u32,
    /// Whether there is no mark without the code.
    pub needs_code: bool,
    /// Whether there is no mark without the memo.
    pub needs_memo: bool,
    /// What the mark is the sum of.
    pub parts: Vec<Part>,
}

/// A text in English, and in Spanish if its author wrote both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// In English, or in the one language in which it was written.
    pub en: String,
    /// In Spanish.
    pub es: Option<String>,
}

impl Title {
    /// The text in a language, `en` or `es`.
    #[must_use]
    pub fn text(&self, language: &str) -> &str {
        self.es.as_deref().filter(|_| language == "es").unwrap_or(&self.en)
    }
}

/// A part of the mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The word by which entries of teachers name it.
    pub key: String,
    /// Its title.
    pub title: Title,
    /// How its points come about.
    pub kind: PartKind,
}

/// How the points of a part come about. All points are hundredths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A teacher enters them, up to this maximum.
    Entered(u64),
    /// Those of the first level whose opponent the bot beats: on each side it wins more games than it loses.
    Beats(Vec<Level>),
    /// These points for each opponent and side, times the share of the games won.
    Wins {
        /// The names of the opponents.
        opponents: Vec<String>,
        /// For winning all games on one side.
        points: u64,
    },
    /// These points if the bot's search finds what the teaching alpha-beta finds.
    Search(u64),
    /// These points times the share of the league's best points.
    League {
        /// For the best points.
        points: u64,
        /// Who the best is looked for among.
        best_of: BestOf,
        /// The run whose standings are taken if the teacher names none.
        run: CountedRun,
    },
}

/// An opponent and what beating it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The opponent's name.
    pub opponent: String,
    /// In hundredths.
    pub points: u64,
}

/// Among whom the best of a league is looked for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum BestOf {
    /// The team's own group.
    Group,
    /// All groups.
    All,
}

/// Which run of a league is taken.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum CountedRun {
    /// The last finished one that counts for marks.
    Counted,
    /// The final one.
    Final,
    /// The last finished one.
    Last,
}

/// A game that a bot has to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubricPairing {
    /// The opponent's index in [`Rubric::opponents`].
    pub opponent: usize,
    /// The side of the bot.
    pub side: Side,
    /// From 0; each begins from another opening.
    pub round: u32,
}

impl Rubric {
    /// The names of the bundled rubrics and their texts.
    pub const BUNDLED: [(&'static str, &'static str); 2] =
        [("mancala", include_str!("../../rubrics/mancala.toml")), ("boom", include_str!("../../rubrics/boom.toml"))];

    /// The text of the bundled rubric of this name.
    #[must_use]
    pub fn bundled(name: &str) -> Option<&'static str> {
        Self::BUNDLED.into_iter().find_map(|(bundled, text)| (bundled == name).then_some(text))
    }

    /// Whether it is for this game.
    #[must_use]
    pub fn is_for(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|id| id == game)
    }

    /// The opponents of all parts, each once.
    #[must_use]
    pub fn opponents(&self) -> Vec<&str> {
        let mut opponents = vec![];
        for name in self.parts.iter().flat_map(|part| part.kind.opponents()) {
            if !opponents.contains(&name) {
                opponents.push(name);
            }
        }
        opponents
    }

    /// The games that a bot has to play, by opponent, the first side first.
    #[must_use]
    pub fn pairings(&self) -> Vec<RubricPairing> {
        let of = |opponent| {
            let rounds = move |side| (0..self.games_a_side).map(move |round| RubricPairing { opponent, side, round });
            Side::BOTH.into_iter().flat_map(rounds)
        };
        (0..self.opponents().len()).flat_map(of).collect()
    }

    /// The highest mark, in hundredths.
    #[must_use]
    pub fn maximum(&self) -> u64 {
        self.parts.iter().map(|part| part.kind.maximum()).sum()
    }

    /// The part with this key.
    #[must_use]
    pub fn part(&self, key: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.key == key)
    }

    /// Whether a part looks at the bot's search.
    #[must_use]
    pub fn has_search(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.kind, PartKind::Search(_)))
    }

    /// Whether bots are tried for it: they play games, or their searches are compared.
    #[must_use]
    pub fn tries_bots(&self) -> bool {
        self.has_search() || !self.opponents().is_empty()
    }

    /// Which run of a league it takes; none if no part looks at a league.
    #[must_use]
    pub fn counted_run(&self) -> Option<CountedRun> {
        self.parts.iter().find_map(|part| match part.kind {
            PartKind::League { run, .. } => Some(run),
            _ => None,
        })
    }
}

impl PartKind {
    /// The most that it can bring, in hundredths.
    #[must_use]
    pub fn maximum(&self) -> u64 {
        match self {
            &Self::Entered(points) | &Self::Search(points) => points,
            Self::Beats(levels) => levels.iter().map(|level| level.points).max().unwrap_or(0),
            Self::Wins { opponents, points } => 2 * points * opponents.len() as u64,
            &Self::League { points, .. } => points,
        }
    }

    /// The names of the opponents of its games.
    fn opponents(&self) -> Vec<&str> {
        match self {
            Self::Beats(levels) => levels.iter().map(|level| level.opponent.as_str()).collect(),
            Self::Wins { opponents, .. } => opponents.iter().map(String::as_str).collect(),
            Self::Entered(_) | Self::Search(_) | Self::League { .. } => vec![],
        }
    }
}
