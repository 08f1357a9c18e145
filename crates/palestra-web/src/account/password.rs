//! Passwords: kept as argon2id hashes, which cost time and memory on purpose.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use palestra_store::Token;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::error::Refused;

/// Hashes and checks passwords, a few at a time: a flood of them takes neither all memory nor all cores.
pub(crate) struct Passwords {
    room: Arc<Semaphore>,
    /// A hash to compare with for unknown addresses, so that they take as long to refuse as known ones.
    nobody: String,
}

/// Passwords that are hashed at the same time.
const MAX_HASHING: usize = 2;

/// Time that a visitor waits for a turn; after that they are told to come back.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { room: Arc::new(Semaphore::new(MAX_HASHING)), nobody: hashed(Token::random().secret()) }
    }

    /// The hash of a password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Refused> {
        self.run(move || hashed(&password)).await
    }

    /// Whether it is the password with this hash. Without a hash it is not, after the same time.
    pub(crate) async fn check(&self, password: String, hash: Option<&str>) -> Result<bool, Refused> {
        let is_known = hash.is_some();
        let hash = hash.unwrap_or(&self.nobody).to_owned();
        Ok(self.run(move || is_password(&password, &hash)).await? && is_known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
        let permit = self.enter().await?;
        // The permit goes along: a visitor who leaves does not make room before the work is done.
        let done = tokio::task::spawn_blocking(move || (work(), permit)).await;
        done.map(|(result, _)| result).map_err(|error| {
            tracing::error!(%error, "a password could not be hashed");
            Refused::Fault
        })
    }

    async fn enter(&self) -> Result<OwnedSemaphorePermit, Refused> {
        let entered = tokio::time::timeout(QUEUE_TIMEOUT, self.room.clone().acquire_owned()).await;
        let entered = entered.map_err(|_| Refused::Limited(QUEUE_TIMEOUT))?;
        Ok(entered.expect("the semaphore is never closed"))
    }
}

fn hashed(password: &str) -> String {
    let salt = Token::random();
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), salt.secret().as_bytes());
    hash.expect("the salt is long enough and the password not too long").to_string()
}

fn is_password(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_known_by_its_hash_and_nobody_has_one() {
        let passwords = Passwords::new();
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$") && !hash.contains("horse"));
        assert_ne!(passwords.hash("correct horse".to_owned()).await.unwrap(), hash, "each has its own salt");
        let check = async |password: &str, hash| passwords.check(password.to_owned(), hash).await.unwrap();
        assert!(check("correct horse", Some(&hash)).await);
        assert!(!check("correct house", Some(&hash)).await);
        assert!(!check("correct horse", None).await);
        assert!(!check("correct horse", Some("no hash")).await);
    }
}
