//! Colours, shapes and texts.

use crate::draw::{AreaLook, CellLook, Colour, Ink, Look, Paint, Part, Shape, Texture, Wording};

/// A cross on plaster, with houses as frames around a court. Rims of pawns, lanes and houses have a pattern beside their
/// colour: yellow none, blue rings, red dashes, green dots.
pub(super) const LOOK: Look = Look {
    palette: PALETTE,
    shapes: SHAPES,
    cells: CELLS,
    areas: AREAS,
    inks: &[(Ink::Last, "ink"), (Ink::Number, "ink")],
    is_round: false,
};

const PLASTER: Paint = Paint::fill("plaster").edged("grout", 0.03);

const CELLS: &[CellLook] = &[
    CellLook::new("square", PLASTER),
    CellLook::new("safe", PLASTER).hole(Paint::line("grout", 0.05)),
    CellLook::new("pool", Paint::line("slot", 0.025).dashed(0.07, 0.07)),
    CellLook::new("turn", Paint::NONE),
    CellLook::new("safe-yellow", Paint::fill("yellow").edged("grout", 0.03)).hole(Paint::line("code", 0.05)),
    CellLook::new("queue-yellow", Paint::fill("yellow").edged("grout", 0.03)),
    CellLook::new("goal-yellow", Paint::fill("yellow").edged("plaster", 0.05)),
    CellLook::new("home-yellow", Paint::NONE).hole(Paint::line("yellow-home", 0.06).dashed(0.01, 0.13)),
    CellLook::new("safe-blue", Paint::fill("blue").edged("grout", 0.03)).hole(Paint::line("code", 0.05)),
    CellLook::new("queue-blue", Paint::fill("blue").edged("grout", 0.03)).texture(Texture::Rings, "pattern"),
    CellLook::new("goal-blue", Paint::fill("blue").edged("plaster", 0.05)).texture(Texture::Rings, "pattern"),
    CellLook::new("home-blue", Paint::NONE).hole(Paint::line("blue-home", 0.06).dashed(0.01, 0.13)),
    CellLook::new("safe-red", Paint::fill("red").edged("grout", 0.03)).hole(Paint::line("code", 0.05)),
    CellLook::new("queue-red", Paint::fill("red").edged("grout", 0.03)).texture(Texture::Dashes, "pattern"),
    CellLook::new("goal-red", Paint::fill("red").edged("plaster", 0.05)).texture(Texture::Dashes, "pattern"),
    CellLook::new("home-red", Paint::NONE).hole(Paint::line("red-home", 0.06).dashed(0.01, 0.13)),
    CellLook::new("safe-green", Paint::fill("green").edged("grout", 0.03)).hole(Paint::line("code", 0.05)),
    CellLook::new("queue-green", Paint::fill("green").edged("grout", 0.03)).texture(Texture::Dots, "pattern"),
    CellLook::new("goal-green", Paint::fill("green").edged("plaster", 0.05)).texture(Texture::Dots, "pattern"),
    CellLook::new("home-green", Paint::NONE).hole(Paint::line("green-home", 0.06).dashed(0.01, 0.13)),
];

const AREAS: &[AreaLook] = &[
    AreaLook::new("field", Paint::fill("plaster").edged("rim", 0.04)),
    AreaLook::new("court", Paint::fill("plaster")),
    AreaLook::new("tray", Paint::fill("tray")),
    AreaLook::new("house-yellow", Paint::fill("yellow")),
    AreaLook::new("pattern-yellow", Paint::NONE),
    AreaLook::new("house-blue", Paint::fill("blue")),
    AreaLook::texture("pattern-blue", Texture::Rings, "pattern"),
    AreaLook::new("house-red", Paint::fill("red")),
    AreaLook::texture("pattern-red", Texture::Dashes, "pattern"),
    AreaLook::new("house-green", Paint::fill("green")),
    AreaLook::texture("pattern-green", Texture::Dots, "pattern"),
];

