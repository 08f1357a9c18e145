//! What reports show.

use palestra_tournament::report::{Interval, MatchReport, Report, SprtReport, csv, html, match_html, sprt_html, text};

use crate::markup::{assert_balanced, body};
use crate::sample::{round_robin, sequential_test, two_players};

const NAMES: [&str; 4] = ["maestro", "Ágata Núñez", "日本語", "a_rather_long_name_of_a_bot.py"];

#[test]
fn a_page() {
    insta::assert_snapshot!("page", body(&html(&round_robin(&NAMES, 2))));
}

#[test]
fn a_page_of_a_match() {
    insta::assert_snapshot!("match", body(&match_html(&two_players(["Ágata Núñez", "日本語"]))));
}

#[test]
fn a_page_of_a_test() {
    insta::assert_snapshot!("sprt", body(&sprt_html(&sequential_test(["new", "old"]))));
}

#[test]
fn pages_have_one_heading_headed_tables_and_titled_drawings() {
    let pages = [
        html(&round_robin(&NAMES, 2)),
        match_html(&two_players(["one", "two"])),
        sprt_html(&sequential_test(["new", "old"])),
    ];
    for page in pages {
        assert_balanced(&page);
        let count = |part: &str| page.matches(part).count();
        assert_eq!((count("<h1>"), count("<main>"), count("<html lang=\"en\">")), (1, 1, 1));
        assert_eq!(count("<th"), count("<th scope=") + count("<thead>"));
        assert_eq!(count("<table"), count("<caption>"));
        assert_eq!(count("role=\"img\""), body(&page).matches("<title>").count());
        assert!(count("role=\"img\"") >= 2);
        let labels: Vec<_> = page.split(" aria-label=\"").skip(1).map(|rest| rest.split('"').next()).collect();
        let distinct: std::collections::BTreeSet<_> = labels.iter().collect();
        assert_eq!(labels.len(), distinct.len(), "each region has a name of its own: {labels:?}");
    }
}

#[test]
fn pages_load_nothing() {
    for page in [
        html(&round_robin(&NAMES, 2)),
        match_html(&two_players(["one", "two"])),
        sprt_html(&sequential_test(["new", "old"])),
    ] {
        for way in ["src=", "href=", "url(", "@import", "<script", "<link"] {
            assert!(!page.contains(way), "{way}");
        }
    }
}

#[test]
fn pages_of_matches_and_tests_without_games_are_pages() {
    for page in [match_html(&MatchReport::default()), sprt_html(&SprtReport::default())] {
        assert_balanced(&page);
        assert!(!page.contains("NaN"), "{}", body(&page));
    }
}

#[test]
fn a_match_of_many_games_stays_readable() {
    let mut report = two_players(["one", "two"]);
    report.games = report.games.iter().cycle().take(30_000).cloned().collect();
    let page = match_html(&report);
    assert!(page.contains("All games (30000)") && page.contains(" The first 20000 games are listed."));
    assert_eq!(page.matches("class=\"moves\"").count(), 1_000);
}

#[test]
fn tables_for_a_spreadsheet() {
    let files = csv(&round_robin(&NAMES, 2)).map(|(name, table)| format!("{name}\n{table}")).join("\n");
    insta::assert_snapshot!("tables", files.replace("\r\n", "\n"));
}

#[test]
fn text_for_terminals() {
    let report = round_robin(&NAMES, 2);
    let texts = [120, 80, 44, 24].map(|width| format!("== {width} columns\n{}", text(&report, width)));
    insta::assert_snapshot!("text", texts.join("\n"));
}

#[test]
fn a_cross_table_that_is_too_wide_is_abbreviated_then_dropped() {
    let names: Vec<_> = (1..=20).map(|n| format!("bot{n}")).collect();
    let report = round_robin(&names.iter().map(String::as_str).collect::<Vec<_>>(), 2);
    assert!(text(&report, 200).contains("Wins-draws-losses"));
    assert!(text(&report, 80).contains("in tenths"));
    assert!(text(&report, 60).contains("(No room for the cross table, which takes "));
}

