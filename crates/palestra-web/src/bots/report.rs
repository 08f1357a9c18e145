//! What was found about a version: how it is stored, and how it is shown in a language.

use palestra_arena::check::{Difference, WON};
use palestra_arena::{FirstError, first_error};
use palestra_search::Score;
use palestra_tournament::rubric::SearchResult;
use serde::{Deserialize, Serialize};

use crate::locale::Locale;

/// What was found about a version so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Report {
    /// The steps in their order; only the last one may be running.
    pub(crate) steps: Vec<Step>,
    /// The compiler's command, as its author would type it.
    pub(crate) command: String,
    /// What the compiler says if it refuses the sources.
    pub(crate) message: String,
    /// The size of the program that was built.
    pub(crate) program_bytes: u64,
    /// Whether it searches as alpha-beta does; none as long as that was not tried.
    pub(crate) search: Option<SearchResult>,
}

/// A step of trying a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    pub(crate) state: StepState,
    #[serde(default)]
    pub(crate) elapsed_ms: u64,
    #[serde(default)]
    pub(crate) notes: Vec<Note>,
    /// How its game ended.
    #[serde(default)]
    pub(crate) game: Option<Game>,
}

/// The steps, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(crate) enum StepKind {
    Compile,
    Names,
    Streams,
    Start,
    PositionsFirst,
    ExtraTurn,
    PositionsSecond,
    Lines,
    End,
    GameFirst,
    GameSecond,
    Time,
    Search,
    Itself,
}

/// How far a step has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(crate) enum StepState {
    Running,
    Passed,
    Warned,
    Failed,
}

/// How a game ended, for the version; against itself for side 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Game {
    /// Whether it was won; none after a draw.
    pub(crate) won: Option<bool>,
    /// Its own points, and the opponent's.
    pub(crate) points: [i32; 2],
}

/// Something that was found in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Note {
    /// The class is not called as the bot is.
    Class { found: String },
    /// The file with the class is not called as the bot is.
    Header { found: String },
    /// The file with the class's functions is not called as the bot is.
    Source { found: String },
    /// The answer to GETNAME is not the bot's name.
    Getname { found: String },
    /// Standard input or output is used.
    Stream { file: String, line: usize, name: String },
    /// It was compiled in a newer dialect than the course's.
    Dialect { name: String },
    /// Compiling took too long: more than these seconds.
    Slow { seconds: u64 },
    /// Compiling took too much memory: more than these MiB.
    Memory { mib: u64 },
    /// What was made cannot be run, for this reason.
    Unfit { why: String },
    /// Its search differs from the teaching alpha-beta.
    Difference(SearchDifference),
    /// It was too slow for its search to be compared: only this number of searches were done.
    SearchSlow { done: u32 },
    /// What a check found.
    Finding(Finding),
}

/// Where the search of a version differs from the teaching alpha-beta.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SearchDifference {
    pub(crate) game: String,
    pub(crate) evaluation: String,
    pub(crate) depth: u32,
    pub(crate) position: String,
    /// The value, and the best moves.
    pub(crate) value: Score,
    pub(crate) best: String,
    /// The version's move, and what it is worth.
    pub(crate) chosen: String,
    pub(crate) worth: Score,
    /// The score that it told; none if it told none.
    pub(crate) said: Option<String>,
    /// Each move with its value.
    pub(crate) values: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Finding {
    /// The kind, as a word.
    pub(crate) kind: String,
    pub(crate) is_warning: bool,
    /// Whether the program speaks the course's protocol.
    pub(crate) is_of_course: bool,
    /// What happened this time, in English.
    pub(crate) detail: String,
    /// What it wrote.
    pub(crate) line: String,
    pub(crate) position: String,
    /// The legal moves.
    pub(crate) legal: String,
    pub(crate) stderr: String,
}

impl Note {
    /// Whether it refuses the version.
    pub(crate) const fn is_failure(&self) -> bool {
        match self {
            Self::Stream { .. } | Self::Dialect { .. } | Self::Difference(_) | Self::SearchSlow { .. } => false,
            Self::Finding(finding) => !finding.is_warning,
            _ => true,
        }
    }

