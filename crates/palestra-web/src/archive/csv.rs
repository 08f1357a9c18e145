//! Tables for a spreadsheet.

use palestra_tournament::report::csv_field;

/// A table with a line for each row; no field is a formula.
pub(super) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> Vec<u8> {
    let line = |fields: [String; N]| fields.map(|field| csv_field(&field)).join(",") + "\r\n";
    let rows = rows.into_iter().map(line);
    std::iter::once(head.join(",") + "\r\n").chain(rows).collect::<String>().into_bytes()
}

/// A text that there may be.
pub(super) fn text(text: &Option<String>) -> String {
    text.clone().unwrap_or_default()
}

/// A number that there may be.
pub(super) fn number(number: Option<i64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}
