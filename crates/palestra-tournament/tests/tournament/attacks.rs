//! Names that strangers chose.

use palestra_tournament::report::{Report, csv, html, match_html, sprt_html, text};
use proptest::prelude::*;

use crate::markup::{assert_balanced, body};
use crate::sample::{round_robin, sequential_test, two_players};

/// A report in which every string is the stranger's.
fn written_by(stranger: &str) -> Report {
    let mut report = round_robin(&[stranger, "other"], 2);
    report.title = stranger.to_owned();
    report.game = stranger.to_owned();
    report.facts.push((stranger.to_owned(), stranger.to_owned()));
    report.rows[1].forfeits = vec![(stranger.to_owned(), 1)];
    report.games[0].reason = stranger.to_owned();
    report.games[1].result = stranger.to_owned();
    report
}

/// All pages, with every string of theirs the stranger's.
fn pages_by(stranger: &str) -> [String; 3] {
    let text = || stranger.to_owned();
    let mut two = two_players([stranger, "other"]);
    (two.game, two.summary, two.facts[0]) = (text(), text(), (text(), text()));
    two.rows[0].forfeits = vec![(text(), 1)];
    (two.games[2].reason, two.games[2].opening, two.games[2].moves) = (text(), text(), text());
    let line = &mut two.turnings[0];
    (line.mv, line.before, line.after, line.better) = (text(), text(), text(), text());
    let mut test = sequential_test([stranger, "other"]);
    (test.game, test.verdict, test.facts[0]) = (text(), text(), (text(), text()));
    [html(&written_by(stranger)), match_html(&two), sprt_html(&test)]
}

#[test]
fn markup_in_names_is_text() {
    for attack in [
        "</script><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</title></style><style>*{display:none}",
        "<!-- ",
        "]]><svg onload=alert(1)>",
        "&lt;b&gt;&amp;",
    ] {
        for page in pages_by(attack) {
            assert_balanced(&page);
            assert!(!page.contains(attack), "{attack}");
            assert!(!["<script", "<img", "<!--"].iter().any(|tag| page.contains(tag)), "{attack}");
            assert_eq!(page.matches("<style>").count(), 1);
        }
    }
}

#[test]
fn names_are_escaped_in_text_attributes_and_drawings() {
    let name = "<script>alert(1)</script>\"'&";
    let escaped = "&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;";
    let page = html(&written_by(name));
    for place in [
        format!("<title>{escaped} · {escaped}</title>"),
        format!("<h1>{escaped}</h1>"),
        format!("<th scope=\"row\"><bdi>{escaped}</bdi></th>"),
        format!("<abbr title=\"{escaped}\">1</abbr>"),
    ] {
        assert!(page.contains(&place), "{place}");
    }
    for page in pages_by("<i>\"'&") {
        assert!(page.contains(">&#60;i&#62;&#34;&#39;&#38;</text>"), "a label in a drawing");
        assert!(!page.contains("<i>"));
    }
}

#[test]
fn terminals_and_directions_cannot_be_commanded() {
    for (attack, spelled) in [
        ("\u{1b}[2J\u{1b}]0;owned\u{7}", r"\u{1b}[2J\u{1b}]0;owned\u{7}"),
        ("\u{9b}31m", r"\u{9b}31m"),
        ("abc\u{202e}gpj.exe", r"abc\u{202e}gpj.exe"),
        ("\u{2066}x\u{2069}\u{200f}", r"\u{2066}x\u{2069}\u{200f}"),
        ("same\u{200b}", r"same\u{200b}"),
        ("one\r\ntwo\0", r"one\r\ntwo\u{0}"),
    ] {
        let hidden = |c: char| c != '\n' && (c.is_control() || ('\u{200b}'..='\u{2069}').contains(&c) && c != '…');
        for page in pages_by(attack) {
            assert!(page.contains(spelled), "{spelled}");
            assert!(!page.chars().any(|c| hidden(c) && c != '–' && c != '’'), "{spelled}");
        }
        let text = text(&written_by(attack), 200);
        assert!(text.contains(spelled), "{spelled}");
        assert!(!text.chars().any(hidden), "{spelled}");
    }
}

#[test]
fn long_names_are_shortened() {
    for name in ["x".repeat(10_000), "\u{202e}".repeat(10_000), "\u{301}".repeat(10_000), "<".repeat(10_000)] {
        let report = written_by(&name);
        assert!(html(&report).len() < 40_000);
        assert!(pages_by(&name).iter().all(|page| page.len() < 300_000));
        assert!(text(&report, 80).len() < 4_000);
        assert!(csv(&report).iter().all(|(_, table)| table.len() < 8_000));
    }
}

/// Text as the worst strangers write it: mostly what means something to a browser, a spreadsheet or a terminal.
fn strange() -> impl Strategy<Value = String> {
    let sharp =
        prop::sample::select("<>&\"'=+-@,;\n\r\t\0\u{1b}\u{202e}\u{200f}\u{301}/!\\日🎲א".chars().collect::<Vec<_>>());
    prop::collection::vec(prop_oneof![3 => sharp, 1 => any::<char>()], 0..60).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn no_name_breaks_a_page(name in strange()) {
        for (page, harmless) in pages_by(&name).iter().zip(pages_by("name")) {
            assert_balanced(page);
            // The same elements as with a harmless name: none of them is the stranger's. (What is empty is left out.)
            prop_assert!(name.is_empty() || body(page).matches('<').count() == body(&harmless).matches('<').count());
        }
    }

    #[test]
    fn tables_are_read_back(name in strange()) {
        for (file, table) in csv(&written_by(&name)) {
            let lines = parse(&table);
            prop_assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{}: {:?}", file, lines);
            for field in lines.iter().flatten() {
                let number = field.parse::<f64>().is_ok();
                let formula = field.trim_start().starts_with(['=', '+', '-', '@']);
                prop_assert!(number || !formula, "{:?}", field);
            }
        }
    }

    #[test]
    fn printable_names_are_read_back_as_they_are(name in "[a-z][a-z \",;'\n=-]{0,30}") {
        let [(_, standings), ..] = csv(&written_by(&name));
        prop_assert_eq!(&parse(&standings)[1][1], &name);
    }

    #[test]
    fn no_name_breaks_a_line_of_text(name in strange()) {
        let lines = |name: &str| text(&written_by(name), 300).lines().count();
        prop_assert_eq!(lines(&name), lines("name"));
    }
}

/// The lines and fields of a table, read as RFC 4180 says.
fn parse(table: &str) -> Vec<Vec<String>> {
    let mut lines = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = table.chars().peekable();
    while let Some(c) = chars.next() {
        let line = lines.last_mut().expect("there is a line");
        let field = line.last_mut().expect("there is a field");
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if quoted || field.is_empty() => quoted = !quoted,
            ',' if !quoted => line.push(String::new()),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'));
                lines.push(vec![String::new()]);
            }
            _ => field.push(c),
        }
    }
    assert_eq!(lines.pop(), Some(vec![String::new()]), "the last line ends too");
    lines
}
