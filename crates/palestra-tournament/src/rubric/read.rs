//! Reads rubrics, and says where one is wrong and what to write there.

use std::str::FromStr;

use palestra_games::{GAMES, Phrase, phrase};
use palestra_protocol::{is_unseen, shown};
use strum::VariantArray;
use toml_edit::{Document, Item, TableLike, TomlError, Value};

use super::{BestOf, COPY, CountedRun, Level, Part, PartKind, Rubric, TOTAL, Title};

/// The largest rubric, in bytes.
pub const MAX_RUBRIC_BYTES: usize = 16 * 1024;

/// Maximum number of parts.
const MAX_PARTS: usize = 12;

/// Maximum number of opponents of a part.
const MAX_OPPONENTS: usize = 12;

/// Maximum number of games on each side against each opponent.
const MAX_GAMES_A_SIDE: u64 = 10;

/// Maximum number of characters of a title.
const MAX_TITLE: usize = 80;

/// The largest number of points, in hundredths.
const MAX_POINTS: u64 = 10_000;

/// Why a text is no rubric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RubricError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong in it, and what to write.
    pub problem: Phrase,
}

impl RubricError {
    /// The error as a clause, to be said in any language.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        let Self { line, problem } = self.clone();
        phrase!("rubric.line", "line {line}: {problem}", line, problem)
    }
}

impl FromStr for Rubric {
    type Err = RubricError;

    fn from_str(text: &str) -> Result<Self, RubricError> {
        if text.len() > MAX_RUBRIC_BYTES {
            let problem = phrase!("rubric.long", "a rubric has at most {most} bytes", most = MAX_RUBRIC_BYTES);
            return Err(RubricError { line: 1, problem });
        }
        let document = Document::parse(text).map_err(|error| not_toml(text, &error))?;
        rubric(&Fields::new(text, document.as_table(), 1, &["title", "games", "games_a_side", "needs", "part"])?)
    }
}

fn not_toml(text: &str, error: &TomlError) -> RubricError {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    // The first line says what is wrong; the message is that of the parser, in English.
    let message = error.message().lines().next().unwrap_or_default();
    RubricError { line, problem: phrase!("rubric.toml", "this is not TOML: {message}", message) }
}

/// The line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count()
}

fn rubric(fields: &Fields<'_>) -> Result<Rubric, RubricError> {
    let title = fields.required("title", EXAMPLE_TITLE)?.title()?;
    let games = fields.optional("games").map_or(Ok(vec![]), |field| games(&field))?;
    let games_a_side = fields.optional("games_a_side").map_or(Ok(1), |field| field.count(MAX_GAMES_A_SIDE))?;
    let needs = fields.optional("needs").map_or(Ok(vec![]), |field| needs(&field))?;
    let parts = parts(fields)?;
    Ok(Rubric {
        title,
        games,
        games_a_side: games_a_side as u32,
        needs_code: needs.contains(&"code"),
        needs_memo: needs.contains(&"memo"),
        parts,
    })
}

