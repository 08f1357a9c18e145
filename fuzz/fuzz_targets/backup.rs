//! Any bytes as a backup of a server: no panic, and every row that is given fits its table.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_store::backup::{Part, Reader};

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut reader) = Reader::new(bytes) else { return };
    let mut columns = 0;
    while let Ok(Some(part)) = reader.next_part() {
        match part {
            Part::Table(table) => columns = table.columns.len(),
            Part::Row(row) => assert_eq!(row.len(), columns),
        }
    }
});
