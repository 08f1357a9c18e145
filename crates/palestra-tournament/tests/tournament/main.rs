//! Reports of matches and tournaments, and tournaments that are killed and resumed.

mod attacks;
mod markup;
mod resume;
mod sample;
mod shown;
