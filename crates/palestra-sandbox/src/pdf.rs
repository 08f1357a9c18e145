//! Counts the pages of an untrusted PDF, by walking its page tree.
//!
//! A PDF is a list of numbered objects; those of newer versions lie compressed in object streams. They are found by going
//! through the file, so that a damaged table of contents does no harm, and the last one of a number counts, as after
//! an incremental update. The tree that hangs on the catalog is walked to its leaves: what its nodes claim to count
//! is not believed. An encrypted PDF with object streams cannot be counted, nor one that lacks a node.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use flate2::read::ZlibDecoder;

/// How deep arrays and dictionaries may be nested.
const MAX_DEPTH: usize = 64;

/// Maximum number of nodes of a page tree.
const MAX_NODES: usize = 100_000;

/// Maximum number of bytes of all object streams, decompressed.
const MAX_STREAM_BYTES: u64 = 64 << 20;

/// Maximum number of objects in all object streams.
const MAX_STREAM_OBJECTS: usize = 1 << 20;

/// The number of pages; none if it cannot be found out.
#[must_use]
pub fn count_pages(bytes: &[u8]) -> Option<u32> {
    let mut file = PdfObjects { room: MAX_STREAM_BYTES, ..PdfObjects::default() };
    file.read(bytes);
    let root = file.root.as_ref().or(file.catalog.as_ref())?;
    let catalog = file.resolve(root)?.dictionary()?;
    let count = file.count_leaves(get(catalog, b"Pages")?)?;
    (count > 0).then_some(count)
}

/// A value; of those that have nothing to do with the page tree nothing is kept.
#[derive(Clone, Debug, PartialEq)]
enum PdfValue {
    Number(i64),
    Name(Vec<u8>),
    Reference(u32),
    Array(Vec<PdfValue>),
    Dictionary(PdfDictionary),
    Other,
}

type PdfDictionary = Vec<(Vec<u8>, PdfValue)>;

impl PdfValue {
    fn dictionary(&self) -> Option<&PdfDictionary> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    fn number(&self) -> Option<usize> {
        match self {
            Self::Number(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }
}

fn get<'a>(dictionary: &'a PdfDictionary, name: &[u8]) -> Option<&'a PdfValue> {
    dictionary.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

fn is_type(dictionary: &PdfDictionary, name: &[u8]) -> bool {
    matches!(get(dictionary, b"Type"), Some(PdfValue::Name(found)) if found == name)
}

/// The objects of a file by their numbers.
#[derive(Default)]
struct PdfObjects {
    objects: HashMap<u32, PdfValue>,
    /// The catalog that the last trailer names.
    root: Option<PdfValue>,
    /// The last catalog, for files without a trailer.
    catalog: Option<PdfValue>,
    /// How many bytes object streams may still have.
    room: u64,
    streamed: usize,
}

impl PdfObjects {
    fn read(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(found) = next_object(bytes, at) {
            at = match found {
                Found::Object { number, begin } => self.read_object(bytes, number, begin),
                Found::Trailer { begin } => {
                    let mut reader = Reader { bytes, at: begin };
                    if let Some(PdfValue::Dictionary(trailer)) = reader.value(0) {
                        self.take_root(&trailer);
                    }
                    // Values of a trailer that is none hide nothing that follows.
                    begin
                }
            };
        }
    }

    /// Reads the object that begins here, and returns where to go on.
    fn read_object(&mut self, bytes: &[u8], number: u32, begin: usize) -> usize {
        let mut reader = Reader { bytes, at: begin };
        let Some(value) = reader.value(0) else { return begin };
        let mut end = reader.at;
        if let PdfValue::Dictionary(dictionary) = &value
            && let Some(content) = reader.stream_begin()
        {
            end = stream_end(bytes, content, get(dictionary, b"Length").and_then(PdfValue::number));
            if is_type(dictionary, b"ObjStm") {
                self.read_stream(dictionary, &bytes[content..end]);
            }
            if is_type(dictionary, b"XRef") {
                self.take_root(dictionary);
            }
        }
        self.keep(number, value);
        end.max(begin)
    }

    fn take_root(&mut self, trailer: &PdfDictionary) {
        if let Some(root @ PdfValue::Reference(_)) = get(trailer, b"Root") {
            self.root = Some(root.clone());
        }
    }

    fn keep(&mut self, number: u32, value: PdfValue) {
        if value.dictionary().is_some_and(|dictionary| is_type(dictionary, b"Catalog")) {
            self.catalog = Some(PdfValue::Reference(number));
        }
        self.objects.insert(number, value);
    }

