//! Any bytes as a file of records: what is accepted writes and reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::Record;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(records) = Record::read_all(bytes) {
        let write = |records: &[Record]| records.iter().map(|record| format!("{record}\n")).collect::<String>();
        let written = write(&records);
        let again = Record::read_all(written.as_bytes()).expect("a record that was written");
        assert_eq!(write(&again), written);
    }
});
