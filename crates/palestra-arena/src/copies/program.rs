//! A program's sources as tokens and their hashes.

use super::fingerprint::Fingerprint;
use super::given::Given;
use super::language::Language;
use super::token::{Token, tokens};
use super::winnow::{GRAM, grams, winnow};

/// The sources of a program, scanned. What is given to all is marked and does not count.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) files: Vec<ScannedFile>,
}

/// A file of a program.
#[derive(Clone, Debug)]
pub(super) struct ScannedFile {
    pub(super) name: String,
    pub(super) tokens: Vec<Token>,
    /// For each token whether it belongs to code that is given to all.
    pub(super) is_given: Vec<bool>,
    /// The hashes that winnowing keeps, each with the place of its first token.
    pub(super) kept: Vec<(u64, usize)>,
}

impl Program {
    /// Scans the files of a program. Files in a language that is not known are left out.
    #[must_use]
    pub fn new(files: &[(String, Vec<u8>)], given: &Given) -> Self {
        let scanned = files.iter().filter_map(|(name, text)| {
            let tokens = tokens(Language::of_name(name)?, text);
            Some(ScannedFile::new(name.clone(), tokens, given))
        });
        Self { files: scanned.collect() }
    }

    /// The hashes by which the program is compared.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.files.iter().flat_map(|file| file.kept.iter().map(|&(hash, _)| hash)).collect()
    }

    /// The number of tokens that are not given to all.
    #[must_use]
    pub fn own_tokens(&self) -> usize {
        self.files.iter().map(|file| file.is_given.iter().filter(|&&is_given| !is_given).count()).sum()
    }
}

impl ScannedFile {
    fn new(name: String, tokens: Vec<Token>, given: &Given) -> Self {
        let hashes = grams(&tokens);
        let mut is_given = vec![false; tokens.len()];
        for (at, _) in hashes.iter().enumerate().filter(|&(_, &hash)| given.has(hash)) {
            is_given[at..at + GRAM].fill(true);
        }
        let kept = winnow(&hashes).into_iter().map(|at| (hashes[at], at)).filter(|&(hash, _)| !given.has(hash));
        Self { name, kept: kept.collect(), tokens, is_given }
    }
}
