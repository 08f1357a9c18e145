//! Texts for people that can be translated: English here, with a key and arguments for front ends in other languages.

use std::fmt;

use crate::Side;

/// A clause for people, such as the reason of an error.
///
/// It displays itself in English. A front end that speaks other languages has a translation for each key, and puts the
/// arguments where the translation wants them. [`phrase!`](crate::phrase!) makes one:
///
/// ```
/// use palestra_games::phrase;
///
/// let phrase = phrase!("mancala.total", "{found} seeds, there must be {wanted}", found = 49, wanted = 48);
/// assert_eq!(phrase.to_string(), "49 seeds, there must be 48");
/// assert_eq!(phrase.key(), Some("mancala.total"));
/// assert_eq!(phrase.arguments()[1].0, "wanted");
/// ```
// Boxed, because errors are small and seldom made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase(Box<Said>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    key: Option<&'static str>,
    english: String,
    arguments: Vec<(&'static str, Argument)>,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Reads the same in every language: a number, a symbol, something that was typed.
    Plain(String),
    /// To be translated itself.
    Phrase(Phrase),
}

impl Phrase {
    /// The phrase of this key. It is [`phrase!`](crate::phrase!) that makes sure that the text agrees with the arguments.
    #[must_use]
    pub fn new(key: &'static str, english: String, arguments: Vec<(&'static str, Argument)>) -> Self {
        Self(Box::new(Said { key: Some(key), english, arguments }))
    }

    /// A text without translations: for what only those read who speak English, as at the command line.
    #[must_use]
    pub fn untranslated(english: impl Into<String>) -> Self {
        Self(Box::new(Said { key: None, english: english.into(), arguments: vec![] }))
    }

    /// The key of the translations, if there are some.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        self.0.key
    }

    /// The text in English.
    #[must_use]
    pub fn english(&self) -> &str {
        &self.0.english
    }

    /// Names and values of the arguments.
    #[must_use]
    pub fn arguments(&self) -> &[(&'static str, Argument)] {
        &self.0.arguments
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.english())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Phrase(phrase) => phrase.fmt(f),
        }
    }
}

impl From<Phrase> for Argument {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase)
    }
}

/// Values that read the same in every language.
macro_rules! plain {
    ($($type:ty),*) => {
        $(impl From<$type> for Argument {
            fn from(value: $type) -> Self {
                Self::Plain(value.to_string())
            }
        })*
    };
}

plain!(&str, String, i32, u8, u16, u32, usize, Side);

/// Makes a [`Phrase`] from its key, its English text and its arguments, which the text names as in `format!`. An argument
/// `name` alone stands for `name = name`.
#[macro_export]
macro_rules! phrase {
    (@value $name:ident) => { $name };
    (@value $name:ident = $value:expr) => { $value };
    ($key:literal, $english:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        // All values are computed before a name hides another.
        let ($($name,)*) = ($($crate::Argument::from($crate::phrase!(@value $name $(= $value)?)),)*);
        $crate::Phrase::new($key, format!($english $(, $name = $name)*), vec![$((stringify!($name), $name)),*])
    }};
}
