//! From a file to an empty database.

use std::io::BufRead;

use sqlx::AssertSqlSafe;

use super::{BackupError, KNOWN, Kind, Part, Reader, Table, bytes, tables};
use crate::Store;
use crate::db::transaction;
use crate::migrate::apply_migrations;

impl Store {
    /// Fills an empty database with a backup: with all of it, or with nothing. A backup of an earlier schema version is
    /// restored into a schema of that version, which is then migrated. Returns the number of rows.
    pub async fn restore(&self, input: impl BufRead + Send) -> Result<u64, BackupError> {
        let mut reader = Reader::new(input)?;
        let (version, mut restored) = (reader.version(), 0);
        transaction!(self, transaction => {
            for table in tables(KNOWN) {
                let any = sqlx::query(AssertSqlSafe(format!("SELECT 1 FROM {table} LIMIT 1")));
                if any.fetch_optional(&mut *transaction).await?.is_some() {
                    return Err(BackupError::NotEmpty(table));
                }
            }
            if version < KNOWN {
                for table in tables(KNOWN).rev() {
                    sqlx::query(AssertSqlSafe(format!("DROP TABLE {table}"))).execute(&mut *transaction).await?;
                }
                sqlx::query("DELETE FROM schema_version").execute(&mut *transaction).await?;
                apply_migrations!(transaction, 1..=version);
            }
            let (mut query, mut columns) = (String::new(), vec![]);
            while let Some(part) = reader.next_part()? {
                match part {
                    Part::Table(table) => (query, columns) = (insert(&table), table.columns),
                    Part::Row(row) => {
                        let mut query = sqlx::query(AssertSqlSafe(query.clone()));
                        // PostgreSQL wants to know of what kind a value is that is not there.
                        for (value, (_, kind)) in row.iter().zip(&columns) {
                            query = match kind {
                                Kind::Integer => query.bind(value.as_i64()),
                                Kind::Text => query.bind(value.as_str()),
                                Kind::Boolean => query.bind(value.as_bool()),
                                Kind::Bytes => query.bind(value.as_str().and_then(bytes)),
                            };
                        }
                        query.execute(&mut *transaction).await?;
                        restored += 1;
                    }
                }
            }
            apply_migrations!(transaction, version + 1..=KNOWN);
            Ok(restored)
        })
    }
}

/// The reader has made sure that names are nothing but names.
fn insert(table: &Table) -> String {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| name.as_str()).collect();
    let places: Vec<String> = (1..=names.len()).map(|place| format!("${place}")).collect();
    format!("INSERT INTO {} ({}) VALUES ({})", table.table, names.join(", "), places.join(", "))
}
