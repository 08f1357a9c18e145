//! Colours, shapes and texts.

use crate::draw::{CellLook, Colour, Ink, Look, Paint, Part, Shape, Texture, Wording};

/// A mosaic of hexes with light grout. Player 1 has discs and player 2 diamonds.
pub(super) const LOOK: Look = Look {
    palette: PALETTE,
    shapes: SHAPES,
    cells: &[
        CellLook::new("grass", Paint::fill("grass").edged("grout", 0.04)).texture(Texture::Tufts, "grass-line"),
        CellLook::new("water", Paint::fill("water").edged("grout", 0.04)).texture(Texture::Waves, "water-line"),
        CellLook::new("mud", Paint::fill("mud").edged("grout", 0.04)).texture(Texture::Dots, "mud-line"),
        CellLook::new("wall", Paint::fill("wall").edged("grout", 0.04)).texture(Texture::Masonry, "wall-line"),
    ],
    inks: &[(Ink::Last, "mark"), (Ink::Number, "ink")],
    ..Look::PLAIN
};

const PALETTE: &[Colour] = &[
    Colour::new("grass", "#cfddb3", "#3d4d33"),
    Colour::new("grass-line", "#a9bf84", "#5d7349"),
    Colour::new("water", "#a5d2e8", "#234a61"),
    Colour::new("water-line", "#5f9dc0", "#4a86a8"),
    Colour::new("mud", "#d8bd97", "#57452f"),
    Colour::new("mud-line", "#a98455", "#836a47"),
    Colour::new("wall", "#b1aca3", "#56585a"),
    Colour::new("wall-line", "#79746b", "#35383a"),
    Colour::new("grout", "#ffffff", "#191f1c"),
    Colour::new("mark", "#7a5200", "#ecc467"),
    Colour::new("rim", "#ffffff", "#0d1210"),
    Colour::same("figure", "#ffffff"),
    Colour::same("shade", "#0002"),
    Colour::new("pole", "#3a2a16", "#c79a63"),
    Colour::new("gold", "#e2a52a", "#ecb94a"),
    Colour::same("gold-edge", "#6b4700"),
    Colour::new("hull", "#8b5a30", "#b57d48"),
    Colour::same("hull-edge", "#4f3115"),
    Colour::same("sail", "#fffdf8"),
    Colour::same("sail-edge", "#6b6253"),
    Colour::new("haft", "#7d5227", "#c79a63"),
    Colour::new("steel", "#5c6b73", "#a9b8c0"),
    Colour::same("steel-edge", "#2d383e"),
    Colour::same("straw", "#a3203c"),
    Colour::same("glass", "#ffffffdd"),
    Colour::same("glass-edge", "#6b5a3c"),
    Colour::same("orange", "#ec8a1c"),
    Colour::same("trunk", "#4c3620"),
    Colour::new("leaves", "#3f7a4e", "#4f8a5d"),
    Colour::new("cypress", "#2c5f3d", "#6fae7c"),
    Colour::same("earth", "#a98455"),
    Colour::same("dark", "#4a3722"),
];

