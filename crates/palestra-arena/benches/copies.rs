//! Speed of the report on copies: 120 programs of 2000 lines, some of which have parts of each other.
//!
//! `cargo bench -p palestra-arena --bench copies [-- --programs N --lines N]` prints how long each step takes.

use std::fmt::Write;
use std::time::Instant;

use palestra_arena::copies::{Fingerprint, Given, Program, THRESHOLD, clusters, compare, passages};
use palestra_games::rng::Rng;

/// Statements of programs; `#` stands for an expression.
const STATEMENTS: [&str; 12] = [
    "int n = #;",
    "if (#) return #;",
    "for (int i = #; i < #; i++) total += #;",
    "while (#) { n = queue.front(); queue.pop(); }",
    "best = max(best, #);",
    "const auto next = position.after(#);",
    "n = # ? # : #;",
    "switch (n) { case 1: n += #; break; default: n = #; }",
    "values[#][n] = #;",
    "if (alpha >= beta || #) break;",
    "std::cerr << \"value \" << # << ' ' << n << '\\n';",
    "table.emplace(#, Entry{depth, #});",
];

/// Expressions; `@` stands for another one.
const EXPRESSIONS: [&str; 12] =
    ["a", "7", "x.y", "@ + @", "@ * @", "(@ - @)", "!@", "@ == @", "f(@)", "g(@, @)", "v[@]", "@ && @"];

fn expression(rng: &mut Rng, depth: usize) -> String {
    let choice = rng.below(if depth == 0 { 3 } else { EXPRESSIONS.len() });
    EXPRESSIONS[choice].replace('@', &if choice < 3 { String::new() } else { expression(rng, depth - 1) })
}

/// A program with this number of lines.
fn program(rng: &mut Rng, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        let statement = STATEMENTS[rng.below(STATEMENTS.len())].replace('#', &expression(rng, 4));
        let head = if line % 20 == 0 { format!("}}\nint function{line}(int a, int b) {{\n") } else { String::new() };
        writeln!(text, "{head}    {statement}").expect("a string takes all");
    }
    text
}

fn main() {
    let (mut programs, mut lines, mut asked) = (120, 2000, false);
    let mut args = std::env::args().skip(1);
    let number = |arg: Option<String>| arg.and_then(|arg| arg.parse().ok()).expect("a number is missing");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => asked = true,
            "--programs" => programs = number(args.next()),
            "--lines" => lines = number(args.next()),
            _ => {}
        }
    }
    // `cargo test --benches` runs this too, without the word.
    if !asked {
        return println!("run by cargo bench");
    }
    let mut rng = Rng::new(1);
    let mut texts: Vec<String> = (0..programs).map(|_| program(&mut rng, lines)).collect();
    // Each tenth program has the first half of the one before.
    for at in (9..programs).step_by(10) {
        let half = texts[at - 1].len() / 2;
        texts[at] = format!("{}\n{}", &texts[at - 1][..half], texts[at]);
    }
    measure(&texts);
}

fn measure(texts: &[String]) {
    let given = Given::kits();
    let clock = Instant::now();
    let scanned: Vec<Program> =
        texts.iter().map(|text| Program::new(&[("bot.cpp".into(), text.clone().into())], given)).collect();
    println!("{} programs scanned in {:?}", texts.len(), clock.elapsed());
    let clock = Instant::now();
    let prints: Vec<Fingerprint> = scanned.iter().map(Program::fingerprint).collect();
    let found = compare(&prints, &[]);
    println!("{} pairs compared in {:?}", found.pairs.len(), clock.elapsed());
    let clock = Instant::now();
    let alike: Vec<_> = found.pairs.iter().filter(|pair| pair.share() >= THRESHOLD).collect();
    let groups = clusters(texts.len(), alike.iter().copied()).len();
    let shown: usize =
        alike.iter().map(|pair| passages(&scanned[pair.programs[0]], &scanned[pair.programs[1]]).len()).sum();
    println!("{} pairs alike in {groups} groups, with {shown} passages, in {:?}", alike.len(), clock.elapsed());
}
