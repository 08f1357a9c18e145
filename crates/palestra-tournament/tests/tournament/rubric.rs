//! Rubrics and marks: the two bundled ones by tables that were computed by hand, and what must hold for all.

use palestra_games::Side;
use palestra_tournament::Wdl;
use palestra_tournament::rubric::{
    COPY, Candidate, Cause, Flag, LeaguePlace, MAX_RUBRIC_BYTES, Mark, Rubric, RubricGame, SearchResult, TOTAL,
};
use proptest::prelude::*;

fn bundled(name: &str) -> Rubric {
    Rubric::bundled(name).expect("it is bundled").parse().expect("a good rubric")
}

/// The games of a bot: for each opponent its results as the first and as the second side, `w`, `d`, `l`, or `-` for a game
/// that is missing.
fn games(results: &[(&str, &str)]) -> Vec<RubricGame> {
    let mut games = vec![];
    for &(opponent, sides) in results {
        for (letter, side) in sides.chars().zip(Side::BOTH) {
            let result = match letter {
                'w' => Wdl::Win,
                'd' => Wdl::Draw,
                'l' => Wdl::Loss,
                _ => continue,
            };
            let number = games.len() as u32;
            let code = format!("{opponent}{side}");
            games.push(RubricGame { number, opponent: opponent.to_owned(), side, result, code });
        }
    }
    games
}

fn candidate(team: i64, entries: &[(&str, u64)], results: &[(&str, &str)]) -> Candidate {
    let entries = entries.iter().map(|&(part, points)| (part.to_owned(), points)).collect();
    Candidate { team, has_code: true, has_memo: true, entries, games: games(results), ..Candidate::default() }
}

fn place(team: i64, group: &str, points: u32) -> LeaguePlace {
    LeaguePlace { team: Some(team), group: group.to_owned(), points }
}

/// The points of the parts in hundredths, and the total.
fn points(mark: &Mark) -> (Vec<u64>, Option<u64>) {
    (mark.parts.iter().map(|part| part.points.rounded()).collect(), mark.total)
}

