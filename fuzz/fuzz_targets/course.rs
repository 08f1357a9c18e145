//! Any bytes as the files of a student of the Mancala course: what is taken for a bot is built from files that are there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_arena::Upload;

fuzz_target!(|parts: [&[u8]; 3]| {
    let names = ["Jugador.hpp", "Jugador.cpp", "main.cpp"];
    let files: Vec<_> = names.iter().zip(parts).map(|(name, text)| ((*name).to_owned(), text.to_vec())).collect();
    if let Ok(upload) = Upload::of_files("mancala", files.clone()) {
        assert!(!upload.name().is_empty());
        assert_eq!(upload.files(), files);
    }
});