    /// Reads the objects that lie in a stream.
    fn read_stream(&mut self, dictionary: &PdfDictionary, content: &[u8]) -> Option<()> {
        let first = get(dictionary, b"First")?.number()?;
        let count = get(dictionary, b"N")?.number()?;
        let content = match get(dictionary, b"Filter") {
            None => content.to_vec(),
            Some(filter) if is_flate(filter) && get(dictionary, b"DecodeParms").is_none() => self.inflate(content)?,
            Some(_) => return None,
        };
        self.room = self.room.saturating_sub(content.len() as u64);
        let mut index = Reader { bytes: content.get(..first)?, at: 0 };
        for _ in 0..count {
            self.streamed += 1;
            if self.streamed > MAX_STREAM_OBJECTS {
                return None;
            }
            let (number, offset) = (index.value(0)?.number()?, index.value(0)?.number()?);
            let mut reader = Reader { bytes: &content, at: first.checked_add(offset)? };
            let value = reader.value(0)?;
            self.keep(u32::try_from(number).ok()?, value);
        }
        Some(())
    }

    fn inflate(&self, content: &[u8]) -> Option<Vec<u8>> {
        let mut inflated = vec![];
        // What is there of a damaged stream may do.
        let _ = ZlibDecoder::new(content).take(self.room + 1).read_to_end(&mut inflated);
        (inflated.len() as u64 <= self.room).then_some(inflated)
    }

    /// The value itself, or that to which a reference leads.
    fn resolve<'a>(&'a self, value: &'a PdfValue) -> Option<&'a PdfValue> {
        match value {
            PdfValue::Reference(number) => self.objects.get(number),
            value => Some(value),
        }
    }