#[test]
fn the_mancala_course_by_hand() {
    let rubric = bundled("mancala");
    assert_eq!((rubric.maximum(), rubric.opponents()), (1_000, vec!["house", "greedy"]));
    let league = [
        place(1, "A1", 30),
        place(2, "A1", 28),
        place(3, "A1", 10),
        place(4, "A1", 0),
        place(5, "B1", 7),
        place(6, "C1", 0),
        place(7, "C1", 0),
    ];
    // In hundredths. Memo, results against house and greedy; then A, B, C and the total.
    type Row = (i64, Option<u64>, &'static str, &'static str, [u64; 3], u64, &'static [Flag]);
    let table: [Row; 9] = [
        (1, Some(300), "ww", "ww", [300, 300, 400], 1_000, &[]),
        // 4 x 28/30 = 3.7333...; 2.75 + 3 + 3.7333... = 9.4833...
        (2, Some(275), "ww", "ll", [275, 300, 373], 948, &[]),
        // A draw is no win: greedy alone counts. 4 x 10/30 = 1.3333...; 0.5 + 1.5 + 1.3333... = 3.3333...
        (3, Some(50), "wd", "ww", [50, 150, 133], 333, &[]),
        (4, Some(100), "wl", "lw", [100, 0, 0], 100, &[]),
        // Its own group counts, not the other's 30 points.
        (5, None, "ll", "ww", [0, 150, 400], 550, &[Flag::NotEntered]),
        (6, Some(0), "ll", "ll", [0, 0, 0], 0, &[Flag::NoLeague]),
        (7, Some(300), "ww", "dd", [300, 300, 0], 600, &[Flag::NoLeague]),
        (8, Some(300), "ll", "ww", [300, 150, 0], 450, &[Flag::NoLeague]),
        (9, Some(300), "w-", "ww", [300, 0, 0], 300, &[Flag::NotPlayed, Flag::NoLeague]),
    ];
    for (team, memo, house, greedy, parts, total, flags) in table {
        let entries: Vec<_> = memo.into_iter().map(|memo| ("memo", memo)).collect();
        let mark = rubric.mark(&candidate(team, &entries, &[("house", house), ("greedy", greedy)]), Some(&league));
        assert_eq!(points(&mark), (parts.to_vec(), Some(total)), "team {team}");
        assert_eq!(mark.flags, flags, "team {team}");
    }
}

#[test]
fn each_number_says_how_it_came_about() {
    let rubric = bundled("mancala");
    let played = candidate(2, &[("memo", 100)], &[("house", "wl"), ("greedy", "ww")]);
    let league = [place(1, "A1", 30), place(2, "A1", 28)];
    let causes = |mark: &Mark| mark.parts.iter().map(|part| part.cause.clone()).collect::<Vec<_>>();
    let mark = rubric.mark(&played, Some(&league));
    let beat = Cause::Beat("greedy".to_owned());
    assert_eq!(causes(&mark), [Cause::Entered, beat, Cause::Share { points: 28, best: 30 }]);
    let codes: Vec<_> = mark.parts[1].games.iter().map(|&index| played.games[index].code.as_str()).collect();
    assert_eq!(codes, ["greedy1", "greedy2"], "the games that decided");
    assert_eq!(mark.parts[2].points.to_string(), "56/15");
    let beaten = candidate(3, &[], &[("house", "wl"), ("greedy", "dd")]);
    let mark = rubric.mark(&beaten, None);
    assert_eq!(causes(&mark), [Cause::NotEntered, Cause::BeatNone, Cause::NoRun]);
    assert_eq!(mark.parts[1].games, [0, 1, 2, 3]);
    let mark = rubric.mark(&candidate(9, &[], &[("house", "-w")]), Some(&league));
    assert_eq!(causes(&mark)[1..], [Cause::NotPlayed { missing: 3 }, Cause::NotInLeague]);
}

#[test]
fn a_team_that_left_stays_the_best_of_its_group() {
    let gone = LeaguePlace { team: None, ..place(0, "A1", 40) };
    let mark = bundled("mancala").mark(&candidate(1, &[], &[]), Some(&[gone, place(1, "A1", 10)]));
    assert_eq!(mark.parts[2].points.rounded(), 100);
}

#[test]
fn the_boom_courses_by_hand() {
    let rubric = bundled("boom");
    assert_eq!((rubric.maximum(), rubric.pairings().len()), (1_000, 6));
    assert!(rubric.is_for("conecta4boom") && rubric.is_for("desconecta4boom") && !rubric.is_for("mancala"));
    type Row = ([&'static str; 3], Option<u64>, [u64; 2], u64);
    let table: [Row; 5] = [
        (["ww", "ww", "ww"], Some(400), [600, 400], 1_000),
        (["ww", "wl", "ll"], Some(250), [300, 250], 550),
        (["lw", "lw", "lw"], Some(0), [300, 0], 300),
        (["dd", "dd", "dw"], Some(333), [100, 333], 433),
        (["ll", "ll", "ll"], None, [0, 0], 0),
    ];
    for ([one, two, three], memo, parts, total) in table {
        let entries: Vec<_> = memo.into_iter().map(|memo| ("memo", memo)).collect();
        let results = [("ninja1", one), ("ninja2", two), ("ninja3", three)];
        let mark = rubric.mark(&candidate(1, &entries, &results), None);
        assert_eq!(points(&mark), (parts.to_vec(), Some(total)), "{results:?}");
    }
}

#[test]
fn in_the_boom_courses_there_is_no_mark_without_both_code_and_memo() {
    let rubric = bundled("boom");
    let full = [("ninja1", "ww"), ("ninja2", "ww"), ("ninja3", "ww")];
    let mut candidate = candidate(1, &[("memo", 400)], &full);
    candidate.has_memo = false;
    let mark = rubric.mark(&candidate, None);
    assert_eq!((mark.total, mark.flags.as_slice()), (None, &[Flag::NoMemo][..]));
    (candidate.has_code, candidate.is_late) = (false, true);
    assert_eq!(rubric.mark(&candidate, None).flags, [Flag::NoCode, Flag::NoMemo, Flag::Late]);
    // A teacher may give one all the same.
    candidate.entries.insert(TOTAL.to_owned(), 500);
    assert_eq!(rubric.mark(&candidate, None).total, Some(500));
}

#[test]
fn a_copy_has_nothing_whatever_else_was_entered() {
    let results = [("house", "ww"), ("greedy", "ww")];
    let copied = candidate(1, &[("memo", 300), (COPY, 0), (TOTAL, 900)], &results);
    let mark = bundled("mancala").mark(&copied, None);
    assert_eq!((mark.total, mark.sum.to_string()), (Some(0), "6".to_owned()));
    assert_eq!(mark.flags, [Flag::NoLeague, Flag::Overridden, Flag::Copy]);
}

#[test]
fn several_games_a_side_count_by_their_share() {
    let text = r#"
        title = "Three games a side"
        games_a_side = 3
        [[part]]
        key = "wins"
        title = "Wins"
        kind = "wins"
        opponents = ["ninja1"]
        points = 1
        [[part]]
        key = "beats"
        title = "Beats"
        kind = "beats"
        levels = [{ opponent = "ninja1", points = 2 }]
    "#;
    let rubric: Rubric = text.parse().unwrap();
    let mark = |sides: [&'static str; 3]| rubric.mark(&candidate(1, &[], &sides.map(|it| ("ninja1", it))), None);
    // Five wins of six: 5/3. Won on both sides.
    assert_eq!(points(&mark(["ww", "ww", "wl"])), (vec![167, 200], Some(367)));
    // One win, one loss and a draw on the second side are no victory there.
    assert_eq!(points(&mark(["ww", "wl", "wd"])), (vec![133, 0], Some(133)));
    assert_eq!(mark(["ww", "ww", "w-"]).parts[1].cause, Cause::NotPlayed { missing: 1 });
}

const SEARCH: &str = r#"
    title = "Alpha-beta"
    [[part]]
    key = "search"
    title = "Search"
    kind = "search"
    points = 1.5
    [[part]]
    key = "wins"
    title = "Wins"
    kind = "wins"
    opponents = ["ninja1"]
    points = 1
"#;

#[test]
fn a_search_counts_if_it_is_right_and_one_that_is_not_tested_is_marked() {
    let rubric: Rubric = SEARCH.parse().unwrap();
    assert!(rubric.has_search() && !bundled("boom").has_search());
    assert_eq!(rubric.maximum(), 350);
    type Row = (SearchResult, u64, &'static [Flag]);
    let table: [Row; 3] = [
        (SearchResult::Right, 250, &[]),
        (SearchResult::Wrong, 100, &[]),
        (SearchResult::Untested, 100, &[Flag::NotSearched]),
    ];
    for (search, total, flags) in table {
        let mark = rubric.mark(&Candidate { search, ..candidate(1, &[], &[("ninja1", "wl")]) }, None);
        assert_eq!((mark.total, mark.flags.as_slice()), (Some(total), flags), "{search:?}");
        assert_eq!(mark.parts[0].cause, Cause::Searched(search));
    }
}

#[test]
fn a_rubric_may_look_at_the_search_alone() {
    let alone = "title = \"x\"\n\n[[part]]\nkey = \"s\"\ntitle = \"S\"\nkind = \"search\"\npoints = 1\n";
    let rubric: Rubric = alone.parse().unwrap();
    assert!(rubric.tries_bots() && rubric.pairings().is_empty());
    let mark = rubric.mark(&Candidate { search: SearchResult::Right, ..candidate(1, &[], &[]) }, None);
    assert_eq!((mark.total, mark.flags.as_slice()), (Some(100), &[][..]));
    let twice = format!("{alone}{}", alone.replace("title = \"x\"\n\n", "").replace("\"s\"", "\"t\""));
    refused(&twice, 8, "a rubric has at most one part of kind \"search\"");
    refused(
        &alone.replace("points", "maximum"),
        7,
        "\"maximum\" is not known here; what can be written is key, title, kind, points",
    );
}

/// The line and the English text of what is wrong.
#[track_caller]
fn refused(text: &str, line: usize, problem: &str) {
    let error = text.parse::<Rubric>().expect_err("it is wrong");
    assert_eq!((error.line, error.problem.to_string()), (line, problem.to_owned()));
}

#[test]
fn errors_name_the_line_and_what_to_write() {
    let part = |rest: &str| format!("title = \"x\"\n[[part]]\nkey = \"a\"\ntitle = \"A\"\n{rest}");
    refused("title = \"x\"\n\npart = 3", 3, "this cannot be read; write [[part]]");
    refused("title = \"x\"", 1, "something is missing here; write [[part]]");
    refused(
        "part = []",
        1,
        r#"something is missing here; write title = "Memo" or title = { en = "Memo", es = "Memoria" }"#,
    );
    refused("\ntitle = x", 2, "this is not TOML: string values must be quoted, expected literal string");
    refused(
        "titel = 1",
        1,
        r#""titel" is not known here; what can be written is title, games, games_a_side, needs, part"#,
    );
    refused(
        "title = \"x\"\ngames = [\"chess\"]\npart = []",
        2,
        "there is no game \"chess\"; write some of mancala, conecta4boom, desconecta4boom, parchis, bandera",
    );
    refused("title = \"x\"\nneeds = [\"code\", \"tea\"]\n", 2, r#""tea" is not known here; write one of code, memo"#);
    refused("title = \"x\"\ngames_a_side = 11", 2, "write a whole number from 1 to 10");
    refused(
        &part("kind = \"exam\""),
        5,
        r#""exam" is not known here; write one of entered, beats, wins, search, league"#,
    );
    refused(&part("kind = \"entered\""), 2, "something is missing here; write maximum = 3");
    let points = "points are a number above 0, at most 100, with at most two decimals; write maximum = 3";
    for number in ["0.005", "0", "-1", "1e1", "inf", "100.01", "true", "\"3\""] {
        refused(&part(&format!("kind = \"entered\"\nmaximum = {number}")), 6, points);
    }
    refused(
        &part("kind = \"entered\"\nmaximum = 3\npoints = 3"),
        7,
        r#""points" is not known here; what can be written is key, title, kind, maximum"#,
    );
    refused(
        &part(
            "kind = \"beats\"\nlevels = [\n{ opponent = \"house\", points = 3 },\n{ opponent = \"./mine\", points = 1 }]",
        ),
        8,
        "\"./mine\" cannot be an opponent; write a built-in player such as \"ninja1\", or the name of a house bot",
    );
    refused(
        &part("kind = \"wins\"\npoints = 1\nopponents = [\"ninja1\", \"ninja1\"]"),
        7,
        "\"ninja1\" is there twice; name it once",
    );
    let twice =
        part("kind = \"entered\"\nmaximum = 3\n[[part]]\nkey = \"a\"\ntitle = \"A\"\nkind = \"entered\"\nmaximum = 1");
    refused(&twice, 7, "there are two parts \"a\"; give one of them another key");
    refused(&"#".repeat(MAX_RUBRIC_BYTES + 1), 1, "a rubric has at most 16384 bytes");
    refused("title = \"a\u{202e}b\"", 1, "a title has from 1 to 80 visible characters");
}

#[test]
fn the_rubric_of_the_docs_is_one() {
    let page = include_str!("../../../../docs/rubrics.md");
    let text = page.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```")).expect("an example").0;
    let rubric: Rubric = text.parse().unwrap();
    assert_eq!((rubric.parts.len(), rubric.maximum()), (5, 1_700));
}

#[test]
fn the_bundled_rubrics_speak_both_languages() {
    for (name, text) in Rubric::BUNDLED {
        let rubric: Rubric = text.parse().unwrap();
        assert!(rubric.parts.iter().all(|part| part.title.es.is_some()), "{name}");
        assert_ne!(rubric.title.text("es"), rubric.title.text("en"), "{name}");
    }
}

fn any_result() -> impl Strategy<Value = Wdl> {
    prop_oneof![Just(Wdl::Win), Just(Wdl::Draw), Just(Wdl::Loss)]
}

fn any_game() -> impl Strategy<Value = RubricGame> {
    let names = ["house", "greedy", "ninja1", "ninja2", "ninja3", "nobody"];
    (0..20_u32, 0..names.len(), any::<bool>(), any_result()).prop_map(move |(number, name, is_first, result)| {
        let side = Side::BOTH[usize::from(is_first)];
        RubricGame { number, opponent: names[name].to_owned(), side, result, code: format!("g{number}") }
    })
}

proptest! {
    #[test]
    fn a_mark_is_within_its_bounds_and_the_order_of_the_games_does_not_matter(
        games in prop::collection::vec(any_game(), 0..20),
        memo in prop::option::of(0..1_000_u64),
        own in 0..100_u32,
        best in 0..100_u32,
    ) {
        let mut games = games;
        games.sort_by_key(|game| game.number);
        games.dedup_by_key(|game| game.number);
        let league = [place(1, "A", own), place(2, "A", best)];
        for (name, _) in Rubric::BUNDLED {
            let rubric = bundled(name);
            let mut candidate = candidate(1, &[], &[]);
            candidate.games = games.clone();
            candidate.entries.extend(memo.map(|memo| ("memo".to_owned(), memo)));
            let mark = rubric.mark(&candidate, Some(&league));
            prop_assert!(mark.total.unwrap() <= rubric.maximum());
            for (part, of) in mark.parts.iter().zip(&rubric.parts) {
                prop_assert!(part.points.rounded() <= of.kind.maximum());
                prop_assert!(part.games.iter().all(|&index| index < games.len()));
            }
            let rounded: u64 = mark.parts.iter().map(|part| part.points.rounded()).sum();
            prop_assert!(rounded.abs_diff(mark.total.unwrap()) <= mark.parts.len() as u64, "rounded once, at the end");
            candidate.games.reverse();
            let again = rubric.mark(&candidate, Some(&league));
            prop_assert_eq!((again.total, again.flags), (mark.total, mark.flags));
            // A game that came twice counts once.
            candidate.games.extend(games.clone());
            prop_assert_eq!(rubric.mark(&candidate, Some(&league)).total, mark.total);
        }
    }

    #[test]
    fn winning_a_game_more_never_costs_anything(
        games in prop::collection::vec(any_game(), 1..20),
        which in any::<prop::sample::Index>(),
    ) {
        for (name, _) in Rubric::BUNDLED {
            let rubric = bundled(name);
            let mut candidate = candidate(1, &[], &[]);
            candidate.games = games.clone();
            let before = rubric.mark(&candidate, None).total;
            let which = which.index(games.len());
            candidate.games[which].result = Wdl::Win;
            prop_assert!(rubric.mark(&candidate, None).total >= before);
        }
    }

    #[test]
    fn no_mutation_of_a_rubric_does_harm(
        which in 0..3_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3), 1..6),
    ) {
        let texts = [Rubric::BUNDLED[0].1, Rubric::BUNDLED[1].1, SEARCH];
        let mut text: Vec<char> = texts[which].chars().collect();
        for (at, letter, kind) in changes {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        match text.parse::<Rubric>() {
            Ok(rubric) => {
                prop_assert!(rubric.maximum() <= 12 * 24 * 10_000);
                prop_assert!(rubric.pairings().len() <= 12 * 12 * 20);
                let _ = rubric.mark(&candidate(1, &[], &[("house", "ww")]), None);
            }
            Err(error) => prop_assert!(error.line >= 1 && error.line <= text.lines().count().max(1) + 1, "{error}"),
        }
    }
}
