//! Any bytes as sources of every language: they are compared without a panic, and no token is in two passages.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_arena::copies::{Fingerprint, Given, Program, passages};

fuzz_target!(|bytes: &[u8]| {
    for name in ["a.cpp", "a.java", "a.py", "a.rs"] {
        let program = Program::new(&[(name.to_owned(), bytes.to_vec())], Given::kits());
        let fingerprint = program.fingerprint();
        assert_eq!(Fingerprint::of_bytes(&fingerprint.to_bytes()), Ok(fingerprint.clone()));
        let found = passages(&program, &program);
        assert!(found.iter().map(|passage| passage.tokens).sum::<usize>() <= program.own_tokens());
    }
    if let Ok(fingerprint) = Fingerprint::of_bytes(bytes) {
        assert_eq!(fingerprint.to_bytes(), bytes);
    }
});
