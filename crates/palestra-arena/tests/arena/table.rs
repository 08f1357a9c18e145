//! The referee by itself, as at a table where people sit: draws, resignations, lost connections.

use std::time::Duration;

use palestra_arena::{Action, Event, Reason, Referee, Rules, TimeControl};
use palestra_games::Side::{self, One, Two};
use palestra_protocol::{Fault, ForfeitKind};

use crate::support::{MS, record, rules, with_time};

fn table(rules: Rules) -> Referee {
    Referee::new(record("mancala"), rules)
}

fn mv(side: Side, text: &str) -> Event {
    Event::Move { side, text: text.to_owned(), cpu: None, waited: Duration::ZERO, thought: None }
}

#[test]
fn a_draw_is_offered_and_accepted() {
    let mut referee = table(rules());
    assert_eq!(referee.on(Event::OfferDraw(One), MS), [Action::DrawOffered(Two)]);
    assert_eq!(referee.on(Event::OfferDraw(One), MS), [], "once is enough");
    assert_eq!(referee.on(Event::OfferDraw(Two), MS), [Action::Ended]);
    let verdict = referee.verdict().expect("a verdict");
    assert_eq!((verdict.winner, verdict.points, &verdict.reason), (None, [0, 0], &Reason::Agreed));
    assert_eq!(referee.record().result().expect("a result").to_string(), "0-0 agreed");
    assert_eq!(referee.on(mv(One, "4"), MS), [], "nothing follows after the end");
    assert_eq!(referee.on(Event::Resign(Two), MS), []);
    assert_eq!(referee.deadline(), None);
}

#[test]
fn a_draw_is_declined_by_words_or_by_a_move() {
    let mut referee = table(rules());
    assert_eq!(referee.on(Event::DeclineDraw(Two), MS), [], "there is nothing to decline");
    referee.on(Event::OfferDraw(One), MS);
    assert_eq!(referee.on(Event::DeclineDraw(One), MS), [], "one's own offer stands");
    assert_eq!(referee.on(Event::DeclineDraw(Two), MS), [Action::DrawDeclined(One)]);
    assert_eq!(referee.on(Event::OfferDraw(Two), MS), [Action::DrawOffered(One)], "a new offer, no answer");
    referee.on(mv(One, "4"), MS);
    assert_eq!(referee.on(Event::OfferDraw(One), MS), [Action::DrawOffered(Two)], "One has moved instead");
    referee.on(mv(One, "1"), MS);
    assert_eq!(referee.on(Event::OfferDraw(Two), MS), [Action::Ended], "an offer outlives one's own move");
}

#[test]
fn a_question_that_is_withdrawn_costs_no_time() {
    let mut referee = table(with_time(TimeControl::Wall(MS * 1000)));
    referee.on(Event::Asked, MS);
    assert_eq!(referee.deadline(), Some(MS * 1001));
    assert_eq!(referee.on(Event::Withdrawn, MS * 900), []);
    assert_eq!(referee.deadline(), None, "no clock runs");
    assert_eq!(referee.on(Event::Tick { cpu: None, waited: Duration::ZERO }, MS * 5000), []);
    referee.on(Event::Asked, MS * 5000);
    assert_eq!(referee.deadline(), Some(MS * 6000), "asked anew, it has all of its time");
}

#[test]
fn who_resigns_loses_all_points_even_off_turn() {
    for side in Side::BOTH {
        let mut referee = table(rules());
        assert_eq!(referee.on(Event::Resign(side), MS), [Action::Ended]);
        let verdict = referee.verdict().expect("a verdict");
        assert_eq!((verdict.winner, verdict.points.iter().sum::<i32>()), (Some(side.other()), 48));
        assert_eq!(verdict.points[side.index()], 0);
        assert_eq!(referee.record().result().expect("a result").reason, "resigned");
    }
}

#[test]
fn who_loses_the_connection_has_a_minute_to_come_back() {
    let mut referee = table(with_time(TimeControl::Unlimited));
    referee.on(Event::Dropped(Two), 1000 * MS);
    referee.on(Event::Dropped(Two), 5000 * MS);
    assert_eq!(referee.deadline(), Some(61_000 * MS), "since it was first gone");
    referee.on(Event::Back(Two), 60_999 * MS);
    assert_eq!(referee.deadline(), None);
    referee.on(Event::Tick { cpu: None, waited: Duration::ZERO }, 100_000 * MS);
    assert_eq!(referee.verdict(), None);
    referee.on(Event::Dropped(Two), 200_000 * MS);
    referee.on(Event::Tick { cpu: None, waited: Duration::ZERO }, 259_999 * MS);
    assert_eq!(referee.verdict(), None);
    assert_eq!(referee.on(Event::Back(Two), 260_000 * MS), [Action::Ended], "too late");
    let verdict = referee.verdict().expect("a verdict");
    let fault = verdict.fault().expect("a fault");
    assert_eq!((verdict.winner, fault.kind), (Some(One), ForfeitKind::Disconnect));
    assert_eq!(fault.detail, "the connection was lost and did not come back within 60 s");
}

#[test]
fn the_clock_runs_while_somebody_is_away() {
    let mut referee = table(with_time(TimeControl::Wall(2000 * MS)));
    referee.on(Event::Asked, Duration::ZERO);
    referee.on(Event::Dropped(One), 500 * MS);
    assert_eq!(referee.deadline(), Some(2000 * MS));
    referee.on(Event::Back(One), 2001 * MS);
    assert_eq!(
        referee.verdict().and_then(|verdict| verdict.fault()).map(|fault| fault.kind),
        Some(ForfeitKind::Timeout)
    );
}

