//! Reading records, line by line.

use std::iter;

use super::{GameResult, Record, check_text, is_tag_name};
use crate::parse::utf8;
use crate::{GAMES, GameKind, ParseError, Phrase, phrase};

const WHAT: &str = "record";

/// More headers than any record needs.
const MAX_TAGS: usize = 100;

impl Record {
    /// Reads all records of a file.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<Self>, ParseError> {
        Self::read(bytes)?.collect()
    }

    /// Reads the records of a file one by one: a large file need not be in memory as games.
    pub fn read(bytes: &[u8]) -> Result<impl Iterator<Item = Result<Self, ParseError>>, ParseError> {
        let mut lines = (1..).zip(utf8(WHAT, bytes)?.lines()).peekable();
        Ok(iter::from_fn(move || {
            while lines.next_if(|(_, line)| line.trim().is_empty()).is_some() {}
            let (number, line) = lines.next()?;
            // A record goes on until the next one's first header.
            let rest = iter::from_fn(|| lines.next_if(|(_, line)| !line.starts_with("Game:")));
            Some(read_record(number, line, rest))
        }))
    }
}

fn read_record<'a>(
    number: usize,
    first: &str,
    rest: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Record, ParseError> {
    let mut reader = Reader::open(number, first)?;
    for (number, line) in rest {
        reader.line(number, line)?;
    }
    reader.close()
}

/// A record being read.
struct Reader {
    kind: &'static GameKind,
    options: Option<(usize, String)>,
    position: Option<(usize, String)>,
    tags: Vec<(String, String)>,
    result: Option<(usize, GameResult)>,
    /// Made when the headers end.
    record: Option<Record>,
    /// Whether the last move passed the other side over and the record has not said so yet.
    pass_due: bool,
    last_line: usize,
}

impl Reader {
    fn open(number: usize, line: &str) -> Result<Self, ParseError> {
        let Some(("Game", id)) = header(line) else {
            return Err(error(number, 0, phrase!("record.begin", "a record begins with a line such as Game: mancala")));
        };
        let kind = GameKind::find(id).ok_or_else(|| {
            let ids: Vec<&str> = GAMES.iter().map(GameKind::id).collect();
            let (id, ids) = (format!("{id:?}"), ids.join(", "));
            error(number, 6, phrase!("record.game", "there is no game {id}; there are {ids}", id, ids))
        })?;
        Ok(Self {
            kind,
            options: None,
            position: None,
            tags: vec![],
            result: None,
            record: None,
            pass_due: false,
            last_line: number,
        })
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        self.last_line = number;
        match (&self.record, line.trim().is_empty()) {
            (None, true) => self.end_headers(),
            (None, false) => self.header(number, line),
            (Some(_), true) => Ok(()),
            (Some(_), false) => self.moves(number, line),
        }
    }

    fn header(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        let (name, value) = header(line).ok_or_else(|| {
            let problem = phrase!("record.header", "a header such as Player1: house, or a blank line before the moves");
            error(number, 0, problem)
        })?;
        let at = line.chars().count() - value.chars().count();
        check_text(value).map_err(|problem| error(number, at, problem.phrase()))?;
        let twice = match name {
            "Options" => self.options.replace((number, value.to_owned())).is_some(),
            "Position" => self.position.replace((number, value.to_owned())).is_some(),
            "Result" => self.result.replace((number, parse_result(number, at, value)?)).is_some(),
            _ if self.tags.len() == MAX_TAGS => {
                let most = MAX_TAGS;
                return Err(error(
                    number,
                    0,
                    phrase!("record.tags", "a record has at most {most} headers of its own", most),
                ));
            }
            _ => {
                self.tags.push((name.to_owned(), value.to_owned()));
                self.tags.iter().filter(|(tag, _)| tag == name).count() > 1
            }
        };
        if twice { Err(error(number, 0, phrase!("record.twice", "a second header {name}", name))) } else { Ok(()) }
    }

