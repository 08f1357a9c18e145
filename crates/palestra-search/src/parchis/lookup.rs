//! Lookup tables with an entry for each place, computed at compile time.

/// A table by the code of a place, padded to a power of two so that a look-up needs no check:
/// `by_place!(place => constant expression)`. Codes that are no place have the entry 0.
macro_rules! by_place {
    ($place:ident => $entry:expr) => {{
        let mut table = [0; 128];
        let mut code = 0;
        while code < 128 {
            if let Some($place) = palestra_games::parchis::Place::from_code(code as u8) {
                table[code] = $entry;
            }
            code += 1;
        }
        table
    }};
}

pub(super) use by_place;
