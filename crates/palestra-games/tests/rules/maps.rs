//! Maps of Bandera: files, fairness, guidelines, the bundled ones and the generator.

use std::collections::HashSet;

use palestra_games::bandera::{
    BUNDLED, BUNDLED_WORDS, Bundled, GenerateError, InvalidMapFile, MAX_MAP_TEXT, Map, MapFile, MapPlan, MapReport,
    Start, Tile, generate,
};
use proptest::prelude::*;

const POND: &str = "\
title: A small pond

map:
. . . . . .
. F ~ . . .
. . ~ ~ . .
. . . ~ F .
. . . . . .

team 1:
row 1 column 4 energy 20

team 2:
row 5 column 3 energy 20
";

fn read(text: &str) -> MapFile {
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_map_file_is_written_as_it_is_read() {
    let file = read(POND);
    assert_eq!(file.title(), "A small pond");
    assert_eq!(file.map().torus().rows(), 5);
    assert_eq!(file.map().starts(), [Start { cell: 3, energy: 20 }, Start { cell: 26, energy: 20 }]);
    assert_eq!(file.map().tiles()[7], Tile::Flag);
    assert_eq!(file.to_string(), POND);
}

#[test]
fn spaces_line_ends_and_the_order_of_parts_make_no_difference() {
    let other_order = "\
team 2:
  row 5  column 3 energy 20

team 1:
row 1 column 4 energy 20
map:

......
. F~...
..~~..   

...~F.
......
title:   A small pond";
    for text in [
        other_order.to_owned(),
        POND.replace('\n', "\r\n"),
        format!("\u{feff}{POND}"),
        POND.replace('\n', "  \n"),
        POND.replace("\n\n", "\n"),
        POND.trim_end().to_owned(),
    ] {
        assert_eq!(read(&text), read(POND), "{text}");
    }
}

/// What is said about the file of the pond with one text in it replaced by another.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(POND.contains(from), "{from}");
    let text = POND.replacen(from, to, 1);
    let error = text.parse::<MapFile>().expect_err(&text);
    assert_eq!(error.to_string(), format!("bad map at {expected}"), "{text}");
}

#[test]
fn headings_that_are_wrong_are_refused() {
    check(POND, "", "line 1, character 1: the part \"title:\" is missing");
    check(
        "title: A small pond",
        "A small pond",
        "line 1, character 1: a file begins with one of the headings \"title:\", \"map:\", \"team 1:\" and \"team 2:\"",
    );
    check("title: A small pond\n", "", "line 14, character 1: the part \"title:\" is missing");
    check("title: A small pond", "title: ", "line 1, character 7: a title is one line of 1 to 80 characters");
    check("small", &"very ".repeat(20), "line 1, character 7: a title is one line of 1 to 80 characters");
    check("A small", "A\tsmall", "line 1, character 7: a title is one line of 1 to 80 characters");
    check("map:", "title: again", "line 3, character 1: the heading \"title:\" stands here a second time");
    check("team 2:", "map:", "line 13, character 1: the heading \"map:\" stands here a second time");
    check("team 2:", "team 1:", "line 13, character 1: the heading \"team 1:\" stands here a second time");
    check(
        "team 2:",
        "team 3:",
        "line 13, character 1: the headings are \"title:\", \"map:\", \"team 1:\" and \"team 2:\"",
    );
    check("map:", "map: 5x6", "line 3, character 5: \"map:\" should stand alone in its line");
    check(
        "map:\n",
        "",
        "line 3, character 1: a file begins with one of the headings \"title:\", \"map:\", \"team 1:\" and \"team 2:\"",
    );
    let end = "team 2:\nrow 5 column 3 energy 20\n";
    check(end, "", "line 13, character 1: the part \"team 2:\" is missing");
    check(&POND[POND.find("map:").unwrap()..], "", "line 3, character 1: the part \"map:\" is missing");
}