    fn end_headers(&mut self) -> Result<(), ParseError> {
        let mut record = match (&self.options, &self.position) {
            (Some(_), Some((line, _))) => {
                return Err(error(*line, 0, phrase!("record.both", "a record has Options or a Position, not both")));
            }
            (None, Some((line, position))) => {
                let start = (self.kind.parse)(position).map_err(|inner| nested(*line, "Position: ", &inner))?;
                Record::begin(start, "-", true)
            }
            (options, None) => {
                let (line, options) = options.as_ref().map_or((0, "-"), |(line, options)| (*line, options.as_str()));
                Record::new(self.kind, options).map_err(|inner| nested(line, "Options: ", &inner))?
            }
        };
        record.tags = std::mem::take(&mut self.tags);
        self.record = Some(record);
        Ok(())
    }

    fn moves(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (word, after) = split_word(rest);
            // The place is counted only when it is needed: a line may be very long.
            self.word(word)
                .map_err(|problem| error(number, line[..line.len() - rest.len()].chars().count(), problem))?;
            rest = after.trim_start();
        }
        Ok(())
    }

    /// Takes a move, a note in braces, or `pass`.
    fn word(&mut self, word: &str) -> Result<(), Phrase> {
        let record = self.record.as_mut().expect("moves are read after the headers");
        if let Some(note) = word.strip_prefix('{') {
            let note =
                note.strip_suffix('}').ok_or_else(|| phrase!("record.brace", "a note without its closing brace"))?;
            if record.moves.last().is_none_or(|last| last.note.is_some()) {
                return Err(phrase!("record.note", "a note without a move before it"));
            }
            return record.note(note).map_err(|problem| problem.phrase());
        }
        match (word, self.pass_due) {
            ("pass", true) => self.pass_due = false,
            ("pass", false) => return Err(phrase!("record.no_pass", "nobody is passed over here")),
            (_, true) => return Err(phrase!("record.pass", "the other side cannot act: pass expected")),
            (mv, false) => self.pass_due = record.play(mv).map_err(|problem| problem.phrase())?.passed,
        }
        Ok(())
    }

    fn close(mut self) -> Result<Record, ParseError> {
        if self.record.is_none() {
            self.end_headers()?;
        }
        let mut record = self.record.expect("the headers have ended");
        if self.pass_due {
            let problem = phrase!("record.end_pass", "the record ends where the other side cannot act: pass expected");
            return Err(error(self.last_line, 0, problem));
        }
        if let Some((line, result)) = self.result {
            record.set_result(result.points, &result.reason).map_err(|problem| error(line, 8, problem.phrase()))?;
        }
        Ok(record)
    }
}

/// The first word of a line of moves, a note being one word, and what follows it.
fn split_word(rest: &str) -> (&str, &str) {
    let end = if rest.starts_with('{') {
        rest.find('}').map(|brace| brace + 1)
    } else {
        rest.find(|c: char| c.is_whitespace() || c == '{')
    };
    rest.split_at(end.unwrap_or(rest.len()))
}

/// `Name: value`.
fn header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim_end().split_once(": ")?;
    is_tag_name(name).then_some((name, value))
}

fn parse_result(number: usize, at: usize, value: &str) -> Result<GameResult, ParseError> {
    let parsed = value.split_once(' ').and_then(|(points, reason)| {
        let (one, two) = points.split_once('-')?;
        let points = [points_of(one)?, points_of(two)?];
        Some(GameResult { points, reason: reason.to_owned() })
    });
    parsed.ok_or_else(|| {
        error(number, at, phrase!("record.result", "a result is points and a reason, such as 28-20 finished"))
    })
}

fn points_of(text: &str) -> Option<i32> {
    let canonical = text == "0" || (!text.starts_with('0') && text.chars().all(|c| c.is_ascii_digit()));
    text.parse().ok().filter(|_| canonical)
}

fn error(line: usize, at: usize, problem: Phrase) -> ParseError {
    ParseError::new(WHAT, at, problem).on_line(line)
}

