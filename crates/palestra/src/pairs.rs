//! Playing the pairs of a match on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use palestra_search::duel::{Match, Pair};

/// Plays the first `count` pairs. Each depends on its number alone, so the result is the same on any number of threads.
/// `told` hears of each as it is done.
pub(crate) fn play(contest: &Match, count: usize, threads: usize, mut told: impl FnMut(Pair)) -> Vec<Pair> {
    let next = AtomicUsize::new(0);
    let mut pairs = vec![None; count];
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, contest.pair(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, pair) in receiver {
            pairs[index] = Some(pair);
            told(pair);
        }
    });
    pairs.into_iter().map(|pair| pair.expect("each pair is played")).collect()
}