    /// The sentence, for a bot of this name.
    pub(crate) fn text(&self, bot: &str, locale: Locale) -> String {
        let named = |key: &str, found: &str| locale.with(key, &[("what", found), ("bot", bot)]);
        let what = |key: &str, what: &str| locale.with(key, &[("what", what)]);
        match self {
            Self::Class { found } => named("bots.note.class", found),
            Self::Header { found } => named("bots.note.header", found),
            Self::Source { found } => named("bots.note.source", found),
            Self::Getname { found } => named("bots.note.getname", found),
            Self::Stream { file, line, name } => {
                let line = line.to_string();
                locale.with("bots.note.stream", &[("file", file), ("line", &line), ("what", name)])
            }
            Self::Dialect { name } => what("bots.note.dialect", name),
            Self::Slow { seconds } => what("bots.note.slow", &seconds.to_string()),
            Self::Memory { mib } => what("bots.note.memory", &mib.to_string()),
            Self::Unfit { why } => what("bots.note.unfit", why),
            Self::Difference(difference) => difference.text(locale),
            Self::SearchSlow { done } => what("bots.note.search_slow", &done.to_string()),
            Self::Finding(finding) => finding.text(locale),
        }
    }

    /// What else is known, each with the key of its label: texts in no language.
    pub(crate) fn rows(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Finding(finding) => finding.rows().collect(),
            Self::Difference(SearchDifference { position, values, .. }) => {
                vec![("bots.finding_position", position), ("bots.finding_values", values)]
            }
            _ => vec![],
        }
    }

    /// The address of a tree that shows more, if there is one.
    pub(crate) fn tree(&self) -> Option<String> {
        let Self::Difference(SearchDifference { game, evaluation, depth, position, .. }) = self else { return None };
        let query = [("game", game), ("position", position), ("eval", evaluation), ("depth", &depth.to_string())];
        serde_urlencoded::to_string(query).ok().map(|query| format!("/tree?{query}"))
    }
}

impl From<Difference> for SearchDifference {
    fn from(found: Difference) -> Self {
        // What a win is worth says nothing more than that it is one.
        let shown = |value: Score| value.clamp(-WON, WON);
        let best = found.branches.iter().filter(|branch| branch.value == found.value).map(|branch| branch.mv.as_str());
        let values = found.branches.iter().map(|branch| format!("{} {}", branch.mv, shown(branch.value)));
        Self {
            best: best.take(MAX_BEST_MOVES).collect::<Vec<_>>().join(", "),
            values: values.collect::<Vec<_>>().join(", "),
            evaluation: found.evaluation.to_owned(),
            depth: found.depth,
            value: shown(found.value),
            worth: shown(found.chosen_value),
            said: found.score.map(|score| score.to_string()),
            chosen: found.chosen,
            position: found.position,
            game: found.game.to_owned(),
        }
    }
}

/// The most best moves that are named.
const MAX_BEST_MOVES: usize = 6;

impl SearchDifference {
    fn text(&self, locale: Locale) -> String {
        let Self { depth, value, best, chosen, worth, said, .. } = self;
        let (depth, value, worth) = (depth.to_string(), value.to_string(), worth.to_string());
        let known =
            [("depth", depth.as_str()), ("value", &value), ("best", best), ("chosen", chosen), ("worth", &worth)];
        match said {
            Some(said) => locale.with("bots.note.difference", &[&known[..], &[("said", said)]].concat()),
            None => locale.with("bots.note.difference_silent", &known),
        }
    }
}

impl Finding {
    fn text(&self, locale: Locale) -> String {
        let course = self.is_of_course.then(|| locale.find_text(&format!("bots.course.{}", self.kind))).flatten();
        course.map_or_else(|| locale.t(&format!("bots.finding.{}", self.kind)).to_owned(), str::to_owned)
    }

    /// What else is known, each with the key of its label: texts of programs, in no language.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let rows = [
            ("bots.finding_detail", self.detail.as_str()),
            ("bots.finding_wrote", &self.line),
            ("bots.finding_position", &self.position),
            ("bots.finding_legal", &self.legal),
            ("bots.finding_stderr", &self.stderr),
        ];
        rows.into_iter().filter(|(_, text)| !text.is_empty())
    }
}

impl Step {
    /// What the step finds out; of a game also how it ended.
    pub(crate) fn title(&self, locale: Locale) -> String {
        let word: &'static str = self.kind.into();
        let title = locale.t(&format!("bots.step.{word}")).to_owned();
        let Some(Game { won, points: [own, other] }) = self.game else { return title };
        let key = match won {
            Some(true) => "bots.game_won",
            Some(false) => "bots.game_lost",
            None => "bots.game_drawn",
        };
        let (own, other) = (own.to_string(), other.to_string());
        let ended = locale.with(
            if self.kind == StepKind::Itself { "bots.game_itself" } else { key },
            &[("own", &own), ("other", &other)],
        );
        format!("{title}: {ended}")
    }

    /// The word for its state.
    pub(crate) fn state(&self) -> &'static str {
        self.state.into()
    }
}

