//! Speed of the report on copies: 120 programs of 2000 lines, some of which have parts of each other.
//!
//! `cargo bench -p palestra-arena --bench copies [-- --programs N --lines N]` prints how long each step takes.

mod programs;

use std::time::Instant;

use palestra_arena::copies::{Fingerprint, Given, Program, THRESHOLD, clusters, compare, passages};
use programs::programs;

fn main() {
    let (mut count, mut lines, mut asked) = (120, 2000, false);
    let mut args = std::env::args().skip(1);
    let number = |arg: Option<String>| arg.and_then(|arg| arg.parse().ok()).expect("a number is missing");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => asked = true,
            "--programs" => count = number(args.next()),
            "--lines" => lines = number(args.next()),
            _ => {}
        }
    }
    // `cargo test --benches` runs this too, without the word.
    if !asked {
        return println!("run by cargo bench");
    }
    measure(&programs(count, lines));
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
    let hashes: usize = prints.iter().map(Fingerprint::len).sum();
    println!("{} pairs of programs with {hashes} hashes compared in {:?}", found.pairs.len(), clock.elapsed());
    let clock = Instant::now();
    let alike: Vec<_> = found.pairs.iter().filter(|pair| pair.share() >= THRESHOLD).collect();
    let groups = clusters(texts.len(), alike.iter().copied()).len();
    let shown: usize =
        alike.iter().map(|pair| passages(&scanned[pair.programs[0]], &scanned[pair.programs[1]]).len()).sum();
    println!("{} pairs alike in {groups} groups, with {shown} passages, in {:?}", alike.len(), clock.elapsed());
}
