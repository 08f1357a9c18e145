//! Files by the SHA-256 of their content: equal files are kept once.

use sha2::{Digest, Sha256};

use crate::db::{transaction, with_pool};
use crate::token::hex;
use crate::{Store, StoreError};

/// The SHA-256 of a file's content in hexadecimal digits, which names its blob.
#[must_use]
pub fn blob_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// In a transaction: keeps bytes, and evaluates to their hash. A row that refers to them must be written in the same
/// transaction; blobs without one are deleted by [`Store::delete_orphan_blobs`].
macro_rules! put_blob {
    ($transaction:ident, $bytes:expr, $now_ms:expr) => {{
        // The time is renewed so that an orphan that is wanted again is as safe as a new blob.
        const QUERY: &str = "INSERT INTO blobs (hash, bytes, created_ms) VALUES ($1, $2, $3) \
                             ON CONFLICT (hash) DO UPDATE SET created_ms = excluded.created_ms";
        let bytes: &[u8] = $bytes;
        let hash = $crate::blob_hash(bytes);
        sqlx::query(QUERY).bind(&hash).bind(bytes).bind($now_ms).execute(&mut *$transaction).await?;
        hash
    }};
}
pub(crate) use put_blob;

impl Store {
    /// Keeps bytes and returns their hash. They stay for as long as a row refers to them, and at least until the orphans
    /// of a later time are deleted.
    pub async fn put_blob(&self, bytes: &[u8], now_ms: i64) -> Result<String, StoreError> {
        transaction!(self, transaction => { Ok(put_blob!(transaction, bytes, now_ms)) })
    }

    /// The bytes with this hash.
    pub async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        const QUERY: &str = "SELECT bytes FROM blobs WHERE hash = $1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(hash).fetch_optional(pool).await)?)
    }

    /// Deletes the blobs to which no row refers and that were last put before this time; returns their number.
    pub async fn delete_orphan_blobs(&self, before_ms: i64) -> Result<u64, StoreError> {
        const QUERY: &str = "DELETE FROM blobs WHERE created_ms < $1 \
                             AND NOT EXISTS (SELECT 1 FROM bot_files f WHERE f.hash = blobs.hash) \
                             AND NOT EXISTS (SELECT 1 FROM hand_ins h WHERE h.archive_hash = blobs.hash) \
                             AND NOT EXISTS (SELECT 1 FROM added_sources a WHERE a.archive_hash = blobs.hash)";
        let _writer = self.writer().await?;
        Ok(with_pool!(self, pool => sqlx::query(QUERY).bind(before_ms).execute(pool).await?.rows_affected()))
    }
}
