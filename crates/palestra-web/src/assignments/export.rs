//! Marks as CSV, for Moodle and spreadsheets.

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_store::MemberState;
use palestra_tournament::rubric::Cause;
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::download::attachment;
use super::explain::{flag, total};
use super::rubric::written;
use super::sheet::{Sheet, SheetRow, name};
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::visitor::Visitor;

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Decimal {
    /// `2.75`, with commas between the cells.
    #[default]
    Point,
    /// `2,75`, with semicolons between the cells.
    Comma,
}

impl Decimal {
    const fn separator(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => ';',
        }
    }

    fn number(self, text: String) -> String {
        if self == Self::Comma { text.replace('.', ",") } else { text }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    decimal: Decimal,
}

/// The marks of all students, a row each.
pub(crate) async fn export(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Query(Asked { decimal }): Query<Asked>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let sheet = Sheet::of(&app, &found.access.course, &found.assignment).await?;
    let text = csv(&sheet, decimal, visitor.locale);
    Ok(attachment("text/csv; charset=utf-8", &format!("marks-{code}.csv"), Body::from(text)))
}

/// The table as text, with a byte order mark: spreadsheets take it for Latin-1 without.
pub(super) fn csv(sheet: &Sheet, decimal: Decimal, locale: Locale) -> String {
    let mut head: Vec<String> = ["name", "id_number", "email", "group", "bot"]
        .map(|key| locale.t(&format!("marks.csv.{key}")).to_owned())
        .into();
    head.extend(sheet.rubric.parts.iter().map(|part| part.title.text(locale.word()).to_owned()));
    head.extend(["total", "remarks"].map(|key| locale.t(&format!("marks.csv.{key}")).to_owned()));
    let mut text = format!("\u{feff}{}", line(&head, decimal));
    for row in &sheet.rows {
        for member in row.members.iter().filter(|member| member.state != MemberState::Withdrawn) {
            let id_number = member.id_number.clone().unwrap_or_default();
            let who = [name(member), id_number, member.email.clone().unwrap_or_default()];
            let group = sheet.group_code(row.group).to_owned();
            let cells = [who.to_vec(), vec![group, row.bot.clone().unwrap_or_default()], numbers(row, decimal, locale)];
            text += &line(&cells.concat(), decimal);
        }
    }
    text
}

/// The points of the parts, the total and the flags.
fn numbers(row: &SheetRow, decimal: Decimal, locale: Locale) -> Vec<String> {
    let part = |part: &palestra_tournament::rubric::PartMark| match part.cause {
        Cause::NotEntered => String::new(),
        _ => decimal.number(written(part.points.rounded())),
    };
    let mut cells: Vec<String> = row.mark.parts.iter().map(part).collect();
    cells.push(total(&row.mark).map(|total| decimal.number(total)).unwrap_or_default());
    cells.push(row.mark.flags.iter().map(|&it| flag(it, locale)).collect::<Vec<_>>().join("; "));
    cells
}

fn line(cells: &[String], decimal: Decimal) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(&guarded(cell), decimal)).collect();
    cells.join(&decimal.separator().to_string()) + "\r\n"
}

/// A cell that no spreadsheet takes for a formula: those begin with one of these characters.
fn guarded(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '|', '%']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

fn quoted(cell: &str, decimal: Decimal) -> String {
    if cell.contains([decimal.separator(), '"', '\n', '\r']) || cell.starts_with(' ') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_run_nothing() {
        let cells = ["=1+2", "-3", "@sum", "O'Hara, \"Ann\"", "plain; text", "2,75"].map(str::to_owned);
        assert_eq!(line(&cells, Decimal::Point), "'=1+2,'-3,'@sum,\"O'Hara, \"\"Ann\"\"\",plain; text,\"2,75\"\r\n");
        assert_eq!(line(&cells, Decimal::Comma), "'=1+2;'-3;'@sum;\"O'Hara, \"\"Ann\"\"\";\"plain; text\";2,75\r\n");
    }

    #[test]
    fn numbers_have_a_point_or_a_comma() {
        assert_eq!(Decimal::Point.number("2.75".to_owned()), "2.75");
        assert_eq!(Decimal::Comma.number("2.75".to_owned()), "2,75");
    }
}
