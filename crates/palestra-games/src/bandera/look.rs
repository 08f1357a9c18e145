//! Colours, shapes and texts.

use crate::draw::Wording;

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
    Wording::new("player", "player {1}", "jugador {1}"),
    Wording::new("flags of", "Flags of team {1}", "Banderas del equipo {1}"),
    Wording::new("energy of", "Energy of {1}", "Energía de {1}"),
    Wording::new("axe of", "Axe of {1}", "Hacha de {1}"),
    Wording::new("boat of", "Boat of {1}", "Barca de {1}"),
    Wording::new("shovel of", "Shovel of {1}", "Pala de {1}"),
];