fn games(field: &Field<'_>) -> Result<Vec<String>, RubricError> {
    let ids = field.words(r#"games = ["mancala"]"#)?;
    for id in &ids {
        if !GAMES.iter().any(|kind| kind.id() == id) {
            let known = GAMES.iter().map(|kind| kind.id()).collect::<Vec<_>>().join(", ");
            return Err(field.wrong(phrase!(
                "rubric.game",
                "there is no game \"{id}\"; write some of {known}",
                id = id.as_str(),
                known = known
            )));
        }
    }
    Ok(ids)
}

fn needs(field: &Field<'_>) -> Result<Vec<&'static str>, RubricError> {
    let words = field.words(r#"needs = ["code", "memo"]"#)?;
    words.iter().map(|word| field.one_of(word, &["code", "memo"])).collect()
}

fn parts(fields: &Fields<'_>) -> Result<Vec<Part>, RubricError> {
    let example = "[[part]]";
    let tables = fields.required("part", example)?.tables(example)?;
    if tables.len() > MAX_PARTS {
        let problem = phrase!("rubric.parts", "a rubric has at most {most} parts", most = MAX_PARTS);
        return Err(RubricError { line: tables[MAX_PARTS].1, problem });
    }
    let mut parts: Vec<Part> = vec![];
    for (table, line) in tables {
        let part = part(fields.text, table, line)?;
        if parts.iter().any(|other| other.key == part.key) {
            let problem = phrase!(
                "rubric.twice",
                "there are two parts \"{key}\"; give one of them another key",
                key = part.key.as_str()
            );
            return Err(RubricError { line, problem });
        }
        let is_league = |part: &Part| matches!(part.kind, PartKind::League { .. });
        if is_league(&part) && parts.iter().any(is_league) {
            let problem = phrase!("rubric.leagues", "a rubric has at most one part of kind \"league\"");
            return Err(RubricError { line, problem });
        }
        let is_search = |part: &Part| matches!(part.kind, PartKind::Search(_));
        if is_search(&part) && parts.iter().any(is_search) {
            let problem = phrase!("rubric.searches", "a rubric has at most one part of kind \"search\"");
            return Err(RubricError { line, problem });
        }
        parts.push(part);
    }
    Ok(parts)
}

/// The kinds of parts.
const KINDS: [&str; 5] = ["entered", "beats", "wins", "search", "league"];

const EXAMPLE_TITLE: &str = r#"title = "Memo" or title = { en = "Memo", es = "Memoria" }"#;

fn part(text: &str, table: &dyn TableLike, line: usize) -> Result<Part, RubricError> {
    let known = ["key", "title", "kind", "maximum", "levels", "opponents", "points", "best_of", "run"];
    let fields = Fields::new(text, table, line, &known)?;
    let key = part_key(&fields.required("key", r#"key = "memo""#)?)?;
    let title = fields.required("title", EXAMPLE_TITLE)?.title()?;
    let kind = fields.required("kind", r#"kind = "entered", "beats", "wins", "search" or "league""#)?;
    let word = kind.text(r#"kind = "entered""#)?;
    let word = kind.one_of(word, &KINDS)?;
    let fields = |own: &[&str]| Fields::new(text, table, line, &[&["key", "title", "kind"], own].concat());
    let kind = match word {
        "entered" => {
            let example = "maximum = 3";
            PartKind::Entered(fields(&["maximum"])?.required("maximum", example)?.points(example)?)
        }
        "beats" => beats(text, &fields(&["levels"])?)?,
        "wins" => wins(&fields(&["opponents", "points"])?)?,
        "search" => {
            let example = "points = 1";
            PartKind::Search(fields(&["points"])?.required("points", example)?.points(example)?)
        }
        _ => league(&fields(&["points", "best_of", "run"])?)?,
    };
    Ok(Part { key, title, kind })
}

fn part_key(field: &Field<'_>) -> Result<String, RubricError> {
    let key = field.text(r#"key = "memo""#)?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if key.is_empty() || key.len() > 20 || !key.chars().all(is_plain) || [TOTAL, COPY].contains(&key) {
        return Err(field.wrong(phrase!(
            "rubric.key",
            "a key is a word of at most 20 small letters, digits and _, but not total or copy, such as \"memo\""
        )));
    }
    Ok(key.to_owned())
}

fn beats(text: &str, fields: &Fields<'_>) -> Result<PartKind, RubricError> {
    let example = r#"levels = [{ opponent = "house", points = 3 }]"#;
    let field = fields.required("levels", example)?;
    let tables = field.tables(example)?;
    if tables.is_empty() || tables.len() > MAX_OPPONENTS {
        return Err(field.opponents_number());
    }
    let level = |(table, line)| {
        let fields = Fields::new(text, table, line, &["opponent", "points"])?;
        let (named, worth) = (r#"opponent = "house""#, "points = 1.5");
        let opponent = fields.required("opponent", named)?;
        let name = opponent.text(named)?;
        opponent.check_opponent(name)?;
        Ok(Level { opponent: name.to_owned(), points: fields.required("points", worth)?.points(worth)? })
    };
    Ok(PartKind::Beats(tables.into_iter().map(level).collect::<Result<_, _>>()?))
}

fn wins(fields: &Fields<'_>) -> Result<PartKind, RubricError> {
    let (named, worth) = (r#"opponents = ["ninja1", "ninja2"]"#, "points = 1");
    let field = fields.required("opponents", named)?;
    let opponents = field.words(named)?;
    if opponents.is_empty() || opponents.len() > MAX_OPPONENTS {
        return Err(field.opponents_number());
    }
    for (index, name) in opponents.iter().enumerate() {
        field.check_opponent(name)?;
        if opponents[..index].contains(name) {
            let name = name.as_str();
            return Err(field.wrong(phrase!("rubric.opponent_twice", "\"{name}\" is there twice; name it once", name)));
        }
    }
    Ok(PartKind::Wins { opponents, points: fields.required("points", worth)?.points(worth)? })
}

fn league(fields: &Fields<'_>) -> Result<PartKind, RubricError> {
    let worth = "points = 4";
    Ok(PartKind::League {
        points: fields.required("points", worth)?.points(worth)?,
        best_of: fields.optional("best_of").map_or(Ok(BestOf::Group), |field| field.word(r#"best_of = "group""#))?,
        run: fields.optional("run").map_or(Ok(CountedRun::Counted), |field| field.word(r#"run = "counted""#))?,
    })
}

/// The fields of a table, none of which is unknown.
struct Fields<'a> {
    text: &'a str,
    table: &'a dyn TableLike,
    line: usize,
}

/// A field of a table.
struct Field<'a> {
    text: &'a str,
    item: &'a Item,
    line: usize,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str, table: &'a dyn TableLike, line: usize, known: &[&str]) -> Result<Self, RubricError> {
        for (name, _) in table.iter() {
            if !known.contains(&name) {
                let span = table.key(name).and_then(|key| key.span());
                let line = span.map_or(line, |span| line_of(text, span.start));
                let (name, known) = (clean(name), known.join(", "));
                let problem = phrase!(
                    "rubric.unknown",
                    "\"{name}\" is not known here; what can be written is {known}",
                    name,
                    known
                );
                return Err(RubricError { line, problem });
            }
        }
        Ok(Self { text, table, line })
    }

    fn optional(&self, name: &str) -> Option<Field<'a>> {
        let (key, item) = self.table.get_key_value(name)?;
        let line = key.span().map_or(self.line, |span| line_of(self.text, span.start));
        Some(Field { text: self.text, item, line })
    }

    fn required(&self, name: &str, example: &str) -> Result<Field<'a>, RubricError> {
        self.optional(name).ok_or_else(|| {
            let problem = phrase!("rubric.missing", "something is missing here; write {example}", example);
            RubricError { line: self.line, problem }
        })
    }
}

impl<'a> Field<'a> {
    fn wrong(&self, problem: Phrase) -> RubricError {
        RubricError { line: self.line, problem }
    }

    fn other_form(&self, example: &str) -> RubricError {
        self.wrong(phrase!("rubric.form", "this cannot be read; write {example}", example))
    }

    fn text(&self, example: &str) -> Result<&'a str, RubricError> {
        self.item.as_str().ok_or_else(|| self.other_form(example))
    }

    fn title(&self) -> Result<Title, RubricError> {
        let title = |text: &str| {
            let is_good = !text.trim().is_empty() && text.chars().count() <= MAX_TITLE && !text.chars().any(is_unseen);
            let wrong = || phrase!("rubric.title", "a title has from 1 to {most} visible characters", most = MAX_TITLE);
            if is_good { Ok(text.to_owned()) } else { Err(self.wrong(wrong())) }
        };
        if let Some(text) = self.item.as_str() {
            return Ok(Title { en: title(text)?, es: None });
        }
        let table = self.item.as_table_like().ok_or_else(|| self.other_form(EXAMPLE_TITLE))?;
        let fields = Fields::new(self.text, table, self.line, &["en", "es"])?;
        let language = |name| fields.required(name, EXAMPLE_TITLE)?.text(EXAMPLE_TITLE).and_then(title);
        Ok(Title { en: language("en")?, es: Some(language("es")?) })
    }

    fn words(&self, example: &str) -> Result<Vec<String>, RubricError> {
        let array = self.item.as_array().ok_or_else(|| self.other_form(example))?;
        let word = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| self.other_form(example));
        array.iter().map(word).collect()
    }

    /// The tables of `[[name]]` or of a list, each with its line.
    fn tables(&self, example: &str) -> Result<Vec<(&'a dyn TableLike, usize)>, RubricError> {
        if let Some(tables) = self.item.as_array_of_tables() {
            let line = |span: Option<std::ops::Range<usize>>| span.map_or(self.line, |it| line_of(self.text, it.start));
            return Ok(tables.iter().map(|table| (table as &dyn TableLike, line(table.span()))).collect());
        }
        let array = self.item.as_array().ok_or_else(|| self.other_form(example))?;
        let table = |value: &'a Value| {
            let line = value.span().map_or(self.line, |span| line_of(self.text, span.start));
            let table = value.as_inline_table().ok_or_else(|| self.other_form(example))?;
            Ok((table as &dyn TableLike, line))
        };
        array.iter().map(table).collect()
    }

    /// How the value was written: a floating point number is not what was meant by 0.1.
    fn written(&self) -> &'a str {
        self.item.span().and_then(|span| self.text.get(span)).unwrap_or_default().trim()
    }

    fn count(&self, most: u64) -> Result<u64, RubricError> {
        let wrong =
            || self.wrong(phrase!("rubric.count", "write a whole number from 1 to {most}", most = most.to_string()));
        let is_whole = self.item.is_integer();
        let count = self.written().parse().ok().filter(|count| is_whole && (1..=most).contains(count));
        count.ok_or_else(wrong)
    }

    fn points(&self, example: &str) -> Result<u64, RubricError> {
        let is_number = self.item.is_integer() || self.item.is_float();
        let points = hundredths(self.written()).filter(|points| is_number && (1..=MAX_POINTS).contains(points));
        points.ok_or_else(|| {
            self.wrong(phrase!(
                "rubric.points",
                "points are a number above 0, at most 100, with at most two decimals; write {example}",
                example
            ))
        })
    }

    fn one_of<'b>(&self, word: &str, known: &[&'b str]) -> Result<&'b str, RubricError> {
        known.iter().copied().find(|&other| other == word).ok_or_else(|| {
            let (word, known) = (clean(word), known.join(", "));
            self.wrong(phrase!("rubric.word", "\"{word}\" is not known here; write one of {known}", word, known))
        })
    }

    fn word<T: FromStr + VariantArray + Copy + Into<&'static str>>(&self, example: &str) -> Result<T, RubricError> {
        let word = self.text(example)?;
        let known: Vec<&str> = T::VARIANTS.iter().map(|&variant| variant.into()).collect();
        let word = self.one_of(word, &known)?;
        word.parse().map_err(|_| self.other_form(example))
    }

    fn check_opponent(&self, name: &str) -> Result<(), RubricError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_:.".contains(c);
        if name.is_empty() || name.len() > 60 || !name.chars().all(is_plain) || name == "human" {
            let name = clean(name);
            return Err(self.wrong(phrase!(
                "rubric.opponent",
                "\"{name}\" cannot be an opponent; write a built-in player such as \"ninja1\", or the name of a house bot",
                name
            )));
        }
        Ok(())
    }

    fn opponents_number(&self) -> RubricError {
        self.wrong(phrase!("rubric.opponents", "a part has from 1 to {most} opponents", most = MAX_OPPONENTS))
    }
}

/// A decimal number with at most two decimals, in hundredths. Exactly one spelling: no sign, no exponent.
pub(super) fn hundredths(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
    if !is_digits(whole, 6) || !is_digits(decimals, 2) {
        return None;
    }
    let scale = if decimals.len() == 1 { 10 } else { 1 };
    Some(whole.parse::<u64>().ok()? * 100 + decimals.parse::<u64>().ok()? * scale)
}

/// What a stranger wrote, fit to be shown.
fn clean(text: &str) -> String {
    shown(text, 60).to_string()
}
