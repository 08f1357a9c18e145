//! boom
