//! What all pages have in common. A page stands alone: no script, nothing loaded from elsewhere, light or dark as the
//! reader likes it.
//!
//! Pages are templates, which escape what is put into them. Only the style sheet and the plots go in as they are; plots
//! come from templates too.

use askama::Template;

use super::{NAME_WIDTH, TEXT_WIDTH, visible};

/// How long the sentences below the heading may be.
const LEAD_WIDTH: usize = 1_000;

/// The head of a page, with strangers' texts as they may be shown.
pub(super) struct Heading {
    /// The game that was played.
    pub(super) game: String,
    pub(super) title: String,
    /// What came of it, in a few sentences; may be empty.
    pub(super) lead: String,
    /// How it was played, as pairs of what and how.
    pub(super) facts: Vec<(String, String)>,
}

impl Heading {
    /// How pages look. Dark colours are for screens alone: paper is white.
    pub(super) const STYLE_SHEET: &str = include_str!("../../templates/style.css");

    pub(super) fn new(game: &str, title: &str, lead: &str, facts: &[(String, String)]) -> Self {
        let fact = |(what, how): &(String, String)| (visible(what, NAME_WIDTH), visible(how, TEXT_WIDTH));
        Self {
            game: visible(game, NAME_WIDTH),
            title: visible(title, TEXT_WIDTH),
            lead: visible(lead, LEAD_WIDTH),
            facts: facts.iter().map(fact).collect(),
        }
    }
}

/// The page as text.
pub(super) fn rendered(page: &impl Template) -> String {
    // Askama drops the line break at the end of a template.
    page.render().expect("only writing can fail, and writing to a string does not") + "\n"
}
