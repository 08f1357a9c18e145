//! Internationalisation: the languages of the pages, which of them a browser prefers, and the texts in each.
//!
//! The texts are in `locales/`, a file a language, and part of the binary; `catalog` reads them.

mod catalog;

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, header};
use palestra_games::{Argument, Phrase};

use crate::visitor::{cookie_value, kept};
pub(crate) use catalog::Catalog;

/// The name of the cookie with the language.
const COOKIE: &str = "lang";

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
pub(crate) enum Locale {
    #[default]
    #[strum(serialize = "en")]
    English,
    #[strum(serialize = "es")]
    Spanish,
}

impl Locale {
    pub(crate) const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The language's code, in file names, cookies and headers.
    pub(crate) fn word(self) -> &'static str {
        self.into()
    }

    /// The language's own name for itself.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
        }
    }

    /// The language with this code.
    pub(crate) fn find(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// The language that a browser has chosen.
    pub(crate) fn chosen(headers: &HeaderMap) -> Option<Self> {
        cookie_value(headers, COOKIE).and_then(Self::find)
    }

    /// The cookie that keeps the choice.
    pub(crate) fn cookie(self) -> HeaderValue {
        kept(COOKIE, self.word())
    }

    /// The first language of a browser's `Accept-Language` that the pages exist in.
    pub(crate) fn asked(headers: &HeaderMap) -> Self {
        let asked = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut known = asked.split(',').filter_map(|language| Self::find(language.trim().get(..2)?));
        known.next().unwrap_or_default()
    }

    /// The text with this key; the key itself if there is none.
    pub(crate) fn t(self, key: &str) -> &str {
        self.catalog().get(key).unwrap_or(key)
    }

    /// All texts whose keys begin so, by the rest of their keys.
    pub(crate) fn section(self, begin: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.catalog().texts().filter_map(move |(key, text)| Some((key.strip_prefix(begin)?, text)))
    }

    /// The text with this key, if there is one.
    pub(crate) fn find_text(self, key: &str) -> Option<&'static str> {
        self.catalog().get(key)
    }

    /// The text with this key, in which each `%{name}` is replaced by the value of that name.
    pub(crate) fn with(self, key: &str, values: &[(&str, &str)]) -> String {
        catalog::fill(self.t(key), values)
    }

    /// A number with its thousands apart.
    pub(crate) fn number(self, number: u64) -> String {
        let digits = number.to_string();
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(match self {
                    Self::English => ',',
                    Self::Spanish => '\u{a0}',
                });
            }
            text.push(digit);
        }
        text
    }

    /// A phrase of a library, in this language.
    pub(crate) fn phrase(self, phrase: &Phrase) -> String {
        let translated = phrase.key().and_then(|key| self.find_text(&format!("problem.{key}")));
        let Some(text) = translated else { return phrase.english().to_owned() };
        let value = |argument: &Argument| match argument {
            Argument::Plain(text) => text.clone(),
            Argument::Phrase(phrase) => self.phrase(phrase),
        };
        let values: Vec<(&str, String)> = phrase.arguments().iter().map(|(name, it)| (*name, value(it))).collect();
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        catalog::fill(text, &values)
    }

    fn catalog(self) -> &'static Catalog {
        static ENGLISH: LazyLock<Catalog> = LazyLock::new(|| bundled(include_str!("../../locales/en.ini")));
        static SPANISH: LazyLock<Catalog> = LazyLock::new(|| bundled(include_str!("../../locales/es.ini")));
        match self {
            Self::English => &ENGLISH,
            Self::Spanish => &SPANISH,
        }
    }
}

