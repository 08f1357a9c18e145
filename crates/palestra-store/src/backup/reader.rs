//! From a file to what it says, line by line, without a database.

use std::io::{BufRead, Read};

use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{BackupError, End, FORMAT, Header, KNOWN, Table, tables};
use crate::token::hex;

/// Reads a backup. Nothing that it gives is to be believed before it has come to its end.
pub struct Reader<R> {
    input: R,
    hash: Sha256,
    line: u64,
    version: i64,
    /// The tables that are still to come, in their order.
    coming: Vec<&'static str>,
    /// The table whose rows are being read.
    table: Table,
}

/// A part of a backup.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// The rows that follow belong to this one.
    Table(Table),
    /// A row, with a value for each column.
    Row(Vec<Value>),
}

/// No row is nearly as long.
const MAX_LINE: u64 = 64 << 20;

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Self, BackupError> {
        let table = Table { table: String::new(), columns: vec![], rows: 0 };
        let mut reader = Self { input, hash: Sha256::new(), line: 0, version: 0, coming: vec![], table };
        let line = reader.line()?;
        let header: Header = reader.parsed(&line, "this is no backup of Palestra's")?;
        if header.palestra_backup != FORMAT {
            return Err(reader.damaged("this is no backup that this Palestra can read"));
        }
        if !(1..=KNOWN).contains(&header.schema) {
            return Err(BackupError::Version { found: header.schema });
        }
        reader.version = header.schema;
        reader.coming = tables(header.schema).rev().collect();
        Ok(reader)
    }

    /// The schema version of the database that was backed up.
    pub(crate) const fn version(&self) -> i64 {
        self.version
    }

    /// The next part; none when all has been read and the checksum is right.
    pub fn next_part(&mut self) -> Result<Option<Part>, BackupError> {
        if self.table.rows > 0 {
            self.table.rows -= 1;
            return self.row().map(|row| Some(Part::Row(row)));
        }
        let Some(expected) = self.coming.pop() else { return self.end().map(|()| None) };
        let line = self.line()?;
        let table: Table = self.parsed(&line, "a table should begin here")?;
        let is_name = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        // Names become part of a query.
        let has_columns = table.rows == 0 || !table.columns.is_empty();
        if table.table != expected || !has_columns || !table.columns.iter().all(|(name, _)| is_name(name)) {
            return Err(self.damaged("another table should begin here"));
        }
        self.table = table.clone();
        Ok(Some(Part::Table(table)))
    }

    fn row(&mut self) -> Result<Vec<Value>, BackupError> {
        let line = self.line()?;
        let row: Vec<Value> = self.parsed(&line, "a row should stand here")?;
        let columns = &self.table.columns;
        let fits = row.len() == columns.len() && row.iter().zip(columns).all(|(value, (_, kind))| kind.fits(value));
        if fits { Ok(row) } else { Err(self.damaged("the row does not fit its table")) }
    }

    fn end(&mut self) -> Result<(), BackupError> {
        let sha256 = hex(&self.hash.finalize_reset());
        let line = self.line()?;
        let end: End = self.parsed(&line, "the checksum should stand here")?;
        if end.sha256 != sha256 {
            return Err(self.damaged("the checksum is wrong"));
        }
        let is_over = self.input.fill_buf()?.is_empty();
        if is_over { Ok(()) } else { Err(self.damaged("more follows after the end")) }
    }

    fn line(&mut self) -> Result<Vec<u8>, BackupError> {
        self.line += 1;
        let mut line = vec![];
        self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Err(self.damaged("the file is cut off here"));
        }
        self.hash.update(&line);
        Ok(line)
    }

    fn parsed<T: DeserializeOwned>(&self, line: &[u8], what: &'static str) -> Result<T, BackupError> {
        serde_json::from_slice(line).map_err(|_| self.damaged(what))
    }

    fn damaged(&self, what: &'static str) -> BackupError {
        BackupError::Damaged { line: self.line, what }
    }
}
