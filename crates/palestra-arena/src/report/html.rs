//! A page that stands alone: no script, nothing loaded from elsewhere, light or dark as the reader likes it.

use super::svg::{self, minus};
use super::{Cell, GameLine, NAME_WIDTH, Report, TEXT_WIDTH, columns, duration, visible};

/// A page lists at most this many games; the tables for a spreadsheet have them all.
const MAX_GAMES: usize = 20_000;

/// A sheet of paper is as wide as a cross table of this many players; wider ones are not printed.
const MAX_PRINTED: usize = 24;

/// The page.
#[must_use]
pub fn html(report: &Report) -> String {
    let title = shown(&report.title, TEXT_WIDTH);
    let game = shown(&report.game, NAME_WIDTH);
    let header = header(report);
    let main = [standings(report), cross(report), plots(report), games(report)].concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title} · {game}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{header}<main>\n{main}</main>\n</body>\n</html>\n"
    )
}

/// The text with everything that HTML gives a meaning written as an entity.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            _ => safe.push(c),
        }
    }
    safe
}

fn shown(text: &str, limit: usize) -> String {
    escaped(&visible(text, limit))
}

/// A name. Whatever its script, it does not turn its neighbours around.
fn name(report: &Report, player: usize) -> String {
    format!("<bdi>{}</bdi>", shown(report.name(player), NAME_WIDTH))
}

fn header(report: &Report) -> String {
    let fact = |(what, how): &(String, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", shown(what, NAME_WIDTH), shown(how, TEXT_WIDTH))
    };
    let facts: String = report.facts.iter().map(fact).collect();
    let facts = if facts.is_empty() { facts } else { format!("<dl>\n{facts}</dl>\n") };
    let (title, game) = (shown(&report.title, TEXT_WIDTH), shown(&report.game, NAME_WIDTH));
    format!("<header>\n<p class=\"game\">{game}</p>\n<h1>{title}</h1>\n{facts}</header>\n")
}

/// A section whose table may be wider than the page and then scrolls by itself, by keyboard too. The note stands
/// outside of what scrolls; the caption is for those who hear the page.
fn section(id: &str, heading: &str, note: &str, table: &str) -> String {
    let scrolling = scrolling(id, heading, table);
    format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>\n<p class=\"note\">{note}</p>\n\
         {scrolling}</section>\n"
    )
}

fn scrolling(id: &str, caption: &str, table: &str) -> String {
    format!(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"{id}\" tabindex=\"0\">\n\
         <table class=\"{id}-table\">\n<caption>{caption}</caption>\n{table}</table>\n</div>\n"
    )
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
    if report.rows.len() <= MAX_PRINTED { section } else { format!("<div class=\"screen-only\">\n{section}</div>\n") }
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
    let figure = |heading: &str, plot: &str, caption: &str| {
        format!("<figure>\n<h2>{heading}</h2>\n{plot}<figcaption>{caption}</figcaption>\n</figure>\n")
    };
    let mut plots = String::new();
    if let Some((rating, plot)) = svg::ratings(report) {
        let caption = "Dots are estimates; where lines overlap widely, the order may be chance.";
        plots += &figure(&format!("{rating} ratings"), &plot, caption);
    }
    if let Some(plot) = svg::points(report) {
        let others = report.rows.len().saturating_sub(svg::HIGHLIGHTED);
        let caption = match others {
            0 => "Points after each game of a player.".to_owned(),
            _ => {
                format!("Points after each game of a player: the first {} by name, {others} in grey.", svg::HIGHLIGHTED)
            }
        };
        plots += &figure("Points", &plot, &caption);
    }
    if plots.is_empty() { plots } else { format!("<div class=\"plots\">\n{plots}</div>\n") }
}

fn games(report: &Report) -> String {
    const HEADS: [&str; 10] =
        ["No.", "Round", "First", "Second", "Result", "Score", "Ended by", "Moves", "Time of first", "Time of second"];
    let count = report.games.len();
    if count == 0 {
        return "<p>No games.</p>\n".to_owned();
    }
    let note = if count > MAX_GAMES { format!(" The first {MAX_GAMES} are listed.") } else { String::new() };
    let heads = HEADS.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
    let lines: String = report.games.iter().take(MAX_GAMES).map(|line| game(report, line)).collect();
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

/// How the page looks. Dark colours are for screens alone: paper is white.
const STYLE: &str = r#":root {
  --paper: #fffefb; --ink: #1e1c19; --soft: #625e57; --rule: #ddd8ce; --strong: #8d877c; --own: #ebe7de;
  --s0: #f1a98d; --s1: #f3b79f; --s2: #f4c5b1; --s3: #f5d3c4; --s4: #f5e2d8; --s5: #f3f0ea;
  --s6: #dfe8f1; --s7: #cbdff2; --s8: #b7d5f1; --s9: #a4cbf0; --s10: #90c0ee;
  --k0: #1f5fa8; --k1: #b03c14; --k2: #24744a; --k3: #7b3fa0; --k4: #80600a; --k5: #0b6f82;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --ink: #ece8e0; --soft: #a8a297; --rule: #38352f; --strong: #7d776b; --own: #2a2824;
    --s0: #7d3219; --s1: #70321d; --s2: #623121; --s3: #553025; --s4: #473029; --s5: #33312e;
    --s6: #2c3844; --s7: #283f55; --s8: #254666; --s9: #214d77; --s10: #1e5488;
    --k0: #7fb4f0; --k1: #f0936a; --k2: #7fcf9b; --k3: #c79bea; --k4: #e0b84e; --k5: #62c7d8;
  }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body {
  max-width: 72rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem) clamp(1rem, 4vw, 2.5rem) 4rem;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums lining-nums;
}
h1, h2, .game, .note, figcaption {
  font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "Book Antiqua", Georgia, serif;
}
h1 { margin: 0 0 1.25rem; font-size: clamp(1.7rem, 5vw, 2.6rem); font-weight: 500; line-height: 1.15;
  overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 0 0 .25rem; font-size: 1.35rem; font-weight: 500; line-height: 1.25; }
