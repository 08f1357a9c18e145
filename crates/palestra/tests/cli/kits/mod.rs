//! The starter kits: that they know the rules, and that what is written with them compiles and plays.

mod courses;
mod cpp;
mod folders;
mod python;
mod rust;
mod support;
mod ugr;
mod walkthrough;
