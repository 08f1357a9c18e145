//! What all requests share: refusals as HTTP errors, forms with their CSRF check, origins, security headers.

pub(crate) mod csrf;
pub(crate) mod error;
pub(crate) mod form;
pub(crate) mod origin;
pub(crate) mod security;
