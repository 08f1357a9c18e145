//! Playing the pairs of a match on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;
use palestra_search::duel::{Match, Pair};

/// Plays the first `count` pairs. Each depends on its number alone, so the result is the same on any number of threads.
/// `told` hears of each as it is done. If a pair cannot be played, the others are given up.
pub(crate) fn play(contest: &Match, count: usize, threads: usize, mut told: impl FnMut(Pair)) -> Result<Vec<Pair>> {
    let next = AtomicUsize::new(0);
    let mut pairs = vec![None; count];
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let pair = contest.pair(index);
                    let is_refused = pair.is_err();
                    if sender.send((index, pair)).is_err() || is_refused {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, pair) in receiver {
            let pair = pair?;
            pairs[index] = Some(pair);
            told(pair);
        }
        Ok(pairs.into_iter().map(|pair| pair.expect("each pair is played")).collect())
    })
}

#[cfg(test)]
mod tests {
    use palestra_search::PlayerError;
    use palestra_search::duel::GameResult::{Draw, Loss, Win};

    use super::*;

    const PAIRS: [Pair; 3] = [[Win, Loss], [Draw, Draw], [Loss, Loss]];

    #[test]
    fn pairs_come_in_their_order_on_any_number_of_threads() {
        let contest = Match::new(3, |index| Ok(PAIRS[index]));
        for threads in [1, 2, 5] {
            let mut told = 0;
            let played = play(&contest, 3, threads, |_| told += 1).expect("all can be played");
            assert_eq!((played, told), (PAIRS.to_vec(), 3), "{threads} threads");
        }
    }

    #[test]
    fn a_pair_that_cannot_be_played_is_an_error_and_not_the_end_of_the_program() {
        let contest = Match::new(3, |index| PAIRS.get(index + 1).copied().ok_or(PlayerError::Human));
        for threads in [1, 3] {
            let error = play(&contest, 3, threads, |_| {}).expect_err("the last cannot be played");
            assert_eq!(error.downcast_ref(), Some(&PlayerError::Human), "{threads} threads");
        }
    }
}
