//! Colours, shapes and texts.

use crate::draw::{AreaLook, CellLook, Colour, Depth, Ink, Look, Paint, Texture, Wording};

/// A plank of wood with bowls.
pub(super) const LOOK: Look = Look {
    palette: PALETTE,
    cells: &[CellLook::new("pit", Paint::NONE).hole(BOWL), CellLook::new("store", Paint::NONE).hole(BOWL)],
    areas: &[
        AreaLook::new("edge", Paint::fill("wood-edge")).lowered(0.06),
        AreaLook::new("plank", Paint::fill("wood")),
        AreaLook::texture("grain", Texture::Grain, "grain"),
    ],
    inks: &[
        (Ink::Next, "cream"),
        (Ink::Last, "gold"),
        (Ink::Chosen, "cream"),
        (Ink::Number, "burnt"),
        (Ink::Deep, "cream"),
    ],
    is_round: true,
    ..Look::PLAIN
};

const BOWL: Paint = Paint::depth(Depth::Bowl, &["bowl-middle", "bowl-side", "bowl-rim"]).edged("lip", 0.025);

const PALETTE: &[Colour] = &[
    Colour::new("wood", "#c08a55", "#7a5433"),
    Colour::new("wood-edge", "#8d5d33", "#4b311b"),
    Colour::new("grain", "#a8733f80", "#6a462780"),
    Colour::new("burnt", "#3a2210", "#f4e3cd"),
    Colour::new("bowl-middle", "#7a4d29", "#2f1c0e"),
    Colour::new("bowl-side", "#8f5d35", "#3c2413"),
    Colour::new("bowl-rim", "#5f391c", "#241408"),
    Colour::new("lip", "#e0b483", "#a87a4e"),
    Colour::same("cream", "#fff6e0"),
    Colour::same("gold", "#ffc53d"),
];

/// The texts of all labels.
pub(super) const LABELS: &[Wording] = &[
    Wording::new("store", "Store of player {1}", "Granero del jugador {1}"),
    Wording::new("pit", "Pit {2} of player {1}", "Hoyo {2} del jugador {1}"),
    Wording::new("all banked", "The pits of one side are empty.", "Las casillas de un lado están vacías."),
    Wording::new("nothing left", "Player {1} has no seeds at all.", "El jugador {1} se queda sin semillas."),
];
