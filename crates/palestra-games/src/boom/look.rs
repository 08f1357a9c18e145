//! Colours, shapes and texts.

use crate::draw::{AreaLook, CellLook, Colour, Depth, Ink, Look, Paint, Part, Shape, Texture, Wording};

/// A panel of white glaze with blue stars.
pub(super) const CONECTA: Look = Look {
    palette: &palette(
        Colour::new("glaze", "#fdfcf9", "#26333b"),
        Colour::new("line", "#2f6d9a", "#6fa9cf"),
        Colour::new("four", "#a86e00", "#ecb94a"),
    ),
    ..GLAZED
};

/// A panel of green glaze, on which four in a line are no good.
pub(super) const DESCONECTA: Look = Look {
    palette: &palette(
        Colour::new("glaze", "#f0f4e8", "#2b3527"),
        Colour::new("line", "#577d3c", "#93b878"),
        Colour::new("four", "#a3203c", "#f5909f"),
    ),
    ..GLAZED
};

const GLAZED: Look = Look {
    shapes: SHAPES,
    cells: &[CellLook::new("square", Paint::NONE)
        .hole(Paint::depth(Depth::Well, &["well", "well-rim"]).edged("well-rim", 0.03))],
    areas: &[
        AreaLook::new("edge", Paint::fill("side")).lowered(0.08),
        AreaLook::new("panel", Paint::fill("glaze").edged("line", 0.03)),
        AreaLook::texture("stars", Texture::Stars, "line").faint(0.55),
    ],
    inks: &[(Ink::Line, "four")],
    is_round: true,
    ..Look::PLAIN
};

/// The colours in which the games differ, and those that they share.
const fn palette(glaze: Colour, line: Colour, four: Colour) -> [Colour; 11] {
    [
        glaze,
        line,
        four,
        Colour::new("side", "#c9c6bc", "#151d22"),
        Colour::new("well", "#e6e4dc", "#141b1f"),
        Colour::new("well-rim", "#cfccc1", "#0d1215"),
        Colour::same("cast", "#0003"),
        Colour::same("iron", "#1f2322"),
        Colour::same("shine", "#fff9"),
        Colour::same("fuse", "#f1e2c4"),
        Colour::same("spark", "#ffd35c"),
    ]
}

const CAST: Part = Part::fill("M-.84 .07a.84 .84 0 1 0 1.68 0a.84 .84 0 1 0-1.68 0Z", "cast");

const DISC: Part = Part::fill("M-.84 0a.84 .84 0 1 0 1.68 0a.84 .84 0 1 0-1.68 0Z", "owner");

const RIM: Part = Part::line("M-.72 0a.72 .72 0 1 0 1.44 0a.72 .72 0 1 0-1.44 0Z", "owner-deep", 0.07);

/// Player 1 has rings and player 2 diamonds; bombs are of iron, with a burning fuse.
const SHAPES: &[Shape] = &[
    Shape::new(
        "stone-1",
        &[CAST, DISC, RIM, Part::line("M-.4 0a.4 .4 0 1 0 .8 0a.4 .4 0 1 0-.8 0Z", "owner-light", 0.12)],
    ),
    Shape::new("stone-2", &[CAST, DISC, RIM, Part::line("M0-.46 .46 0 0 .46-.46 0Z", "owner-light", 0.12)]),
    Shape::new("bomb-1", BOMB),
    Shape::new("bomb-2", BOMB),
];

const BOMB: &[Part] = &[
    CAST,
    DISC,
    RIM,
    Part::line("M.2-.3C.26-.52.42-.62.6-.5", "fuse", 0.09),
    Part::fill("M.061-.525 .361-.365 .239-.135 -.061-.295Z", "iron"),
    Part::fill("M-.52 .12a.46 .46 0 1 0 .92 0a.46 .46 0 1 0-.92 0Z", "iron"),
    Part::line("M-.36.02A.34.34 0 0 1-.14-.2", "shine", 0.08),
    Part::fill("M.62-.72 .67-.57 .82-.52 .67-.47 .62-.32 .57-.47 .42-.52 .57-.57Z", "spark"),
];

/// The texts of all labels.
pub(super) const LABELS: &[Wording] = &[
    Wording::new("cell", "Column {1}, row {2}", "Columna {1}, fila {2}"),
    Wording::new("stone", "piece of player {1}", "ficha del jugador {1}"),
    Wording::new("bomb", "bomb of player {1}", "bomba del jugador {1}"),
    Wording::new("boom", "Boom!", "¡Boom!"),
    Wording::new("turn", "Turn", "Turno"),
    Wording::new("next piece is a bomb", "Next piece", "Próxima ficha"),
    Wording::new("next piece is a bomb.0", "plain", "normal"),
    Wording::new("next piece is a bomb.1", "a bomb", "una bomba"),
    Wording::new("moves left in this turn", "Moves left in this turn", "Jugadas que quedan en este turno"),
    Wording::new("four win", "Four in a line.", "Cuatro en línea."),
    Wording::new("four lose", "Four in a line lose.", "Cuatro en línea pierden."),
    Wording::new(
        "board full",
        "The board is full, and nobody has four in a line.",
        "El tablero está lleno y nadie tiene cuatro en línea.",
    ),
    Wording::new(
        "no move left",
        "The board is full: player {1} has no move left.",
        "El tablero está lleno: el jugador {1} no puede mover.",
    ),
];
