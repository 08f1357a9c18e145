//! Sources as they are shown: lines with their numbers, and those marked that two programs have in common.

use palestra_arena::copies::{Lines, Passage};
use palestra_protocol::shown;

use super::program::File;

/// Lines around a passage that are shown with it.
const CONTEXT: u32 = 2;

/// Lines of a program that are shown as passages, and lines that are shown as whole files.
const MAX_LINES: usize = 5000;

/// The most characters of a line and of a file's name.
const MAX_CHARS: usize = 400;

/// Colours of passages, which are used by turns.
const COLOURS: usize = 6;

/// A passage, side by side.
pub(super) struct Block {
    /// Its number, from 1.
    pub(super) number: usize,
    pub(super) sides: [Listing; 2],
}

/// Lines of a file.
pub(super) struct Listing {
    pub(super) file: String,
    /// The first and the last line of the passage, or of the file.
    pub(super) range: (u32, u32),
    /// What is shown of it; nothing if there is no room for it.
    pub(super) lines: Vec<Line>,
}

/// A line.
pub(super) struct Line {
    pub(super) number: u32,
    pub(super) text: String,
    /// The number of the passage to which it belongs.
    pub(super) passage: Option<usize>,
    /// Whether it is the first one of its passage.
    pub(super) is_first: bool,
}

impl Line {
    /// The class of the passage's colour.
    pub(super) fn colour(&self) -> Option<usize> {
        self.passage.map(|number| number % COLOURS)
    }
}

/// A source, line by line.
struct Source {
    name: String,
    lines: Vec<String>,
}

impl Source {
    /// The text is UTF-8, or else Latin-1, which any bytes are.
    fn new((name, text): &File) -> Self {
        let text = str::from_utf8(text).map_or_else(|_| text.iter().copied().map(char::from).collect(), str::to_owned);
        let line = |line: &str| {
            let line = line.strip_suffix('\r').unwrap_or(line).replace('\t', "    ");
            shown(&line, MAX_CHARS).to_string()
        };
        Self { name: name.clone(), lines: text.strip_suffix('\n').unwrap_or(&text).split('\n').map(line).collect() }
    }

    /// The lines in a range, each with the passage that `mark` says.
    fn lines(&self, first: u32, last: u32, mark: impl Fn(u32) -> Option<usize>) -> Vec<Line> {
        let skipped = first.saturating_sub(1) as usize;
        let lines = (first..=last).zip(self.lines.iter().skip(skipped));
        let mut before = None;
        let line = |(number, text): (u32, &String)| {
            let passage = mark(number);
            let is_first = passage.is_some() && passage != before;
            before = passage;
            Line { number, text: text.clone(), passage, is_first }
        };
        lines.map(line).collect()
    }

    fn last(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }
}

/// Passages of two programs with the lines of both.
pub(super) fn blocks(files: [&[File]; 2], passages: &[Passage]) -> Vec<Block> {
    let sources = files.map(|files| files.iter().map(Source::new).collect::<Vec<_>>());
    let mut room = [MAX_LINES; 2];
    let mut blocks = vec![];
    for (number, passage) in (1..).zip(passages) {
        let side = |side: usize| listing(&sources[side], &passage.places[side], number);
        let mut sides = [0, 1].map(side);
        if [0, 1].iter().any(|&side| sides[side].lines.len() > room[side]) {
            sides.iter_mut().for_each(|listing| listing.lines.clear());
        }
        [0, 1].iter().for_each(|&side| room[side] -= sides[side].lines.len());
        blocks.push(Block { number, sides });
    }
    blocks
}

/// The lines of a passage in one program, and some around them.
fn listing(sources: &[Source], place: &Lines, number: usize) -> Listing {
    let (first, last) = (*place.lines.start(), *place.lines.end());
    let mark = |line| place.lines.contains(&line).then_some(number);
    let source = sources.iter().find(|source| source.name == place.file);
    let lines = source.map(|source| source.lines(first.saturating_sub(CONTEXT).max(1), last + CONTEXT, mark));
    Listing { file: name(&place.file), range: (first, last), lines: lines.unwrap_or_default() }
}

