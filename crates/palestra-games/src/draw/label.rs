//! Texts of a board, in the languages of people.

/// A text that a front end puts into a person's language: a key and its arguments. The keys are plain English words,
/// so that key and arguments joined by spaces can be read as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The text to translate.
    pub key: &'static str,
    /// The values that the text shows.
    pub args: Vec<String>,
}

impl Label {
    /// A label; `args` are shown after the key.
    #[must_use]
    pub fn new<const N: usize>(key: &'static str, args: [&dyn std::fmt::Display; N]) -> Self {
        Self { key, args: args.iter().map(ToString::to_string).collect() }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// The texts of a label in the languages of people. `{1}` in a text is the first argument; `{1:colour}` is the text of
/// the key `colour.X`, where `X` is that argument.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// The key of the label.
    pub key: &'static str,
    /// The text in English.
    pub english: &'static str,
    /// The text in Spanish.
    pub spanish: &'static str,
}

impl Wording {
    /// The texts of a key.
    #[must_use]
    pub const fn new(key: &'static str, english: &'static str, spanish: &'static str) -> Self {
        Self { key, english, spanish }
    }
}