fn bundled(text: &str) -> Catalog {
    text.parse().expect("the bundled texts are well-formed, which the tests of this module check")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn every_language_has_every_key() {
        let keys = |locale: Locale| -> BTreeSet<&str> { locale.catalog().keys().collect() };
        for &locale in Locale::ALL {
            let differ: Vec<_> = keys(Locale::English).symmetric_difference(&keys(locale)).copied().collect();
            assert!(differ.is_empty(), "in one of English and {} only: {differ:?}", locale.name());
        }
    }

    #[test]
    fn a_text_has_the_same_arguments_in_every_language() {
        for key in Locale::English.catalog().keys() {
            let arguments = |locale: Locale| catalog::arguments(locale.t(key)).collect::<BTreeSet<_>>();
            for &locale in Locale::ALL {
                assert_eq!(arguments(Locale::English), arguments(locale), "{key} in {}", locale.name());
            }
        }
    }

    /// Names of files and hosts look like keys.
    const OTHERS: [&str; 6] = [".css", ".csv", ".example", ".html", ".js", ".json"];

    /// The keys that sources and templates name. A part that is computed, as in `"reason.{word}"`, is cut off with all
    /// that follows.
    fn named_keys(folder: &Path, into: &mut BTreeSet<String>) {
        let sections: BTreeSet<&str> =
            Locale::English.catalog().keys().filter_map(|key| Some(key.split_once('.')?.0)).collect();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                named_keys(&path, into);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let literals = text.split('"').filter(|literal| !literal.contains(char::is_whitespace));
            let is_key =
                |literal: &&str| literal.split_once('.').is_some_and(|(section, _)| sections.contains(section));
            let keys = literals.filter(is_key).filter(|literal| !OTHERS.iter().any(|end| literal.ends_with(end)));
            into.extend(keys.map(|key| key.split('{').next().unwrap_or(key).to_owned()));
        }
    }

    #[test]
    fn templates_fill_in_what_a_text_leaves_open() {
        let mut open = vec![];
        for template in templates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("templates")) {
            let text = fs::read_to_string(&template).unwrap();
            let plain = text.split("frame.t(\"").skip(1).filter_map(|rest| rest.split_once('"'));
            let is_open = |key: &&str| catalog::arguments(Locale::English.t(key)).next().is_some();
            open.extend(plain.map(|(key, _)| key).filter(is_open).map(str::to_owned));
        }
        assert!(open.is_empty(), "shown with a %{{...}} in them: {open:?}");
    }

    /// The files in a folder and below it.
    fn templates(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { templates(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(Locale::English.number(1_200_000), "1,200,000");
        assert_eq!(Locale::Spanish.number(140_000), "140\u{a0}000");
        assert_eq!(Locale::English.number(7), "7");
    }

    #[test]
    fn every_key_that_is_named_exists_and_every_key_is_named() {
        let mut named = BTreeSet::new();
        for folder in ["src", "templates"] {
            named_keys(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut named);
        }
        let is_named = |key: &str, by: &str| key == by || (by.ends_with('.') && key.starts_with(by));
        let keys: Vec<&str> = Locale::English.catalog().keys().collect();
        let missing: Vec<_> = named.iter().filter(|by| !keys.iter().any(|key| is_named(key, by))).collect();
        assert!(missing.is_empty(), "named, without a text: {missing:?}");
        let unused: Vec<_> = keys.iter().filter(|key| !named.iter().any(|by| is_named(key, by))).collect();
        assert!(unused.is_empty(), "texts that nothing names: {unused:?}");
    }

    /// The keys of `phrase!` in the sources of a library, with their English texts.
    fn phrases(folder: &Path, into: &mut BTreeMap<String, BTreeSet<String>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                phrases(&path, into);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for call in text.split("phrase!(").skip(1) {
                let Some((key, rest)) = literal(call) else { continue };
                let (english, _) = literal(rest.trim_start_matches(',')).expect("a key is followed by its text");
                into.entry(key).or_default().insert(english);
            }
        }
    }

    /// The string literal with which a text begins, and what follows it.
    fn literal(text: &str) -> Option<(String, &str)> {
        let rest = text.trim_start().strip_prefix('"')?;
        let is_escaped = |end: &usize| rest[..*end].ends_with('\\');
        let (end, _) = rest.match_indices('"').find(|(end, _)| !is_escaped(end))?;
        Some((rest[..end].replace("\\\"", "\""), &rest[end + 1..]))
    }

    #[test]
    fn every_phrase_of_the_libraries_has_the_same_text_here_and_translations() {
        let mut found = BTreeMap::new();
        for library in ["palestra-games", "palestra-arena", "palestra-tournament"] {
            phrases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(library).join("src"), &mut found);
        }
        let found: BTreeMap<String, String> = found
            .into_iter()
            .map(|(key, english)| {
                assert_eq!(english.len(), 1, "{key}: {english:?}");
                (format!("problem.{key}"), english.into_iter().map(|text| text.replace('{', "%{")).collect())
            })
            .collect();
        let catalog = Locale::English.catalog();
        let here = catalog.keys().filter(|key| key.starts_with("problem."));
        let here = here.map(|key| (key.to_owned(), catalog.get(key).unwrap_or_default().to_owned()));
        assert_eq!(here.collect::<BTreeMap<_, _>>(), found);
    }

    #[test]
    fn a_phrase_is_said_in_every_language() {
        let error = (palestra_games::GAMES[0].parse)("3:").unwrap_err();
        assert_eq!(Locale::English.phrase(&error.phrase()), error.phrase().to_string());
        let spanish = "el carácter 1: se esperaba el jugador que mueve (1 o 2), pero hay '3'";
        assert_eq!(Locale::Spanish.phrase(&error.phrase()), spanish);
        assert_eq!(Locale::Spanish.phrase(&Phrase::untranslated("as it is")), "as it is");
    }

    #[test]
    fn a_browser_gets_the_first_of_its_languages_that_is_there() {
        let asked = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, text.parse().unwrap());
            Locale::asked(&headers).word()
        };
        assert_eq!(asked("es-ES,es;q=0.9,en;q=0.8"), "es");
        assert_eq!(asked("de, es;q=0.5, en;q=0.3"), "es");
        assert_eq!(asked("fr"), "en");
        assert_eq!(asked("x"), "en");
        assert_eq!(Locale::asked(&HeaderMap::new()).word(), "en");
    }
}
