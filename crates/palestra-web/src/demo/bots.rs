//! The bots of the demonstration: the alpha-beta examples of the starter kits, two plies deep, each with an evaluation of
//! its own.

/// A language in which bots are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Cpp,
    Python,
}

/// What the evaluations of the bots in C++ add for each pit, beside what lies in the stores.
const CPP_IDEAS: [&str; 6] = [
    "if (position.seeds(own, pit) == pit) value += 3;  // another move",
    "value += position.seeds(own, pit) - position.seeds(opponent, pit);",
    "if (position.seeds(own, pit) == 0) value += position.seeds(opponent, 7 - pit);  // a capture",
    "if (pit > 3) value += position.seeds(own, pit);  // they come round late",
    "if (position.seeds(opponent, pit) == pit) value -= 3;  // its next moves",
    "value += std::min(position.seeds(own, pit), 3);",
];

/// Those of the bots in Python.
const PYTHON_IDEAS: [&str; 6] = [
    "value += (own[pit] > 0) - (opponent[pit] > 0)  # choices",
    "value += own[pit] + 2 * (own[pit] == pit)",
    "value -= own[7 - pit] if opponent[pit] == 0 else 0  # what can be captured",
    "value += max(own[pit] - 6, 0)  # a pit for the end of the game",
    "value += own[pit] - opponent[pit] if pit < 4 else 0",
    "value += 6 * (own[pit] == pit) - own[pit]",
];

const CPP: &str = include_str!("../../../../kits/cpp/mancala/alphabeta.cpp");
const PYTHON: &str = include_str!("../../../../kits/python/mancala/alphabeta.py");

/// What the evaluations of the examples return, which stands nowhere else in them.
const CPP_VALUE: &str = "    return position.seeds(own, 0) - position.seeds(opponent, 0);\n";
const PYTHON_VALUE: &str = "    return own[0] - opponent[0]\n";

impl Language {
    pub(super) const ALL: [Self; 2] = [Self::Cpp, Self::Python];

    /// The word for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Cpp => "cpp",
            Self::Python => "python",
        }
    }

    /// The source of a bot with one of the ideas: the name of the file, and its text.
    pub(super) fn source(self, name: &str, idea: usize) -> (&'static str, String) {
        let (file, example) = match self {
            Self::Cpp => ("bot.cpp", CPP.replace(CPP_VALUE, &cpp(CPP_IDEAS[idea % CPP_IDEAS.len()]))),
            Self::Python => {
                let idea = PYTHON_IDEAS[idea % PYTHON_IDEAS.len()];
                ("bot.py", PYTHON.replace(PYTHON_VALUE, &python(idea)))
            }
        };
        (file, example.replace("MAX_DEPTH = 1", "MAX_DEPTH = 2").replace("\"AlphaBeta\"", &format!("\"{name}\"")))
    }
}

fn cpp(idea: &str) -> String {
    format!(
        "    int value = 4 * (position.seeds(own, 0) - position.seeds(opponent, 0));\n    \
             for (int pit = 1; pit <= 6; pit++) {{\n        {idea}\n    }}\n    return value;\n"
    )
}

fn python(idea: &str) -> String {
    format!("    value = 4 * (own[0] - opponent[0])\n    for pit in range(1, 7):\n        {idea}\n    return value\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use palestra_arena::Upload;

    use super::*;

    #[test]
    fn every_bot_has_a_source_of_its_own_that_can_be_uploaded() {
        let mut seen = BTreeSet::new();
        for (language, idea) in Language::ALL.into_iter().flat_map(|language| (0..6).map(move |idea| (language, idea)))
        {
            let (file, text) = language.source("Cierzo", idea);
            assert!(text.contains("MAX_DEPTH = 2") && text.contains("\"Cierzo\""), "{text}");
            assert!(text.contains("value = 4 * ") && text.contains("return value"), "{text}");
            let upload = Upload::of_files("mancala", vec![(file.to_owned(), text.clone().into_bytes())]).unwrap();
            assert_eq!(upload.language(), language.word());
            assert!(seen.insert(text), "{language:?} {idea:?}");
        }
    }
}