const SHAPES: &[Shape] = &[
    Shape::new(
        "player-1",
        &[
            Part::edged("M-.62 0a.62 .62 0 1 0 1.24 0a.62 .62 0 1 0-1.24 0Z", "owner", "rim", 0.09),
            Part::symbol(0.66, "figure"),
        ],
    ),
    Shape::new(
        "player-2",
        &[
            Part::edged(
                "M-.1-.78Q0-.86.1-.78L.78-.1Q.86 0 .78.1L.1.78Q0 .86-.1.78L-.78.1Q-.86 0-.78-.1Z",
                "owner",
                "rim",
                0.09,
            ),
            Part::symbol(0.66, "figure"),
        ],
    ),
    Shape::new(
        "flag",
        &[
            Part::fill("M-.6 .66a.3 .1 0 1 0 .6 0a.3 .1 0 1 0-.6 0Z", "shade"),
            Part::line("M-.3.66V-.72", "pole", 0.1),
            Part::edged("M-.3-.7C-.05-.86.2-.52.6-.68L.5-.06C.2.08-.02-.24-.3-.08Z", "gold", "gold-edge", 0.06),
        ],
    ),
    Shape::new(
        "boat",
        &[
            Part::edged("M-.66.18H.66C.58.46.4.58.18.58H-.2C-.42.58-.58.46-.66.18Z", "hull", "hull-edge", 0.05),
            Part::line("M.02.1V-.74", "pole", 0.1),
            Part::edged("M.12.04V-.66C.38-.46.52-.2.56.04Z", "sail", "sail-edge", 0.05),
            Part::edged("M-.08.04V-.5C-.26-.34-.36-.16-.4.04Z", "sail", "sail-edge", 0.05),
        ],
    ),
    Shape::new(
        "axe",
        &[
            Part::line("M-.46.66 .3-.5", "haft", 0.15),
            Part::edged(
                "M.02-.5C.2-.72.44-.74.6-.62 .5-.42.54-.2.66-.02 .42-.02.2-.12.1-.2Z",
                "steel",
                "steel-edge",
                0.05,
            ),
        ],
    ),
    Shape::new(
        "shovel",
        &[
            Part::line("M-.54-.62 .14.1M-.66-.5-.42-.74", "haft", 0.15),
            Part::edged("M-.02.2 .24-.06C.5.06.64.34.6.64 .3.68.06.5-.02.2Z", "steel", "steel-edge", 0.05),
        ],
    ),
    Shape::new(
        "juice",
        &[
            Part::line("M.06-.34 .3-.84", "straw", 0.1),
            Part::edged("M-.38-.42H.38L.28.62Q.26.7.18.7H-.18Q-.26.7-.28.62Z", "glass", "glass-edge", 0.06),
            Part::fill("M-.33-.1H.33L.26.6Q.25.66.18.66H-.18Q-.25.66-.26.6Z", "orange"),
        ],
    ),
    Shape::new(
        "forest",
        &[
            Part::fill("M-.62 .62a.62 .16 0 1 0 1.24 0a.62 .16 0 1 0-1.24 0Z", "shade"),
            Part::line("M-.42.6V.36M.44.6V.4M.02.7V.4", "trunk", 0.1),
            Part::fill(
                "M-.42-.52C-.2-.2-.16.3-.42.42-.68.3-.64-.2-.42-.52ZM.44-.4C.64-.12.68.32.44.44.2.32.24-.12.44-.4Z",
                "leaves",
            ),
            Part::fill("M.02-.84C.3-.42.36.34.02.52-.32.34-.26-.42.02-.84Z", "cypress"),
        ],
    ),
    Shape::new(
        "pit",
        &[
            Part::fill("M-.46 .06a.46 .3 0 1 0 .92 0a.46 .3 0 1 0-.92 0Z", "earth"),
            Part::fill("M-.36 .1a.36 .2 0 1 0 .72 0a.36 .2 0 1 0-.72 0Z", "dark"),
        ],
    ),
    Shape::new(
        "trench",
        &[
            Part::fill("M-.74 .04a.74 .46 0 1 0 1.48 0a.74 .46 0 1 0-1.48 0Z", "earth"),
            Part::fill("M-.6 .1a.6 .33 0 1 0 1.2 0a.6 .33 0 1 0-1.2 0Z", "dark"),
        ],
    ),
];

/// The texts of all labels.
pub(super) const LABELS: &[Wording] = &[
    Wording::new("grass", "Cell {1}, grass", "Celda {1}, hierba"),
    Wording::new("water", "Cell {1}, water", "Celda {1}, agua"),
    Wording::new("mud", "Cell {1}, mud", "Celda {1}, barro"),
    Wording::new("wall", "Cell {1}, wall", "Celda {1}, muro"),
    Wording::new("pit", "pit", "hoyo"),
    Wording::new("trench", "trench", "zanja"),
    Wording::new("flag", "flag", "bandera"),
    Wording::new("boat", "boat", "barca"),
    Wording::new("axe", "axe", "hacha"),
    Wording::new("juice", "juice", "zumo"),
    Wording::new("shovel", "shovel", "pala"),
    Wording::new("forest", "forest", "bosque"),
    Wording::new("dig", "Dig", "Cavar"),
    Wording::new("no flags left", "All flags are taken.", "No quedan banderas."),
    Wording::new("nobody can act", "No player has the energy to go on.", "Ningún jugador tiene energía para seguir."),
    Wording::new("player", "player {1}", "jugador {1}"),
    Wording::new("flags of", "Flags of team {1}", "Banderas del equipo {1}"),
    Wording::new("energy", "energy", "energía"),
    Wording::new("energy of", "Energy of {1}", "Energía de {1}"),
    Wording::new("axe of", "Axe of {1}", "Hacha de {1}"),
    Wording::new("boat of", "Boat of {1}", "Barca de {1}"),
    Wording::new("shovel of", "Shovel of {1}", "Pala de {1}"),
];
