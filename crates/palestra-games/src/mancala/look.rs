//! Colours, shapes and texts.

use crate::draw::Wording;

/// The texts of all labels.
pub(super) const LABELS: &[Wording] = &[
    Wording::new("store", "Store of player {1}", "Granero del jugador {1}"),
    Wording::new("pit", "Pit {2} of player {1}", "Casilla {2} del jugador {1}"),
];
