//! Reports of tournaments.

mod attacks;
mod markup;
mod sample;
mod shown;
