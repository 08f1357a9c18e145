//! Any bytes as a zip that somebody hands in: what is accepted is small, and has a form that can be built.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_arena::Upload;

fuzz_target!(|bytes: &[u8]| {
    for game in ["mancala", "conecta4boom"] {
        if let Ok(upload) = Upload::of_zip(game, bytes) {
            let files = upload.files();
            assert!(files.iter().map(|(_, text)| text.len()).sum::<usize>() <= 4 << 20);
            assert!(files.iter().all(|(name, _)| !name.starts_with(['-', '@', '.']) && !name.contains(['/', '\0'])));
            assert_eq!(Upload::of_files(game, files.to_vec()), Ok(upload.clone()));
        }
    }
});
