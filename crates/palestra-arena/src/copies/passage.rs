//! Where two programs are alike: runs of equal tokens as ranges of lines.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::program::{Program, ScannedFile};
use super::winnow::GRAM;

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The file.
    pub file: String,
    /// The lines, from 1.
    pub lines: RangeInclusive<u32>,
}

/// Lines of two programs that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Where they stand in each program.
    pub places: [Lines; 2],
    /// The number of equal tokens.
    pub tokens: usize,
}

/// How often a hash is looked up in each program: what occurs more often is a pattern that repeats itself.
const MAX_OCCURRENCES: usize = 8;

/// Two runs with at most this many tokens between them, in both programs, are shown as one passage: two or three lines,
/// which may be given to all.
const MAX_GAP: usize = 30;

/// A run of equal tokens in two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    files: [usize; 2],
    starts: [usize; 2],
    length: usize,
}

impl Run {
    const fn end(&self, program: usize) -> usize {
        self.starts[program] + self.length
    }

    /// By how much the run of the second program stands further behind.
    const fn shift(&self) -> isize {
        self.starts[1].cast_signed() - self.starts[0].cast_signed()
    }
}

/// What two programs have in common, but for what is given to all: no token is in two passages. Those of the first
/// program's beginning come first.
#[must_use]
pub fn passages(one: &Program, other: &Program) -> Vec<Passage> {
    let programs = [one, other];
    let mut runs = free_runs(programs, &equal_runs(programs));
    runs.sort_by_key(|run| (run.files, run.starts));
    joined(&runs, programs)
}

/// The longest runs of equal tokens around each hash that both programs keep.
fn equal_runs(programs: [&Program; 2]) -> Vec<Run> {
    let [one, other] = programs.map(occurrences);
    let mut seeds: Vec<Run> = vec![];
    for (hash, places) in &one {
        for &(file, at) in places {
            let others = other.get(hash).into_iter().flatten();
            seeds.extend(others.map(|&(its, place)| Run { files: [file, its], starts: [at, place], length: GRAM }));
        }
    }
    seeds.sort_by_key(|seed| (seed.files, seed.shift(), seed.starts[0]));
    let mut runs: Vec<Run> = vec![];
    for seed in seeds {
        // A run reaches as far as it can, so the next seed on its diagonal lies within it or beyond a difference.
        let is_found = |run: &Run| run.files == seed.files && run.shift() == seed.shift() && run.end(0) >= seed.end(0);
        if !runs.last().is_some_and(is_found) {
            runs.push(extended(seed, programs));
        }
    }
    runs
}

/// Where each hash occurs: files and first tokens.
fn occurrences(program: &Program) -> HashMap<u64, Vec<(usize, usize)>> {
    let mut found: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (number, file) in program.files.iter().enumerate() {
        for &(hash, at) in &file.kept {
            let places = found.entry(hash).or_default();
            if places.len() < MAX_OCCURRENCES {
                places.push((number, at));
            }
        }
    }
    found
}

/// A run with all equal tokens before and behind it.
fn extended(run: Run, programs: [&Program; 2]) -> Run {
    let files = files(run, programs);
    let [one, other] = [0, 1].map(|program| &files[program].tokens);
    let [a, b] = run.starts;
    let before = one[..a].iter().rev().zip(other[..b].iter().rev()).take_while(|(a, b)| a.symbol == b.symbol).count();
    let behind = one[a..].iter().zip(&other[b..]).take_while(|(a, b)| a.symbol == b.symbol).count();
    Run { starts: [a - before, b - before], length: before + behind, ..run }
}

const fn files(run: Run, programs: [&Program; 2]) -> [&ScannedFile; 2] {
    let [one, other] = programs;
    [&one.files.as_slice()[run.files[0]], &other.files.as_slice()[run.files[1]]]
}

/// The parts of runs whose tokens are in no longer run and not given to all: greedy string tiling.
fn free_runs(programs: [&Program; 2], runs: &[Run]) -> Vec<Run> {
    let mut taken = programs.map(|program| program.files.iter().map(|file| file.is_given.clone()).collect::<Vec<_>>());
    let mut longest: Vec<Run> = runs.to_vec();
    longest.sort_by_key(|run| (std::cmp::Reverse(run.length), run.files, run.starts));
    let mut free = vec![];
    for run in longest {
        let is_free = |offset: &usize| {
            [0, 1].iter().all(|&program| !taken[program][run.files[program]][run.starts[program] + offset])
        };
        let offsets: Vec<usize> = (0..run.length).filter(is_free).collect();
        for part in offsets.chunk_by(|a, b| a + 1 == *b).filter(|part| part.len() >= GRAM) {
            let run = Run { starts: run.starts.map(|start| start + part[0]), length: part.len(), ..run };
            for program in [0, 1] {
                taken[program][run.files[program]][run.starts[program]..run.end(program)].fill(true);
            }
            free.push(run);
        }
    }
    free
}

/// Runs as lines; those that follow each other closely in both programs are one passage.
fn joined(runs: &[Run], programs: [&Program; 2]) -> Vec<Passage> {
    let follows = |a: &Run, b: &Run| {
        let is_close = |program: usize| b.starts[program].checked_sub(a.end(program)).is_some_and(|gap| gap <= MAX_GAP);
        a.files == b.files && is_close(0) && is_close(1)
    };
    runs.chunk_by(follows).filter_map(|group| passage(group, programs)).collect()
}

fn passage(group: &[Run], programs: [&Program; 2]) -> Option<Passage> {
    let (first, last) = (group.first()?, group.last()?);
    let files = files(*first, programs);
    let place = |program: usize| {
        let ScannedFile { name, tokens, .. } = files[program];
        let lines = tokens[first.starts[program]].line..=tokens[last.end(program) - 1].line;
        Lines { file: name.clone(), lines }
    };
    Some(Passage { places: [place(0), place(1)], tokens: group.iter().map(|run| run.length).sum() })
}
