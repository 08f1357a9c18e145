//! Colours, shapes and texts.

use crate::draw::Wording;

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
    Wording::new("colour.Y", "yellow", "amarillo"),
    Wording::new("colour.B", "blue", "azul"),
    Wording::new("colour.R", "red", "rojo"),
    Wording::new("colour.G", "green", "verde"),
];
