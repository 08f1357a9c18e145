//! Similar sources, found by winnowing as MOSS and Dolos do.
//!
//! A [`Program`] is scanned into tokens that renaming, comments and layout do not change. What it shares with [`Given`]
//! code, such as the kits, does not count. The hashes that winnowing keeps of the rest are its [`Fingerprint`]; [`compare`]
//! ranks pairs of programs by the share of their fingerprints that they have in common, [`passages`] shows where, and
//! [`clusters`] groups what is alike.
//!
//! Similar is not copied. Programs for one game by students of one course have much in common, and only a person can tell
//! why two are alike.

mod clusters;
mod compare;
mod fingerprint;
mod given;
mod language;
mod passage;
mod program;
mod sources;
mod token;
mod winnow;

pub use clusters::clusters;
pub use compare::{Comparison, Pair, THRESHOLD, compare};
pub use fingerprint::{Fingerprint, FingerprintError};
pub use given::Given;
pub use language::Language;
pub use passage::{Lines, Passage, passages};
pub use program::Program;
pub use sources::{MAX_ZIP_BYTES, Sources};
pub use winnow::{GRAM, WINDOW};
