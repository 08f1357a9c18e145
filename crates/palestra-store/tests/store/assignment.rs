//! Assignments, hand-ins and what teachers enter about marks.

use futures_util::future::join_all;
use palestra_store::{Assignment, MAX_HAND_INS, NewAssignment, NewHandIn, NewMarkEntry, Store};

use crate::place::{Place, on_both};
use crate::{NOW_MS, somebody};

const DAY_MS: i64 = 86_400_000;

fn plan(due_ms: i64) -> NewAssignment {
    NewAssignment {
        title: "Mancala".to_owned(),
        due_ms,
        page_limit: 5,
        rubric: "mancala".to_owned(),
        league_id: None,
        counted_run_id: None,
    }
}

/// A course with two teams and an assignment.
const COURSE: &str = "INSERT INTO courses (id, code, name, year, game, options, time_rule, domains, time_zone, ends_ms, \
                      keeps_fingerprints, created_ms) VALUES (1, 'c1', 'Course', '2026', 'mancala', '-', 'cpu 2000', '', \
                      'UTC', 1, FALSE, 1); \
                      INSERT INTO course_groups (id, course_id, code, name, created_ms) VALUES (1, 1, 'A1', 'A', 1); \
                      INSERT INTO course_teams (id, group_id, created_ms) VALUES (1, 1, 1), (2, 1, 1)";

async fn course(place: &Place) -> Store {
    let store = place.open().await;
    place.run(COURSE).await;
    store
}

async fn assignment(store: &Store, due_ms: i64) -> Assignment {
    let code = store.create_assignment(1, &plan(due_ms), NOW_MS).await.unwrap();
    store.assignment(&code).await.unwrap().unwrap()
}

fn hand_in(assignment: i64, team: i64, account: i64, archive: &[u8]) -> NewHandIn<'_> {
    let memo_name = Some("memo.pdf");
    NewHandIn { assignment, team, account, archive, memo_name, memo_pages: Some(4), remarks: "[]" }
}

fn entry(assignment: i64, team: i64, part: &str, hundredths: Option<i64>, account: i64) -> NewMarkEntry {
    NewMarkEntry { assignment, team, part: part.to_owned(), hundredths, reason: "read".to_owned(), account }
}

