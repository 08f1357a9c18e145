//! Languages.

use std::borrow::Cow;

use axum::http::{HeaderMap, header};

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Locale {
    #[default]
    English,
    Spanish,
}

impl Locale {
    pub(crate) const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// The word for it, in files, cookies and headers.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
        }
    }

    /// What it calls itself.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
        }
    }

    pub(crate) fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|locale| locale.word() == word)
    }

    /// What a browser asks for: the first of its languages that is known.
    pub(crate) fn asked(headers: &HeaderMap) -> Self {
        let asked = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut known = asked.split(',').filter_map(|language| Self::find(language.trim().get(..2)?));
        known.next().unwrap_or_default()
    }

    /// The text with this key; the key itself if there is none.
    pub(crate) fn t(self, key: &str) -> Cow<'_, str> {
        crate::_rust_i18n_translate(self.word(), key)
    }

    /// The text with this key, where `%{name}` stands for a value.
    pub(crate) fn with(self, key: &str, values: &[(&str, &str)]) -> String {
        let (names, values): (Vec<&str>, Vec<String>) =
            values.iter().map(|(name, value)| (*name, (*value).to_owned())).unzip();
        rust_i18n::replace_patterns(&self.t(key), &names, &values)
    }
}