#[test]
fn boards_of_a_wrong_shape_are_refused() {
    let rows = ". . . . . .\n. F ~ . . .\n. . ~ ~ . .\n. . . ~ F .\n. . . . . .\n";
    let range = "there must be 3 to 128 rows and 4 to 128 columns";
    check(rows, "", &format!("line 3, character 1: 0 rows and 0 columns: {range}"));
    check(rows, ". . . .\n. F . .\n", &format!("line 4, character 1: 2 rows and 4 columns: {range}"));
    check(rows, "..\n.F\n..\n", &format!("line 4, character 1: 3 rows and 2 columns: {range}"));
    check(
        rows,
        ". . . . .\n. F . . .\n. . . . .\n",
        "line 4, character 1: 5 columns: a hex torus needs an even number of columns",
    );
    check(". F ~ . . .", ". F ~ . .", "line 5, character 10: this row has 5 tiles, the first has 6");
    check(". F ~ . . .", ". F ~ . . . .", "line 5, character 13: this row is longer than the first, which has 6 tiles");
    check(". F ~ . . .", &".".repeat(129), "line 5, character 7: this row is longer than the first, which has 6 tiles");
    check(rows, &".".repeat(129), "line 4, character 129: a map has at most 128 columns");
    check(rows, &". . . .\n".repeat(129), "line 132, character 1: a map has at most 128 rows");
}

#[test]
fn what_is_no_tile_is_refused() {
    check(". F ~ . . .", ". F ~ x . .", "line 5, character 7: 'x' is no tile: these are .~%#oOFBAJS^");
    check(". F ~ . . .", ". F 🌊 é . .", "line 5, character 5: '🌊' is no tile: these are .~%#oOFBAJS^");
    check(". F ~ . . .", "\t. F ~ . . .", "line 5, character 1: '\\t' is no tile: these are .~%#oOFBAJS^");
}

#[test]
fn players_who_are_wrong_are_refused() {
    let one = "row 1 column 4 energy 20\n";
    let two = "row 5 column 3 energy 20\n";
    check(one, "", "line 10, character 1: team 1 has no players");
    check(two, "", "line 13, character 1: players: 1 in team 1, 0 in team 2; there must be as many in both");
    check(
        one,
        &one.repeat(2),
        "line 14, character 1: players: 2 in team 1, 1 in team 2; there must be as many in both",
    );
    check(one, &one.repeat(9), "line 19, character 1: a team has at most 8 players");
    check(one, "1 4 20\n", "line 11, character 1: \"row\" and a number expected, found '1'");
    check("row 1 column", "row 1 col", "line 11, character 7: \"column\" and a number expected, found 'c'");
    check(one, "row 1 column 4\n", "line 11, character 15: \"energy\" and a number expected, but the text ends");
    check("row 1", "row1", "line 11, character 4: ' ' expected, found '1'");
    check("row 1", "row -1", "line 11, character 5: the number after \"row\" expected, found '-'");
    check("row 1", "row 01", "line 11, character 5: the number after \"row\" has a leading zero");
    check("row 1", "row 0", "line 11, character 5: the map has rows 1 to 5, not 0");
    check("row 1", "row 6", "line 11, character 5: the map has rows 1 to 5, not 6");
    check("column 4", "column 7", "line 11, character 14: the map has columns 1 to 6, not 7");
    check("row 1", "row 99999999999", "line 11, character 5: the number after \"row\" is larger than 128");
    check("energy 20", "energy 5001", "line 11, character 23: the number after \"energy\" is larger than 5000");
    check("energy 20", "energy 20!", "line 11, character 25: the text should end here, found '!'");
    check("map:\n. . . .", "map:\n. . . #", "line 11, character 5: player 1 starts on a wall");
}

#[test]
fn maps_that_cannot_be_played_are_refused() {
    let flag_shut_in = POND.replace(". . . . . .\n. F ~", "# # . . . #\n# F #").replace(". . ~ ~ . .", "# # # . . #");
    let error = flag_shut_in.parse::<MapFile>().unwrap_err().to_string();
    assert_eq!(error, "bad map at line 5, character 3: there is no way from player 1 to the flag at row 2 column 2");
    let grass_shut_in = flag_shut_in.replace("# F #", "# . #");
    let error = grass_shut_in.parse::<MapFile>().unwrap_err().to_string();
    assert_eq!(error, "bad map at line 5, character 3: there is no way from player 1 to the grass at row 2 column 2");
    let no_flag = POND.replace('F', ".");
    let error = no_flag.parse::<MapFile>().unwrap_err().to_string();
    assert_eq!(error, "bad map at line 3, character 1: there is no flag on the map");
}

