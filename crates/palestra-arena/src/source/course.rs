//! Which class of a Mancala folder is the bot, and which files make it up.
//!
//! Students named their files as they liked, and their makefile compiled them all. The bot is the class that their
//! `main.cpp` makes, or the only one that derives from the course's `Bot`; without either, a pair of files called after
//! a class.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::files::Files;
use super::kind::Kind;
use super::kit::MANCALA;
use super::scan::Scan;
use super::stem;

const SOURCES: [&str; 3] = ["cpp", "cc", "cxx"];
const HEADERS: [&str; 4] = ["h", "hpp", "hh", "hxx"];

/// The course's main program, which names the bot's class. Palestra compiles its own, but reads the class from the
/// student's.
const MAIN: &str = "main.cpp";

/// Maximum number of classes of a folder that are considered.
const MAX_CANDIDATES: usize = 64;

/// A class that may be the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The name of the class.
    pub(super) class: String,
    /// The file that defines the class, which `main.cpp` includes.
    header: String,
    /// The file by which a user can select this class.
    pub(super) file: String,
}

/// The scanned files of a student of the Mancala course.
pub(super) struct Course<'a> {
    files: Vec<(&'a str, Scan<'a>)>,
    candidates: Vec<Candidate>,
}

impl<'a> Course<'a> {
    /// Scans the files of a folder for classes.
    pub(super) fn new(files: &'a Files) -> Self {
        let usable = files.iter().filter(|(name, _)| is_cpp(name) && can_be_included(name));
        let files = usable.map(|(name, text)| (name.as_str(), Scan::new(text))).collect();
        let mut course = Self { files, candidates: vec![] };
        course.candidates = course.derived();
        course
    }

    /// The bot of a folder; `None` without candidates, an error with several.
    pub(super) fn of_folder(&self) -> Result<Option<Kind>, Vec<Candidate>> {
        let main = self.files.iter().find(|(name, _)| *name == MAIN);
        let is_made = |candidate: &&Candidate| main.is_some_and(|(_, scan)| scan.has_name(&candidate.class));
        let candidates = if self.candidates.is_empty() { self.pairs() } else { self.candidates.clone() };
        let made: Vec<&Candidate> = candidates.iter().filter(is_made).collect();
        match (&made[..], &candidates[..]) {
            ([made], _) => Ok(Some(self.kind(made))),
            ([], [only]) => Ok(Some(self.kind(only))),
            ([], []) => Ok(None),
            _ => Err(candidates),
        }
    }

    /// The bot that a file selects; `None` if the file is a program of its own.
    pub(super) fn of_file(&self, file: &str) -> Option<Kind> {
        if file == MAIN {
            return self.of_folder().ok().flatten();
        }
        if self.is_program(file) {
            return None;
        }
        let pairs = self.pairs();
        let named = |it: &&Candidate| it.file == file || it.header == file;
        let by_class = self.candidates.iter().find(|it| it.class == stem(file.as_ref()) && named(it));
        let found = by_class.or_else(|| self.candidates.iter().find(named)).or_else(|| pairs.iter().find(named))?;
        Some(self.kind(found))
    }

    /// Whether a file has a function `main`, and so is a program of its own.
    pub(super) fn is_program(&self, file: &str) -> bool {
        self.scan(file).is_some_and(Scan::has_main)
    }

    /// Whether a class derives from the course's `Bot`.
    pub(super) const fn has_bot(&self) -> bool {
        !self.candidates.is_empty()
    }

    fn kind(&self, bot: &Candidate) -> Kind {
        Kind::Class { name: bot.class.clone(), header: bot.header.clone(), units: self.units(bot) }
    }

    fn scan(&self, file: &str) -> Option<&Scan<'a>> {
        self.files.iter().find(|(name, _)| *name == file).map(|(_, scan)| scan)
    }

    /// The student's own files, without copies of the course's kit.
    fn own(&self) -> impl Iterator<Item = &(&'a str, Scan<'a>)> {
        self.files.iter().filter(|(name, _)| !MANCALA.has(name.as_ref()))
    }

    fn sources(&self) -> impl Iterator<Item = &(&'a str, Scan<'a>)> {
        self.own().filter(|(name, _)| has_extension(name, &SOURCES))
    }

    /// The classes that derive from `Bot`, directly or not, and have no derived classes.
    fn derived(&self) -> Vec<Candidate> {
        let (mut files, mut heirs) = (BTreeMap::new(), BTreeMap::<&str, Vec<&str>>::new());
        for (file, scan) in self.own() {
            for class in scan.classes() {
                class.bases.iter().for_each(|base| heirs.entry(base).or_default().push(class.name));
                let defining = files.entry(class.name).or_insert(*file);
                // Of several definitions, such as in a copy of a file, that in the file of its name counts.
                if stem(file.as_ref()) == class.name {
                    *defining = file;
                }
            }
        }
        let (mut open, mut bots) = (vec!["Bot"], BTreeSet::new());
        while let Some(base) = open.pop() {
            open.extend(heirs.get(base).into_iter().flatten().filter(|heir| bots.insert(**heir)));
        }
        let leaves = bots.into_iter().filter(|bot| !heirs.contains_key(bot) && is_identifier(bot));
        leaves.take(MAX_CANDIDATES).filter_map(|bot| Some(self.candidate(bot, files.get(bot)?))).collect()
    }

    fn candidate(&self, class: &str, header: &str) -> Candidate {
        let called = |wanted: &str| self.sources().find(|(name, _)| stem(name.as_ref()) == wanted);
        let file = called(class)
            .or_else(|| called(&stem(header.as_ref())))
            .or_else(|| self.sources().find(|(_, scan)| scan.has_members_of(class)))
            .map_or(header, |(name, _)| name);
        Candidate { class: class.to_owned(), header: header.to_owned(), file: file.to_owned() }
    }

    /// Pairs of `NAME.cpp` and `NAME.h`, taken for the class `NAME`: for classes that the scanner does not find.
    fn pairs(&self) -> Vec<Candidate> {
        let pair = |(file, _): &(&str, Scan<'_>)| {
            let class = stem(file.as_ref());
            let header = HEADERS.iter().map(|it| format!("{class}.{it}")).find(|name| self.scan(name).is_some())?;
            let is_class = is_identifier(&class) && class != "bot" && class != "player";
            is_class.then(|| Candidate { class, header, file: (*file).to_owned() })
        };
        self.sources().filter_map(pair).collect()
    }

    /// The translation units: all sources of the folder, as in the course's makefile, except included ones and programs
    /// of their own.
    fn units(&self, bot: &Candidate) -> Vec<String> {
        let is_included = |name: &str| name == bot.header || self.own().any(|(_, scan)| scan.includes.contains(&name));
        let units = self.sources().filter(|(name, scan)| !is_included(name) && !scan.has_main());
        units.map(|(name, _)| (*name).to_owned()).collect()
    }
}

/// Whether a text is a C++ identifier.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a file name can stand in `#include "..."`.
fn can_be_included(name: &str) -> bool {
    !name.contains(|c: char| c.is_control() || "\"\\".contains(c))
}

/// Whether a file has the extension of a C++ source or header.
pub(super) fn is_cpp(name: &str) -> bool {
    has_extension(name, &SOURCES) || has_extension(name, &HEADERS)
}

/// Whether a file has the extension of a C++ header.
pub(super) fn is_header(name: &str) -> bool {
    has_extension(name, &HEADERS)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name).extension().and_then(|it| it.to_str()).is_some_and(|it| extensions.contains(&it))
}