impl Report {
    /// The report in a stored text; an empty one if it is none.
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The text to be stored.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a report has texts and numbers alone")
    }

    /// The compiler's first error.
    pub(crate) fn first_error(&self) -> Option<FirstError> {
        first_error(&self.message)
    }
}

/// A line of source, and whether it is the one with the error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Excerpt {
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) is_it: bool,
}

/// Number of lines shown before and after the one with an error, and the most characters of each.
const CONTEXT: usize = 2;
const MAX_LINE_CHARS: usize = 200;

/// The lines around an error; none if the sources do not have that line.
pub(crate) fn excerpt(error: &FirstError, files: &[(String, Vec<u8>)]) -> Vec<Excerpt> {
    let Some((_, text)) = files.iter().find(|(name, _)| *name == error.file) else { return vec![] };
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().collect();
    if error.line > lines.len() {
        return vec![];
    }
    let first = error.line.saturating_sub(CONTEXT).max(1);
    let last = (error.line + CONTEXT).min(lines.len());
    let line = |number: usize| Excerpt {
        number,
        text: palestra_protocol::shown(&lines[number - 1].replace('\t', "    "), MAX_LINE_CHARS).to_string(),
        is_it: number == error.line,
    };
    (first..=last).map(line).collect()
}

#[cfg(test)]
mod tests {
    use palestra_arena::check::FindingKind;
    use strum::VariantArray;

    use super::*;

    #[test]
    fn every_step_and_finding_has_a_text_in_every_language() {
        for &locale in Locale::ALL {
            for kind in StepKind::VARIANTS {
                let word: &str = kind.into();
                assert!(locale.find_text(&format!("bots.step.{word}")).is_some(), "{word} in {}", locale.name());
            }
            for kind in FindingKind::ALL {
                let finding = Finding { kind: kind.word().to_owned(), ..Finding::default() };
                assert!(!finding.text(locale).starts_with("bots."), "{kind:?} in {}", locale.name());
            }
            let known = |word: &str| FindingKind::ALL.iter().any(|kind| kind.word() == word);
            for section in ["bots.course.", "bots.finding."] {
                assert!(locale.section(section).all(|(word, _)| known(word)), "{section} in {}", locale.name());
            }
        }
    }

    #[test]
    fn english_sentences_are_those_of_the_command_line() {
        for kind in FindingKind::ALL {
            for (is_of_course, dialect) in
                [(false, palestra_protocol::Dialect::One), (true, palestra_protocol::Dialect::Course)]
            {
                let finding = Finding { kind: kind.word().to_owned(), is_of_course, ..Finding::default() };
                assert_eq!(finding.text(Locale::English), kind.sentence(dialect));
            }
        }
    }

    #[test]
    fn a_report_is_read_as_it_was_written_and_a_damaged_one_is_empty() {
        let difference = SearchDifference { said: Some("-6".to_owned()), value: -6, ..SearchDifference::default() };
        let notes = vec![
            Note::Class { found: "Lenta".to_owned() },
            Note::Difference(difference),
            Note::SearchSlow { done: 7 },
            Note::Finding(Finding::default()),
        ];
        let game = Some(Game { won: Some(true), points: [30, 18] });
        let step = Step { kind: StepKind::GameFirst, state: StepState::Failed, elapsed_ms: 7, notes, game };
        let message = "a.cpp:1:1: error: x".to_owned();
        let report = Report { steps: vec![step], message, search: Some(SearchResult::Wrong), ..Report::default() };
        assert_eq!(Report::read(&report.to_text()), report);
        for text in ["", "{", "[]", "{\"steps\":[{\"kind\":\"x\"}]}"] {
            assert_eq!(Report::read(text), Report::default(), "{text}");
        }
        let title = report.steps[0].title(Locale::English);
        assert!(title.ends_with("won 30–18"), "{title}");
    }

    #[test]
    fn an_error_is_shown_with_the_lines_around_it() {
        let files = [("a.cpp".to_owned(), "one\ntwo\n\tthree\u{202e}\nfour".as_bytes().to_vec())];
        let error = |file: &str, line| FirstError { file: file.to_owned(), line, column: None, text: String::new() };
        let lines = excerpt(&error("a.cpp", 3), &files);
        assert_eq!(
            lines.iter().map(|line| (line.number, line.is_it)).collect::<Vec<_>>(),
            [(1, false), (2, false), (3, true), (4, false)]
        );
        assert!(lines[2].text.starts_with("    three") && !lines[2].text.contains('\u{202e}'), "{}", lines[2].text);
        assert_eq!(excerpt(&error("a.cpp", 1), &files).len(), 3);
        assert!(excerpt(&error("a.cpp", 5), &files).is_empty() && excerpt(&error("b.cpp", 1), &files).is_empty());
    }
}
