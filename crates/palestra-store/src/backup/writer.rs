//! From the database to a file.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Column, ColumnIndex, Database, Decode, Row, Type, TypeInfo};

use super::{BackupError, End, FORMAT, Header, Kind, Table, tables};
use crate::Store;
use crate::db::Pool;
use crate::migrate::KNOWN;
use crate::token::hex;

/// Writes a table through a connection of either kind.
macro_rules! write_table {
    ($lines:expr, $connection:expr, $table:expr) => {{
        let (lines, table): (&mut Lines<_>, &str) = ($lines, $table);
        let count = sqlx::query_scalar(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")));
        let rows: i64 = count.fetch_one($connection).await?;
        let mut head = Some(Table { table: table.to_owned(), columns: vec![], rows: rows.unsigned_abs() });
        let mut columns = vec![];
        let mut found = sqlx::query(AssertSqlSafe(format!("SELECT * FROM {table}"))).fetch($connection);
        while let Some(row) = found.try_next().await? {
            if let Some(head) = head.take() {
                columns = kinds(&row)?;
                lines.write(&Table { columns: columns.clone(), ..head })?;
            }
            lines.write(&values(&row, &columns)?)?;
        }
        if let Some(head) = head {
            lines.write(&head)?;
        }
        rows.unsigned_abs()
    }};
}

impl Store {
    /// Writes a consistent snapshot of the database. Returns the number of rows.
    pub async fn backup(&self, out: &mut (impl Write + Send)) -> Result<u64, BackupError> {
        self.check_version().await?;
        let mut lines = Lines { out, hash: Sha256::new() };
        lines.write(&Header { palestra_backup: FORMAT, schema: KNOWN })?;
        let mut written = 0;
        // The one thing that is said differently: all questions are to be answered as of the same moment.
        match &self.pool {
            Pool::Sqlite(pool) => {
                let mut reading = pool.begin_with("BEGIN").await?;
                for table in tables(KNOWN) {
                    written += write_table!(&mut lines, &mut *reading, table);
                }
            }
            Pool::Postgres(pool) => {
                let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
                for table in tables(KNOWN) {
                    written += write_table!(&mut lines, &mut *reading, table);
                }
            }
        }
        lines.end()?;
        Ok(written)
    }
}

/// The names and types of the columns of a row.
fn kinds<R: Row>(row: &R) -> Result<Vec<(String, Kind)>, BackupError> {
    let kind = |column: &<R::Database as Database>::Column| {
        let name = column.name().to_owned();
        match Kind::of(column.type_info().name()) {
            Some(kind) => Ok((name, kind)),
            None => Err(BackupError::Column(name)),
        }
    };
    row.columns().iter().map(kind).collect()
}

fn values<R>(row: &R, columns: &[(String, Kind)]) -> Result<Vec<Value>, sqlx::Error>
where
    R: Row,
    usize: ColumnIndex<R>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> bool: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
    let value = |(index, (_, kind)): (usize, &(String, Kind))| {
        Ok(match kind {
            Kind::Integer => row.try_get::<Option<i64>, _>(index)?.into(),
            Kind::Text => row.try_get::<Option<String>, _>(index)?.into(),
            Kind::Boolean => row.try_get::<Option<bool>, _>(index)?.into(),
            Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(index)?.map(|bytes| STANDARD.encode(bytes)).into(),
        })
    };
    columns.iter().enumerate().map(value).collect()
}

/// Lines of which a checksum is kept.
struct Lines<'a, W> {
    out: &'a mut W,
    hash: Sha256,
}

impl<W: Write> Lines<'_, W> {
    fn write(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.hash.update(&line);
        self.out.write_all(&line)
    }

    fn end(&mut self) -> io::Result<()> {
        let sha256 = hex(&self.hash.finalize_reset());
        self.write(&End { sha256 })
    }
}
