//! Programs in boxes: they play as if there were none, and can hurt nobody.
//!
//! Every attack is a small program or source. Each test names the verdict and looks for the damage; its control is the
//! same program without the box, which does its harm, or a comment says why that cannot be shown.
#![cfg(target_os = "linux")]

mod compile;
mod hand;
mod isolation;
mod layers;
mod lifetime;
mod page;
mod page_count;
mod probe;
mod programs;
mod resources;
mod sources;
mod support;
mod talk;
mod time;
mod traces;
