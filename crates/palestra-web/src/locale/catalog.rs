//! A catalogue of translations: key to text, read from an INI file.
//!
//! ```text
//! # A comment.
//! [account.wrong]
//! email = That is not an e-mail address.
//! ```
//!
//! This is the text of the key `account.wrong.email`. A text is one line; `\n` in it is a line break, and `%{name}` is
//! replaced by a value.

use std::collections::HashMap;
use std::str::FromStr;

use thiserror::Error;

/// The texts of one language.
#[derive(Debug)]
pub(crate) struct Catalog(HashMap<String, String>);

impl Catalog {
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// All keys and texts, in no order.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// All keys, in no order.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Why a file of texts cannot be read. Lines are counted from 1.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum CatalogError {
    /// A line that is neither a comment, nor a section, nor `key = text`.
    #[error("line {0}: neither [section] nor key = text")]
    Line(usize),
    /// A text before the first section.
    #[error("line {0}: a text outside of a section")]
    NoSection(usize),
    /// A key that has a text already.
    #[error("line {0}: the key {1} has a text already")]
    Twice(usize, String),
}

impl FromStr for Catalog {
    type Err = CatalogError;

    fn from_str(text: &str) -> Result<Self, CatalogError> {
        let (mut texts, mut section) = (HashMap::new(), None);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = Some(name);
                continue;
            }
            let (key, text) = line.split_once(" = ").ok_or(CatalogError::Line(number))?;
            let key = format!("{}.{key}", section.ok_or(CatalogError::NoSection(number))?);
            if texts.contains_key(&key) {
                return Err(CatalogError::Twice(number, key));
            }
            texts.insert(key, text.replace("\\n", "\n"));
        }
        Ok(Self(texts))
    }
}

/// Replaces each `%{name}` by the value of that name. A value is never searched for names, and a name without a value
/// stays as it is.
pub(super) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, from_name)) = rest.split_once("%{") {
        let argument = from_name.split_once('}');
        let value = argument.and_then(|(name, _)| values.iter().find(|(known, _)| *known == name));
        filled.push_str(before);
        filled.push_str(value.map_or("%{", |(_, value)| value));
        rest = argument.filter(|_| value.is_some()).map_or(from_name, |(_, after)| after);
    }
    filled + rest
}

/// The placeholders of a text: `%{name}` is filled in by the server, `{1}` and `{1:colour}` by a script.
#[cfg(test)]
pub(super) fn arguments(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_section_and_its_name() {
        let catalog: Catalog = "# A comment.\n\n[a.b]\nsome key = x = y\\n%{z}\n[c]\nk = v\n".parse().unwrap();
        assert_eq!(catalog.get("a.b.some key"), Some("x = y\n%{z}"));
        assert_eq!(catalog.get("c.k"), Some("v"));
        assert_eq!(catalog.get("c.some key"), None);
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_line() {
        let error = |text: &str| text.parse::<Catalog>().unwrap_err();
        assert_eq!(error("[a]\nk = v\nk: v\n"), CatalogError::Line(3));
        assert_eq!(error("k = v\n"), CatalogError::NoSection(1));
        assert_eq!(error("[a]\nk = v\n\n[a]\nk = w\n"), CatalogError::Twice(5, "a.k".to_owned()));
    }

    #[test]
    fn values_replace_their_names_and_nothing_else() {
        let filled = |text| fill(text, &[("what", "%{who}"), ("who", "Ana")]);
        assert_eq!(filled("%{who}: %{what}, 100 %."), "Ana: %{who}, 100 %.", "a value is not searched for names");
        assert_eq!(filled("%{which} %{who"), "%{which} %{who");
        assert_eq!(filled(""), "");
    }
}
