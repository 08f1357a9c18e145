//! The first error in what a compiler says, and the line of source that it is about.

/// The first error of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, if the compiler says it.
    pub column: Option<usize>,
    /// What is wrong there.
    pub text: String,
}

/// The first error in the messages of g++, rustc or Python; `None` if there is none with a place.
#[must_use]
pub fn first_error(message: &str) -> Option<FirstError> {
    let lines: Vec<&str> = message.lines().collect();
    (0..lines.len())
        .find_map(|at| of_cpp(lines[at]).or_else(|| of_rust(&lines[at..])).or_else(|| of_python(&lines[at..])))
}

/// `Lento.cpp:12:5: error: ...`, also with `fatal error` and without a column.
fn of_cpp(line: &str) -> Option<FirstError> {
    let (place, text) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
    placed(place, text)
}

/// `error[E0425]: ...`, and the place in a line below it: `  --> bot.rs:3:5`.
fn of_rust(lines: &[&str]) -> Option<FirstError> {
    let (kind, text) = lines.first()?.split_once(": ")?;
    let is_error = kind == "error" || (kind.starts_with("error[") && kind.ends_with(']'));
    let place = lines.iter().skip(1).take(2).find_map(|line| line.trim_start().strip_prefix("--> "))?;
    if is_error { placed(place, text) } else { None }
}

/// `  File "bot.py", line 3`, and what is wrong some lines below it: `SyntaxError: ...`.
fn of_python(lines: &[&str]) -> Option<FirstError> {
    let (file, rest) = lines.first()?.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    let is_error = |line: &&&str| line.split_once("Error: ").is_some_and(|(kind, _)| !kind.contains(' '));
    let text = lines.iter().skip(1).take(6).find(is_error)?;
    let file = file.rsplit('/').next().unwrap_or(file);
    placed(&format!("{file}:{digits}"), text)
}

/// An error at `file:line` or `file:line:column`.
fn placed(place: &str, text: &str) -> Option<FirstError> {
    let mut parts = place.trim().split(':');
    let file = parts.next().filter(|file| !file.is_empty() && !file.contains(char::is_whitespace))?;
    let line = parts.next()?.parse().ok().filter(|&line| line > 0)?;
    let column = parts.next().and_then(|column| column.parse().ok()).filter(|&column| column > 0);
    Some(FirstError { file: file.to_owned(), line, column, text: text.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CPP: &str = "In file included from Lento.cpp:1:\nLento.h: In member function 'int f()':\n\
                       Lento.h:12:5: error: 'x' was not declared in this scope\n   12 |     x = 1;\n";
    const RUST: &str =
        "warning: unused variable: `a`\n --> bot.rs:1:5\n\nerror[E0425]: cannot find value `x`\n  --> bot.rs:3:5\n";
    const PYTHON: &str = "  File \"bot.py\", line 3\n    if x\n        ^\nSyntaxError: expected ':'\n";

    fn found(message: &str) -> (String, usize, Option<usize>, String) {
        let FirstError { file, line, column, text } = first_error(message).expect("an error");
        (file, line, column, text)
    }

    #[test]
    fn the_first_error_is_found_in_the_messages_of_each_compiler() {
        let error = |file: &str, line, column, text: &str| (file.to_owned(), line, column, text.to_owned());
        assert_eq!(found(CPP), error("Lento.h", 12, Some(5), "'x' was not declared in this scope"));
        assert_eq!(found("a.cpp:3: fatal error: no.h: none"), error("a.cpp", 3, None, "no.h: none"));
        assert_eq!(found(RUST), error("bot.rs", 3, Some(5), "cannot find value `x`"));
        assert_eq!(found(PYTHON), error("bot.py", 3, None, "SyntaxError: expected ':'"));
        let none = [
            "",
            "/usr/bin/ld: undefined reference to `f()'",
            "collect2: error: ld returned 1 exit status",
            "error: aborting",
        ];
        for message in none {
            assert_eq!(first_error(message), None, "{message}");
        }
    }

    proptest! {
        #[test]
        fn no_mutation_does_harm(
            start in 0..3_usize,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), any::<bool>()), 1..8),
        ) {
            let mut message: Vec<char> = [CPP, RUST, PYTHON][start].chars().collect();
            for (at, letter, is_new) in changes {
                let at = at.index(message.len());
                if is_new { message.insert(at, letter) } else { message[at] = letter }
            }
            let message: String = message.into_iter().collect();
            if let Some(error) = first_error(&message) {
                prop_assert!(error.line > 0 && error.column != Some(0) && message.contains(&error.file));
            }
        }
    }
}
