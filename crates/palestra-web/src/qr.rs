//! QR codes of links, as SVG: byte mode, error correction level M, versions 1 to 10 (up to 213 bytes).
//!
//! After ISO/IEC 18004. Any of the eight masks can be read; the one with the fewest runs and blocks of one colour is used.

use std::fmt::Write;

/// For each version: all codewords, codewords of error correction in a block, blocks.
const VERSIONS: [(usize, usize, usize); 10] = [
    (26, 10, 1),
    (44, 16, 1),
    (70, 26, 1),
    (100, 18, 2),
    (134, 24, 2),
    (172, 16, 4),
    (196, 18, 4),
    (242, 22, 4),
    (292, 22, 5),
    (346, 26, 5),
];

/// For each version: the coordinates of the middles of alignment patterns.
const ALIGNMENTS: [&[usize]; 10] =
    [&[], &[6, 18], &[6, 22], &[6, 26], &[6, 30], &[6, 34], &[6, 22, 38], &[6, 24, 42], &[6, 26, 46], &[6, 28, 50]];

/// Modules of light around the code.
const QUIET: usize = 4;

/// The QR code of a text as SVG; none if the text is too long.
pub(crate) fn svg(text: &str, label: &str) -> Option<String> {
    let code = (0..8)
        .map(|mask| Code::new(text.as_bytes(), mask))
        .min_by_key(|code| code.as_ref().map_or(usize::MAX, Code::penalty))??;
    let mut path = String::new();
    for (y, row) in code.dark.iter().enumerate() {
        for (x, _) in row.iter().enumerate().filter(|(_, is_dark)| **is_dark) {
            let _ = write!(path, "M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    let side = code.dark.len() + 2 * QUIET;
    let label = label.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    Some(format!(
        "<svg class=\"qr\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{label}\" shape-rendering=\"crispEdges\">\
         <path d=\"{path}\" fill=\"#000\"/></svg>"
    ))
}

/// A code: which modules are dark, and which belong to patterns and carry no data.
struct Code {
    version: usize,
    dark: Vec<Vec<bool>>,
    is_fixed: Vec<Vec<bool>>,
}

impl Code {
    fn new(data: &[u8], mask: usize) -> Option<Self> {
        let version = (1..=VERSIONS.len()).find(|&version| data.len() <= capacity(version))?;
        let side = 17 + 4 * version;
        let empty = vec![vec![false; side]; side];
        let mut code = Self { version, dark: empty.clone(), is_fixed: empty };
        code.put_patterns();
        code.put_format(mask);
        code.put_version();
        code.put_data(&interleaved(data, version), mask);
        Some(code)
    }

    const fn side(&self) -> usize {
        self.dark.len()
    }

    fn fix(&mut self, x: usize, y: usize, is_dark: bool) {
        self.dark[y][x] = is_dark;
        self.is_fixed[y][x] = true;
    }

    fn put_patterns(&mut self) {
        let last = self.side() - 1;
        for at in 0..=last {
            self.fix(6, at, at % 2 == 0);
            self.fix(at, 6, at % 2 == 0);
        }
        for (x, y) in [(3, 3), (last - 3, 3), (3, last - 3)] {
            self.put_square(x, y, 4);
        }
        let middles = ALIGNMENTS[self.version - 1];
        for &y in middles {
            for &x in middles {
                let is_corner = [(6, 6), (6, last - 6), (last - 6, 6)].contains(&(x, y));
                if !is_corner {
                    self.put_square(x, y, 2);
                }
            }
        }
    }

    /// Squares within each other around a middle: a finder with its border (4), or an alignment pattern (2).
    fn put_square(&mut self, x: usize, y: usize, reach: usize) {
        let side = self.side();
        for dy in 0..=2 * reach {
            for dx in 0..=2 * reach {
                let distance = dx.abs_diff(reach).max(dy.abs_diff(reach));
                let (Some(x), Some(y)) = ((x + dx).checked_sub(reach), (y + dy).checked_sub(reach)) else { continue };
                if x < side && y < side {
                    let is_dark = if reach == 4 { distance != 2 && distance != 4 } else { distance != 1 };
                    self.fix(x, y, is_dark);
                }
            }
        }
    }

    /// The level of error correction and the mask, twice, with their own error correction.
    fn put_format(&mut self, mask: usize) {
        // Level M is 00.
        let bits = (mask << 10 | remainder(mask, 10, 0x537)) ^ 0x5412;
        let last = self.side() - 1;
        for bit in 0..15 {
            let is_dark = bits >> bit & 1 == 1;
            let (x, y) = match bit {
                0..6 => (8, bit),
                6 => (8, 7),
                7 => (8, 8),
                8 => (7, 8),
                _ => (14 - bit, 8),
            };
            self.fix(x, y, is_dark);
            let (x, y) = if bit < 8 { (last - bit, 8) } else { (8, last + bit - 14) };
            self.fix(x, y, is_dark);
        }
        self.fix(8, last - 7, true);
    }

    /// The version, twice, from version 7 on.
    fn put_version(&mut self) {
        if self.version < 7 {
            return;
        }
        let bits = self.version << 12 | remainder(self.version, 12, 0x1f25);
        let first = self.side() - 11;
        for bit in 0..18 {
            let is_dark = bits >> bit & 1 == 1;
            self.fix(first + bit % 3, bit / 3, is_dark);
            self.fix(bit / 3, first + bit % 3, is_dark);
        }
    }

    /// The codewords, in columns of two from the right, up and down, under the mask.
    fn put_data(&mut self, codewords: &[u8], mask: usize) {
        let side = self.side();
        let mut bits = codewords.iter().flat_map(|word| (0..8).rev().map(move |bit| word >> bit & 1 == 1));
        let columns = (0..side).rev().filter(|&x| x != 6).collect::<Vec<_>>();
        for (index, pair) in columns.chunks(2).enumerate() {
            for step in 0..side {
                let y = if index % 2 == 0 { side - 1 - step } else { step };
                for &x in pair {
                    if !self.is_fixed[y][x] {
                        self.dark[y][x] = bits.next().unwrap_or(false) != is_masked(mask, x, y);
                    }
                }
            }
        }
    }

    /// How many modules have the colour of those before them: long runs and blocks are hard to read.
    fn penalty(&self) -> usize {
        let side = self.side();
        let mut penalty = 0;
        for a in 0..side {
            for b in 1..side {
                penalty += usize::from(self.dark[a][b] == self.dark[a][b - 1]);
                penalty += usize::from(self.dark[b][a] == self.dark[b - 1][a]);
            }
        }
        penalty
    }
}

/// How many bytes a version holds: the mode takes 4 bits, the length 8 or 16.
fn capacity(version: usize) -> usize {
    let (all, correction, blocks) = VERSIONS[version - 1];
    all - correction * blocks - if version < 10 { 2 } else { 3 }
}

/// The codewords of the data and of their error correction, in the order in which they are drawn.
fn interleaved(data: &[u8], version: usize) -> Vec<u8> {
    let (all, correction, count) = VERSIONS[version - 1];
    let words = data_codewords(data, version, all - correction * count);
    // The last blocks may be longer by one.
    let (short, long) = (words.len() / count, words.len() % count);
    let mut blocks = vec![];
    let mut rest = &words[..];
    for block in 0..count {
        let (this, after) = rest.split_at(short + usize::from(block >= count - long));
        blocks.push((this, corrections(this, correction)));
        rest = after;
    }
    let of_data = (0..=short).flat_map(|at| blocks.iter().filter_map(move |(words, _)| words.get(at).copied()));
    let of_correction = (0..correction).flat_map(|at| blocks.iter().map(move |(_, words)| words[at]));
    of_data.chain(of_correction).collect()
}

/// Mode, length, data, and padding up to the size.
fn data_codewords(data: &[u8], version: usize, size: usize) -> Vec<u8> {
    let length = if version < 10 { vec![data.len() as u8] } else { (data.len() as u16).to_be_bytes().to_vec() };
    // Everything is moved by the four bits of the mode.
    let bytes: Vec<u8> = [&[4][..], &length, data, &[0]].concat();
    let mut words: Vec<u8> = bytes.windows(2).map(|pair| pair[0] << 4 | pair[1] >> 4).collect();
    let padding = [0xec, 0x11].into_iter().cycle().take(size - words.len());
    words.extend(padding);
    words
}

/// The remainder of the division of the data by the generator polynomial, over GF(256).
fn corrections(data: &[u8], count: usize) -> Vec<u8> {
    let mut generator = vec![1];
    let mut root = 1;
    for _ in 0..count {
        let shifted: Vec<u8> = generator.iter().copied().chain([0]).collect();
        let scaled = std::iter::once(0).chain(generator.iter().map(|&factor| product(factor, root)));
        generator = shifted.iter().zip(scaled).map(|(one, other)| one ^ other).collect();
        root = product(root, 2);
    }
    let mut rest = vec![0; count];
    for word in data {
        let factor = word ^ rest.remove(0);
        rest.push(0);
        for (place, coefficient) in rest.iter_mut().zip(&generator[1..]) {
            *place ^= product(factor, *coefficient);
        }
    }
    rest
}

/// The product in GF(256) with the polynomial 0x11d.
fn product(one: u8, other: u8) -> u8 {
    let mut result = 0;
    for bit in (0..8).rev() {
        let carry = if result & 0x80 == 0 { 0 } else { 0x1d };
        result = result << 1 ^ carry ^ if other >> bit & 1 == 1 { one } else { 0 };
    }
    result
}

/// The remainder of a number, shifted left by `bits`, in the division by a binary polynomial.
fn remainder(number: usize, bits: usize, polynomial: usize) -> usize {
    let mut rest = number;
    for _ in 0..bits {
        rest = (rest << 1) ^ ((rest >> (bits - 1)) * polynomial);
    }
    rest
}

/// Whether a mask turns a module to its other colour.
const fn is_masked(mask: usize, x: usize, y: usize) -> bool {
    (match mask {
        0 => (x + y) % 2,
        1 => y % 2,
        2 => x % 3,
        3 => (x + y) % 3,
        4 => (x / 3 + y / 2) % 2,
        5 => x * y % 2 + x * y % 3,
        6 => (x * y % 2 + x * y % 3) % 2,
        _ => ((x + y) % 2 + x * y % 3) % 2,
    }) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, mask: usize) -> Vec<String> {
        let row = |row: &Vec<bool>| row.iter().map(|is_dark| if *is_dark { '#' } else { '.' }).collect();
        Code::new(text.as_bytes(), mask).unwrap().dark.iter().map(row).collect()
    }

    /// Made by another encoder (Python's qrcode), one for each kind of block and each mask.
    #[test]
    fn codes_are_those_of_another_encoder() {
        for known in include_str!("../tests/server/fixtures/qr.txt").split("\n\n") {
            let mut lines = known.lines();
            let (mask, text) = lines.next().unwrap().split_once(' ').unwrap();
            let expected: Vec<&str> = lines.collect();
            assert_eq!(rows(text, mask.parse().unwrap()), expected, "{mask} {text}");
        }
    }

    #[test]
    fn what_is_too_long_has_no_code() {
        assert!(svg(&"x".repeat(213), "").is_some());
        assert!(svg(&"x".repeat(214), "").is_none());
    }
}