/// An error inside the value of a header.
fn nested(line: usize, name: &str, inner: &ParseError) -> ParseError {
    ParseError::new(WHAT, name.len() + inner.column - 1, inner.problem.clone()).on_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordError;

    const GREEDY: &str = "Game: mancala\nPlayer1: greedy\nPlayer2: greedy\nResult: 28-20 finished\n\n\
        4 1 5 1 6 2 2 1 3 4 1 1 2 2 4 3 2 1 4 3 1 2 2 5 1 2 1 2 1 3 3 4\n";

    fn check_error(text: &str, expected: &str) {
        let found = Record::read_all(text.as_bytes()).map(|_| ()).expect_err(text);
        assert_eq!(found.to_string(), expected, "{text}");
    }

    #[test]
    fn a_record_reads_back_as_it_was_written() {
        let text = format!("{GREEDY}\nGame: mancala\nPosition: 2:0,4,4,4,4,4,4/0,4,4,4,4,4,4\n\n4 {{so}} 1 5\n");
        let records = Record::read_all(text.as_bytes()).unwrap();
        let written: Vec<String> = records.iter().map(ToString::to_string).collect();
        assert_eq!(written.join("\n"), text);
        assert_eq!(records[0].tag("Player2"), Some("greedy"));
        assert_eq!(records[0].position().points(), [28, 20]);
        assert_eq!(records[1].moves()[0].note.as_deref(), Some("so"));
    }

    #[test]
    fn an_empty_file_holds_no_record() {
        assert!(Record::read_all(b"").unwrap().is_empty());
        assert!(Record::read_all(b"\n\n").unwrap().is_empty());
    }

    #[test]
    fn a_pit_that_is_empty_ends_the_record() {
        let records = Record::read_all(b"Game: mancala\nResult: 0-48 finished\n\n4 4\n").unwrap();
        assert_eq!(records[0].position().points(), [0, 48]);
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        check_error("4 1", "bad record at line 1, character 1: a record begins with a line such as Game: mancala");
        let games: Vec<&str> = GAMES.iter().map(GameKind::id).collect();
        let unknown =
            format!("bad record at line 1, character 7: there is no game \"go\"; there are {}", games.join(", "));
        check_error("Game: go\n", &unknown);
        check_error(
            "Game: mancala\n4 1\n",
            "bad record at line 2, character 1: a header such as Player1: house, or a blank line before the moves",
        );
        check_error(
            "Game: mancala\nOptions: x\nA: b\n\n",
            "bad record at line 2, character 10: this game has no options, write -",
        );
        check_error("Game: mancala\nA: b\nA: c\n", "bad record at line 3, character 1: a second header A");
        check_error(
            "Game: mancala\n\n4 9\n",
            "bad record at line 3, character 3: bad move at character 1: a pit is a number from 1 to 6; legal are: 1 2 3 5 6",
        );
        check_error(
            &GREEDY.replace("3 3 4\n", "3 3 4\n1"),
            "bad record at line 7, character 1: 1 comes after the end of the game",
        );
        check_error(
            &GREEDY.replace("28-20", "27-21"),
            "bad record at line 4, character 9: the result is 27-21 finished, but the moves end in 28-20 finished",
        );
        check_error(
            "Game: mancala\nResult: 1-0 finished\n\n4",
            "bad record at line 2, character 9: the result is 1-0 finished, but the moves do not end the game",
        );
        check_error(
            "Game: mancala\nResult: won\n",
            "bad record at line 2, character 9: a result is points and a reason, such as 28-20 finished",
        );
        check_error(
            "Game: mancala\nPosition: 1:1,4,4,4,4,4,4/0,4,4,4,4,4,4\n",
            "bad record at line 2, character 13: 49 seeds, there must be 48",
        );
        check_error(
            "Game: mancala\n\n4 {never closed\n",
            "bad record at line 3, character 3: a note without its closing brace",
        );
        check_error(
            "Game: mancala\n\n4 {one} {two}\n",
            "bad record at line 3, character 9: a note without a move before it",
        );
        check_error(
            "Game: mancala\nResult: 028-20 resigned\n",
            "bad record at line 2, character 9: a result is points and a reason, such as 28-20 finished",
        );
        check_error("Game: mancala\n\n4 pass\n", "bad record at line 3, character 3: nobody is passed over here");
    }

    #[test]
    fn a_pass_that_is_missing_at_the_end_is_an_error() {
        let bandera = GameKind::find("bandera").unwrap();
        // Team 2 has no energy left.
        let start = (bandera.parse)("3x8:8#2.F.F.F.8#:9,20,0,0,0/16,0,0,0,0:0-0:1").unwrap();
        let mut record = Record::from_position(&*start);
        let mv = start.moves().swap_remove(0);
        assert!(record.play(&mv).unwrap().passed);
        let text = record.to_string();
        assert!(Record::read_all(text.as_bytes()).is_ok() && text.ends_with(" pass\n"), "{text}");
        let error = Record::read_all(text.replace(" pass", "").as_bytes()).map(|_| ()).unwrap_err().to_string();
        assert!(error.ends_with("the record ends where the other side cannot act: pass expected"), "{error}");
    }

    #[test]
    fn lines_of_moves_are_as_long_as_they_may_be() {
        let lengths = |note: usize| -> Vec<usize> {
            let mut record = Record::new(&GAMES[0], "-").unwrap();
            record.play("4").unwrap();
            record.note(&"x".repeat(note)).unwrap();
            record.play("1").unwrap();
            record.to_string().lines().skip(2).map(str::len).collect()
        };
        // A move, a gap, a note in braces, a gap, a move: up to 100 characters.
        assert_eq!(lengths(94), [100]);
        assert_eq!(lengths(95), [99, 1]);
        assert_eq!(lengths(97), [1, 99, 1]);
    }

    #[test]
    fn a_header_that_is_set_again_has_its_new_value() {
        let mut record = Record::new(&GAMES[0], "-").unwrap();
        record.set_tag("Player1", "one").unwrap();
        record.set_tag("Player1", "other").unwrap();
        assert_eq!((record.tag("Player1"), record.tags().len()), (Some("other"), 1));
    }

    #[test]
    fn moves_can_be_taken_back() {
        let mut record = Record::new(&GAMES[0], "-").unwrap();
        for mv in ["4", "1", "5", "1"] {
            record.play(mv).unwrap();
        }
        let before = record.to_string();
        for mv in ["6", "2", "2", "1"] {
            record.play(mv).unwrap();
        }
        record.set_result([0, 1], "resigned").unwrap();
        record.truncate(9);
        assert!(record.result().is_some(), "there are not that many moves");
        record.truncate(4);
        assert_eq!((record.to_string(), record.result()), (before, None));
        record.truncate(0);
        assert_eq!(record.position().notation(), record.start().notation());
    }

    #[test]
    fn a_game_up_to_a_ply_has_neither_headers_nor_a_result() {
        let records = Record::read_all(GREEDY.as_bytes()).unwrap();
        assert_eq!(records[0].up_to(4).to_string(), "Game: mancala\n\n4 1 5 1\n");
        assert_eq!(records[0].up_to(0).to_string(), "Game: mancala\n");
        assert_eq!(records[0].up_to(99).position().notation(), records[0].position().notation());
        let text = "Game: mancala\nPosition: 2:0,4,4,4,4,4,4/0,4,4,4,4,4,4\n\n4 {so} 1 5\n";
        let records = Record::read_all(text.as_bytes()).unwrap();
        assert_eq!(records[0].up_to(3).to_string(), text.replace(" {so}", ""));
    }

    #[test]
    fn what_would_not_read_back_is_refused() {
        let mut record = Record::new(&GAMES[0], "-").unwrap();
        assert_eq!(record.note("early"), Err(RecordError::NoMove));
        assert_eq!(record.set_result([-1, 0], "resigned"), Err(RecordError::Points(-1)));
        assert!(record.set_tag("Game", "go").is_err());
        assert!(record.set_tag("Player1", "two\nlines").is_err());
        let with_tags = |count: usize| -> bool {
            let tags: String = (0..count).map(|n| format!("T{n}: x\n")).collect();
            Record::read_all(format!("Game: mancala\n{tags}").as_bytes()).is_ok()
        };
        assert_eq!([with_tags(MAX_TAGS), with_tags(MAX_TAGS + 1)], [true, false]);
    }

    #[test]
    fn text_that_is_not_utf8_is_refused_with_its_place() {
        let error = Record::read_all(b"Game: mancala\n\n4 \xff").map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bad record at line 3, character 3: byte 17 of the file, 0xff, is not part of a UTF-8 text"
        );
    }
}
