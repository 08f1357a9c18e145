//! Any bytes as a hand-in, and as a PDF: what is taken has plain names, and pages have a bound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_arena::HandIn;
use palestra_sandbox::count_pages;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(read) = HandIn::read(bytes) {
        assert!(read.names.iter().all(|name| !name.contains('/')));
    }
    assert!(count_pages(bytes).is_none_or(|pages| pages as usize <= 100_000));
});