#[test]
fn a_move_of_the_wrong_side_loses_or_is_ignored_where_one_may_try_again() {
    let mut referee = table(rules());
    assert_eq!(referee.on(mv(Two, "4"), MS), [Action::Ended]);
    let verdict = referee.verdict().expect("a verdict");
    assert_eq!((verdict.winner, verdict.reason.word()), (Some(One), "protocol"));
    let mut referee = table(Rules { retry: true, ..rules() });
    assert_eq!(referee.on(mv(Two, "4"), MS), []);
    let refused = referee.on(mv(One, "7"), MS);
    assert!(matches!(refused[..], [Action::Refused(One, _)]), "{refused:?}");
    assert!(referee.verdict().is_none() && referee.record().moves().is_empty());
}

#[test]
fn it_says_who_is_to_be_asked() {
    let mut referee = table(rules());
    referee.on(Event::Asked, MS);
    let used = Action::Used { side: One, cpu: None, wall: 2 * MS };
    assert_eq!(referee.on(mv(One, "4"), 3 * MS), [used, Action::Ask(One)], "the last seed fell into the store");
    let history: Vec<_> = referee.question().history.iter().map(|mv| (mv.played.side, mv.text.as_str())).collect();
    assert_eq!(history, [(One, "4")]);
    let free = Action::Used { side: One, cpu: None, wall: Duration::ZERO };
    assert_eq!(referee.on(mv(One, "1"), 9 * MS), [free, Action::Ask(Two)], "the clock runs from the question on");
}

#[test]
fn the_time_of_an_illegal_move_is_charged() {
    let cpu_move = |text: &str, cpu| Event::Move {
        side: One,
        text: text.to_owned(),
        cpu: Some(cpu),
        waited: Duration::ZERO,
        thought: None,
    };
    let charged = |time| {
        let mut referee = table(with_time(time));
        referee.on(Event::Asked, MS);
        assert_eq!(referee.on(cpu_move("9", 300 * MS), 501 * MS), [Action::Ended]);
        referee.charged()
    };
    assert_eq!(charged(TimeControl::cpu(1000 * MS)), [300 * MS, Duration::ZERO]);
    assert_eq!(charged(TimeControl::Wall(1000 * MS)), [500 * MS, Duration::ZERO]);
}

#[test]
fn the_time_until_a_fault_is_charged_to_the_side_on_turn_alone() {
    let charged = |side| {
        let mut referee = table(rules());
        referee.on(Event::Asked, MS);
        let fault = Fault::new(ForfeitKind::Crash, "it ended");
        assert_eq!(referee.on(Event::Fault(side, fault), 701 * MS), [Action::Ended]);
        referee.charged()
    };
    assert_eq!(charged(One), [700 * MS, Duration::ZERO]);
    assert_eq!(charged(Two), [Duration::ZERO; 2], "it was not its turn");
}

#[test]
fn time_spent_computing_is_not_time_spent_waiting() {
    let mut referee = table(with_time(TimeControl::Cpu { cpu: 2000 * MS, wall: 6000 * MS }));
    referee.on(Event::Asked, Duration::ZERO);
    assert_eq!(referee.on(Event::Tick { cpu: Some(1900 * MS), waited: 6000 * MS }, 6001 * MS), []);
    assert_eq!(referee.deadline(), Some((6000 + 6001 - 1900) * MS), "it waited for what it did not compute");
}

#[test]
fn a_move_taken_back_gives_its_increment_back_and_withdraws_offers() {
    let mut referee = table(with_time(TimeControl::Game { total: 60_000 * MS, increment: 5000 * MS }));
    referee.on(Event::Asked, Duration::ZERO);
    referee.on(mv(One, "3"), 1000 * MS);
    referee.on(Event::Asked, 1000 * MS);
    referee.on(mv(Two, "1"), 3000 * MS);
    let left = |referee: &Referee| [One, Two].map(|side| referee.left(side, 3000 * MS));
    assert_eq!(left(&referee), [64_000 * MS, 63_000 * MS].map(Some));
    referee.on(Event::OfferDraw(Two), 3000 * MS);
    assert!(referee.take_back(One, 3000 * MS));
    assert_eq!(left(&referee), [59_000 * MS, 58_000 * MS].map(Some), "the seconds are spent, and nothing was earned");
    assert_eq!(referee.on(Event::OfferDraw(One), 3000 * MS), [Action::DrawOffered(Two)], "Two offers nothing any more");
}

#[test]
fn nothing_is_taken_back_after_the_end() {
    let mut referee = table(rules());
    referee.on(mv(One, "3"), MS);
    referee.on(Event::Resign(Two), MS);
    assert!(!referee.take_back(One, MS));
    assert_eq!(referee.record().moves().len(), 1);
}

#[test]
fn a_fault_of_the_other_side_does_not_excuse_the_side_that_is_late() {
    let mut referee = table(with_time(TimeControl::Wall(1000 * MS)));
    referee.on(Event::Asked, Duration::ZERO);
    let fault = Fault::new(ForfeitKind::Timeout, "it is late");
    assert_eq!(referee.on(Event::Fault(Two, fault), 1001 * MS), [Action::Ended]);
    assert_eq!(referee.verdict().and_then(|verdict| verdict.winner), Some(Two), "One was late before");
}
