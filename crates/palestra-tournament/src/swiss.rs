//! The Swiss system: pairs the next round of players with about the same score.
//!
//! From the top of the table down, each player gets the opponent it should have: of its score group the one half a group
//! below, as usual, then the others of the group, then the groups below. An opponent is taken only if the rest can
//! still be paired without a second meeting, which a perfect matching tells. If there is no such pairing at all,
//! players may meet a second time, and so on; new opponents still come first.
//!
//! With an odd number of players a bye sits at the end of the table. Meeting it twice is avoided like any other second
//! meeting, and the lowest players meet it first.

use std::cmp::Reverse;

use palestra_games::Side;
use palestra_games::rng::Rng;

use crate::Finished;
use crate::blossom::Matching;

/// What a bye is worth in half points: as much as two won games.
const BYE_HALF_POINTS: u32 = 4;

/// Who met whom in a round.
pub(crate) struct Round {
    /// The two of each meeting.
    pub(crate) meetings: Vec<[usize; 2]>,
    /// Who had no opponent.
    pub(crate) bye: Option<usize>,
}

impl Round {
    /// The round with these games, two a meeting.
    pub(crate) fn played(players: usize, games: &[&Finished]) -> Self {
        let meetings: Vec<_> = games.iter().step_by(2).map(|game| game.players).collect();
        let has_met = |player: &usize| meetings.iter().any(|meeting| meeting.contains(player));
        let bye = (0..players).find(|player| players % 2 == 1 && !has_met(player));
        Self { meetings, bye }
    }
}

/// The round after `past`, whose games are `done`.
pub(crate) fn next_round(players: usize, seed: u64, past: &[Round], done: &[&Finished]) -> Round {
    let met = Met::new(players, past);
    let scores = scores(players, past, done);
    let table = table(players, seed, &scores);
    let mut meetings = pair(&table, &scores, &met);
    let bye = meetings.iter().position(|&[_, b]| b == players).map(|at| meetings.remove(at)[0]);
    Round { meetings, bye }
}

/// How often each two have met; the bye comes after the last player.
struct Met {
    size: usize,
    counts: Vec<u32>,
}

impl Met {
    fn new(players: usize, past: &[Round]) -> Self {
        let size = players + 1;
        let mut met = Self { size, counts: vec![0; size * size] };
        for round in past {
            let byes = round.bye.map(|player| [player, players]);
            for [a, b] in round.meetings.iter().copied().chain(byes) {
                met.counts[a * size + b] += 1;
                met.counts[b * size + a] += 1;
            }
        }
        met
    }

    fn times(&self, a: usize, b: usize) -> u32 {
        self.counts[a * self.size + b]
    }
}

/// The half points of each player; the bye has none, not even zero.
fn scores(players: usize, past: &[Round], done: &[&Finished]) -> Vec<Option<u32>> {
    let mut scores = vec![0; players];
    for game in done {
        for side in Side::BOTH {
            scores[game.players[side.index()]] += game.score(side) as u32;
        }
    }
    past.iter().filter_map(|round| round.bye).for_each(|player| scores[player] += BYE_HALF_POINTS);
    scores.into_iter().map(Some).chain([None]).collect()
}

/// The players, best first, those who stand equal by lot; then the bye, if one is needed.
fn table(players: usize, seed: u64, scores: &[Option<u32>]) -> Vec<usize> {
    let mut table: Vec<_> = (0..players).collect();
    let mut rng = Rng::new(seed);
    for left in (1..players).rev() {
        table.swap(left, rng.below(left + 1));
    }
    table.sort_by_key(|&player| Reverse(scores[player]));
    table.extend((players % 2 == 1).then_some(players));
    table
}

/// The meetings of a round, from the top of the table down.
fn pair(table: &[usize], scores: &[Option<u32>], met: &Met) -> Vec<[usize; 2]> {
    let again = |times: u32| Matching::perfect(table.len(), move |a, b| met.times(table[a], table[b]) <= times);
    let mut matching = (0..).find_map(again).expect("if everybody may meet everybody, all can be paired");
    let mut meetings = Vec::new();
    for place in 0..table.len() {
        if !matching.is_settled(place) {
            let rest: Vec<_> = (place + 1..table.len()).filter(|&other| !matching.is_settled(other)).collect();
            let mut wanted = by_wish(place, &rest, |place| scores[table[place]]);
            wanted.sort_by_key(|&other| met.times(table[place], table[other]));
            let other = wanted.into_iter().find(|&other| matching.settle(place, other));
            meetings.push([place, other.expect("the matching holds a partner")].map(|place| table[place]));
        }
    }
    meetings
}

/// Whom the player at a place should meet, best first: the second half of its score group from its top, the first half
/// from its end, then the others in order.
fn by_wish(place: usize, rest: &[usize], score: impl Fn(usize) -> Option<u32>) -> Vec<usize> {
    let group = rest.iter().take_while(|&&other| score(other) == score(place)).count();
    let (group, others) = rest.split_at(group);
    let (first, second) = group.split_at(group.len().div_ceil(2).saturating_sub(1));
    second.iter().chain(first.iter().rev()).chain(others).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unique_games::game;

    /// A bye counts as two won games, so that its player meets those who won both of theirs, whatever the lot says.
    #[test]
    fn a_bye_puts_a_player_into_the_group_of_those_who_won() {
        let past = [Round { meetings: vec![[0, 1], [2, 3]], bye: Some(4) }];
        let games = [game(0, [0, 1], 1), game(1, [1, 0], -1), game(2, [2, 3], 0), game(3, [3, 2], 0)];
        let done: Vec<&Finished> = games.iter().collect();
        for seed in 0..20 {
            let round = next_round(5, seed, &past, &done);
            let top = round.meetings.iter().find(|meeting| meeting.contains(&0)).expect("the winner plays");
            assert!(top.contains(&4), "seed {seed}: {:?}", round.meetings);
            // These two have met: one of them meets the last, and the other rests.
            assert!(matches!(round.bye, Some(2 | 3)), "seed {seed}: {:?} rests", round.bye);
        }
    }

    /// The first of the upper half meets the first of the lower half, and so on.
    #[test]
    fn a_score_group_is_folded_in_the_middle() {
        let places = [1, 2, 3, 4, 5];
        assert_eq!(by_wish(0, &places, |_| Some(2)), [3, 4, 5, 2, 1], "a group of six");
        let score = |place: usize| Some(if place < 4 { 2 } else { 0 });
        assert_eq!(by_wish(0, &places, score), [2, 3, 1, 4, 5], "a group of four, then the others in order");
    }

    /// Player 3 has met all others, so that two must meet again; the first player still gets a new opponent, though
    /// another would be due.
    #[test]
    fn where_some_must_meet_again_new_opponents_come_first() {
        let past = [[3, 0], [3, 1], [3, 2], [0, 2]].map(|meeting| Round { meetings: vec![meeting], bye: None });
        let (table, scores) = ([0, 1, 2, 3], [Some(0); 4]);
        assert_eq!(by_wish(0, &[1, 2, 3], |_| Some(0))[0], 2, "the control: without the past it would be 2");
        assert_eq!(pair(&table, &scores, &Met::new(4, &past)), [[0, 1], [2, 3]]);
    }
}
