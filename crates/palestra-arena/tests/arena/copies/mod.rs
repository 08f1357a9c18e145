//! Similar sources: copies in every disguise against programs that were written independently.
//!
//! The table of both is part of `docs/copies.md`; `PALESTRA_RECORD_COPIES=1` writes it anew.

mod disguise;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use disguise::{DISGUISES, Disguise};
use palestra_arena::copies::{Comparison, Given, Pair, Program, THRESHOLD, clusters, compare, passages};

/// The sources of a program: names and texts.
type Sources = Vec<(String, Vec<u8>)>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of the repository as a program of its own.
fn sources(path: &Path) -> Sources {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    vec![(name, fs::read(path).expect("a source"))]
}

/// Programs by different authors for the Mancala course, and one in Java.
fn bots() -> Vec<Sources> {
    let folder = root().join("crates/palestra-arena/tests/arena/copies/programs");
    let entries = fs::read_dir(folder).expect("the programs");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| sources(path)).collect()
}

/// The sources of the kits and of the courses that are not made of each other.
fn kits() -> Vec<Sources> {
    let names = [
        "cpp/palestra.hpp",
        "cpp/mancala/alphabeta.cpp",
        "python/palestra.py",
        "python/mancala/alphabeta.py",
        "rust/palestra.rs",
        "rust/mancala/alphabeta.rs",
        "ugr-boom/environment.cpp",
        "ugr-boom/main.cpp",
        "ugr-mancala/GameState.cpp",
        "ugr-mancala/SimulatorLink.cpp",
    ];
    names.iter().map(|name| sources(&root().join("kits").join(name))).collect()
}

/// Nothing is given, so that the kits can be compared too.
fn compared(programs: &[Sources], given: &Given) -> Comparison {
    let prints: Vec<_> = programs.iter().map(|files| Program::new(files, given).fingerprint()).collect();
    compare(&prints, &[])
}

fn disguised(files: &Sources, disguise: &Disguise) -> Sources {
    let changed = |(name, text): &(String, Vec<u8>)| {
        let text = String::from_utf8(text.clone()).expect("text");
        (name.clone(), (disguise.apply)(name, &text).into_bytes())
    };
    files.iter().map(changed).collect()
}

