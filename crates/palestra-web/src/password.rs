//! Passwords.

use argon2::{Argon2, PasswordHasher};
use palestra_store::Token;

/// What is kept of a password.
#[must_use]
pub fn hash_password(password: &str) -> String {
    let salt = Token::random();
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), salt.secret().as_bytes());
    hash.expect("the usual parameters and the salt are good").to_string()
}
