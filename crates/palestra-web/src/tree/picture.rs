//! A tree as a picture for slides, in the language of its reader.

use palestra_games::GameKind;
use palestra_search::tree::Tree;
use palestra_search::tree::svg::{Words, picture};

use crate::locale::Locale;

/// The most nodes of a picture whose reader did not say how many plies it should have.
const NODES_AT_A_GLANCE: usize = 40;

/// A picture of more nodes is too wide to be looked at.
const MAX_NODES: usize = 2000;

/// The picture of a tree down to a ply, or of as many plies as can be read at a glance.
pub(super) fn drawn(tree: &Tree, plies: Option<u32>, locale: Locale) -> String {
    let plies =
        plies.map_or_else(|| tree.plies_within(NODES_AT_A_GLANCE), |plies| plies.min(tree.plies_within(MAX_NODES)));
    picture(tree, plies, &words(tree, locale))
}

fn words(tree: &Tree, locale: Locale) -> Words {
    let depth = tree.depth.to_string();
    let [algorithm, order] =
        [format!("tree.algorithm.{}", tree.algorithm), format!("tree.picture_order.{}", tree.order)];
    let game = GameKind::find(tree.game).map_or(tree.game, |kind| kind.about.name);
    let values = [("game", game), ("algorithm", locale.t(&algorithm)), ("depth", &depth), ("order", locale.t(&order))];
    let text = |key: &str| locale.t(key).to_owned();
    Words {
        title: locale.with("tree.picture", &values),
        max: "max".to_owned(),
        min: "min".to_owned(),
        best_line: text("tree.legend.best"),
        cut: text("tree.legend.cut"),
        won: text("tree.say.win"),
        lost: text("tree.say.loss"),
    }
}
