//! Colours, shapes and texts.

use crate::draw::Wording;

/// The texts of all labels.
pub(super) const LABELS: &[Wording] = &[
    Wording::new("cell", "Column {1}, row {2}", "Columna {1}, fila {2}"),
    Wording::new("stone", "piece of player {1}", "ficha del jugador {1}"),
    Wording::new("bomb", "bomb of player {1}", "bomba del jugador {1}"),
    Wording::new("boom", "Boom!", "¡Boom!"),
    Wording::new("turn", "Turn", "Turno"),
    Wording::new("next piece is a bomb", "The next piece is a bomb", "La próxima ficha es una bomba"),
    Wording::new("moves left in this turn", "Moves left in this turn", "Jugadas que quedan en este turno"),
];
