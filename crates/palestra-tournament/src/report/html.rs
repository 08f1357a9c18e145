//! The page of a tournament.

use super::page::{Heading, escaped, figure, named, page, scrolling, section, shown, side_by_side};
use super::svg::{self, minus};
use super::{Cell, GameLine, NAME_WIDTH, Report, TEXT_WIDTH, columns, duration};

/// A page lists at most this many games; the tables for a spreadsheet have them all.
const MAX_LISTED_GAMES: usize = 20_000;

/// A sheet of paper is as wide as a cross table of this many players; wider ones are not printed.
const MAX_PRINTED_PLAYERS: usize = 24;

/// The page.
#[must_use]
pub fn html(report: &Report) -> String {
    let main = [standings(report), cross(report), plots(report), games(report)].concat();
    page(&Heading { game: &report.game, title: &report.title, lead: "", facts: &report.facts }, &main)
}

fn name(report: &Report, player: usize) -> String {
    named(report.name(player))
}

fn standings(report: &Report) -> String {
    if report.rows.is_empty() {
        return "<p>No players.</p>\n".to_owned();
    }
    let columns = columns(&report.rows);
    let head = |head: &str, meaning: &str| {
        if head == meaning {
            format!("<th scope=\"col\">{head}</th>")
        } else {
            format!("<th scope=\"col\"><abbr title=\"{meaning}\">{head}</abbr></th>")
        }
    };
    let heads: String = columns.iter().map(|column| head(column.head, column.meaning)).collect();
    let line = |player: usize| {
        let cells = columns.iter().map(|column| format!("<td>{}</td>", minus(&escaped(&column.cells[player]))));
        let (rank, name, cells) = (report.rows[player].rank, name(report, player), cells.collect::<String>());
        format!("<tr><td>{rank}</td><th scope=\"row\">{name}</th>{cells}</tr>\n")
    };
    let lines: String = (0..report.rows.len()).map(line).collect();
    let table = format!(
        "<thead>\n<tr>{}<th scope=\"col\">Player</th>{heads}</tr>\n</thead>\n<tbody>\n{lines}</tbody>\n",
        head("#", "Rank")
    );
    section("standings", "Standings", "Players, best first.", &table)
}

fn cross(report: &Report) -> String {
    if !report.has_cross() {
        return String::new();
    }
    let players = 0..report.rows.len();
    let head = |player: usize| {
        let name = shown(report.name(player), NAME_WIDTH);
        format!("<th scope=\"col\"><abbr title=\"{name}\">{}</abbr></th>", player + 1)
    };
    let heads: String = players.clone().map(head).collect();
    let line = |row: usize| {
        let cells: String = players.clone().map(|column| cell(report.cell(row, column), row == column)).collect();
        let (place, name) = (row + 1, name(report, row));
        format!("<tr><th scope=\"row\"><span>{place}</span> {name}</th>{cells}</tr>\n")
    };
    let lines: String = players.clone().map(line).collect();
    let table = format!("<thead>\n<tr><th scope=\"col\">Player</th>{heads}</tr>\n</thead>\n<tbody>\n{lines}</tbody>\n");
    let note = "Wins–draws–losses of the row’s player against the column’s. <span class=\"key\">\
                <span class=\"s0\">lost all</span><span class=\"s5\">even</span>\
                <span class=\"s10\">won all</span></span>";
    let section = section("cross", "Cross table", note, &table);
    if report.rows.len() <= MAX_PRINTED_PLAYERS {
        section
    } else {
        format!("<div class=\"screen-only\">\n{section}</div>\n")
    }
}

fn cell(cell: Option<Cell>, own: bool) -> String {
    match cell {
        Some(cell) => {
            format!("<td class=\"s{}\">{}–{}–{}</td>", cell.tenths(), cell.wins, cell.draws, cell.losses)
        }
        None if own => "<td class=\"own\"></td>".to_owned(),
        None => "<td></td>".to_owned(),
    }
}

fn plots(report: &Report) -> String {
    let mut plots = String::new();
    if let Some((rating, plot)) = svg::ratings(report) {
        let caption = "Dots are estimates; where lines overlap widely, the order may be chance.";
        plots += &figure(&format!("{rating} ratings"), &plot, caption);
    }
    let names: Vec<&str> = report.rows.iter().map(|row| row.name.as_str()).collect();
    let title = "Points of the players after each of their games. The standings have the sums.";
    if let Some(plot) = svg::points(&names, &report.progress, title) {
        let others = report.rows.len().saturating_sub(svg::HIGHLIGHTED);
        let caption = match others {
            0 => "Points after each game of a player.".to_owned(),
            _ => {
                format!("Points after each game of a player: the first {} by name, {others} in grey.", svg::HIGHLIGHTED)
            }
        };
        plots += &figure("Points", &plot, &caption);
    }
    side_by_side(&plots)
}

fn games(report: &Report) -> String {
    const HEADS: [&str; 10] =
        ["No.", "Round", "First", "Second", "Result", "Score", "Ended by", "Moves", "Time of first", "Time of second"];
    let count = report.games.len();
    if count == 0 {
        return "<p>No games.</p>\n".to_owned();
    }
    let note =
        if count > MAX_LISTED_GAMES { format!(" The first {MAX_LISTED_GAMES} are listed.") } else { String::new() };
    let heads = HEADS.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
    let lines: String = report.games.iter().take(MAX_LISTED_GAMES).map(|line| game(report, line)).collect();
    let table = format!("<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n{lines}</tbody>\n");
    let scrolling = scrolling("games", "Games", &table);
    format!(
        "<section aria-labelledby=\"games\">\n<h2 id=\"games\">Games</h2>\n<details>\n\
         <summary>All games ({count})</summary>\n\
         <p class=\"note\">In the order of the plan, winners in bold.{note}</p>\n{scrolling}</details>\n</section>\n"
    )
}

fn game(report: &Report, game: &GameLine) -> String {
    let [first, second] = game.players.map(|player| name(report, player));
    let (first, second, result) = match game.result.as_str() {
        "1-0" => (format!("<b>{first}</b>"), second, "1–0".to_owned()),
        "0-1" => (first, format!("<b>{second}</b>"), "0–1".to_owned()),
        "1/2" => (first, second, "½–½".to_owned()),
        other => (first, second, shown(other, NAME_WIDTH)),
    };
    let [own, other] = game.points.map(|points| minus(&points.to_string()));
    let [time, other_time] = game.charged_ms.map(duration);
    let cells = [
        game.number.to_string(),
        game.round.to_string(),
        first,
        second,
        result,
        format!("{own} : {other}"),
        shown(&game.reason, TEXT_WIDTH),
        game.plies.to_string(),
        time,
        other_time,
    ];
    format!("<tr><td>{}</td></tr>\n", cells.join("</td><td>"))
}
