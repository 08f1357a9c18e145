//! The element that draws a board, as pages write it.

use askama::Template;

use crate::board;
use crate::locale::Locale;

/// A `<palestra-board>`.
#[derive(Clone, Debug, Template)]
#[template(path = "parts/board.html")]
pub(crate) struct BoardTag {
    /// The id of the game.
    game: String,
    /// The texts of the labels, as JSON.
    texts: String,
    /// The address of the layout.
    layout: String,
    /// The address of the scene; `None` if a script shows scenes.
    scene: Option<String>,
    /// Whether it is only a picture, without focus and controls.
    is_picture: bool,
    /// What a picture shows, for screen readers.
    name: Option<String>,
    /// The part of the board that is seen: left, top, width and height in units of the layout.
    part: Option<String>,
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for BoardTag {}

impl BoardTag {
    /// A board whose scenes come from a script.
    pub(crate) fn new(game: &str, layout: String, locale: Locale) -> Self {
        let texts = board::texts(game, locale);
        Self { game: game.to_owned(), texts, layout, scene: None, is_picture: false, name: None, part: None }
    }

    /// The board with a scene at this address.
    pub(crate) fn with_scene(self, scene: String) -> Self {
        Self { scene: Some(scene), ..self }
    }

    /// The board as a picture.
    pub(crate) fn picture(self) -> Self {
        Self { is_picture: true, ..self }
    }

    /// The board as a picture of this: it needs no other texts.
    pub(crate) fn named(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), texts: "{}".to_owned(), ..self }
    }

    /// A part of the board.
    pub(crate) fn part(self, part: &str) -> Self {
        Self { part: Some(part.to_owned()), ..self }
    }
}
