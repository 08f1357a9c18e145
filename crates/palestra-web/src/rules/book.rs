//! The rulebooks: for each game the text of its rules in every language, and its examples.

use std::collections::HashMap;
use std::sync::LazyLock;

use palestra_games::GameKind;
use palestra_games::draw::Layout;
use serde_json::Value;

use super::example::{Example, part_of};
use super::text::Text;
use crate::drawings::layout_key;
use crate::http::error::Refused;
use crate::locale::{Catalog, Locale};

/// The rules of a game: a text in each language, and the examples that both show.
pub(super) struct Rulebook {
    pub(super) kind: &'static GameKind,
    english: Text,
    spanish: Text,
    examples: Catalog,
    /// The examples in the order of their replays.
    views: Vec<ExampleView>,
}

/// How a page shows an example: which part of which board, beside the scenes of its replay.
pub(super) struct ExampleView {
    pub(super) name: &'static str,
    /// The index of its replay among those of the game.
    pub(super) replay: usize,
    pub(super) layout_key: String,
    /// The part of the board that is seen; `None` for all of it.
    pub(super) part: Option<String>,
    /// Whether what is seen is much wider than high.
    pub(super) is_wide: bool,
    pub(super) has_moves: bool,
    /// The parts of the board that show one cell each, by the id of the cell.
    pub(super) cells: HashMap<String, String>,
}

/// The ratio of width to height from which a board is wide.
const WIDE_RATIO: f32 = 1.8;

/// The files of a game, in `rules/`.
struct Files {
    game: &'static str,
    english: &'static str,
    spanish: &'static str,
    examples: &'static str,
}

macro_rules! files {
    ($($game:literal),* $(,)?) => {
        &[$(Files {
            game: $game,
            english: include_str!(concat!("../../rules/", $game, ".en.txt")),
            spanish: include_str!(concat!("../../rules/", $game, ".es.txt")),
            examples: include_str!(concat!("../../rules/", $game, ".ini")),
        }),*]
    };
}

/// A game without files here has the short rules of its [`About`](palestra_games::draw::About).
const FILES: &[Files] = files!["mancala", "conecta4boom", "desconecta4boom", "parchis", "bandera"];

static RULEBOOKS: LazyLock<Vec<Rulebook>> = LazyLock::new(|| {
    let books: Result<Vec<Rulebook>, String> = FILES.iter().map(Rulebook::read).collect();
    books.expect("the bundled rules are well-formed, which the tests of this module check")
});

impl Rulebook {
    /// The rules of the game with this id, if they are written.
    pub(super) fn find(game: &str) -> Option<&'static Self> {
        RULEBOOKS.iter().find(|book| book.kind.id() == game)
    }

    fn read(files: &'static Files) -> Result<Self, String> {
        let fault = |what: &dyn std::fmt::Display| format!("rules/{}: {what}", files.game);
        let kind = GameKind::find(files.game).ok_or_else(|| fault(&"no such game"))?;
        let [english, spanish] = [files.english, files.spanish].map(Text::read);
        let mut book = Self {
            kind,
            english: english.map_err(|error| fault(&error))?,
            spanish: spanish.map_err(|error| fault(&error))?,
            examples: files.examples.parse().map_err(|error| fault(&error))?,
            views: vec![],
        };
        for name in files.examples.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')) {
            let view = book.view_of(name).ok_or_else(|| fault(&format!("the example {name} cannot be shown")))?;
            book.views.push(view);
        }
        Ok(book)
    }

    fn view_of(&self, name: &'static str) -> Option<ExampleView> {
        let example = self.example(name)?;
        let layout = example.position().ok()?.layout();
        let part = example.value("view").map(str::to_owned);
        let [width, height] = part.as_deref().map_or(Some([layout.size.x, layout.size.y]), size)?;
        Some(ExampleView {
            name,
            replay: self.views.len(),
            layout_key: layout_key(self.kind.id(), example.notation()),
            part,
            is_wide: width > WIDE_RATIO * height,
            has_moves: example.has_moves(),
            cells: self.pictures(name, &layout)?,
        })
    }

    /// The cells of which the texts show pictures, with the part of the board that each fills.
    fn pictures(&self, name: &str, layout: &Layout) -> Option<HashMap<String, String>> {
        let shown = [&self.english, &self.spanish].into_iter().flat_map(Text::pictures);
        let cells = shown.filter(|(example, _)| *example == name);
        cells.map(|(_, cell)| Some((cell.to_owned(), part_of(layout, cell)?))).collect()
    }

    /// The text in a language.
    pub(super) const fn text(&self, locale: Locale) -> &Text {
        match locale {
            Locale::English => &self.english,
            Locale::Spanish => &self.spanish,
        }
    }

    /// The example with this name.
    pub(super) fn example(&self, name: &'static str) -> Option<Example<'_>> {
        Example::find(self.kind, name, &self.examples)
    }

    pub(super) fn views(&self) -> &[ExampleView] {
        &self.views
    }

    /// The replays of all examples.
    pub(super) fn replays(&self) -> Result<Value, Refused> {
        let replays = self.views.iter().filter_map(|view| self.example(view.name)).map(|example| example.replay());
        replays.collect()
    }
}