#[test]
fn too_many_items_are_refused() {
    let rows = format!("F{}\n", "J".repeat(127)).repeat(100);
    let text = format!("title: T\nmap:\n{rows}team 1:\nrow 1 column 1 energy 1\nteam 2:\nrow 2 column 2 energy 1\n");
    let error = text.parse::<MapFile>().unwrap_err().to_string();
    assert_eq!(error, "bad map at line 3, character 1: 12700 tiles of juice: at most 3000 are allowed");
}

#[test]
fn bytes_that_are_no_text_are_refused_where_they_stand() {
    assert_eq!(MapFile::from_bytes(POND.as_bytes()), Ok(read(POND)));
    let mut bytes = POND.as_bytes().to_vec();
    bytes[POND.find("F ~").unwrap()] = 0xff;
    let error = MapFile::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(error, "bad map at line 5, character 3: byte 40 of the file, 0xff, is not part of a UTF-8 text");
    let huge = "\n".repeat(MAX_MAP_TEXT + 1);
    let error = huge.parse::<MapFile>().unwrap_err().to_string();
    assert_eq!(error, "bad map at line 1, character 1: 65537 bytes of text, a map has at most 65536");
}

#[test]
fn the_largest_map_fits_into_a_file() {
    let mut tiles = vec![Tile::Grass; 128 * 128];
    tiles[5000] = Tile::Flag;
    let start = Start { cell: 128 * 128 - 1, energy: 5000 };
    let map = Map::new(128, 128, tiles, vec![start; 16]).unwrap();
    let file = MapFile::new("x".repeat(80), map).unwrap();
    assert_eq!(read(&file.to_string()), file);
    assert_eq!(MapFile::new(" x", file.map().clone()), Err(InvalidMapFile::Title));
    assert_eq!(MapFile::new("x\ny", file.into_map()), Err(InvalidMapFile::Title));
}

#[test]
fn what_makes_a_map_unfair_is_named() {
    #[track_caller]
    fn check(from: &str, to: &str, expected: Result<(), &str>) {
        let file = read(&POND.replacen(from, to, 1));
        assert_eq!(file.map().is_fair(), expected.is_ok());
        assert_eq!(file.map().fairness().map_err(|unfair| unfair.to_string()), expected.map_err(str::to_owned));
    }
    check("", "", Ok(()));
    check("F ~ .", "F ~ %", Err("row 2 column 4 is mud, but row 4 column 3 opposite is grass"));
    check("~ F", "~ .", Err("row 2 column 2 is flag, but row 4 column 5 opposite is grass"));
    check(
        "row 5 column 3",
        "row 5 column 4",
        Err("player 2 starts at row 5 column 4, but row 5 column 3 is opposite player 1"),
    );
    check("column 3 energy 20", "column 3 energy 21", Err("player 2 has energy 21, but player 1 opposite has 20"));
}

#[test]
fn the_report_measures_what_the_eye_sees() {
    let report = MapReport::of(read(POND).map());
    let rows: Vec<_> = report
        .rows()
        .iter()
        .map(|row| format!("{}{}: {}, {}", if row.ok { "" } else { "! " }, row.name, row.value, row.range))
        .collect();
    let expected = "\
fair: yes, yes
! cells: 30, 64-320
players a side: 1, 1
flags: 2, 2-4
flags out of reach: 0, 0
enclosed cells: 0, 0
! hops to the nearest flag: 2, at least 3
contested flags: 2, 0-2
! grass of the bare ground: 85.7 %, 55-65 %
! wall: 0.0 %, 8-10 %
! water: 13.3 %, 8-10 %
! forest: 0.0 %, 8-10 %
! mud: 0.0 %, 5-8 %
pits and trenches: 0.0 %, 0-3 %
in bands and groves: 100.0 %, 80-100 %
! boats: 0, 2
! axes: 0, 2
! shovels: 0, 2
juices: 0, 0-2
hops of detour to items: -, 2-4
! energy in tours of a share: 3.3, 1.5-2.5
energy: 20, 16-24";
    assert_eq!(rows.join("\n"), expected);
    assert!(!report.is_good());
}

