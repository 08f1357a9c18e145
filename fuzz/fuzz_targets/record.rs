//! Any bytes as a file of records: what is accepted writes and reads back, and can be drawn ply by ply.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::Record;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(records) = Record::read_all(bytes) {
        let write = |records: &[Record]| records.iter().map(|record| format!("{record}\n")).collect::<String>();
        let written = write(&records);
        let again = Record::read_all(written.as_bytes()).expect("a record that was written");
        assert_eq!(write(&again), written);
        records.iter().for_each(draw);
    }
});

/// Draws a game as a page replays it.
fn draw(record: &Record) {
    let mut position = record.start().boxed_clone();
    for mv in record.moves() {
        let is_legal = position.moves().contains(&mv.text);
        assert_eq!(position.steps(&mv.text).is_ok(), is_legal);
        position.play(&mv.text).expect("a move of a record");
        position.scene(Some((mv.played.side, &mv.text))).expect("a scene after a move");
    }
}
