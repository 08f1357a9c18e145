//! What courses ask of a submission beyond that it compiles: that everything is called alike, and that it leaves the
//! simulator's standard input and output alone.

use super::kind::Kind;
use super::scan::Scan;
use super::{course, stem};
use crate::Upload;

/// A part of a course pair that is not called as the bot is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misnamed {
    /// The class has this name.
    Class(String),
    /// The file that defines the class has this name.
    Header(String),
    /// The file with the class's functions has this name.
    Source(String),
}

/// A place where standard input or output is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamUse {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The name that stands there, such as `cout`.
    pub name: &'static str,
}

impl Upload {
    /// Whether it is a class of the Mancala course, which says its name when it is asked.
    #[must_use]
    pub const fn is_of_mancala_course(&self) -> bool {
        matches!(self.kind, Kind::Class { .. })
    }

    /// The language that it is written in.
    #[must_use]
    pub const fn language(&self) -> &'static str {
        match self.kind {
            Kind::Python { .. } => "python",
            Kind::Rust { .. } | Kind::Cargo => "rust",
            Kind::Cpp { .. } | Kind::Class { .. } | Kind::Player => "cpp",
        }
    }

    /// What of a course pair is not called as the bot is, letter by letter. Nothing if it is no such pair.
    #[must_use]
    pub fn misnamed(&self, bot: &str) -> Vec<Misnamed> {
        let Kind::Class { name, header, units } = &self.kind else { return vec![] };
        let is_called = |file: &str| stem(file.as_ref()) == bot;
        let class = (name != bot).then(|| Misnamed::Class(name.clone()));
        let header = (!is_called(header)).then(|| Misnamed::Header(header.clone()));
        // Further sources may be called as their author likes.
        let unit = units.first().filter(|_| !units.iter().any(|unit| is_called(unit)));
        class.into_iter().chain(header).chain(unit.cloned().map(Misnamed::Source)).collect()
    }

    /// Where a submission to a course uses standard input or output, which belong to the course's simulator. Comments and
    /// texts do not count.
    #[must_use]
    pub fn stream_uses(&self) -> Vec<StreamUse> {
        if !matches!(self.kind, Kind::Class { .. } | Kind::Player) {
            return vec![];
        }
        let own = self.kind.own_files(&self.files).filter(|(name, _)| course::is_cpp(name));
        own.flat_map(|(file, text)| {
            let line = |at: usize| text[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            let uses = Scan::new(text).streams.into_iter();
            uses.map(move |(at, name)| StreamUse { file: file.clone(), line: line(at), name }).collect::<Vec<_>>()
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(game: &str, files: &[(&str, &str)]) -> Upload {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        Upload::of_files(game, files).expect("a program")
    }

    #[test]
    fn what_is_called_otherwise_is_named() {
        let class = "class Lento : public Bot {};";
        let pair = upload("mancala", &[("Lento.h", class), ("Lento.cpp", ""), ("Tabla.cpp", "")]);
        assert_eq!(pair.misnamed("Lento"), []);
        let all =
            [Misnamed::Class("Lento".into()), Misnamed::Header("Lento.h".into()), Misnamed::Source("Lento.cpp".into())];
        assert_eq!(pair.misnamed("lento"), all, "letter by letter");
        let mixed = upload("mancala", &[("Rapido.h", class), ("Rapido.cpp", "")]);
        assert_eq!(mixed.misnamed("Rapido"), [Misnamed::Class("Lento".into())]);
        let alone = upload("mancala", &[("bot.cpp", "int main() {}")]);
        assert_eq!((alone.misnamed("Lento"), alone.language()), (vec![], "cpp"));
        let whole = upload("mancala", &[("Lento.h", class)]);
        assert_eq!(whole.misnamed("Lento"), [], "a class may be in one file");
    }

    #[test]
    fn standard_streams_are_found_in_code_alone() {
        let text = "// cout\n#include <iostream>\nusing namespace std;\nclass Lento : public Bot {\n  void f() { cout \
                    << \"printf\"; std::cin >> x; fprintf(stderr, \"\"); mycout(); }\n  int g() { return printf(\"\"); }\n};";
        let pair = upload("mancala", &[("Lento.h", text), ("Bot.h", "cout"), ("Lento.cpp", "")]);
        let found: Vec<_> = pair.stream_uses().into_iter().map(|it| (it.file, it.line, it.name)).collect();
        let at = |line, name| ("Lento.h".to_owned(), line, name);
        assert_eq!(found, [at(5, "cout"), at(5, "cin"), at(6, "printf")]);
        let player = upload("conecta4boom", &[("player.cpp", "\n\nscanf(")]);
        assert_eq!(player.stream_uses(), [StreamUse { file: "player.cpp".to_owned(), line: 3, name: "scanf" }]);
        assert_eq!(
            upload("mancala", &[("bot.cpp", "int main() { cout; }")]).stream_uses(),
            [],
            "a program of its own talks"
        );
    }
}
