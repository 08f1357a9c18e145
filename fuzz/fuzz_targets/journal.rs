//! Any bytes as the journal of a tournament: what is accepted writes and reads back, and the tournament can go on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_tournament::{Entry, Journal};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(journal) = Journal::read(bytes) {
        assert!(journal.usable_bytes <= bytes.len());
        let written = journal.header.line() + &journal.entries.iter().map(Entry::line).collect::<String>();
        let again = Journal::resume(written.as_bytes(), &journal.header).expect("a journal that was written");
        assert_eq!((again.usable_bytes, &again.entries), (written.len(), &journal.entries));
        let _ = journal.header.plan.open(&journal.finished());
    }
});
