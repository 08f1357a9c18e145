//! Where the search of a program differs from the teaching alpha-beta: both answers, and the tree around them.

use std::fmt::Write as _;

use palestra_arena::check::{Branch, Difference, NotTested, WON};
use palestra_search::Score;

use crate::ui::style::{BAD, HEADING, paint};
use crate::ui::tree::branches;
use crate::ui::units::counted;

/// The most best moves that are named.
const NAMED_MOVES: usize = 6;

/// What the signs of the tree mean.
pub(crate) const LEGEND: &str = "Its moves (▲ it moves next, ▼ the other side does, * the best):";

/// The sentences above the tree: when the difference was seen, and where it comes from.
pub(crate) fn sentences(difference: &Difference) -> String {
    let Difference { alike, seen_depth, moves, is_narrowed, depth, .. } = difference;
    let [seen, found] = [seen_depth, depth].map(|depth| counted((*depth).into(), "ply", "plies"));
    let seen = match alike {
        0 => format!("The first search, of {seen}, is wrong"),
        1 => format!("The first search is right, the second one, of {seen}, is wrong"),
        alike => format!("{alike} searches are right, the next one, of {seen}, is wrong"),
    };
    let seen =
        if moves.is_empty() { seen } else { format!("{seen}, and so is the one of {found} after {}", moves.join(" ")) };
    match (is_narrowed, depth) {
        (true, 2..) => format!("{seen}, although all searches below that one are right."),
        _ => format!("{seen}."),
    }
}

/// Why a search is not tested.
pub(crate) fn not_tested(why: NotTested) -> String {
    match why {
        NotTested::Silent => "it does not answer 'option eval test' (see docs/arena.md)".to_owned(),
        NotTested::Slow(alike) => {
            format!("it is too slow for it: it has done {}", counted(alike.into(), "search", "searches"))
        }
    }
}

/// What alpha-beta finds, and what the program said.
pub(crate) fn answers(difference: &Difference) -> [(&'static str, String); 2] {
    let Difference { value, chosen, chosen_value, score, branches, .. } = difference;
    let best: Vec<&str> = branches.iter().filter(|it| it.value == *value).map(|it| it.mv.as_str()).collect();
    let more = if best.len() > NAMED_MOVES { " or others" } else { "" };
    let best = best[..best.len().min(NAMED_MOVES)].join(" or ");
    let said = match score {
        Some(score) => format!("and says {}", said(*score)),
        None => "and does not say its score".to_owned(),
    };
    [
        ("alpha-beta", format!("{}, by {best}{more}", written(*value))),
        ("the bot", format!("plays {chosen}, which is worth {}, {said}", written(*chosen_value))),
    ]
}

/// The tree: the moves with their values, the replies to the best one and to the program's, and how best play goes on.
pub(crate) fn drawn(difference: &Difference) -> Vec<String> {
    let mut lines = vec![];
    let chosen = (difference.chosen.as_str(), difference.score);
    for (index, branch) in difference.branches.iter().enumerate() {
        let has_more = index + 1 < difference.branches.len();
        lines.push(line(&[has_more], branch, Some(chosen).filter(|(mv, _)| *mv == branch.mv)));
        for (index, reply) in branch.below.iter().enumerate() {
            lines.push(line(&[has_more, index + 1 < branch.below.len()], reply, None));
        }
    }
    lines
}

/// A move: who moves after it, its value, a star if no other is better, what follows, and whether the program chose it.
fn line(has_more: &[bool], branch: &Branch, chosen: Option<(&str, Option<f64>)>) -> String {
    let Branch { mv, value, is_best, is_max, line, .. } = branch;
    let kind = match is_max {
        Some(true) => "▲ ",
        Some(false) => "▼ ",
        None => "",
    };
    let end = if is_max.is_none() { " end" } else { "" };
    let star = if *is_best { " *" } else { "" };
    let mut text = format!("{mv}  {kind}{}{end}{star}", written(*value));
    if !line.is_empty() {
        let _ = write!(text, "  then {}", line.join(" "));
    }
    let text = if *is_best { paint(HEADING, text) } else { text };
    let mark = chosen.map_or(String::new(), |(_, score)| {
        let said = score.map_or(String::new(), |score| format!(", it says {}", said(score)));
        format!("  {}", paint(BAD, format!("<- the bot{said}")))
    });
    format!("{}{text}{mark}", branches(has_more))
}

/// A value of the test evaluation.
fn written(value: Score) -> String {
    match value {
        WON.. => "won".to_owned(),
        value if value <= -WON => "lost".to_owned(),
        value => value.to_string(),
    }
}

/// A score as the program said it.
fn said(score: f64) -> String {
    let limit = f64::from(WON);
    if score >= limit {
        format!("won ({score})")
    } else if score <= -limit {
        format!("lost ({score})")
    } else {
        score.to_string()
    }
}
