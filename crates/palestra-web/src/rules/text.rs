//! The texts of the rules pages: a small markup, so that an author writes prose and no HTML.
//!
//! ```text
//! # play How it is played        a section, with the id that its address ends with
//! ## Sow a pit                   a rule; rules are numbered
//! Take **all** seeds of `4`...   a paragraph; its lines are joined, an empty line ends it
//! - a point of a list
//! | a row | of a table |         the first row is its head; a cell `@tiles:c5` is a picture of that cell of an example
//! ! a note
//! > sow What it shows.           an example by its name, and the caption below it
//! ```
//!
//! Within a text there are `code`, **strong** words and [links](/write-a-bot).

use std::fmt::Write;

use askama::Template;

/// A page of rules in one language.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) sections: Vec<Section>,
}

/// A part of the page that its index names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) rules: Vec<Rule>,
}

/// A rule with its examples.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    /// Its number on the page, from 1.
    pub(super) number: usize,
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
    pub(super) figures: Vec<Figure>,
}

/// A paragraph, a list, a table or a note.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Block {
    Paragraph(Inline),
    List(Vec<Inline>),
    Table { head: Vec<Entry>, rows: Vec<Vec<Entry>> },
    Note(Inline),
}

/// A text with its marks turned into HTML.
#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(source = "{{ self.0|safe }}", ext = "html")]
pub(super) struct Inline(String);

// What it renders is escaped already.
impl askama::filters::HtmlSafe for Inline {}

/// An entry of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Text(Inline),
    /// A picture of one cell of an example.
    Picture {
        example: String,
        cell: String,
    },
}

/// An example by its name, and what it shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Figure {
    pub(super) example: String,
    pub(super) caption: Inline,
}

impl Text {
    /// Reads a page. Errors are for its author: a section without an id or with that of another, words outside of a rule, a figure
    /// without a caption, a row that does not fit the head of its table.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (mut sections, mut number) = (Vec::<Section>::new(), 0);
        for part in paragraphs(text) {
            if let Some(head) = part.strip_prefix("# ") {
                let (id, title) = head.split_once(' ').ok_or_else(|| format!("no title: {part}"))?;
                if sections.iter().any(|section| section.id == id) {
                    return Err(format!("a second section {id}: {part}"));
                }
                sections.push(Section { id: id.to_owned(), title: title.to_owned(), rules: vec![] });
                continue;
            }
            let section = sections.last_mut().ok_or_else(|| format!("no section: {part}"))?;
            if let Some(title) = part.strip_prefix("## ") {
                number += 1;
                section.rules.push(Rule { number, title: title.to_owned(), ..Rule::default() });
                continue;
            }
            section.rules.last_mut().ok_or_else(|| format!("no rule: {part}"))?.add(&part)?;
        }
        Ok(Self { sections })
    }

    /// The pictures of single cells: the example, and the cell.
    pub(super) fn pictures(&self) -> impl Iterator<Item = (&str, &str)> {
        let tables = self.rules().flat_map(|rule| &rule.blocks).filter_map(|block| match block {
            Block::Table { head, rows } => Some(std::iter::once(head).chain(rows).flatten()),
            _ => None,
        });
        tables.flatten().filter_map(|entry| match entry {
            Entry::Picture { example, cell } => Some((example.as_str(), cell.as_str())),
            Entry::Text(_) => None,
        })
    }

    /// All rules, in order.
    pub(super) fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.sections.iter().flat_map(|section| &section.rules)
    }
}

/// The lines of a text, those of a paragraph joined.
fn paragraphs(text: &str) -> Vec<String> {
    let mut parts = vec![];
    let mut goes_on = false;
    for line in text.lines().map(str::trim_end) {
        let is_marked = ["# ", "## ", "- ", "| ", "! ", "> "].iter().any(|mark| line.starts_with(mark));
        match parts.last_mut() {
            Some(last) if goes_on && !is_marked && !line.is_empty() => *last = format!("{last} {line}"),
            _ if line.is_empty() => {}
            _ => parts.push(line.to_owned()),
        }
        goes_on = !line.is_empty() && !line.starts_with('#');
    }
    parts
}

impl Rule {
    fn add(&mut self, part: &str) -> Result<(), String> {
        if let Some(figure) = part.strip_prefix("> ") {
            let (example, caption) = figure.split_once(' ').ok_or_else(|| format!("no caption: {part}"))?;
            self.figures.push(Figure { example: example.to_owned(), caption: Inline::new(caption) });
        } else if let Some(point) = part.strip_prefix("- ") {
            match self.blocks.last_mut() {
                Some(Block::List(points)) => points.push(Inline::new(point)),
                _ => self.blocks.push(Block::List(vec![Inline::new(point)])),
            }
        } else if let Some(row) = part.strip_prefix("| ") {
            let row: Vec<Entry> = row.trim_end_matches('|').split('|').map(|entry| Entry::new(entry.trim())).collect();
            match self.blocks.last_mut() {
                Some(Block::Table { head, .. }) if head.len() != row.len() => {
                    return Err(format!("{} entries under a head of {}: {part}", row.len(), head.len()));
                }
                Some(Block::Table { rows, .. }) => rows.push(row),
                _ => self.blocks.push(Block::Table { head: row, rows: vec![] }),
            }
        } else if let Some(note) = part.strip_prefix("! ") {
            self.blocks.push(Block::Note(Inline::new(note)));
        } else {
            self.blocks.push(Block::Paragraph(Inline::new(part)));
        }
        Ok(())
    }
}

