//! Programs in several languages at the board, good ones and bad ones.

mod bots;
mod busy;
mod course;
mod faults;
mod legal;
mod pipes;
mod rest;
mod roster;
mod source;
