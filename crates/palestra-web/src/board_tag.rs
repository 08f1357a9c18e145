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
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for BoardTag {}

impl BoardTag {
    /// A board whose scenes come from a script.
    pub(crate) fn new(game: &str, layout: String, locale: Locale) -> Self {
        Self { game: game.to_owned(), texts: board::texts(game, locale), layout, scene: None, is_picture: false }
    }

    /// The board with a scene at this address.
    pub(crate) fn with_scene(self, scene: String) -> Self {
        Self { scene: Some(scene), ..self }
    }

    /// The board as a picture.
    pub(crate) fn picture(self) -> Self {
        Self { is_picture: true, ..self }
    }
}
