//! Rows as structs, from either database.

/// Implements `FromRow` for a struct: each field is read from the column of its name. `field: String` reads a word and
/// parses it by `TryFrom<String>`. Written by hand because sqlx's derive macro compiles both database drivers twice.
macro_rules! row {
    ($type:ident { $($field:ident $(: $via:ty)?),* $(,)? }) => {
        $crate::row::row!(@impl sqlx::sqlite::SqliteRow, $type { $($field $(: $via)?),* });
        $crate::row::row!(@impl sqlx::postgres::PgRow, $type { $($field $(: $via)?),* });
    };
    (@impl $row:ty, $type:ident { $($field:ident $(: $via:ty)?),* }) => {
        impl sqlx::FromRow<'_, $row> for $type {
            fn from_row(row: &$row) -> sqlx::Result<Self> {
                Ok(Self { $($field: $crate::row::row!(@column row, $field $(: $via)?)),* })
            }
        }
    };
    (@column $row:ident, $field:ident) => {
        sqlx::Row::try_get($row, stringify!($field))?
    };
    (@column $row:ident, $field:ident: $via:ty) => {{
        let text: $via = sqlx::Row::try_get($row, stringify!($field))?;
        text.try_into().map_err(|error| sqlx::Error::ColumnDecode {
            index: stringify!($field).to_owned(),
            source: Box::new(error),
        })?
    }};
}
pub(crate) use row;
