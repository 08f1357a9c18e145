//! What all pages have in common. A page stands alone: no script, nothing loaded from elsewhere, light or dark as the
//! reader likes it.

use super::{NAME_WIDTH, TEXT_WIDTH, visible};

/// How pages look. Dark colours are for screens alone: paper is white.
const STYLE_SHEET: &str = include_str!("style.css");

/// The head of a page.
pub(super) struct Heading<'a> {
    /// The game that was played.
    pub(super) game: &'a str,
    pub(super) title: &'a str,
    /// What came of it, in a few sentences; may be empty.
    pub(super) lead: &'a str,
    /// How it was played, as pairs of what and how.
    pub(super) facts: &'a [(String, String)],
}

/// A page with this head; `main` is markup.
pub(super) fn page(heading: &Heading<'_>, main: &str) -> String {
    let title = shown(heading.title, TEXT_WIDTH);
    let game = shown(heading.game, NAME_WIDTH);
    let header = header(heading);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title} · {game}</title>\n<style>\n{STYLE_SHEET}</style>\n</head>\n\
         <body>\n{header}<main>\n{main}</main>\n</body>\n</html>\n"
    )
}

/// The text with everything that HTML gives a meaning written as an entity.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            _ => safe.push(c),
        }
    }
    safe
}

/// A stranger's text as it may stand in a page.
pub(super) fn shown(text: &str, limit: usize) -> String {
    escaped(&visible(text, limit))
}

/// A name. Whatever its script, it does not turn its neighbours around.
pub(super) fn named(name: &str) -> String {
    format!("<bdi>{}</bdi>", shown(name, NAME_WIDTH))
}

fn header(heading: &Heading<'_>) -> String {
    let fact = |(what, how): &(String, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", shown(what, NAME_WIDTH), shown(how, TEXT_WIDTH))
    };
    let facts: String = heading.facts.iter().map(fact).collect();
    let facts = if facts.is_empty() { facts } else { format!("<dl>\n{facts}</dl>\n") };
    let (title, game) = (shown(heading.title, TEXT_WIDTH), shown(heading.game, NAME_WIDTH));
    let lead = match heading.lead {
        "" => String::new(),
        lead => format!("<p class=\"lead\">{}</p>\n", shown(lead, LEAD_WIDTH)),
    };
    format!("<header>\n<p class=\"game\">{game}</p>\n<h1>{title}</h1>\n{lead}{facts}</header>\n")
}

/// How long the sentences below the heading may be.
const LEAD_WIDTH: usize = 1_000;

/// A section whose table may be wider than the page and then scrolls by itself, by keyboard too. The note stands
/// outside of what scrolls; the caption is for those who hear the page.
pub(super) fn section(id: &str, heading: &str, note: &str, table: &str) -> String {
    let scrolling = scrolling(id, heading, table);
    format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>\n<p class=\"note\">{note}</p>\n\
         {scrolling}</section>\n"
    )
}

pub(super) fn scrolling(id: &str, caption: &str, table: &str) -> String {
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}, table\" tabindex=\"0\">\n\
         <table class=\"{id}-table\">\n<caption>{caption}</caption>\n{table}</table>\n</div>\n"
    )
}

/// A plot with its heading and caption.
pub(super) fn figure(heading: &str, plot: &str, caption: &str) -> String {
    format!("<figure>\n<h2>{heading}</h2>\n{plot}<figcaption>{caption}</figcaption>\n</figure>\n")
}

/// Figures beside each other where there is room.
pub(super) fn side_by_side(figures: &str) -> String {
    if figures.is_empty() { String::new() } else { format!("<div class=\"plots\">\n{figures}</div>\n") }
}

/// A table's head and body. Heads are plain text, rows are markup.
pub(super) fn table(heads: &[&str], rows: &str) -> String {
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    format!("<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n")
}