const PALETTE: &[Colour] = &[
    Colour::new("yellow", "#e4ad1c", "#e6b53a"),
    Colour::new("blue", "#2d6fb3", "#4c8fd3"),
    Colour::new("red", "#b8342a", "#cf4f42"),
    Colour::new("green", "#3b965f", "#52b079"),
    Colour::new("yellow-deep", "#a97a05", "#8f6a0a"),
    Colour::same("blue-deep", "#1d4f85"),
    Colour::new("red-deep", "#8e2419", "#84271c"),
    Colour::same("green-deep", "#1d5f37"),
    Colour::new("yellow-home", "#a97a05", "#e6b53a"),
    Colour::new("blue-home", "#1d4f85", "#4c8fd3"),
    Colour::new("red-home", "#8e2419", "#cf4f42"),
    Colour::new("green-home", "#1d5f37", "#52b079"),
    Colour::new("plaster", "#fffdf8", "#262c29"),
    Colour::new("grout", "#8d8779", "#6f7a73"),
    Colour::new("rim", "#dcd8ce", "#303a35"),
    Colour::new("tray", "#eeece6", "#222a26"),
    Colour::new("slot", "#8a857899", "#76827b99"),
    Colour::same("pattern", "#ffffff57"),
    Colour::same("code", "#ffffffdd"),
    Colour::same("plate", "#fffdf8"),
    Colour::same("figure", "#1c2421"),
    Colour::same("cast", "#0003"),
    Colour::new("die", "#fffdf8", "#e9ebe6"),
    Colour::same("die-edge", "#6a6558"),
    Colour::same("pip", "#1c2421"),
    Colour::new("gold", "#e2a52a", "#ecb94a"),
    Colour::same("gold-edge", "#7a5200"),
    Colour::same("gold-ink", "#2a1c00"),
    Colour::new("marker", "#17594a", "#7dcfb2"),
];

/// The path of some pips, by their places on a die.
macro_rules! pips {
    ($($place:ident)+) => { concat!($(pips!(@$place), "a.16 .16 0 1 0 .32 0a.16 .16 0 1 0-.32 0Z"),+) };
    (@left_above) => { "M-.64-.48" };
    (@right_above) => { "M.32-.48" };
    (@left) => { "M-.64 0" };
    (@middle) => { "M-.16 0" };
    (@right) => { "M.32 0" };
    (@left_below) => { "M-.64 .48" };
    (@right_below) => { "M.32 .48" };
}

const PAWN_CAST: Part = Part::fill("M-.86 .08a.86 .86 0 1 0 1.72 0a.86 .86 0 1 0-1.72 0Z", "cast");

/// The white plate of a pawn, for its number.
const PLATE: Part = Part::fill("M-.5 0a.5 .5 0 1 0 1 0a.5 .5 0 1 0-1 0Z", "plate");

const NUMBER: Part = Part::last(0.74, "figure");

const DIE_CAST: Part = Part::fill(
    "M-.66-.83H.66a.24 .24 0 0 1 .24 .24V.73a.24 .24 0 0 1-.24 .24H-.66a.24 .24 0 0 1-.24-.24V-.59a.24 .24 0 0 1 .24-.24Z",
    "cast",
);

/// The disc of a pawn, in its colour.
const fn disc(colour: &'static str, edge: &'static str) -> Part {
    Part::edged("M-.86 0a.86 .86 0 1 0 1.72 0a.86 .86 0 1 0-1.72 0Z", colour, edge, 0.1)
}

/// The square of a die or a bonus.
const fn tile(colour: &'static str, edge: &'static str) -> Part {
    Part::edged(
        "M-.66-.9H.66a.24 .24 0 0 1 .24 .24V.66a.24 .24 0 0 1-.24 .24H-.66a.24 .24 0 0 1-.24-.24V-.66a.24 .24 0 0 1 .24-.24Z",
        colour,
        edge,
        0.09,
    )
}

/// What is on the upper side of a die.
const fn pipped(pips: &'static str) -> Part {
    Part::fill(pips, "pip")
}

const DIE: Part = tile("die", "die-edge");

const BONUS: Part = tile("gold", "gold-edge");

