//! Reports of matches and tournaments, tournaments that are killed and resumed, and marks.

mod attacks;
mod markup;
mod resume;
mod rubric;
mod sample;
mod shown;
