//! The looks of all games: one style sheet for the colours of cells, areas and pieces, and a JSON of shapes for each.
//!
//! The style sheet is scoped by `[game=ID]`. The colours of a game are custom properties of everything that
//! has its `game` attribute, so that patterns beside the board, `#texture-NAME-ID` and `#depth-NAME-ID`, have them too.

use std::fmt::{self, Write};
use std::sync::LazyLock;

use palestra_games::GameKind;
use palestra_games::draw::{AreaLook, CellLook, Colour, Depth, Ink, Look, Paint, Texture};

/// The style sheet of all looks.
pub(crate) static SHEET: LazyLock<String> = LazyLock::new(|| {
    let sheets: Result<Vec<String>, fmt::Error> = GameKind::all().map(sheet).collect();
    sheets.expect("a text can be written to").concat()
});

/// The shapes of each game as JSON: the name of the file and its text.
pub(crate) static SHAPES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let json = |look: &Look| serde_json::to_string(look).expect("every name in a look is a text");
    GameKind::all().map(|kind| (file_name(kind.id()), json(&kind.look))).collect()
});

/// The name of the file with a game's shapes.
pub(crate) fn file_name(game: &str) -> String {
    format!("look-{game}.json")
}

/// The units of a drawing in the side of a cell.
const UNIT: f32 = 100.0;

fn sheet(kind: &GameKind) -> Result<String, fmt::Error> {
    let Look { palette, cells, areas, inks, .. } = kind.look;
    let mut sheet = Sheet { game: kind.id(), css: String::new() };
    sheet.palette(palette)?;
    sheet.shapes(&kind.look)?;
    cells.iter().try_for_each(|cell| sheet.cell(cell))?;
    areas.iter().try_for_each(|area| sheet.area(area))?;
    sheet.inks(inks)?;
    Ok(sheet.css)
}

/// The part of one game.
struct Sheet {
    game: &'static str,
    css: String,
}

impl Sheet {
    /// The colours: the light ones, and the dark ones where the browser or the visitor wants them.
    fn palette(&mut self, palette: &[Colour]) -> fmt::Result {
        let list = |value: fn(&Colour) -> &str, of: &mut dyn Iterator<Item = &Colour>| -> String {
            of.map(|colour| format!("--look-{}:{};", colour.name, value(colour))).collect()
        };
        let light = list(|colour| colour.light, &mut palette.iter());
        let dark = list(|colour| colour.dark, &mut palette.iter().filter(|colour| colour.dark != colour.light));
        let scope = format!("[game={}]", self.game);
        if palette.is_empty() {
            return Ok(());
        }
        writeln!(self.css, "{scope}{{{light}}}")?;
        writeln!(
            self.css,
            "@media (prefers-color-scheme:dark){{:root:not([data-theme=light]) {scope}{{{dark}}}}}\n\
             :root[data-theme=dark] {scope}{{{dark}}}"
        )
    }

    /// The colours of the parts of shapes.
    fn shapes(&mut self, look: &Look) -> fmt::Result {
        let parts = || look.shapes.iter().flat_map(|shape| shape.parts);
        for colour in look.palette.iter().map(|colour| colour.name) {
            if parts().any(|part| part.colours().any(|name| name == colour)) {
                self.rule(&format!(".fill-{colour}"), &format!("fill:var(--look-{colour})"))?;
                self.rule(&format!(".stroke-{colour}"), &format!("stroke:var(--look-{colour})"))?;
            }
        }
        Ok(())
    }

    fn cell(&mut self, cell: &CellLook) -> fmt::Result {
        let part = |part: &str| format!(".cell.{} .{part}", cell.kind);
        if let Some(outline) = &cell.outline {
            self.paint(&part("outline"), outline)?;
        }
        if let Some((texture, ink)) = cell.texture {
            let fill = self.texture(texture, ink);
            self.rule(&part("texture"), &format!("fill:{fill}"))?;
        }
        if let Some(hole) = &cell.hole {
            self.rule(&part("hole"), "display:inline")?;
            self.paint(&part("hole"), hole)?;
        }
        Ok(())
    }