on_both! {
    async fn an_assignment_is_changed_and_deleted_while_it_is_empty(place: Place) {
        let store = course(place).await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let first = assignment(&store, NOW_MS + 2 * DAY_MS).await;
        let second = assignment(&store, NOW_MS + DAY_MS).await;
        let ids: Vec<i64> = store.assignments_of(1).await.unwrap().iter().map(|it| it.id).collect();
        assert_eq!(ids, [second.id, first.id], "by deadline");
        let changed = NewAssignment { title: "Boom".to_owned(), rubric: "boom".to_owned(), ..plan(NOW_MS + 3 * DAY_MS) };
        store.change_assignment(first.id, &changed).await.unwrap();
        let found = store.assignment_by_id(first.id).await.unwrap().unwrap();
        assert_eq!((found.title.as_str(), found.rubric.as_str(), found.due_ms), ("Boom", "boom", NOW_MS + 3 * DAY_MS));
        assert_eq!((found.is_over(found.due_ms - 1), found.is_over(found.due_ms)), (false, true));
        store.add_hand_in(&hand_in(first.id, 1, ada, b"zip"), NOW_MS).await.unwrap();
        assert!(!store.delete_assignment(first.id).await.unwrap(), "something was handed in");
        assert!(store.delete_assignment(second.id).await.unwrap());
        assert_eq!(store.assignment(&second.code).await.unwrap(), None);
    }

    async fn members_are_told_once_that_it_is_due_tomorrow(place: Place) {
        let store = course(place).await;
        let due_ms = NOW_MS + 2 * DAY_MS;
        let assignment = assignment(&store, due_ms).await;
        let told = async |now_ms| store.assignments_to_remind(now_ms, DAY_MS).await.unwrap().len();
        assert_eq!(told(NOW_MS).await, 0, "not yet");
        assert_eq!(told(due_ms - DAY_MS).await, 1);
        assert_eq!(told(due_ms - DAY_MS + 1).await, 0, "once");
        store.change_assignment(assignment.id, &plan(due_ms - 1)).await.unwrap();
        assert_eq!(told(due_ms - DAY_MS + 2).await, 0, "an earlier deadline has been told");
        store.change_assignment(assignment.id, &plan(due_ms + DAY_MS)).await.unwrap();
        let several = join_all((0..4).map(|_| store.assignments_to_remind(due_ms, DAY_MS))).await;
        assert_eq!(several.iter().map(|due| due.as_ref().unwrap().len()).sum::<usize>(), 1, "a later one is told anew");
        store.change_assignment(assignment.id, &plan(due_ms + 2 * DAY_MS)).await.unwrap();
        assert_eq!(told(due_ms + 2 * DAY_MS).await, 0, "it is over");
    }

    async fn the_newest_hand_in_of_a_team_counts_and_none_is_lost(place: Place) {
        let store = course(place).await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let assignment = assignment(&store, NOW_MS + 10).await.id;
        let add = async |team, archive: &'static [u8], now_ms| {
            store.add_hand_in(&hand_in(assignment, team, ada, archive), now_ms).await.unwrap()
        };
        assert_eq!(add(1, b"first", NOW_MS).await, Some(false));
        assert_eq!(add(2, b"first", NOW_MS + 9).await, Some(false), "the last moment");
        assert_eq!(add(1, b"second", NOW_MS + 10).await, Some(true), "late, and kept");
        let counted = store.counted_hand_ins(assignment).await.unwrap();
        let seen: Vec<_> = counted.iter().map(|it| (it.team_id, it.is_late)).collect();
        assert_eq!(seen, [(1, true), (2, false)]);
        let all = store.hand_ins_of(assignment, 1).await.unwrap();
        assert_eq!((all.len(), &all[0]), (2, &counted[0]));
        assert_eq!(store.hand_in(all[1].id).await.unwrap().as_ref(), Some(&all[1]));
        let texts = [store.blob(&all[0].archive_hash).await.unwrap(), store.blob(&all[1].archive_hash).await.unwrap()];
        assert_eq!(texts, [Some(b"second".to_vec()), Some(b"first".to_vec())]);
        assert_eq!(store.delete_orphan_blobs(i64::MAX).await.unwrap(), 0, "hand-ins keep their archives");
        // Who handed it in may go; the team's hand-in stays for the teachers.
        assert!(store.delete_account(ada).await.unwrap());
        assert_eq!(store.hand_in(all[0].id).await.unwrap().unwrap().account_id, None);
    }

    async fn a_team_hands_in_so_often_however_fast(place: Place) {
        let store = course(place).await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let assignment = assignment(&store, NOW_MS + 10).await.id;
        let new = hand_in(assignment, 1, ada, b"zip");
        let kept = join_all((0..MAX_HAND_INS + 3).map(|_| store.add_hand_in(&new, NOW_MS))).await;
        let kept = kept.iter().filter(|kept| kept.as_ref().unwrap().is_some()).count();
        assert_eq!(kept as i64, MAX_HAND_INS);
    }

    async fn entries_are_kept_and_come_in_their_order(place: Place) {
        let store = course(place).await;
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let id = assignment(&store, NOW_MS).await.id;
        store.add_mark_entries(&[entry(id, 1, "memo", Some(250), ada), entry(id, 2, "memo", None, ada)], NOW_MS).await.unwrap();
        store.add_mark_entries(&[entry(id, 1, "memo", Some(300), ada)], NOW_MS + 1).await.unwrap();
        let bad = [entry(id, 1, "copy", Some(0), ada), entry(id, 99, "copy", Some(0), ada)];
        assert!(store.add_mark_entries(&bad, NOW_MS + 2).await.is_err(), "there is no such team");
        let own = store.mark_entries_of(id, 1).await.unwrap();
        let seen: Vec<_> = own.iter().map(|it| (it.part.as_str(), it.hundredths, it.nickname.as_deref())).collect();
        assert_eq!(seen, [("memo", Some(250), Some("Ada")), ("memo", Some(300), Some("Ada"))]);
        assert_eq!(store.mark_entries(id).await.unwrap().len(), 3);
    }

    async fn marks_are_published_once_and_can_be_hidden_again(place: Place) {
        let store = course(place).await;
        let id = assignment(&store, NOW_MS).await.id;
        assert!(store.publish_marks(id, Some(NOW_MS)).await.unwrap());
        assert!(!store.publish_marks(id, Some(NOW_MS + 1)).await.unwrap(), "they are");
        assert_eq!(store.assignment_by_id(id).await.unwrap().unwrap().published_ms, Some(NOW_MS));
        assert!(store.publish_marks(id, None).await.unwrap());
        assert!(!store.publish_marks(id, None).await.unwrap());
        assert!(!store.count_marking(id, 7).await.unwrap(), "there is no such run");
    }

    async fn members_take_their_hand_ins_and_published_marks_with_them(place: Place) {
        let store = course(place).await;
        let mut accounts = vec![];
        for (id, name) in [(1, "Ada"), (2, "Ben"), (3, "Teo")] {
            let account = store.create_account(&somebody(name), NOW_MS).await.unwrap();
            let team = if name == "Teo" { 2 } else { 1 };
            place.run(&format!(
                "INSERT INTO course_members (id, course_id, team_id, account_id, state, created_ms) \
                 VALUES ({id}, 1, {team}, {account}, 'member', 1); \
                 INSERT INTO notices (id, course_id, account_id, text, created_ms) VALUES ({id}, 1, {account}, 'by {name}', 1)"
            )).await;
            accounts.push(account);
        }
        let [ada, ben, teo] = accounts[..] else { panic!() };
        let id = assignment(&store, NOW_MS).await.id;
        store.add_hand_in(&hand_in(id, 1, ada, b"zip"), NOW_MS).await.unwrap();
        store.add_mark_entries(&[entry(id, 1, "memo", Some(250), teo), entry(id, 2, "memo", Some(99), teo)], NOW_MS).await.unwrap();
        let export = async |account| store.export_account(account).await.unwrap().unwrap();
        assert!(export(ada).await.marks.is_empty(), "they are not published");
        assert!(store.publish_marks(id, Some(NOW_MS)).await.unwrap());
        let held = export(ada).await;
        let marks: Vec<_> = held.marks.iter().map(|it| (it.assignment.as_str(), it.part.as_str(), it.hundredths)).collect();
        assert_eq!(marks, [("Mancala", "memo", Some(250))], "those of their own team");
        assert_eq!((held.hand_ins.len(), held.hand_ins[0].is_own, held.hand_ins[0].is_late), (1, true, true));
        assert_eq!(held.notices.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["by Ada"]);
        assert!(!export(ben).await.hand_ins[0].is_own, "the pair's other half handed it in");
        assert!(export(teo).await.hand_ins.is_empty());
    }
}
