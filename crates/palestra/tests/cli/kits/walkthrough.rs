//! The walkthrough of README.md, followed word by word in every language.

use std::fs;
use std::process::{Command, Stdio};

use super::support::{Folder, run, score};

#[test]
fn readme_leads_to_a_better_bot_in_cpp() {
    follow("cpp", "cpp", "bot.cpp", "\n}\n", &[]);
}

#[test]
fn readme_leads_to_a_better_bot_in_python() {
    follow("python", "python", "bot.py", "\n\n\n", &brief_sprt());
}

#[test]
fn readme_leads_to_a_better_bot_in_rust() {
    follow("rust", "rust,ignore", "bot.rs", "\n}\n", &brief_sprt());
}

/// A greater difference is clear after fewer games, of which each takes long in some languages. The comparison in C++, and
/// every comparison in `./test.sh --all`, is README's own.
fn brief_sprt() -> Vec<&'static str> {
    if std::env::var_os("PALESTRA_TEST_ALL").is_some() { vec![] } else { vec!["--elo1", "150"] }
}

/// Does what README says: the new bot loses, is better once it has README's `evaluate`, and wins at depth 4. A function
/// ends with `end`.
fn follow(language: &str, fence: &str, bot: &str, end: &str, sprt_options: &[&str]) {
    let folder = Folder::new(&format!("walkthrough-{language}"));
    let [new, play, keep, compare] = ["palestra new ", "palestra match ", "cp ", "palestra sprt "].map(command);
    run(&mut words(&folder, &new.replace("python", language)));
    let first = run(&mut words(&folder, &play));
    assert!(score(&first, "mybot").percent() <= 20, "{first}");
    run(&mut words(&folder, &keep));

    let path = folder.file("mybot").join(bot);
    let text = fs::read_to_string(&path).expect("it was made");
    let evaluate = block(fence, "evaluate(");
    fs::write(&path, with_function(&text, evaluate, end)).expect("it can be written");

    let comparison = run(words(&folder, &compare).args(sprt_options));
    assert!(comparison.contains("\nYes: new is better than old."), "{comparison}");
    fs::write(&path, at_depth_4(&fs::read_to_string(&path).expect("it was written"))).expect("it can be written");
    let second = run(&mut words(&folder, &play));
    assert!(score(&second, "mybot").percent() > 50, "{second}");
    for (shown, output) in [(block("text", "mybot   "), first), (block("text", "Yes: "), comparison)] {
        is_shown(shown, &output);
    }
}

/// A program whose line with `MAX_DEPTH = 1`, as its language writes it, says 4.
fn at_depth_4(program: &str) -> String {
    let line = program.lines().find(|line| line.contains("MAX_DEPTH") && line.contains("= 1")).expect("a depth is set");
    program.replace(line, &line.replace("= 1", "= 4"))
}

/// A program with another function in the place of the one that begins with the same line.
fn with_function(program: &str, function: &str, end: &str) -> String {
    let head = function.lines().next().expect("a function has lines");
    let (before, rest) = program.split_once(head).unwrap_or_else(|| panic!("no {head} in:\n{program}"));
    let (_, after) = rest.split_once(end).expect("a function ends");
    format!("{before}{function}{}{after}", end.trim_start_matches("\n}"))
}

/// Fails unless the output has the lines that README shows, up to what README leaves out.
fn is_shown(shown: &str, output: &str) {
    for line in shown.lines() {
        let kept = line.split("[..]").next().expect("a line has a beginning");
        assert!(output.lines().any(|found| found.starts_with(kept)), "{line}\nis not in:\n{output}");
    }
}

/// README's section about bots.
fn section() -> &'static str {
    let readme = include_str!("../../../../../README.md");
    let (_, section) = readme.split_once("\n## Let your program play\n").expect("README has this section");
    section.split("\n## ").next().expect("it has a beginning")
}

/// README's first command that begins so.
fn command(start: &str) -> String {
    let line = section().lines().find(|line| line.starts_with(start));
    line.unwrap_or_else(|| panic!("README has no command {start}")).to_owned()
}

/// README's block of a language that has this in it.
fn block(fence: &str, part: &str) -> &'static str {
    let mut blocks = section().split("\n```").filter_map(|block| block.strip_prefix(fence)?.strip_prefix('\n'));
    let block = blocks.find(|block| block.contains(part));
    block.unwrap_or_else(|| panic!("README has no block of {fence} with {part}"))
}

/// A command of README, to run in a folder.
fn words(folder: &Folder, line: &str) -> Command {
    let line = line.split('#').next().expect("a line has a beginning");
    let mut words = line.split_whitespace();
    let program = words.next().expect("a command has a name");
    let mut command = Command::new(if program == "palestra" { env!("CARGO_BIN_EXE_palestra") } else { program });
    command.args(words).stdin(Stdio::null()).current_dir(folder.file("."));
    command.env("XDG_CACHE_HOME", folder.file("cache"));
    command
}
