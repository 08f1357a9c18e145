//! What programs thought and wrote in a game, apart from its record: that may be shown to more people.

use palestra_arena::{Beginning, Verdict, begin};
use palestra_games::{Record, Side};
use palestra_protocol::{Fault, shown};
use serde_json::json;

/// How much is kept of what programs thought in a game, in bytes.
const MAX_THOUGHTS_BYTES: usize = 16 << 10;

/// How much is kept of what a program wrote on stderr, in bytes.
const MAX_STDERR_BYTES: usize = 4 << 10;

/// How much is kept if it lost by its own fault.
const MAX_FAULTY_STDERR_BYTES: usize = 64 << 10;

/// How much is written about a fault.
const MAX_FAULT_CHARS: usize = 1000;

/// The text of a record without what the players thought, of which the times are kept; and the thoughts as JSON: pairs of a
/// ply and a text.
pub(super) fn without_thoughts(record: &Record) -> (String, String) {
    let mut thoughts = vec![];
    let mut bytes = 0;
    let start = record.beginning();
    let start = if start == record.options() { Beginning::Options(&start) } else { Beginning::Notation(&start) };
    // What was played once can be played again.
    let Ok(mut plain) = begin(record.kind(), start, [""; 0]) else { return (String::new(), "[]".to_owned()) };
    for (ply, mv) in record.moves().iter().enumerate() {
        if plain.play(&mv.text).is_err() {
            break;
        }
        let Some(note) = &mv.note else { continue };
        let (times, thought) = split(note);
        let _ = plain.note(times);
        bytes += thought.len();
        if !thought.is_empty() && bytes <= MAX_THOUGHTS_BYTES {
            thoughts.push(json!([ply, thought]));
        }
    }
    if let Some(result) = record.result() {
        let _ = plain.set_result(result.points, &result.reason);
    }
    for (name, value) in record.tags() {
        let _ = plain.set_tag(name, value);
    }
    (plain.to_string(), serde_json::Value::from(thoughts).to_string())
}

/// A note of the referee: the times, and what the player thought.
fn split(note: &str) -> (&str, &str) {
    let is_time = |word: &str| word.parse::<f64>().is_ok() || ["cpu", "wall"].contains(&word);
    let thought = note.split_inclusive(' ').take_while(|word| is_time(word.trim_end())).map(str::len).sum();
    let (times, thought) = note.split_at(thought);
    (times.trim_end(), thought)
}

/// The last of what a side wrote on stderr, as much as is kept.
pub(super) fn tail(stderr: &str, verdict: &Verdict, side: Side) -> String {
    let is_faulty = verdict.fault().is_some() && verdict.winner == Some(side.other());
    let most = if is_faulty { MAX_FAULTY_STDERR_BYTES } else { MAX_STDERR_BYTES };
    let mut from = stderr.len().saturating_sub(most);
    while !stderr.is_char_boundary(from) {
        from += 1;
    }
    stderr[from..].to_owned()
}

/// The report of a forfeit.
pub(super) fn report(fault: &Fault) -> String {
    let detail = shown(fault.detail.trim(), MAX_FAULT_CHARS);
    match &fault.line {
        Some(line) => format!("{}: {detail}\nit wrote: {}", fault.kind.word(), shown(line, MAX_FAULT_CHARS)),
        None => format!("{}: {detail}", fault.kind.word()),
    }
}

#[cfg(test)]
mod tests {
    use palestra_arena::Reason;
    use palestra_games::GameKind;
    use palestra_protocol::ForfeitKind;

    use super::*;

    fn record() -> Record {
        let mut record = Record::new(GameKind::find("mancala").unwrap(), "-").unwrap();
        for (mv, note) in [("4", "cpu 1.5 wall 2 depth 7 score 12 pv 4 1 text wall 5"), ("1", "wall 3")] {
            record.play(mv).unwrap();
            record.note(note).unwrap();
        }
        record
    }

    #[test]
    fn thoughts_are_kept_apart_from_the_record() {
        let (text, thoughts) = without_thoughts(&record());
        assert!(text.contains("{cpu 1.5 wall 2}") && text.contains("{wall 3}"), "{text}");
        assert!(!text.contains("depth"), "{text}");
        assert_eq!(thoughts, r#"[[0,"depth 7 score 12 pv 4 1 text wall 5"]]"#);
    }

    #[test]
    fn a_map_of_ones_own_survives() {
        let kind = GameKind::find("bandera").unwrap();
        let position = (kind.start)("lagoon").unwrap();
        let mut record = Record::from_position(&*position);
        let mv = position.moves().remove(0);
        record.play(&mv).unwrap();
        let (text, _) = without_thoughts(&record);
        assert_eq!(text, record.to_string());
    }

    #[test]
    fn a_result_survives() {
        let mut record = record();
        record.set_result([48, 0], "illegal").unwrap();
        let (text, _) = without_thoughts(&record);
        assert!(text.contains("Result: 48-0 illegal"), "{text}");
    }

    #[test]
    fn more_is_kept_of_a_program_at_fault() {
        let verdict = Verdict {
            winner: Some(Side::Two),
            points: [0, 48],
            reason: Reason::Forfeit(Fault::new(ForfeitKind::Crash, "it ended")),
        };
        let stderr = "é".repeat(50_000);
        assert_eq!(tail(&stderr, &verdict, Side::One).len(), MAX_FAULTY_STDERR_BYTES);
        assert_eq!(tail(&stderr, &verdict, Side::Two).len(), MAX_STDERR_BYTES);
        assert_eq!(tail("brief", &verdict, Side::One), "brief");
    }

    #[test]
    fn a_fault_is_shown_without_control_characters() {
        let fault =
            Fault { line: Some("move \u{1b}[31m".to_owned()), ..Fault::new(ForfeitKind::Illegal, "no such move") };
        let report = report(&fault);
        assert!(report.starts_with("illegal: no such move\nit wrote: move ") && !report.contains('\u{1b}'), "{report}");
    }
}
