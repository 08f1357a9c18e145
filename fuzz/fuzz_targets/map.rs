//! Any bytes as a map file: what is accepted writes and reads back, can be judged, and can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::Game;
use palestra_games::bandera::{Bandera, BanderaOptions, MapFile, MapReport};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = MapFile::from_bytes(bytes) {
        assert_eq!(file.to_string().parse().as_ref(), Ok(&file));
        let _ = MapReport::of(file.map());
        let position = Bandera::new(&BanderaOptions::from_map(file.into_map()));
        assert_eq!(position.to_string().parse(), Ok(position));
    }
});
