//! The rules as a whole: against golden data, against each other, and under random play.

mod golden;
mod maps;