#[test]
fn tables_keep_within_the_width() {
    let report = round_robin(&NAMES, 2);
    for width in 40..160 {
        // Notes and facts are sentences that a terminal may wrap; a broken table would be illegible.
        for line in text(&report, width).lines().filter(|line| line.starts_with(['1', '2', '3', '4'])) {
            let wide = line.chars().filter(|c| "日本語".contains(*c)).count();
            assert!(line.chars().count() + wide <= width, "{width}: {line}");
        }
    }
}

#[test]
fn an_empty_tournament_has_a_report() {
    let nothing = Report::default();
    assert_balanced(&html(&nothing));
    assert!(html(&nothing).contains("No players."));
    assert!(text(&nothing, 80).contains("No players."));
    assert!(csv(&nothing).iter().all(|(_, table)| table.lines().count() == 1));
}

#[test]
fn a_lone_player_without_games_has_a_report() {
    let mut report = round_robin(&["alone"], 3);
    let unbounded = Interval { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
    for elo in [None, Some(unbounded), Some(Interval { value: f64::NAN, low: f64::NAN, high: f64::NAN })] {
        report.rows[0].elo = elo;
        assert_balanced(&html(&report));
        assert!(text(&report, 80).contains("alone"));
        assert!(!csv(&report)[0].1.contains("NaN") && !csv(&report)[0].1.contains("inf"));
    }
}

#[test]
fn lists_that_do_not_fit_together_are_borne() {
    let mut report = round_robin(&NAMES, 2);
    report.cross.truncate(1);
    report.cross[0].truncate(2);
    report.progress.truncate(1);
    report.progress[0].extend([f64::NAN, f64::INFINITY, -1e300]);
    report.games[0].players = [99, 0];
    assert_balanced(&html(&report));
    assert!(csv(&report)[2].1.contains("?"));
    assert!(text(&report, 0).contains("No room"));
}

#[test]
fn a_league_of_120_players_stays_small_and_highlights_the_first() {
    let names: Vec<_> = (1..=120).map(|n| format!("student-bot-{n}")).collect();
    let page = html(&round_robin(&names.iter().map(String::as_str).collect::<Vec<_>>(), 1));
    assert!(page.len() < 2_500_000, "{} bytes", page.len());
    assert_eq!(page.matches("<polyline").count(), 120);
    assert_eq!(page.matches("class=\"line faint\"").count(), 108);
    assert_eq!(page.matches("class=\"leader").count(), 12);
    assert_balanced(&page);
}

#[test]
fn a_long_match_is_drawn_with_few_points() {
    let page = html(&round_robin(&["a", "b"], 5000));
    let longest = page.lines().filter(|line| line.contains("<polyline")).map(str::len).max();
    assert!(longest.is_some_and(|length| length < 4000), "{longest:?}");
}

#[test]
fn letters_stand_out_from_their_ground_in_light_and_dark() {
    let page = html(&Report::default());
    let (light, rest) = page.split_once("@media screen and (prefers-color-scheme: dark)").expect("two sets of colours");
    for colours in [light, rest] {
        let cells = (0..=10).map(|step| ("--ink".to_owned(), format!("--s{step}")));
        let labels = (0..6).map(|colour| (format!("--k{colour}"), "--paper".to_owned()));
        let texts = ["--ink", "--soft"].map(|ink| (ink.to_owned(), "--paper".to_owned()));
        for (ink, ground) in cells.chain(labels).chain(texts) {
            let contrast = contrast(luminance(colours, &ink), luminance(colours, &ground));
            assert!(contrast >= 4.5, "{ink} on {ground}: {contrast:.2}");
        }
    }
}

/// The contrast of two colours, as WCAG 2 defines it.
fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(style: &str, variable: &str) -> f64 {
    let (_, value) = style.split_once(&format!("{variable}: #")).expect("the colour is set");
    let channel = |at: usize| {
        let part = f64::from(u8::from_str_radix(&value[at..at + 2], 16).expect("a colour has six digits")) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}