/// All files of the program with this number of the two, with its passages marked.
pub(super) fn files(files: &[File], passages: &[Passage], side: usize) -> Vec<Listing> {
    let mut room = MAX_LINES;
    let listing = |file: &File| {
        let source = Source::new(file);
        let is_in = |passage: &&Passage, line: u32| {
            let place = &passage.places[side];
            place.file == source.name && place.lines.contains(&line)
        };
        let mark = |line| passages.iter().position(|passage| is_in(&passage, line)).map(|at| at + 1);
        let last = source.last();
        let fits = last as usize <= room;
        let lines = if fits { source.lines(1, last, mark) } else { vec![] };
        room -= lines.len();
        Listing { file: name(&source.name), range: (1, last), lines }
    };
    files.iter().map(listing).collect()
}

fn name(file: &str) -> String {
    shown(file, MAX_CHARS).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &[u8]) -> File {
        (name.to_owned(), text.to_vec())
    }

    fn passage(one: std::ops::RangeInclusive<u32>, other: std::ops::RangeInclusive<u32>) -> Passage {
        let place = |lines| Lines { file: "a.cpp".to_owned(), lines };
        Passage { places: [place(one), place(other)], tokens: 40 }
    }

    fn text(lines: &[Line]) -> String {
        lines
            .iter()
            .map(|line| format!("{}{}{} ", line.number, line.text, if line.is_first { "!" } else { "" }))
            .collect()
    }

    #[test]
    fn a_passage_stands_among_the_lines_around_it() {
        let [one, other] = [[file("a.cpp", b"a\nb\nc\nd\ne\nf\n")], [file("a.cpp", b"x\r\n\ty\n")]];
        let found = blocks([&one, &other], &[passage(4..=5, 1..=2)]);
        let [listing, its] = &found[0].sides;
        assert_eq!(text(&listing.lines), "2b 3c 4d! 5e 6f ");
        assert_eq!(text(&its.lines), "1x! 2    y ");
        assert_eq!((listing.range, its.range), ((4, 5), (1, 2)));
        let marks: Vec<_> = listing.lines.iter().map(|line| line.passage).collect();
        assert_eq!(marks, [None, None, Some(1), Some(1), None]);
    }

    #[test]
    fn a_file_is_marked_where_a_passage_is() {
        let program = [file("a.cpp", b"a\nb\nc\nd"), file("b.cpp", b"b")];
        let found = files(&program, &[passage(2..=2, 9..=9), passage(3..=4, 9..=9)], 0);
        assert_eq!(text(&found[0].lines), "1a 2b! 3c! 4d ");
        assert_eq!(found[0].lines[3].colour(), Some(2));
        assert_eq!(text(&found[1].lines), "1b ");
    }

    #[test]
    fn what_could_fool_a_reader_is_escaped_and_what_is_long_is_cut() {
        let program = [
            file("a\u{202e}.cpp", "// \u{202e}x".as_bytes()),
            file("b.cpp", b"// \xf1\xff"),
            file("c.cpp", &[b'x'; 999]),
        ];
        let found = files(&program, &[], 0);
        assert_eq!((found[0].file.as_str(), found[0].lines[0].text.as_str()), ("a\\u{202e}.cpp", "// \\u{202e}x"));
        assert_eq!(found[1].lines[0].text, "// ñÿ", "Latin-1");
        assert_eq!(found[2].lines[0].text.len(), MAX_CHARS + 3);
    }

    #[test]
    fn there_is_room_for_so_many_lines() {
        let long = "x\n".repeat(MAX_LINES - 1);
        let program = [file("a.cpp", long.as_bytes()), file("b.cpp", b"x\nx"), file("c.cpp", b"x")];
        let lengths: Vec<_> = files(&program, &[], 0).iter().map(|listing| listing.lines.len()).collect();
        assert_eq!(lengths, [MAX_LINES - 1, 0, 1]);
        let whole = passage(1..=MAX_LINES as u32 - 1, 1..=1);
        let found = blocks([&program, &program], &[whole.clone(), passage(1..=1, 1..=1), whole]);
        let lengths: Vec<_> = found.iter().map(|block| block.sides[0].lines.len()).collect();
        assert_eq!(lengths, [MAX_LINES - 1, 0, 0]);
    }
}
