//! Tables for a spreadsheet.

use palestra_tournament::report::csv_field;

/// A table with a line for each row; no field is a formula.
pub(super) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> Vec<u8> {
    let head = std::iter::once(head.map(str::to_owned));
    lines(head.chain(rows))
}

/// A table whose first line is its head.
pub(super) fn lines(rows: impl IntoIterator<Item: AsRef<[String]>>) -> Vec<u8> {
    let line = |fields: &[String]| fields.iter().map(|field| csv_field(field)).collect::<Vec<_>>().join(",") + "\r\n";
    rows.into_iter().map(|row| line(row.as_ref())).collect::<String>().into_bytes()
}

/// A text that there may be.
pub(super) fn text(text: &Option<String>) -> String {
    text.clone().unwrap_or_default()
}

/// A number that there may be.
pub(super) fn number(number: Option<i64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}
