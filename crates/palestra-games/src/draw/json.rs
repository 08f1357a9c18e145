//! What the JSON for browsers does not have from the names of the fields: points are arrays, sides are 0 and 1.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::{Label, Look, Part, Point, Rect, Shape};
use crate::Side;

/// Thousandths of a cell are finer than any screen.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1000.0).round() / 1000.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn thousandths<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn side<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(Side::index).serialize(serializer)
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.x, self.y].map(rounded).serialize(serializer)
    }
}

impl Serialize for Rect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.x, self.y, self.width, self.height].map(rounded).serialize(serializer)
    }
}

/// The key and its arguments.
impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut words = serializer.serialize_seq(Some(1 + self.args.len()))?;
        words.serialize_element(self.key)?;
        self.args.iter().try_for_each(|arg| words.serialize_element(arg))?;
        words.end()
    }
}

/// Shapes alone: colours are for style sheets.
impl Serialize for Look {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut look = serializer.serialize_map(Some(2))?;
        look.serialize_entry("shapes", &Shapes(self.shapes))?;
        look.serialize_entry("round", &self.is_round)?;
        look.end()
    }
}

struct Shapes(&'static [Shape]);

impl Serialize for Shapes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|shape| (shape.kind, shape.parts)))
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut part = serializer.serialize_map(None)?;
        match self {
            Self::Path { path, fill, stroke, width } => {
                part.serialize_entry("path", path)?;
                part.serialize_entry("fill", fill)?;
                part.serialize_entry("stroke", stroke)?;
                part.serialize_entry("width", &rounded(*width))?;
            }
            Self::Symbol { symbol, size, fill } => {
                part.serialize_entry("symbol", symbol)?;
                part.serialize_entry("size", &rounded(*size))?;
                part.serialize_entry("fill", fill)?;
            }
        }
        part.end()
    }
}