.game { margin: 0 0 .25rem; color: var(--soft); font-style: italic; font-size: 1.1rem; }
section, .plots { margin-top: 2.75rem; }
dl { display: flex; flex-wrap: wrap; gap: .6rem 2.25rem; margin: 0; padding: .8rem 0;
  border: solid var(--rule); border-width: 1px 0; }
dt { color: var(--soft); font-size: .8rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow: auto; max-width: 100%; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--k0); outline-offset: 3px; }
table { border-collapse: separate; border-spacing: 0; font-size: .92rem; line-height: 1.35; }
.note, figcaption { margin: 0 0 .6rem; color: var(--soft); font-style: italic; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .34rem .6rem; text-align: right; vertical-align: baseline; white-space: nowrap; }
thead th { border-bottom: 1px solid var(--strong); color: var(--soft); font-weight: 500; vertical-align: bottom; }
tbody tr > * { border-bottom: 1px solid var(--rule); }
th[scope=row] { background: var(--paper); font-weight: 500; text-align: left; position: sticky; left: 0; z-index: 1; }
tr > :first-child, .cross-table tr > th:first-child { padding-left: 0; }
abbr { text-decoration: none; }
bdi { direction: ltr; unicode-bidi: isolate; }
.standings-table th:nth-child(2) { min-width: 8rem; max-width: 20rem; text-align: left;
  white-space: normal; overflow-wrap: anywhere; }
.standings-table td:nth-child(3) { font-weight: 650; }
.standings-table td:first-child { color: var(--soft); }
#cross ~ .scroll { max-height: 85vh; }
.cross-table td, .cross-table thead th { padding: .3rem .45rem; text-align: center; }
.cross-table tbody tr > td { border-bottom-color: var(--paper); border-right: 1px solid var(--paper); }
.cross-table thead th { position: sticky; top: 0; z-index: 2; background: var(--paper); }
.cross-table thead th:first-child { left: 0; z-index: 3; text-align: left; }
.cross-table th[scope=row] { max-width: 15rem; overflow: hidden; text-overflow: ellipsis; padding-right: .9rem; }
.cross-table th span { display: inline-block; min-width: 1.4em; color: var(--soft); font-weight: 400; }
.key { display: flex; width: fit-content; margin-top: .25rem; line-height: 1.4;
  color: var(--ink); font-style: normal; font-size: .8rem; }
.key span { padding: .1rem .5rem; }
.own { background: var(--own); }
.s0 { background: var(--s0); } .s1 { background: var(--s1); } .s2 { background: var(--s2); }
.s3 { background: var(--s3); } .s4 { background: var(--s4); } .s5 { background: var(--s5); }
.s6 { background: var(--s6); } .s7 { background: var(--s7); } .s8 { background: var(--s8); }
.s9 { background: var(--s9); } .s10 { background: var(--s10); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 2.75rem 3.5rem;
  align-items: start; }
figure { margin: 0; min-width: 0; }
figcaption { margin: .4rem 0 0; }
svg { display: block; font-size: 12.5px; fill: var(--ink); overflow: visible; }
.name { direction: ltr; unicode-bidi: isolate; }
.tick { fill: var(--soft); font-size: 11.5px; }
.grid { stroke: var(--rule); }
.range { stroke: var(--k0); stroke-width: 2; opacity: .55; stroke-linecap: round; }
.dot { fill: var(--k0); }
.line { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round;
  vector-effect: non-scaling-stroke; }
.faint { color: var(--strong); stroke-width: .75; opacity: .4; }
.dash { stroke-dasharray: 6 4; }
.leader { stroke: currentColor; stroke-width: .75; stroke-dasharray: none; opacity: .6; }
text.k0, text.k1, text.k2, text.k3, text.k4, text.k5 { fill: currentColor; }
.k0 { color: var(--k0); } .k1 { color: var(--k1); } .k2 { color: var(--k2); }
.k3 { color: var(--k3); } .k4 { color: var(--k4); } .k5 { color: var(--k5); }
summary { cursor: pointer; width: fit-content; padding: .3rem 0; }
details[open] summary { margin-bottom: .6rem; }
.games-table td:nth-child(3), .games-table td:nth-child(4), .games-table td:nth-child(7),
.games-table th:nth-child(3), .games-table th:nth-child(4), .games-table th:nth-child(7) { text-align: left; }
.games-table td:nth-child(3), .games-table td:nth-child(4), .games-table td:nth-child(7) { min-width: 8rem;
  white-space: normal; overflow-wrap: anywhere; }
.games-table th { white-space: normal; }
.games-table td:nth-child(5), .games-table td:nth-child(6),
.games-table th:nth-child(5), .games-table th:nth-child(6) { text-align: center; }
.games-table b { font-weight: 650; }
@media (max-width: 40rem) {
  table { font-size: .88rem; }
  th, td { padding-inline: .4rem; }
  .cross-table th[scope=row] { max-width: 8.5rem; }
}
@media print {
  @page { margin: 15mm; }
  :root { --paper: #fff; }
  .screen-only { display: none; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll, #cross ~ .scroll { overflow: visible; max-height: none; }
  th[scope=row], .cross-table thead th { position: static; }
  thead { display: table-header-group; }
  tr, figure { break-inside: avoid; }
  h2, .note { break-after: avoid; }
  .cross-table, .key { font-size: 8pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .cross-table td, .cross-table th { padding: .15rem .25rem; }
}
"#;
