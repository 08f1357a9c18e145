//! The SVG of a picture: shapes, edges and texts, in the colours of a light page.

use std::fmt::{self, Write as _};

use super::svg::{BESIDE, CUT_HEIGHT, Glyph, LEAF_HEIGHT, MARGIN, Shape, TRIANGLE_HEIGHT, Words};

const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const INK: &str = "#1c2421";
const INK_2: &str = "#4f5853";
const LINE: &str = "#8a8578";
const ACCENT: &str = "#17594a";
const ACCENT_TINT: &str = "#e0ede7";
const BAD: &str = "#a3203c";

/// Fill and edge of MAX's nodes, MIN's, and leaves.
const MAX: (&str, &str) = ("#fae8df", "#b2431c");
const MIN: (&str, &str) = ("#e0edf6", "#1c5f8f");
const LEAF: (&str, &str) = ("#eeece6", LINE);

/// From a sign of the legend to its word.
const SIGN: f64 = 28.0;
/// About how wide a character of a text is.
const CHARACTER: f64 = 8.8;

/// Writes the picture: the glyphs, each where it was placed, and the edges between them.
pub(super) fn write_picture(glyphs: &[Glyph], words: &Words, width: f64, height: f64, svg: &mut String) -> fmt::Result {
    let title = escaped(&words.title);
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img""#
    )?;
    writeln!(svg, r#" font-family="{FONT}" font-size="16" fill="{INK}">"#)?;
    writeln!(svg, r##"<title>{title}</title><rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
    writeln!(svg, r#"<text x="{MARGIN}" y="36" font-size="20" font-weight="600">{title}</text>"#)?;
    write_legend(words, svg)?;
    // The principal variation lies above the other edges, and moves lie above all edges.
    for is_best in [false, true] {
        for glyph in glyphs.iter().filter(|glyph| glyph.is_best == is_best) {
            if let Some(above) = glyph.above {
                write_edge(&glyphs[above], glyph, svg)?;
            }
        }
    }
    for glyph in glyphs {
        if let Some(above) = glyph.above {
            write_move(&glyphs[above], glyph, svg)?;
        }
    }
    glyphs.iter().try_for_each(|glyph| write_glyph(glyph, svg))?;
    writeln!(svg, "</svg>")
}

/// The line from a node to what is below it; a slash where it was cut off.
fn write_edge(above: &Glyph, glyph: &Glyph, svg: &mut String) -> fmt::Result {
    let (from, to) = ends(above, glyph);
    let middle = f64::midpoint(from.1, to.1);
    let path =
        format!("M{} {}C{} {middle} {} {middle} {} {}", n(from.0), n(from.1), n(from.0), n(to.0), n(to.0), n(to.1));
    if glyph.shape == Shape::Cut {
        writeln!(svg, r#"<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.6" stroke-dasharray="4 4"/>"#)?;
        let (x, y) = (to.0, to.1 - 10.0);
        let slash = format!("M{} {}L{} {}", n(x - 9.0), n(y + 5.0), n(x + 9.0), n(y - 5.0));
        return writeln!(svg, r#"<path d="{slash}" stroke="{BAD}" stroke-width="3.2" stroke-linecap="round"/>"#);
    }
    let (colour, stroke) = if glyph.is_best { (ACCENT, 4.0) } else { (LINE, 1.6) };
    writeln!(svg, r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>"#)
}

/// Where the edge to a glyph begins and ends.
const fn ends(above: &Glyph, glyph: &Glyph) -> ((f64, f64), (f64, f64)) {
    ((above.x, above.y + TRIANGLE_HEIGHT), (glyph.x, glyph.y))
}

/// The move that leads to a node, on its edge.
fn write_move(above: &Glyph, glyph: &Glyph, svg: &mut String) -> fmt::Result {
    if glyph.mv.is_empty() {
        return Ok(());
    }
    let (from, to) = ends(above, glyph);
    // A point of the curve. Nearer to its end the texts of neighbours are further apart.
    let (x, y) = (from.0 + (to.0 - from.0) * 0.844, from.1 + (to.1 - from.1) * 0.65);
    let width = text_width(&glyph.mv) + 8.0;
    let (left, top, width) = (n(x - width / 2.0), n(y - 10.0), n(width));
    writeln!(svg, r##"<rect x="{left}" y="{top}" width="{width}" height="20" fill="#ffffff"/>"##)?;
    write_text(x, y + 5.5, &glyph.mv, r#" text-anchor="middle" font-weight="600""#, svg)
}

fn write_glyph(glyph: &Glyph, svg: &mut String) -> fmt::Result {
    match glyph.shape {
        Shape::Max => write_triangle(glyph, MAX, svg),
        Shape::Min => write_triangle(glyph, MIN, svg),
        Shape::Leaf if glyph.is_best => write_leaf(glyph, (ACCENT_TINT, ACCENT), svg),
        Shape::Leaf => write_leaf(glyph, LEAF, svg),
        Shape::Cut => write_cut(glyph, svg),
    }
}

/// A node with its value, its window, and how much below it is not drawn. MAX's triangle points up, MIN's down.
fn write_triangle(glyph: &Glyph, (fill, edge): (&str, &str), svg: &mut String) -> fmt::Result {
    let &Glyph { shape, x, y, .. } = glyph;
    let (half, bottom) = (glyph.half(), y + TRIANGLE_HEIGHT);
    let (tip, base, value_at, window_at) =
        if shape == Shape::Max { (y, bottom, bottom - 8.0, y + 22.0) } else { (bottom, y, y + 22.0, y + 44.0) };
    let path = format!("M{} {}H{}L{} {}Z", n(x - half), n(base), n(x + half), n(x), n(tip));
    writeln!(svg, r#"<path d="{path}" fill="{fill}" stroke="{edge}" stroke-width="2.4" stroke-linejoin="round"/>"#)?;
    let size = if glyph.text.chars().count() < 3 { 20 } else { 16 };
    write_text(
        x,
        value_at,
        &glyph.text,
        &format!(r#" text-anchor="middle" font-size="{size}" font-weight="700""#),
        svg,
    )?;
    write_text(x + BESIDE, window_at, &glyph.beside, &format!(r#" fill="{INK_2}""#), svg)?;
    if glyph.folded == 0 {
        return Ok(());
    }
    write_text(
        x,
        bottom + 22.0,
        &format!("+{}", glyph.folded),
        &format!(r#" text-anchor="middle" fill="{INK_2}""#),
        svg,
    )
}

/// A box with the value of a leaf.
fn write_leaf(glyph: &Glyph, (fill, edge): (&str, &str), svg: &mut String) -> fmt::Result {
    let &Glyph { x, y, .. } = glyph;
    let (half, stroke) = (glyph.half(), if glyph.is_best { 3.2 } else { 1.6 });
    let (left, top, width) = (n(x - half), n(y), n(2.0 * half));
    writeln!(
        svg,
        r#"<rect x="{left}" y="{top}" width="{width}" height="{LEAF_HEIGHT}" rx="3" fill="{fill}" stroke="{edge}" stroke-width="{stroke}"/>"#
    )?;
    let style = r#" text-anchor="middle" font-weight="700""#;
    write_text(x, y + LEAF_HEIGHT / 2.0 + 5.5, &glyph.text, style, svg)
}

/// A dashed bubble with a move that was cut off.
fn write_cut(glyph: &Glyph, svg: &mut String) -> fmt::Result {
    let &Glyph { x, y, .. } = glyph;
    let (half, radius) = (glyph.half(), CUT_HEIGHT / 2.0);
    let (left, top, width) = (n(x - half), n(y), n(2.0 * half));
    writeln!(
        svg,
        r##"<rect x="{left}" y="{top}" width="{width}" height="{CUT_HEIGHT}" rx="{radius}" fill="#ffffff" stroke="{LINE}" stroke-width="1.6" stroke-dasharray="3 3"/>"##
    )?;
    write_text(x, y + radius + 5.5, &glyph.text, &format!(r#" text-anchor="middle" fill="{INK_2}""#), svg)
}

/// The legend below the title: a sign and its word, four times.
fn write_legend(words: &Words, svg: &mut String) -> fmt::Result {
    let mut x = MARGIN;
    let y = 62.0;
    for (sign, word) in legend(words) {
        writeln!(svg, r#"<g transform="translate({} {y})">{sign}</g>"#, n(x))?;
        write_text(x + SIGN, y + 5.5, word, &format!(r#" fill="{INK_2}""#), svg)?;
        x += SIGN + text_width(word) + 22.0;
    }
    Ok(())
}

/// The signs of the legend, drawn from the origin to the right, with their words.
fn legend(words: &Words) -> [(String, &str); 4] {
    let up = format!(r#"<path d="M0 6h20l-10 -15z" fill="{}" stroke="{}" stroke-width="1.8"/>"#, MAX.0, MAX.1);
    let down = format!(r#"<path d="M0 -8h20l-10 15z" fill="{}" stroke="{}" stroke-width="1.8"/>"#, MIN.0, MIN.1);
    let thick = format!(r#"<path d="M0 0h20" stroke="{ACCENT}" stroke-width="4"/>"#);
    let slash = format!(
        r#"<path d="M0 0h20" stroke="{LINE}" stroke-width="1.6" stroke-dasharray="4 4"/><path d="M4 4l12 -8" stroke="{BAD}" stroke-width="3.2" stroke-linecap="round"/>"#
    );
    [(up, &words.max), (down, &words.min), (thick, &words.best_line), (slash, &words.cut)]
        .map(|(sign, word)| (sign, word.as_str()))
}

pub(super) fn legend_width(words: &Words) -> f64 {
    [&words.max, &words.min, &words.best_line, &words.cut].map(|word| SIGN + text_width(word) + 22.0).iter().sum()
}

fn write_text(x: f64, y: f64, text: &str, style: &str, svg: &mut String) -> fmt::Result {
    if text.is_empty() {
        return Ok(());
    }
    writeln!(svg, r#"<text x="{}" y="{}"{style}>{}</text>"#, n(x), n(y), escaped(text))
}

/// About how wide a text is.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// A length, no finer than can be seen.
fn n(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

/// A text as XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
