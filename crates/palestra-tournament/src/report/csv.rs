//! Tables for a spreadsheet, as RFC 4180 has them.

use super::{Interval, Report, Row, TEXT_WIDTH, forfeits, visible};

/// The tables, each with the name of its file.
///
/// Figures are bare numbers and nothing looks like a date: how two players did is three numbers on a line of its own,
/// and the winner is a word. A text that a spreadsheet would take for a formula begins with a quote mark.
#[must_use]
pub fn csv(report: &Report) -> [(&'static str, String); 3] {
    [("standings.csv", standings(report)), ("cross.csv", cross(report)), ("games.csv", games(report))]
}

fn standings(report: &Report) -> String {
    let head = "rank,name,games,wins,draws,losses,points,time_outs,charged_ms,scored,conceded,\
                elo,elo_low,elo_high,glicko,glicko_low,glicko_high,forfeits";
    table(head, report.rows.iter().map(standing))
}

fn standing(row: &Row) -> Vec<String> {
    let mut fields = vec![row.rank.to_string(), field(&row.name)];
    fields.extend([row.games, row.wins, row.draws, row.losses, row.points, row.time_outs].map(|n| n.to_string()));
    fields.extend([row.charged_ms.to_string(), row.scored.to_string(), row.conceded.to_string()]);
    fields.extend(interval(row.elo));
    fields.extend(interval(row.glicko));
    fields.push(field(&forfeits(&row.forfeits, "; ")));
    fields
}

fn interval(interval: Option<Interval>) -> [String; 3] {
    let number = |value: f64| if value.is_finite() { format!("{value:.1}") } else { String::new() };
    interval.map_or_else(Default::default, |interval| [interval.value, interval.low, interval.high].map(number))
}

fn cross(report: &Report) -> String {
    let pairs = (0..report.rows.len()).flat_map(|row| (0..report.rows.len()).map(move |column| (row, column)));
    let lines = pairs.filter_map(|(row, column)| {
        let cell = report.cell(row, column)?;
        let [name, opponent] = [row, column].map(|player| field(report.name(player)));
        Some(vec![name, opponent, cell.wins.to_string(), cell.draws.to_string(), cell.losses.to_string()])
    });
    table("name,opponent,wins,draws,losses", lines)
}

fn games(report: &Report) -> String {
    let head = "number,round,first,second,winner,points_first,points_second,reason,plies,\
                charged_ms_first,charged_ms_second";
    let lines = report.games.iter().map(|game| {
        let [first, second] = report.names(game).map(field);
        let winner = match game.result.as_str() {
            "1-0" => "first",
            "0-1" => "second",
            "1/2" => "draw",
            other => other,
        };
        let mut fields = vec![game.number.to_string(), game.round.to_string(), first, second, field(winner)];
        fields.extend(game.points.map(|points| points.to_string()));
        fields.extend([field(&game.reason), game.plies.to_string()]);
        fields.extend(game.charged_ms.map(|ms| ms.to_string()));
        fields
    });
    table(head, lines)
}

fn table(head: &str, lines: impl Iterator<Item = Vec<String>>) -> String {
    let lines = lines.map(|fields| fields.join(","));
    std::iter::once(head.to_owned()).chain(lines).map(|line| line + "\r\n").collect()
}

/// A text as a field: no formula, and quoted where it must be. Line breaks stay, since a quoted field may hold them.
#[must_use]
pub fn field(text: &str) -> String {
    let shortened: String = text.chars().take(TEXT_WIDTH).collect();
    let lines: Vec<_> = shortened.split('\n').map(|line| visible(line, TEXT_WIDTH)).collect();
    let mut text = lines.join("\n");
    if text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        text.insert(0, '\'');
    }
    if text.contains(['"', ',', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain name"), "plain name");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(field("two\nlines"), "\"two\nlines\"");
        assert_eq!(field("\u{1b}[0m\r"), r"\u{1b}[0m\r");
    }

    #[test]
    fn no_field_is_a_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\n=1", "＝1"] {
            assert!(field(text).trim_start_matches('"').starts_with('\''), "{text}");
        }
        assert_eq!(field("a=b"), "a=b");
    }
}
