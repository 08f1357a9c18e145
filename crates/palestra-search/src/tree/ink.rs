//! The SVG of a picture: shapes, edges and texts, in the colours of a light page.

use std::fmt::{self, Write as _};

use super::svg::{BESIDE, CUT_HEIGHT, LEAF_HEIGHT, MARGIN, Shape, TRIANGLE_HEIGHT, Thing, Words};

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

/// Writes the picture of these things, each where it was placed.
pub(super) fn write_picture(things: &[Thing], words: &Words, width: f64, height: f64, svg: &mut String) -> fmt::Result {
    let title = escaped(&words.title);
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img""#
    )?;
    writeln!(svg, r#" font-family="{FONT}" font-size="16" fill="{INK}">"#)?;
    writeln!(svg, r##"<title>{title}</title><rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
    writeln!(svg, r#"<text x="{MARGIN}" y="36" font-size="20" font-weight="600">{title}</text>"#)?;
    write_legend(words, svg)?;
    // The principal variation lies above the other edges.
    for is_best in [false, true] {
        for thing in things.iter().filter(|thing| thing.is_best == is_best) {
            if let Some(above) = thing.above {
                write_edge(&things[above], thing, svg)?;
            }
        }
    }
    things.iter().try_for_each(|thing| write_shape(thing, svg))?;
    writeln!(svg, "</svg>")
}

/// The line from a node to what is below it, with the move on it; a slash where it was cut off.
fn write_edge(above: &Thing, thing: &Thing, svg: &mut String) -> fmt::Result {
    let (from, to) = ((above.x, above.y + TRIANGLE_HEIGHT), (thing.x, thing.y));
    let middle = f64::midpoint(from.1, to.1);
    let path =
        format!("M{} {}C{} {middle} {} {middle} {} {}", n(from.0), n(from.1), n(from.0), n(to.0), n(to.0), n(to.1));
    if thing.shape == Shape::Cut {
        writeln!(svg, r#"<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.6" stroke-dasharray="4 4"/>"#)?;
        let (x, y) = (to.0, to.1 - 10.0);
        let slash = format!("M{} {}L{} {}", n(x - 9.0), n(y + 5.0), n(x + 9.0), n(y - 5.0));
        return writeln!(svg, r#"<path d="{slash}" stroke="{BAD}" stroke-width="3.2" stroke-linecap="round"/>"#);
    }
    let (colour, stroke) = if thing.is_best { (ACCENT, 4.0) } else { (LINE, 1.6) };
    writeln!(svg, r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>"#)?;
    // The curve is at its middle there. Nearer to its end the texts of neighbours are further apart.
    let (x, y, width) =
        (from.0 + (to.0 - from.0) * 0.844, from.1 + (to.1 - from.1) * 0.65, text_width(&thing.mv) + 8.0);
    writeln!(
        svg,
        r##"<rect x="{}" y="{}" width="{}" height="20" fill="#ffffff"/>"##,
        n(x - width / 2.0),
        n(y - 10.0),
        n(width)
    )?;
    write_text(x, y + 5.5, &thing.mv, r#" text-anchor="middle" font-weight="600""#, svg)
}

fn write_shape(thing: &Thing, svg: &mut String) -> fmt::Result {
    let &Thing { shape, x, y, .. } = thing;
    let half = thing.half();
    let (fill, edge) = match shape {
        Shape::Max => MAX,
        Shape::Min => MIN,
        Shape::Leaf if thing.is_best => (ACCENT_TINT, ACCENT),
        Shape::Leaf => LEAF,
        Shape::Cut => ("#ffffff", LINE),
    };
    let (left, right, bottom) = (n(x - half), n(x + half), y + TRIANGLE_HEIGHT);
    let baseline = match shape {
        Shape::Max | Shape::Min => {
            let (tip, base) = if shape == Shape::Max { (y, bottom) } else { (bottom, y) };
            let path = format!("M{left} {}H{right}L{} {}Z", n(base), n(x), n(tip));
            writeln!(
                svg,
                r#"<path d="{path}" fill="{fill}" stroke="{edge}" stroke-width="2.4" stroke-linejoin="round"/>"#
            )?;
            if shape == Shape::Max { bottom - 8.0 } else { y + 22.0 }
        }
        Shape::Leaf | Shape::Cut => {
            let (height, radius) =
                if shape == Shape::Leaf { (LEAF_HEIGHT, 3.0) } else { (CUT_HEIGHT, CUT_HEIGHT / 2.0) };
            let dashes = if shape == Shape::Cut { r#" stroke-dasharray="3 3""# } else { "" };
            let stroke = if thing.is_best { 3.2 } else { 1.6 };
            let (top, width) = (n(y), n(2.0 * half));
            writeln!(
                svg,
                r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="{radius}" fill="{fill}" stroke="{edge}" stroke-width="{stroke}"{dashes}/>"#
            )?;
            y + height / 2.0 + 5.5
        }
    };
    let size = if thing.text.chars().count() < 3 && matches!(shape, Shape::Max | Shape::Min) { 20 } else { 16 };
    let style = match shape {
        Shape::Cut => format!(r#" text-anchor="middle" fill="{INK_2}""#),
        _ => format!(r#" text-anchor="middle" font-size="{size}" font-weight="700""#),
    };
    write_text(x, baseline, &thing.text, &style, svg)?;
    let label = format!(r#" fill="{INK_2}""#);
    write_text(x + BESIDE, y + if shape == Shape::Min { 44.0 } else { 22.0 }, &thing.beside, &label, svg)?;
    if thing.folded > 0 {
        let style = format!(r#" text-anchor="middle" fill="{INK_2}""#);
        write_text(x, bottom + 22.0, &format!("+{}", thing.folded), &style, svg)?;
    }
    Ok(())
}

/// The legend below the title: a sign and its word, four times.
fn write_legend(words: &Words, svg: &mut String) -> fmt::Result {
    let mut x = MARGIN;
    let y = 62.0;
    for (index, word) in [&words.max, &words.min, &words.best_line, &words.cut].into_iter().enumerate() {
        let up = format!(
            r#"<path d="M{} {}h20l-10 -15z" fill="{}" stroke="{}" stroke-width="1.8"/>"#,
            n(x),
            n(y + 6.0),
            MAX.0,
            MAX.1
        );
        let down = format!(
            r#"<path d="M{} {}h20l-10 15z" fill="{}" stroke="{}" stroke-width="1.8"/>"#,
            n(x),
            n(y - 8.0),
            MIN.0,
            MIN.1
        );
        let thick = format!(r#"<path d="M{} {}h20" stroke="{ACCENT}" stroke-width="4"/>"#, n(x), n(y));
        let slash = format!(
            r#"<path d="M{} {}h20" stroke="{LINE}" stroke-width="1.6" stroke-dasharray="4 4"/><path d="M{} {}l12 -8" stroke="{BAD}" stroke-width="3.2" stroke-linecap="round"/>"#,
            n(x),
            n(y),
            n(x + 4.0),
            n(y + 4.0)
        );
        writeln!(svg, "{}", [up, down, thick, slash][index])?;
        write_text(x + SIGN, y + 5.5, word, &format!(r#" fill="{INK_2}""#), svg)?;
        x += SIGN + text_width(word) + 22.0;
    }
    Ok(())
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