/// How much of each program its disguised copy still has, and how much of the copy is the program's.
fn shares(disguise: &Disguise) -> Vec<Pair> {
    let programs = bots().into_iter().chain(kits());
    let none = Pair { programs: [0, 1], shared: 0, shares: [0.0; 2] };
    let share = |files: Sources| {
        let found = compared(&[files.clone(), disguised(&files, disguise)], &Given::default());
        found.pairs.first().copied().unwrap_or(none)
    };
    programs.map(share).collect()
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// The table of copies.
fn copies_table() -> String {
    let mut table = "| copy | least | median | found |\n|---|---|---|---|\n".to_owned();
    for disguise in DISGUISES {
        let mut shares: Vec<f64> = shares(disguise).iter().map(Pair::share).collect();
        shares.sort_by(f64::total_cmp);
        let found = shares.iter().filter(|&&share| share >= THRESHOLD).count();
        let [least, median] = [shares[0], shares[shares.len() / 2]].map(percent);
        writeln!(table, "| {} | {least} | {median} | {found} of {} |", disguise.name, shares.len()).expect("a string");
    }
    table
}

/// The table of programs that have nothing to do with each other.
fn independent_table() -> String {
    let mut table = "| programs | pairs | median | largest | at the threshold |\n|---|---|---|---|---|\n".to_owned();
    let mut row = |name: &str, programs: &[Sources]| {
        let mut shares: Vec<f64> = compared(programs, &Given::default()).pairs.iter().map(Pair::share).collect();
        let pairs = programs.len() * (programs.len() - 1) / 2;
        shares.resize(pairs, 0.0);
        shares.sort_by(f64::total_cmp);
        let alike = shares.iter().filter(|&&share| share >= THRESHOLD).count();
        let [median, largest] = [shares[pairs / 2], shares[pairs - 1]].map(percent);
        writeln!(table, "| {name} | {pairs} | {median} | {largest} | {alike} |").expect("a string");
    };
    row("bots of one course, seven authors", &bots());
    row("sources of the kits", &kits());
    row("all", &bots().into_iter().chain(kits()).collect::<Vec<_>>());
    table
}

#[test]
fn the_measured_tables_are_in_the_docs() {
    let path = root().join("docs/copies.md");
    let text = fs::read_to_string(&path).expect("the docs");
    let tables = [("copies", copies_table()), ("independent", independent_table())];
    let measured = tables.iter().fold(text.clone(), |text, (name, table)| with_table(&text, name, table));
    if std::env::var_os("PALESTRA_RECORD_COPIES").is_some() {
        return fs::write(&path, measured).expect("the docs are written");
    }
    assert!(text == measured, "docs/copies.md is not what is measured:\n{}\n{}", tables[0].1, tables[1].1);
}

/// The text with this table between its marks.
fn with_table(text: &str, name: &str, table: &str) -> String {
    let [begin, end] = ["", "/"].map(|slash| format!("<!-- {slash}{name} -->\n"));
    let (before, rest) = text.split_once(&begin).expect("a mark before the table");
    let (_, after) = rest.split_once(&end).expect("a mark behind the table");
    format!("{before}{begin}\n{table}\n{end}{after}")
}

#[test]
fn names_comments_layout_and_numbers_hide_nothing() {
    for disguise in &DISGUISES[..5] {
        assert!(shares(disguise).iter().all(|pair| pair.share() > 0.95), "{}", disguise.name);
    }
}

#[test]
fn copies_are_alike_and_independent_programs_are_not() {
    for disguise in DISGUISES {
        assert!(shares(disguise).iter().all(|pair| pair.share() >= THRESHOLD), "{}", disguise.name);
    }
    let found = compared(&bots().into_iter().chain(kits()).collect::<Vec<_>>(), &Given::default());
    assert!(found.pairs.iter().all(|pair| pair.share() < THRESHOLD / 2.0), "{:?}", found.pairs.first());
}

fn source(name: &str, text: &str) -> Sources {
    vec![(name.to_owned(), text.as_bytes().to_vec())]
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a source")
}

#[test]
fn what_is_built_on_a_kit_is_not_alike_for_that() {
    let example = text_of("kits/cpp/mancala/alphabeta.cpp");
    let [one, other] = [("lead", "seeds"), ("best", "mejor")].map(|(from, to)| {
        let own = format!("int {to}(int a) {{ return a > {} ? a * a - 1 : a + 2; }}", from.len());
        source("bot.cpp", &format!("{own}\n{}", example.replace(from, to)))
    });
    assert_eq!(compared(&[one.clone(), other.clone()], Given::kits()).pairs, []);
    assert!(compared(&[one, other], &Given::default()).pairs[0].share() > 0.9);
}

/// The lines of a text, from 1.
fn lines(text: &str, from: usize, to: usize) -> String {
    text.lines().skip(from - 1).take(to + 1 - from).map(|line| format!("{line}\n")).collect()
}

#[test]
fn passages_are_the_lines_that_are_alike() {
    let [tabla, reglas] = ["Tabla.cpp", "Reglas.cpp"]
        .map(|name| text_of(&format!("crates/palestra-arena/tests/arena/copies/programs/{name}")));
    // Lines 44 to 58 of Tabla.cpp, renamed, behind line 15 of Reglas.cpp. The first and last ones are like the kits'.
    let taken =
        lines(&tabla, 44, 58).replace("turnosExtra", "x").replace("(const GameState &s)", "(const GameState &e)");
    let copy = format!("{}{taken}{}", lines(&reglas, 1, 15), lines(&reglas, 16, 99));
    let programs = [source("Tabla.cpp", &tabla), source("Copia.cpp", &copy)];
    let [one, other] = programs.each_ref().map(|files| Program::new(files, Given::kits()));
    let found = passages(&one, &other);
    assert_eq!(found.len(), 1, "{found:?}");
    let [from, to] = &found[0].places;
    assert_eq!((from.file.as_str(), to.file.as_str()), ("Tabla.cpp", "Copia.cpp"));
    assert!(from.lines.start().abs_diff(44) <= 2 && from.lines.end().abs_diff(58) <= 2, "{from:?}");
    assert!(to.lines.start().abs_diff(16) <= 2 && to.lines.end().abs_diff(30) <= 2, "{to:?}");
}

#[test]
fn no_line_is_shown_twice() {
    for disguise in DISGUISES {
        for files in bots() {
            let [one, other] = [&files, &disguised(&files, disguise)].map(|files| Program::new(files, Given::kits()));
            let found = passages(&one, &other);
            let tokens: usize = found.iter().map(|passage| passage.tokens).sum();
            assert!(tokens <= one.own_tokens() && tokens <= other.own_tokens(), "{} {found:?}", disguise.name);
        }
    }
}

#[test]
fn copies_of_one_program_are_a_cluster() {
    let bots = bots();
    let copies = [1, 3, 8].map(|at| disguised(&bots[2], &DISGUISES[at]));
    let programs: Vec<Sources> = bots.iter().cloned().chain(copies).collect();
    let found = compared(&programs, Given::kits());
    let alike = found.pairs.iter().filter(|pair| pair.share() >= THRESHOLD);
    let count = bots.len();
    assert_eq!(clusters(programs.len(), alike), [vec![2, count, count + 1, count + 2]]);
}
