//! The page about security has a row for every attack that is made here, and for no other.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../../docs/security.md");

const TESTS: [&str; 7] = [
    include_str!("compile.rs"),
    include_str!("isolation.rs"),
    include_str!("lifetime.rs"),
    include_str!("resources.rs"),
    include_str!("sources.rs"),
    include_str!("talk.rs"),
    include_str!("time.rs"),
];

#[test]
fn the_page_has_every_attack() {
    let tests: BTreeSet<&str> = TESTS.into_iter().flat_map(|text| names(text, "\nfn attack_", '(')).collect();
    let rows: Vec<&str> = PAGE.lines().filter(|line| line.contains("(`attack_")).collect();
    let shown: BTreeSet<&str> = rows.iter().flat_map(|row| names(row, "(`attack_", '`')).collect();
    assert_eq!(shown, tests);
    assert_eq!((tests.len(), rows.len()), (83, 83), "a row each");
}

/// What stands between this beginning and this end.
fn names<'a>(text: &'a str, begin: &str, end: char) -> Vec<&'a str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}
