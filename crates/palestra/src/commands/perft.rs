//! `palestra perft`: counts move sequences, on one thread or many.
//!
//! The tree is cut into parts some plies below the root, more of them than threads, so that no thread waits long for
//! another. The threads are detached: a program that ends early, because its output is closed, need not join them.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use palestra_games::{AnyGame, Perft};

use crate::cli;
use crate::clock::threads;

/// The number of parts per thread.
const PARTS_PER_THREAD: usize = 32;

/// Counts, and writes a line per first move as it is done, then the sums.
pub(crate) fn run(args: &cli::Perft, out: &mut impl Write) -> Result<()> {
    let reached = args.start.reach()?;
    let position = reached.position();
    let begun = Instant::now();
    let depth = args.depth.expect("the command line has a depth");
    let total = match depth.checked_sub(1) {
        None => leaves(position, 0, args.bulk),
        Some(below) => divide(position, below, args, out)?,
    };
    let seconds = begun.elapsed().as_secs_f64();
    writeln!(out, "leaves    {}", total.leaves)?;
    if !args.bulk {
        writeln!(out, "finished  {}", total.finished)?;
    }
    writeln!(out, "seconds   {seconds:.3}")?;
    writeln!(out, "leaves/s  {:.1} M", total.leaves as f64 / seconds.max(1e-9) / 1e6)?;
    Ok(())
}

fn leaves(position: &dyn AnyGame, depth: u32, bulk: bool) -> Perft {
    if bulk { Perft { leaves: position.perft_bulk(depth), finished: 0 } } else { position.perft(depth) }
}

/// A first move, what was counted below it so far, and the parts still to come.
struct Row {
    mv: String,
    sum: Perft,
    open: usize,
}

/// Counts `below` plies after each first move. A move's line is written as soon as it and all before it are done.
fn divide(position: &dyn AnyGame, below: u32, args: &cli::Perft, out: &mut impl Write) -> Result<Perft> {
    let threads = threads(args.threads)?;
    let (parts, depth) = split(position, below, threads * PARTS_PER_THREAD);
    let mut rows: Vec<Row> =
        position.moves().into_iter().map(|mv| Row { mv, sum: Perft::default(), open: 0 }).collect();
    parts.iter().for_each(|part| rows[part.row].open += 1);
    let width = rows.iter().map(|row| row.mv.len()).max().unwrap_or(0);

    let mut total = Perft::default();
    let mut counted = spawn(parts, depth, threads, args.bulk)?.into_iter();
    for row in 0..rows.len() {
        while rows[row].open > 0 {
            let (row, sum) = counted.next().expect("a thread ends only when every part is taken, and sends each");
            rows[row].sum += sum;
            rows[row].open -= 1;
        }
        let Row { mv, sum, .. } = &rows[row];
        writeln!(out, "{mv:width$}  {}", sum.leaves)?;
        out.flush()?;
        total += *sum;
    }
    if !rows.is_empty() {
        writeln!(out)?;
    }
    Ok(total)
}

/// A position below the root, and the row that counts it.
struct Part {
    row: usize,
    position: Box<dyn AnyGame>,
}

/// Splits the tree into at least `min_parts` parts if it has that many: all positions of a ply, and the plies left below.
fn split(position: &dyn AnyGame, mut depth: u32, min_parts: usize) -> (Vec<Part>, u32) {
    let mut parts: Vec<Part> = children(position).enumerate().map(|(row, position)| Part { row, position }).collect();
    while depth > 0 && !parts.is_empty() && parts.len() < min_parts {
        let next =
            parts.iter().flat_map(|part| children(&*part.position).map(|position| Part { row: part.row, position }));
        parts = next.collect();
        depth -= 1;
    }
    (parts, depth)
}

fn children(position: &dyn AnyGame) -> impl Iterator<Item = Box<dyn AnyGame>> {
    position.moves().into_iter().map(|mv| {
        let mut child = position.boxed_clone();
        child.play(&mv).expect("a listed move is legal");
        child
    })
}

/// Starts the threads; each takes the next part until none is left, and sends what it counted.
fn spawn(parts: Vec<Part>, depth: u32, threads: usize, bulk: bool) -> Result<mpsc::Receiver<(usize, Perft)>> {
    let (sender, receiver) = mpsc::channel();
    let threads = threads.min(parts.len());
    let work = Arc::new((parts, AtomicUsize::new(0)));
    for _ in 0..threads {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        let count = move || {
            let (parts, next) = &*work;
            while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                if sender.send((part.row, leaves(&*part.position, depth, bulk))).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(count).context("cannot start a thread")?;
    }
    Ok(receiver)
}
