//! The rules as a whole: against golden data, against each other, and under random play and random text.

mod bandera;
mod boom;
mod conformance;
mod drawing;
mod golden;
mod keys;
mod looks;
mod mancala;
mod maps;
mod mutation;
mod parchis;
mod playthrough;
mod random;