#[test]
fn an_item_on_the_way_is_a_short_detour() {
    // One hop to the juice and two on to a flag, where the straight way to a flag has two.
    let text = POND.replacen(". . . . . .", ". . . . J .", 1).replace(". . . . . .\n\nteam", ". J . . . .\n\nteam");
    let report = MapReport::of(read(&text).map());
    let row = report.rows().iter().find(|row| row.name == "hops of detour to items").unwrap();
    assert_eq!((row.value.to_string().as_str(), row.ok), ("1", false));
    assert_eq!(report.fairness(), Ok(()));
}

#[test]
fn every_bundled_map_is_fair_and_keeps_all_guidelines() {
    for bundled in BUNDLED {
        let file = read(bundled.text);
        assert_eq!(file.to_string(), bundled.text, "{} is not written as we write maps", bundled.name);
        let report = MapReport::of(file.map());
        assert_eq!(report.fairness(), Ok(()));
        let misses: Vec<_> = report.rows().iter().filter(|row| !row.ok).collect();
        assert!(report.is_good(), "{}: {misses:?}", bundled.name);
    }
}

#[test]
fn the_bundled_maps_are_two_of_each_size_under_names_of_their_own() {
    let names: HashSet<_> = BUNDLED.iter().map(|bundled| bundled.name).collect();
    let titles: HashSet<_> = BUNDLED.iter().map(|bundled| bundled.file().title().to_owned()).collect();
    assert_eq!((names.len(), titles.len()), (BUNDLED.len(), BUNDLED.len()));
    for MapPlan { rows, cols, team_size } in MapPlan::STANDARD {
        let size = format!("{rows}x{cols}, {team_size} a side: ");
        let of_size = BUNDLED.iter().filter(|bundled| {
            let map = bundled.map();
            let is_of_size = (map.torus().rows(), map.torus().cols(), map.team_size()) == (rows, cols, team_size);
            assert_eq!(bundled.about.starts_with(&size), is_of_size, "{}", bundled.about);
            is_of_size
        });
        assert_eq!(of_size.count(), 2);
    }
    for (bundled, (name, about)) in BUNDLED.iter().zip(BUNDLED_WORDS) {
        assert_eq!((bundled.name, bundled.about), (name, about));
        assert_eq!(Bundled::find(name).as_ref(), Some(bundled));
        assert!(name.chars().all(|c| c.is_ascii_lowercase()));
    }
    assert_eq!(Bundled::find("atlantis"), None);
}

#[test]
fn every_generated_map_is_fair_and_keeps_all_guidelines() {
    for plan in MapPlan::STANDARD {
        let mut maps = HashSet::new();
        for seed in (0..100).chain([u64::MAX, 0xdead_beef_0000_0000]) {
            let map = generate(seed, plan).unwrap();
            let report = MapReport::of(&map);
            let misses: Vec<_> = report.rows().iter().filter(|row| !row.ok).collect();
            assert!(report.is_good(), "seed {seed}, {plan:?}: {misses:?}");
            let file = MapFile::new("generated", map).unwrap();
            assert_eq!(read(&file.to_string()), file);
            maps.insert(file.to_string());
        }
        assert_eq!(maps.len(), 102, "two seeds gave the same map");
    }
}