    fn area(&mut self, area: &AreaLook) -> fmt::Result {
        let selector = format!(".area.{}", area.kind);
        self.paint(&selector, &area.paint)?;
        if let Some((texture, ink)) = area.texture {
            let fill = self.texture(texture, ink);
            self.rule(&selector, &format!("fill:{fill}"))?;
        }
        if area.lowered != 0.0 {
            self.rule(&selector, &format!("transform:translateY({}px)", units(area.lowered)))?;
        }
        if area.opacity < 1.0 {
            self.rule(&selector, &format!("opacity:{}", area.opacity))?;
        }
        Ok(())
    }

    /// The colours of what the board itself draws, most of them custom properties that `board.css` reads.
    fn inks(&mut self, inks: &[(Ink, &str)]) -> fmt::Result {
        inks.iter().map(|&(ink, name)| (ink, colour(name))).try_for_each(|(ink, colour)| {
            let property = match ink {
                Ink::Next => "mark-next",
                Ink::Last => "mark-last",
                Ink::Chosen => "mark-chosen",
                Ink::Number => "number",
                Ink::Deep => "number-deep",
                Ink::Line => return self.rule(":is(.mark.win,.lines .line)", &format!("stroke:{colour}")),
            };
            writeln!(self.css, "[game={}]{{--{property}:{colour}}}", self.game)
        })
    }

    fn paint(&mut self, selector: &str, paint: &Paint) -> fmt::Result {
        let fill = match (paint.depth, paint.fill) {
            (Some((depth, colours)), _) => self.depth(depth, colours),
            (None, fill) => fill.map_or("none".to_owned(), colour),
        };
        let mut declarations = format!("fill:{fill};stroke:{}", paint.stroke.map_or("none".to_owned(), colour));
        if paint.stroke.is_some() {
            write!(declarations, ";stroke-width:{}", units(paint.width))?;
        }
        if let Some((dash, gap)) = paint.dashes {
            let end = if dash < paint.width { "round" } else { "butt" };
            write!(declarations, ";stroke-dasharray:{} {};stroke-linecap:{end}", units(dash), units(gap))?;
        }
        self.rule(selector, &declarations)
    }

    /// A texture in a colour: the pattern of this game, and its colour.
    fn texture(&mut self, texture: Texture, ink: &str) -> String {
        let (game, name) = (self.game, texture.name());
        let rule = format!("[game={game}] .texture-{name}{{color:{}}}\n", colour(ink));
        if !self.css.contains(&rule) {
            self.css += &rule;
        }
        format!("url(#texture-{name}-{game}) none")
    }

    /// A hollow: the gradient of this game, and its colours.
    fn depth(&mut self, depth: Depth, colours: &[&str]) -> String {
        let (game, name) = (self.game, depth.name());
        for (number, ink) in (1..).zip(colours) {
            let rule = format!("[game={game}] .{name}-{number}{{stop-color:{}}}\n", colour(ink));
            if !self.css.contains(&rule) {
                self.css += &rule;
            }
        }
        let plain = colours.first().map_or("none".to_owned(), |ink| colour(ink));
        format!("url(#depth-{name}-{game}) {plain}")
    }

    fn rule(&mut self, selector: &str, declarations: &str) -> fmt::Result {
        writeln!(self.css, "[game={}] {selector}{{{declarations}}}", self.game)
    }
}

/// A colour of the game, or one that all pages have.
fn colour(name: &str) -> String {
    match name {
        "ink" => "var(--ink)".to_owned(),
        "paper" => "var(--surface)".to_owned(),
        _ => format!("var(--look-{name})"),
    }
}

/// A length in the units of a drawing, to a hundredth.
fn units(cells: f32) -> f32 {
    (cells * UNIT * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_sheet_is_as_it_was() {
        insta::assert_snapshot!(*SHEET);
    }

    #[test]
    fn shapes_are_parts_in_colours_of_the_style_sheet() {
        for (file, text) in &*SHAPES {
            let look: serde_json::Value = serde_json::from_str(text).unwrap();
            assert!(look["round"].is_boolean(), "{file}");
            for part in look["shapes"].as_object().unwrap().values().flat_map(|parts| parts.as_array().unwrap()) {
                let names: Vec<&str> = part.as_object().unwrap().keys().map(String::as_str).collect();
                let is_known = matches!(names.join(" ").as_str(), "fill path stroke width" | "fill size symbol");
                assert!(is_known, "{file}: {part}");
            }
        }
    }
}
