//! A thread pool that plays the pairs of a match.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::{Context, Result};
use palestra_arena::duel::Match;
use palestra_search::PlayerError;
use palestra_tournament::Scored;

/// A pair, or why it could not be played.
type Played = Result<[Scored; 2], PlayerError>;

/// Plays the first `count` pairs. Each depends on its number alone, so the result is the same on any number of threads.
/// `on_pair` receives the number and the games of each finished pair. If one cannot be played, the others are abandoned.
pub(crate) fn play(
    contest: &Match,
    count: usize,
    threads: usize,
    mut on_pair: impl FnMut(usize, [Scored; 2]),
) -> Result<Vec<[Scored; 2]>> {
    let next = AtomicUsize::new(0);
    let mut pairs = vec![None; count];
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for started in 0..threads.min(count) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || play_pairs(contest, count, next, &sender);
            match thread::Builder::new().spawn_scoped(scope, work) {
                Err(error) if started == 0 => return Err(error).context("cannot start a thread"),
                // The threads that did start play all pairs.
                Err(_) => break,
                Ok(_) => {}
            }
        }
        drop(sender);
        for (index, played) in receiver {
            let pair = played?;
            pairs[index] = Some(pair);
            on_pair(index, pair);
        }
        Ok(pairs.into_iter().map(|pair| pair.expect("each pair is played")).collect())
    })
}

/// The loop of a thread: plays the next pair until none is left, one cannot be played, or the receiver is gone.
fn play_pairs(contest: &Match, count: usize, next: &AtomicUsize, sender: &Sender<(usize, Played)>) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= count {
            break;
        }
        let played = contest.pair(index);
        let is_refused = played.is_err();
        if sender.send((index, played)).is_err() || is_refused {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use palestra_tournament::Pair;
    use palestra_tournament::Wdl::{Draw, Loss, Win};

    use super::*;

    const PAIRS: [[Scored; 2]; 3] = [scored([Win, Loss], 0), scored([Draw, Draw], 2), scored([Loss, Loss], 4)];

    const fn scored([one, two]: Pair, fingerprint: u64) -> [Scored; 2] {
        [Scored { result: one, fingerprint }, Scored { result: two, fingerprint: fingerprint + 1 }]
    }

    #[test]
    fn pairs_come_in_their_order_on_any_number_of_threads() {
        let contest = Match::new(3, |index| Ok(PAIRS[index]));
        for threads in [1, 2, 5] {
            let mut reported = 0;
            let played = play(&contest, 3, threads, |index, pair| reported += usize::from(pair == PAIRS[index]))
                .expect("all can be played");
            assert_eq!((played, reported), (PAIRS.to_vec(), 3), "{threads} threads");
        }
    }

    #[test]
    fn a_pair_that_cannot_be_played_is_an_error_and_not_the_end_of_the_program() {
        let contest = Match::new(3, |index| PAIRS.get(index + 1).copied().ok_or(PlayerError::Human));
        for threads in [1, 3] {
            let error = play(&contest, 3, threads, |_, _| {}).expect_err("the last cannot be played");
            assert_eq!(error.downcast_ref(), Some(&PlayerError::Human), "{threads} threads");
        }
    }
}