impl Entry {
    fn new(text: &str) -> Self {
        match text.strip_prefix('@').and_then(|picture| picture.split_once(':')) {
            Some((example, cell)) => Self::Picture { example: example.to_owned(), cell: cell.to_owned() },
            None => Self::Text(Inline::new(text)),
        }
    }
}

impl Inline {
    pub(super) fn new(text: &str) -> Self {
        let (mut html, mut rest) = (String::new(), text);
        while let Some(at) = rest.find(['`', '*', '[']) {
            escape(&mut html, &rest[..at]);
            rest = mark(&mut html, &rest[at..]);
        }
        escape(&mut html, rest);
        Self(html)
    }

    /// The text as HTML.
    #[cfg(test)]
    pub(super) fn html(&self) -> &str {
        &self.0
    }
}

/// Writes the marked words with which a text begins, and answers what follows them. A mark that nothing closes is itself.
fn mark<'a>(html: &mut String, text: &'a str) -> &'a str {
    let between = |open: &str, close: &str| text.strip_prefix(open)?.split_once(close);
    if let Some((code, rest)) = between("`", "`") {
        html.push_str("<code>");
        escape(html, code);
        html.push_str("</code>");
        return rest;
    }
    if let Some((words, rest)) = between("**", "**") {
        html.push_str("<strong>");
        escape(html, words);
        html.push_str("</strong>");
        return rest;
    }
    if let Some((words, rest)) = between("[", "](")
        && let Some((address, rest)) = rest.split_once(')')
    {
        html.push_str("<a href=\"");
        escape(html, address);
        html.push_str("\">");
        escape(html, words);
        html.push_str("</a>");
        return rest;
    }
    let (first, rest) = text.split_at(1);
    html.push_str(first);
    rest
}

fn escape(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' | '<' | '>' | '"' => {
                let _ = write!(html, "&#{};", u32::from(character));
            }
            _ => html.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_into_its_parts() {
        let text = "# play How\n\n## One\nA first\nline.\n\nB.\n- x\n- y\n\n> sow What\nit shows.\n## Two\n| a | @t:c1 |\n| `b` | c |\n! N\n";
        let Text { sections } = Text::read(text).unwrap();
        assert_eq!((sections.len(), sections[0].id.as_str(), sections[0].title.as_str()), (1, "play", "How"));
        let [one, two] = &sections[0].rules[..] else { panic!("{sections:?}") };
        assert_eq!((one.number, two.number, two.title.as_str()), (1, 2, "Two"));
        let inline = Inline::new;
        let blocks = [
            Block::Paragraph(inline("A first line.")),
            Block::Paragraph(inline("B.")),
            Block::List(vec![inline("x"), inline("y")]),
        ];
        assert_eq!(one.blocks, blocks);
        assert_eq!(one.figures, [Figure { example: "sow".to_owned(), caption: inline("What it shows.") }]);
        let picture = Entry::Picture { example: "t".to_owned(), cell: "c1".to_owned() };
        let head = vec![Entry::Text(inline("a")), picture];
        let rows = vec![vec![Entry::Text(inline("`b`")), Entry::Text(inline("c"))]];
        assert_eq!(two.blocks, [Block::Table { head, rows }, Block::Note(inline("N"))]);
    }

    #[test]
    fn what_fits_nowhere_is_an_error() {
        let in_rule = ["> sow", "| a | b |\n| c |", "# play Again"].map(|part| format!("# play How\n## One\n{part}"));
        let outside = ["words", "## a rule", "# play", "# play How\nwords"];
        for wrong in outside.into_iter().chain(in_rule.iter().map(String::as_str)) {
            assert!(Text::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn marks_become_html_and_all_else_is_escaped() {
        let html = |text: &str| Inline::new(text).html().to_owned();
        assert_eq!(
            html("a `1 < 2` **b & c** [d](/e?f)"),
            "a <code>1 &#60; 2</code> <strong>b &#38; c</strong> <a href=\"/e?f\">d</a>"
        );
        assert_eq!(html("<b>\"x\"</b> * [ ` 5*3"), "&#60;b&#62;&#34;x&#34;&#60;/b&#62; * [ ` 5*3");
        assert_eq!(html("[a](b"), "[a](b");
    }
}