const SHAPES: &[Shape] = &[
    Shape::new("pawn-yellow", &[PAWN_CAST, disc("yellow", "yellow-deep"), PLATE, NUMBER]),
    Shape::new(
        "pawn-blue",
        &[
            PAWN_CAST,
            disc("blue", "blue-deep"),
            Part::line("M-.68 0a.68 .68 0 1 0 1.36 0a.68 .68 0 1 0-1.36 0Z", "code", 0.13),
            PLATE,
            NUMBER,
        ],
    ),
    Shape::new(
        "pawn-red",
        &[
            PAWN_CAST,
            disc("red", "red-deep"),
            Part::line(
                "M.68 0A.68 .68 0 0 1 .582 .352M.34 .589A.68 .68 0 0 1-.014 .68M-.34 .589A.68 .68 0 0 1-.596 .328M-.68 0A.68 .68 0 0 1-.582-.352M-.34-.589A.68 .68 0 0 1 .014-.68M.34-.589A.68 .68 0 0 1 .596-.328",
                "code",
                0.13,
            ),
            PLATE,
            NUMBER,
        ],
    ),
    Shape::new(
        "pawn-green",
        &[
            PAWN_CAST,
            disc("green", "green-deep"),
            Part::line(
                "M.68 0h.01M.621 .277h.01M.455 .505h.01M.21 .647h.01M-.071 .676h.01M-.34 .589h.01M-.55 .4h.01M-.665 .141h.01M-.665-.141h.01M-.55-.4h.01M-.34-.589h.01M-.071-.676h.01M.21-.647h.01M.455-.505h.01M.621-.277h.01",
                "code",
                0.17,
            ),
            PLATE,
            NUMBER,
        ],
    ),
    Shape::new("die-1", &[DIE_CAST, DIE, pipped(pips!(middle))]),
    Shape::new("die-2", &[DIE_CAST, DIE, pipped(pips!(left_above right_below))]),
    Shape::new("die-3", &[DIE_CAST, DIE, pipped(pips!(left_above middle right_below))]),
    Shape::new("die-4", &[DIE_CAST, DIE, pipped(pips!(left_above right_above left_below right_below))]),
    Shape::new("die-5", &[DIE_CAST, DIE, pipped(pips!(left_above right_above middle left_below right_below))]),
    Shape::new("die-6", &[DIE_CAST, DIE, pipped(pips!(left_above right_above left right left_below right_below))]),
    Shape::new(
        "bonus10",
        &[
            BONUS,
            Part::line(
                "M-.74 0H-.38M-.56-.18V.18M-.1-.16 .06-.29V.29M.34 0C.34-.38.74-.38.74 0S.34.38.34 0Z",
                "gold-ink",
                0.13,
            ),
        ],
    ),
    Shape::new(
        "bonus20",
        &[
            BONUS,
            Part::line(
                "M-.74 0H-.38M-.56-.18V.18M-.2-.12C-.2-.36.14-.36.14-.12.14.04-.2.16-.2.29H.16M.34 0C.34-.38.74-.38.74 0S.34.38.34 0Z",
                "gold-ink",
                0.13,
            ),
        ],
    ),
    Shape::new("marker", &[Part::fill("M-.55-.62Q-.55-.8-.38-.7L.62-.12Q.8 0 .62.12L-.38.7Q-.55.8-.55.62Z", "marker")]),
];

/// The texts of all labels.
pub(super) const LABELS: &[Wording] = &[
    Wording::new("square", "Square {1}", "Casilla {1}"),
    Wording::new("safe square", "Safe square {1}", "Seguro {1}"),
    Wording::new("queue", "{1:colour} queue, square {2}", "Pasillo {1:colour}, casilla {2}"),
    Wording::new("goal", "{1:colour} goal", "Meta: {1:colour}"),
    Wording::new("home", "{1:colour} home, place {2}", "Casa: {1:colour}, sitio {2}"),
    Wording::new("turn", "Place of the marker, {1:colour}", "Sitio del turno: {1:colour}"),
    Wording::new("place of die", "Place of die {2}, {1:colour}", "Sitio del dado {2}: {1:colour}"),
    Wording::new("place of bonus", "Place of the bonus, {1:colour}", "Sitio del premio: {1:colour}"),
    Wording::new("on turn", "to move", "le toca mover"),
    Wording::new("bounces of", "Bounces of {1:colour}", "Rebotes del {1:colour}"),
    Wording::new("skip", "Skip", "Pasar"),
    Wording::new("pawn", "{1:colour} piece {2}", "ficha {2}, {1:colour}"),
    Wording::new("die", "{1:colour} die {2}", "dado {2}, {1:colour}"),
    Wording::new(
        "all in the goal",
        "{1:colour} has all four pieces in the goal.",
        "El {1:colour} tiene sus cuatro fichas en la meta.",
    ),
    Wording::new("too many bounces", "{1:colour} has bounced {2} times.", "El {1:colour} ha rebotado {2} veces."),
    Wording::new("colour.Y", "yellow", "amarillo"),
    Wording::new("colour.B", "blue", "azul"),
    Wording::new("colour.R", "red", "rojo"),
    Wording::new("colour.G", "green", "verde"),
];