#[test]
fn a_seed_stands_for_the_same_map_for_ever() {
    let map = generate(2009, MapPlan { rows: 8, cols: 8, team_size: 1 }).unwrap();
    let expected = "\
title: Seed 2009

map:
J ^ ^ % ~ F ^ .
. . A F ~ . . .
# . . . ~ % . .
# . B . S . . #
# . . S . B . #
. . % ~ . . . #
. . . ~ F A . .
. ^ F ~ % ^ ^ J

team 1:
row 6 column 1 energy 35

team 2:
row 3 column 8 energy 35
";
    assert_eq!(MapFile::new("Seed 2009", map).unwrap().to_string(), expected);
}

#[test]
fn other_sizes_give_the_best_map_found_or_an_error() {
    let plan = |rows, cols, team_size| MapPlan { rows, cols, team_size };
    let misses = |plan| {
        let report = MapReport::of(&generate(1, plan).unwrap());
        report.rows().iter().filter(|row| !row.ok).map(|row| row.name).collect::<Vec<_>>()
    };
    assert_eq!(misses(plan(9, 10, 2)), [""; 0]);
    assert_eq!(misses(plan(8, 8, 3)), ["players a side"]);
    assert_eq!(misses(plan(24, 30, 8)), ["cells"]);
    // 8 to 10 % of 36 cells is 3, which are no pairs.
    assert!(misses(plan(6, 6, 1)).contains(&"wall"));

    let error = |plan| generate(1, plan).unwrap_err();
    assert!(matches!(error(plan(8, 7, 1)), GenerateError::Size(_)));
    assert!(matches!(error(plan(2, 8, 1)), GenerateError::Size(_)));
    assert_eq!(error(plan(8, 8, 0)), GenerateError::TeamSize(0));
    assert_eq!(error(plan(8, 8, 9)), GenerateError::TeamSize(9));
    assert!(matches!(error(plan(4, 4, 1)), GenerateError::NoRoom(_)));
}

/// A map of any kind: mostly playable when there are few walls.
fn any_map() -> impl Strategy<Value = Map> {
    let size = (3..=12_usize, 2..=6_usize, 1..=8_usize);
    size.prop_flat_map(|(rows, half_cols, team_size)| {
        let cells = rows * 2 * half_cols;
        let tile = prop_oneof![3 => Just(1_u8), 2 => 1..=12_u8].prop_map(|n| Tile::from_number(n).unwrap());
        let start = (0..cells, 0..=5000_u16).prop_map(|(cell, energy)| Start { cell: cell as u16, energy });
        let tiles = prop::collection::vec(tile, cells);
        (Just((rows, 2 * half_cols)), tiles, prop::collection::vec(start, 2 * team_size))
    })
    .prop_filter_map("starts on a wall", |((rows, cols), tiles, starts)| Map::new(rows, cols, tiles, starts).ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_map_that_can_be_kept_in_a_file_comes_back_equal(map in any_map(), title in "[ -~ñÑáç🚩]{1,80}") {
        prop_assume!(title.trim() == title);
        let is_fair = map.is_fair();
        prop_assert_eq!(MapReport::of(&map).fairness().is_ok(), is_fair);
        if let Ok(file) = MapFile::new(title, map) {
            prop_assert_eq!(file.to_string().parse::<MapFile>(), Ok(file));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = MapFile::from_bytes(&bytes);
    }

    #[test]
    fn a_damaged_file_is_read_or_refused_at_a_place_in_it(
        which in 0..BUNDLED.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize, "[\\PC\n\r\t .#F:0-9]{0,3}"), 1..4),
    ) {
        let mut text: Vec<char> = BUNDLED[which].text.chars().collect();
        for (at, length, insert) in cuts {
            let at = at.index(text.len());
            text.splice(at..(at + length).min(text.len()), insert.chars());
        }
        let text: String = text.into_iter().collect();
        match text.parse::<MapFile>() {
            Ok(file) => prop_assert_eq!(file.to_string().parse::<MapFile>(), Ok(file)),
            Err(error) => {
                let lines: Vec<_> = text.lines().chain([""]).collect();
                prop_assert!((1..=lines.len()).contains(&error.line), "{}", error);
                prop_assert!((1..=lines[error.line - 1].chars().count() + 1).contains(&error.column), "{}", error);
            }
        }
    }
}
