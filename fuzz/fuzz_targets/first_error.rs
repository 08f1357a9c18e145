//! Any text as a compiler's messages: no panic, and what is found stands in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_arena::first_error;

fuzz_target!(|message: &str| {
    if let Some(error) = first_error(message) {
        assert!(error.line > 0 && message.contains(&error.file));
    }
});