/// The width and the height in `left top width height`.
fn size(view: &str) -> Option<[f32; 2]> {
    let numbers: Option<Vec<f32>> = view.split(' ').map(|number| number.parse().ok()).collect();
    match numbers?[..] {
        [_, _, width, height] => Some([width, height]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use palestra_games::Outcome;

    use super::*;
    use crate::rules::text::{Block, Inline};

    /// What a rule consists of, beside its words.
    fn parts(text: &Text) -> Vec<(&str, Vec<String>)> {
        let block = |block: &Block| match block {
            Block::Paragraph(_) => "paragraph".to_owned(),
            Block::List(points) => format!("list of {}", points.len()),
            Block::Table { head, rows } => format!("table of {} by {}", head.len(), rows.len()),
            Block::Note(_) => "note".to_owned(),
        };
        let rules =
            text.sections.iter().flat_map(|section| section.rules.iter().map(|rule| (section.id.as_str(), rule)));
        let named = |(section, rule): (_, &crate::rules::text::Rule)| {
            let figures = rule.figures.iter().map(|figure| format!("example {}", figure.example));
            (section, rule.blocks.iter().map(block).chain(figures).collect())
        };
        rules.map(named).collect()
    }

    #[test]
    fn a_page_has_the_same_parts_in_every_language() {
        for book in RULEBOOKS.iter() {
            assert_eq!(parts(&book.english), parts(&book.spanish), "{}", book.kind.id());
        }
    }

    #[test]
    fn every_example_is_shown_and_every_shown_example_exists() {
        for book in RULEBOOKS.iter() {
            let there: BTreeSet<&str> = book.views.iter().map(|view| view.name).collect();
            let figures = book.english.rules().flat_map(|rule| &rule.figures).map(|figure| figure.example.as_str());
            let shown: BTreeSet<&str> = figures.chain(book.english.pictures().map(|(example, _)| example)).collect();
            assert_eq!(there, shown, "{}", book.kind.id());
        }
    }

    /// Examples are played through the rules, and what their captions claim is what happens.
    #[test]
    fn every_example_does_what_it_claims() {
        for book in RULEBOOKS.iter() {
            for view in &book.views {
                check(&book.example(view.name).unwrap(), &format!("{} {}", book.kind.id(), view.name));
            }
        }
    }

    /// The captions of the examples named `notation` quote the position that they show.
    #[test]
    fn a_quoted_position_is_that_of_the_board() {
        for book in RULEBOOKS.iter() {
            let notation = Inline::new(&format!("`{}`", book.example("notation").unwrap().notation()));
            for text in [&book.english, &book.spanish] {
                let figure = text.rules().flat_map(|rule| &rule.figures).find(|figure| figure.example == "notation");
                assert!(figure.unwrap().caption.html().contains(notation.html()), "{}", book.kind.id());
            }
        }
    }

    fn check(example: &Example<'_>, name: &str) {
        const KEYS: [&str; 9] = ["position", "moves", "view", "marks", "after", "legal", "illegal", "losing", "wins"];
        let stray: Vec<&str> = example.keys().filter(|key| !KEYS.contains(key)).collect();
        assert!(stray.is_empty(), "{name}: {stray:?}");
        let mut position = example.position().unwrap_or_else(|_| panic!("{name}: {}", example.notation()));
        assert_eq!(position.notation(), example.notation(), "{name}");
        for mv in example.words("moves") {
            position.play(mv).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(example.value("after").is_some(), example.has_moves(), "{name}: moves have a position that follows");
        if let Some(after) = example.value("after") {
            assert_eq!(position.notation(), after, "{name}");
        }
        let moves = position.moves();
        for mv in example.words("legal") {
            assert!(moves.iter().any(|legal| legal == mv), "{name}: {mv} is not among {moves:?}");
        }
        for mv in example.words("illegal") {
            assert!(!moves.iter().any(|legal| legal == mv), "{name}: {mv} is legal");
        }
        for mv in example.words("losing") {
            let mut lost = position.boxed_clone();
            lost.play(mv).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(lost.outcome(), Some(Outcome::Win(position.turn().other())), "{name}: {mv}");
        }
        let won = position.outcome().map(|outcome| match outcome {
            Outcome::Draw => "draw".to_owned(),
            Outcome::Win(side) => side.to_string(),
        });
        assert_eq!(won.as_deref(), example.value("wins"), "{name}");
        let claims = ["after", "legal", "illegal", "wins"];
        assert!(claims.iter().any(|claim| example.value(claim).is_some()), "{name} claims nothing");
        example.replay().unwrap_or_else(|_| panic!("{name}: no replay"));
        let layout = position.layout();
        let scene = position.scene(None).unwrap();
        let is_there =
            |id: &str| layout.cells.iter().any(|cell| cell.id == id) || scene.pieces.iter().any(|piece| piece.id == id);
        for mark in example.words("marks") {
            assert!(is_there(mark), "{name}: {mark} is not on the board");
        }
    }
}
