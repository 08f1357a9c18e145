//! Marks as CSV, for Moodle and spreadsheets.

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::download::attachment;
use super::listed::{MarkedPart, MarkedTeam, Marks, Points};
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::visitor::Visitor;

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decimal {
    /// `2.75`, with commas between the cells.
    #[default]
    Point,
    /// `2,75`, with semicolons between the cells.
    Comma,
}

/// Which table is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Exported {
    /// A row for each student, with the points.
    #[default]
    Marks,
    /// A row for each game that points come from.
    Games,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    decimal: Decimal,
    of: Exported,
}

/// The marks of all students, or the games that they come from.
pub(crate) async fn export(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Query(Asked { decimal, of }): Query<Asked>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let marks = Marks::of(&app, &found.assignment, visitor.locale).await?;
    let (name, text) = match of {
        Exported::Marks => (format!("marks-{code}.csv"), marks.csv_in(decimal, visitor.locale)),
        Exported::Games => {
            let text = marks.games_csv_in(decimal, &app.origins.link(""), visitor.locale);
            (format!("games-of-marks-{code}.csv"), text)
        }
    };
    Ok(attachment("text/csv; charset=utf-8", &name, Body::from(text)))
}

impl Decimal {
    const fn separator(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => ';',
        }
    }

    fn points(self, points: Option<Points>) -> String {
        let text = points.map(Points::text).unwrap_or_default();
        if self == Self::Comma { text.replace('.', ",") } else { text }
    }
}

impl Marks {
    /// The marks as CSV, a row for each student, in English.
    #[must_use]
    pub fn csv(&self, decimal: Decimal) -> String {
        self.csv_in(decimal, Locale::English)
    }

    /// The games that points come from as CSV, a row for each, in English. Addresses begin with that of the server.
    #[must_use]
    pub fn games_csv(&self, decimal: Decimal, server: &str) -> String {
        self.games_csv_in(decimal, server, Locale::English)
    }

    fn csv_in(&self, decimal: Decimal, locale: Locale) -> String {
        let mut head = names(["name", "id_number", "email", "group", "bot"], locale);
        head.extend(self.rubric.iter().map(|part| part.title.clone()));
        head.extend(names(["total", "remarks"], locale));
        let mut lines = vec![head];
        for team in &self.teams {
            for member in team.members.iter().filter(|member| !member.has_left) {
                let id_number = member.id_number.clone().unwrap_or_default();
                let mut cells = vec![member.name.clone(), id_number, member.email.clone().unwrap_or_default()];
                cells.extend([team.group.clone(), team.bot.clone().unwrap_or_default()]);
                cells.extend(team.parts.iter().map(|part| decimal.points(part.points)));
                cells.extend([decimal.points(team.total), team.remarks.join("; ")]);
                lines.push(cells);
            }
        }
        table(&lines, decimal)
    }

    fn games_csv_in(&self, decimal: Decimal, server: &str, locale: Locale) -> String {
        let head = ["name", "group", "bot", "part", "points", "opponent", "side", "score", "result", "game"];
        let mut lines = vec![names(head, locale)];
        for team in &self.teams {
            for (own, part) in team.parts.iter().zip(&self.rubric) {
                let begin = [team.names(), team.group.clone(), team.bot.clone().unwrap_or_default()];
                let begin = [&begin[..], &[part.title.clone(), decimal.points(own.points)]].concat();
                let rows = own.rows(server, locale).into_iter();
                lines.extend(rows.map(|row| [&begin[..], &row].concat()));
            }
        }
        table(&lines, decimal)
    }
}

impl MarkedTeam {
    fn names(&self) -> String {
        self.members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl MarkedPart {
    /// The opponent, the side, the score, the result and the address of each game; of a league the address of the list.
    fn rows(&self, server: &str, locale: Locale) -> Vec<[String; 5]> {
        let game = |game: &super::listed::MarkGame| {
            let result = locale.find_text(&format!("marks.result.{}", game.result)).unwrap_or_default().to_owned();
            let address = format!("{server}/games/{}", game.code);
            [game.opponent.clone(), game.side.to_string(), game.score.clone(), result, address]
        };
        let list = |path: &String| {
            let [opponent, side, score, result] = Default::default();
            [opponent, side, score, result, format!("{server}{path}")]
        };
        self.games.iter().map(game).chain(self.league_games.iter().map(list)).collect()
    }
}

/// What columns are called.
fn names<const N: usize>(keys: [&str; N], locale: Locale) -> Vec<String> {
    keys.map(|key| locale.t(&format!("marks.csv.{key}")).to_owned()).into()
}

/// A table as text, with a byte order mark: spreadsheets take it for Latin-1 without.
fn table(lines: &[Vec<String>], decimal: Decimal) -> String {
    lines.iter().fold("\u{feff}".to_owned(), |text, cells| text + &line(cells, decimal))
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
        let points = serde_json::from_str("2.75").ok();
        assert_eq!(Decimal::Point.points(points), "2.75");
        assert_eq!(Decimal::Comma.points(points), "2,75");
        assert_eq!(Decimal::Comma.points(None), "");
    }
}