    /// The leaves of a page tree; none if a node is missing, or the tree is none.
    fn count_leaves(&self, root: &PdfValue) -> Option<u32> {
        let (mut open, mut count, mut nodes) = (vec![root], 0, 0);
        let mut seen = HashSet::new();
        while let Some(value) = open.pop() {
            nodes += 1;
            let node = self.resolve(value)?.dictionary()?;
            match get(node, b"Kids") {
                None => count += 1,
                Some(kids) => {
                    // An inner node that is there twice may lead to itself.
                    if matches!(value, PdfValue::Reference(number) if !seen.insert(*number)) {
                        return None;
                    }
                    let PdfValue::Array(kids) = self.resolve(kids)? else { return None };
                    open.extend(kids);
                }
            }
            if nodes + open.len() > MAX_NODES {
                return None;
            }
        }
        Some(count)
    }
}

fn is_flate(filter: &PdfValue) -> bool {
    match filter {
        PdfValue::Name(name) => name == b"FlateDecode",
        PdfValue::Array(filters) => matches!(&filters[..], [PdfValue::Name(name)] if name == b"FlateDecode"),
        _ => false,
    }
}

/// What was found while going through a file.
enum Found {
    /// `7 0 obj`, and where its value begins.
    Object { number: u32, begin: usize },
    /// `trailer`, and where its dictionary begins.
    Trailer { begin: usize },
}

/// The next object or trailer.
fn next_object(bytes: &[u8], from: usize) -> Option<Found> {
    const OBJECT: &[u8] = b"obj";
    const TRAILER: &[u8] = b"trailer";
    (from..bytes.len()).find_map(|at| match bytes[at] {
        b'o' if bytes[at..].starts_with(OBJECT) => {
            let number = number_before(&bytes[from..at])?;
            Some(Found::Object { number, begin: at + OBJECT.len() })
        }
        b't' if bytes[at..].starts_with(TRAILER) => Some(Found::Trailer { begin: at + TRAILER.len() }),
        _ => None,
    })
}

/// The object number in `... 7 0 `.
fn number_before(bytes: &[u8]) -> Option<u32> {
    let (rest, _) = last_integer(bytes)?;
    let (_, number) = last_integer(rest)?;
    std::str::from_utf8(number).ok()?.parse().ok()
}

/// What stands before the last integer of a text that ends in one or in blanks after it, and the integer.
fn last_integer(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let blanks = bytes.iter().rev().take_while(|byte| is_blank(**byte)).count();
    let bytes = &bytes[..bytes.len() - blanks];
    let digits = bytes.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then(|| bytes.split_at(bytes.len() - digits))
}

/// Where the content of a stream ends: where its length says if `endstream` is there, else at the next `endstream`.
fn stream_end(bytes: &[u8], begin: usize, length: Option<usize>) -> usize {
    const END: &[u8] = b"endstream";
    if let Some(end) = length.and_then(|length| begin.checked_add(length)).filter(|&end| end <= bytes.len()) {
        let blanks = bytes[end..].iter().take_while(|byte| is_blank(**byte)).count();
        if bytes[end + blanks..].starts_with(END) {
            return end;
        }
    }
    bytes[begin..].windows(END.len()).position(|window| window == END).map_or(bytes.len(), |at| begin + at)
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

const fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

/// Reads values.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Leaves out blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            match rest.first() {
                Some(&byte) if is_blank(byte) => self.at += 1,
                Some(b'%') => self.at += rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count(),
                _ => return,
            }
        }
    }

    /// The value that begins here; none if there is none, or it is nested too deep.
    fn value(&mut self, depth: usize) -> Option<PdfValue> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_blanks();
        match self.rest() {
            [b'<', b'<', ..] => self.dictionary(depth),
            [b'<', ..] => {
                self.at += 1 + self.rest().iter().take_while(|byte| **byte != b'>').count();
                Some(PdfValue::Other)
            }
            [b'[', ..] => self.array(depth),
            [b'(', ..] => self.string(),
            [b'/', ..] => Some(PdfValue::Name(self.name())),
            [byte, ..] if !is_delimiter(*byte) => Some(self.word()),
            _ => None,
        }
    }

    fn dictionary(&mut self, depth: usize) -> Option<PdfValue> {
        self.at += 2;
        let mut entries = vec![];
        loop {
            self.skip_blanks();
            match self.rest() {
                [b'>', b'>', ..] => {
                    self.at += 2;
                    return Some(PdfValue::Dictionary(entries));
                }
                [b'/', ..] => {
                    let name = self.name();
                    entries.push((name, self.value(depth + 1)?));
                }
                _ => return None,
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<PdfValue> {
        self.at += 1;
        let mut values = vec![];
        loop {
            self.skip_blanks();
            if self.rest().first()? == &b']' {
                self.at += 1;
                return Some(PdfValue::Array(values));
            }
            values.push(self.value(depth + 1)?);
        }
    }

    /// Leaves out a string in brackets.
    fn string(&mut self) -> Option<PdfValue> {
        let mut depth = 0_usize;
        loop {
            match self.rest().first()? {
                b'\\' => self.at += 1,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(PdfValue::Other);
            }
        }
    }

    /// A name without its slash; `#41` stands for a letter.
    fn name(&mut self) -> Vec<u8> {
        self.at += 1;
        let written = self.token();
        let mut name = vec![];
        let mut rest = written;
        while let [byte, after @ ..] = rest {
            let hex = after.get(..2).filter(|_| *byte == b'#').and_then(|hex| std::str::from_utf8(hex).ok());
            match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                Some(letter) => (rest, _) = (&after[2..], name.push(letter)),
                None => (rest, _) = (after, name.push(*byte)),
            }
        }
        name
    }

    fn token(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().take_while(|byte| !is_blank(**byte) && !is_delimiter(**byte)).count();
        self.at += length;
        &rest[..length]
    }

    fn integer(&mut self) -> Option<i64> {
        std::str::from_utf8(self.token()).ok()?.parse().ok()
    }

    /// A number, a reference (`7 0 R`), or another word.
    fn word(&mut self) -> PdfValue {
        let Some(number) = self.integer() else { return PdfValue::Other };
        let after = self.at;
        self.skip_blanks();
        if self.integer().is_some() {
            self.skip_blanks();
            if self.token() == b"R"
                && let Ok(number) = u32::try_from(number)
            {
                return PdfValue::Reference(number);
            }
        }
        self.at = after;
        PdfValue::Number(number)
    }

    /// Where the content of a stream begins, if one follows.
    fn stream_begin(&mut self) -> Option<usize> {
        self.skip_blanks();
        let rest = self.rest().strip_prefix(b"stream")?;
        let line = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        Some(self.bytes.len() - rest.len() + line)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    /// A PDF whose page tree has two inner nodes.
    fn plain(pages: usize) -> String {
        let kids = |from: usize, to: usize| (from..to).map(|page| format!("{} 0 R ", 10 + page)).collect::<String>();
        let half = pages / 2;
        let mut text = format!(
            "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
             2 0 obj << /Type /Pages /Kids [3 0 R 4 0 R] /Count 1 >> endobj\n\
             3 0 obj << /Type /Pages /Parent 2 0 R /Kids [{}] /Count 1 >> endobj\n\
             4 0 obj << /Type /Pages /Parent 2 0 R /Kids [{}] /Count 1 >> endobj\n",
            kids(0, half),
            kids(half, pages)
        );
        for page in 0..pages {
            text += &format!("{} 0 obj << /Type /Page /Title (a \\) (b) 1 0 obj) /Parent 3 0 R >> endobj\n", 10 + page);
        }
        text + "trailer << /Root 1 0 R /Size 99 >>\nstartxref\n0\n%%EOF\n"
    }

    /// A PDF whose objects lie in a stream.
    fn compressed(objects: &[(u32, &str)]) -> Vec<u8> {
        let (mut index, mut content) = (String::new(), String::new());
        for (number, text) in objects {
            index += &format!("{number} {} ", content.len());
            content += &format!("{text} ");
        }
        let mut encoder = ZlibEncoder::new(vec![], Compression::default());
        encoder.write_all((index.clone() + &content).as_bytes()).unwrap();
        let stream = encoder.finish().unwrap();
        let (count, first) = (objects.len(), index.len());
        let head =
            format!("%PDF-1.5\n9 0 obj << /Type /ObjStm /N {count} /First {first} /Filter /FlateDecode /Length ");
        let mut bytes = (head + &format!("{} >> stream\r\n", stream.len())).into_bytes();
        bytes.extend(stream);
        bytes.extend(
            b"\nendstream endobj\n7 0 obj << /Type /XRef /Root 1 0 R /Length 0 >> stream\n\nendstream endobj\n",
        );
        bytes
    }

    #[test]
    fn pages_are_counted_whatever_their_nodes_claim() {
        for pages in [1, 2, 5, 30] {
            assert_eq!(count_pages(plain(pages).as_bytes()), Some(pages as u32));
        }
    }

    #[test]
    fn pages_in_compressed_objects_are_counted() {
        let objects = [
            (1, "<< /Type /Cat#61log /Pages 2 0 R >>"),
            (2, "<< /Type /Pages /Kids [3 0 R 4 0 R] >>"),
            (3, "<< /Type /Page /Contents <00ff> >>"),
            (4, "<< /Type /Page >>"),
        ];
        assert_eq!(count_pages(&compressed(&objects)), Some(2));
    }

    #[test]
    fn after_an_update_the_later_objects_count() {
        let updated =
            plain(2) + "2 0 obj << /Type /Pages /Kids [10 0 R 11 0 R 10 0 R] >> endobj trailer << /Root 1 0 R >>";
        assert_eq!(count_pages(updated.as_bytes()), Some(3));
    }

    #[test]
    fn what_is_no_tree_of_pages_is_not_counted() {
        let cases = [
            String::new(),
            "%PDF-1.4\nhello".to_owned(),
            plain(3).replace("12 0 obj", "13 0 obj"),
            plain(3).replace("/Kids [3 0 R 4 0 R]", "/Kids [3 0 R 2 0 R]"),
            plain(3).replace("/Kids [3 0 R 4 0 R]", &format!("/Kids {}{}", "[".repeat(5000), "]".repeat(5000))),
            plain(3).replace("/Pages 2 0 R", "/Pages 77 0 R"),
            plain(0),
        ];
        for text in cases {
            assert_eq!(count_pages(text.as_bytes()), None, "{}", &text[..text.len().min(80)]);
        }
    }

    #[test]
    fn a_stream_that_inflates_without_end_is_left() {
        let bomb = "0".repeat(MAX_STREAM_BYTES as usize + 1);
        let pdf = compressed(&[(1, "<< /Type /Catalog /Pages 2 0 R >>"), (2, &bomb)]);
        assert!(pdf.len() < 1 << 20);
        assert_eq!(count_pages(&pdf), None);
    }

    #[test]
    fn no_mutation_does_harm() {
        let originals = [plain(4).into_bytes(), compressed(&[(1, "<< /Type /Catalog /Pages 2 0 R >>"), (2, "<< >>")])];
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for round in 0..4000 {
            let mut bytes = originals[round % 2].clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] = random(256) as u8,
                    1 => bytes.insert(at, b"<>[]()/ R"[random(9)]),
                    2 => bytes.truncate(at.max(1)),
                    _ => drop(bytes.remove(at)),
                }
                if bytes.is_empty() {
                    bytes.push(b'%');
                }
            }
            let _ = count_pages(&bytes);
        }
    }
}
