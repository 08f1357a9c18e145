//! parchis
