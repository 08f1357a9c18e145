//! Courses, their teachers and groups, and their end.

use palestra_store::{
    Course, CoursePart, Group, MemberState, NewCourse, Role, Store, StoreError, TimeRule, WARNINGS_MS,
};

use crate::place::on_both;
use crate::{NOW_MS, account};

/// A course about to be made.
pub(crate) fn new_course(name: &str) -> NewCourse {
    NewCourse {
        name: name.to_owned(),
        year: "2026/27".to_owned(),
        game: "mancala".to_owned(),
        options: "-".to_owned(),
        time_rule: TimeRule::Cpu(2000),
        domains: "school.example uni.example".to_owned(),
        time_zone: "Europe/Madrid".to_owned(),
        ends_ms: NOW_MS + 100 * DAY_MS,
        keeps_fingerprints: true,
    }
}

const DAY_MS: i64 = 24 * 3600 * 1000;

/// A course with the groups A1 and B2, and its teacher's id.
pub(crate) async fn course_with_groups(store: &Store) -> (Course, [Group; 2], i64) {
    let teacher = crate::teacher(store, "Teacher").await.id;
    let code = store.create_course(teacher, &new_course("AI"), NOW_MS).await.unwrap();
    let course = store.course(&code).await.unwrap().unwrap();
    for (code, name) in [("B2", "Campus south"), ("A1", "Campus north")] {
        store.add_group(course.id, code, name, NOW_MS).await.unwrap();
    }
    let groups = store.groups(course.id).await.unwrap();
    (course, groups.try_into().unwrap(), teacher)
}

on_both! {
    async fn a_course_is_kept_as_its_teacher_says(store: Store) {
        let teacher = account(&store, "Teacher").await;
        let new = new_course("Inteligencia Artificial");
        let code = store.create_course(teacher.id, &new, NOW_MS).await.unwrap();
        let course = store.course(&code).await.unwrap().unwrap();
        assert_eq!((course.name.as_str(), course.year.as_str()), ("Inteligencia Artificial", "2026/27"));
        assert_eq!((course.time_rule, course.keeps_fingerprints), (TimeRule::Cpu(2000), true));
        assert_eq!((course.warned_ms, course.purged_ms, course.created_ms), (None, None, NOW_MS));
        assert!(course.allows("ana@uni.example") && course.allows("ana@SCHOOL.example"));
        assert!(!course.allows("ana@evil-uni.example") && !course.allows("ana@a.uni.example") && !course.allows(""));
        let changed = NewCourse { time_rule: TimeRule::Depth(8), domains: String::new(), ..new };
        store.change_course(course.id, &changed).await.unwrap();
        let course = store.course_by_id(course.id).await.unwrap().unwrap();
        assert_eq!((course.time_rule, course.code), (TimeRule::Depth(8), code));
        assert!(store.course("nothing").await.unwrap().is_none());
    }

    async fn a_course_keeps_its_last_teacher(store: Store) {
        let (course, _, teacher) = course_with_groups(&store).await;
        let other = crate::teacher(&store, "Other").await.id;
        assert!(!store.remove_course_teacher(course.id, teacher).await.unwrap());
        assert!(store.add_course_teacher(course.id, other).await.unwrap());
        assert!(!store.add_course_teacher(course.id, other).await.unwrap());
        assert!(store.is_course_teacher(course.id, other).await.unwrap());
        let removals = [(teacher, other), (other, teacher)].map(|(_, removed)| {
            let (store, course) = (store.clone(), course.id);
            tokio::spawn(async move { store.remove_course_teacher(course, removed).await })
        });
        let mut removed = 0;
        for removal in removals {
            removed += usize::from(removal.await.unwrap().unwrap());
        }
        assert_eq!((removed, store.course_teachers(course.id).await.unwrap().len()), (1, 1));
    }

    async fn an_account_that_has_lost_the_role_teaches_no_course_until_it_has_it_again(store: Store) {
        let (course, _, first) = course_with_groups(&store).await;
        let second = crate::teacher(&store, "Second").await;
        store.add_course_teacher(course.id, second.id).await.unwrap();
        assert!(store.change_role(second.id, Role::Student).await.unwrap());
        assert!(!store.is_course_teacher(course.id, second.id).await.unwrap());
        assert!(store.courses_of(&second).await.unwrap().is_empty() && !store.has_courses(&second).await.unwrap());
        assert!(store.courses_for_bots(second.id).await.unwrap().is_empty());
        assert_eq!(store.course_teachers(course.id).await.unwrap().len(), 1);
        assert!(!store.remove_course_teacher(course.id, first).await.unwrap(), "no other could teach it");
        assert!(store.change_role(second.id, Role::Teacher).await.unwrap());
        assert!(store.is_course_teacher(course.id, second.id).await.unwrap());
        assert!(store.remove_course_teacher(course.id, first).await.unwrap());
    }

    async fn a_list_says_what_a_person_is_in_each_course(store: Store) {
        let (course, [group, _], teacher) = course_with_groups(&store).await;
        let (ana, ben) = (account(&store, "Ana").await, account(&store, "Ben").await);
        store.join_course((course.id, group.id), &ana, MemberState::Member, NOW_MS).await.unwrap();
        store.join_course((course.id, group.id), &ben, MemberState::Waiting, NOW_MS).await.unwrap();
        let teacher = store.account(teacher).await.unwrap().unwrap();
        let stranger = account(&store, "Cem").await;
        for (who, part) in [
            (&teacher, Some(CoursePart::Teacher)),
            (&ana, Some(CoursePart::Member)),
            (&ben, Some(CoursePart::Waiting)),
            (&stranger, None),
        ] {
            let courses = store.courses_of(who).await.unwrap();
            assert_eq!(courses.first().map(|entry| entry.part), part, "{}", who.nickname);
            assert_eq!(store.has_courses(who).await.unwrap(), part.is_some());
        }
        assert_eq!(store.all_courses().await.unwrap().len(), 1);
    }

    async fn groups_are_joined_by_codes_that_can_be_renewed_and_closed(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        assert_eq!((a1.code.as_str(), b2.code.as_str()), ("A1", "B2"));
        let first = a1.join_code.clone().unwrap();
        assert_eq!((first.len(), first.split('-').count()), (14, 3));
        let (found, group) = store.group_to_join(&first, NOW_MS).await.unwrap().unwrap();
        assert_eq!((found.id, group.id), (course.id, a1.id));
        assert!(store.group_to_join(&first, course.ends_ms).await.unwrap().is_none(), "the course has ended");
        assert!(store.renew_join_code(course.id, a1.id).await.unwrap());
        assert!(store.group_to_join(&first, NOW_MS).await.unwrap().is_none());
        let second = store.groups(course.id).await.unwrap()[0].join_code.clone().unwrap();
        assert!(store.group_to_join(&second, NOW_MS).await.unwrap().is_some());
        assert!(!store.close_group(course.id + 1, a1.id).await.unwrap(), "of another course");
        assert!(store.close_group(course.id, a1.id).await.unwrap());
        assert!(store.group_to_join(&second, NOW_MS).await.unwrap().is_none());
    }

    async fn groups_have_codes_of_their_own_and_go_when_they_are_empty(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        assert!(matches!(store.add_group(course.id, "A1", "", NOW_MS).await, Err(StoreError::Taken)));
        assert!(matches!(store.change_group(course.id, b2.id, "A1", "").await, Err(StoreError::Taken)));
        assert!(store.change_group(course.id, b2.id, "C3", "Night").await.unwrap());
        assert!(!store.change_group(course.id + 1, b2.id, "D4", "").await.unwrap());
        let ana = account(&store, "Ana").await;
        store.join_course((course.id, a1.id), &ana, MemberState::Member, NOW_MS).await.unwrap();
        assert!(!store.delete_group(course.id, a1.id).await.unwrap(), "it has a member");
        assert!(store.delete_group(course.id, b2.id).await.unwrap());
        assert_eq!(store.groups(course.id).await.unwrap().len(), 1);
    }

    async fn teachers_are_warned_twice_before_the_end(store: Store) {
        let (course, ..) = course_with_groups(&store).await;
        let due = async |now_ms| store.courses_to_warn(now_ms).await.unwrap();
        let [first_ms, second_ms] = WARNINGS_MS.map(|before_ms| course.ends_ms - before_ms);
        assert!(due(first_ms - 1).await.is_empty());
        let [warned] = due(first_ms).await.try_into().unwrap();
        assert!(store.note_warning(&warned, first_ms).await.unwrap());
        assert!(!store.note_warning(&warned, first_ms).await.unwrap(), "another process was faster");
        assert!(due(second_ms - 1).await.is_empty());
        let [warned] = due(second_ms + 5).await.try_into().unwrap();
        assert!(store.note_warning(&warned, second_ms + 5).await.unwrap());
        assert!(due(course.ends_ms - 1).await.is_empty());
        let later = NewCourse { ends_ms: course.ends_ms + 60 * DAY_MS, ..new_course("AI") };
        store.change_course(course.id, &later).await.unwrap();
        assert_eq!(due(course.ends_ms + 40 * DAY_MS).await.len(), 1, "a new end is announced anew");
    }

    async fn what_is_personal_ends_with_the_course(place: Place) {
        let store = place.open().await;
        let (course, [a1, _], teacher) = course_with_groups(&store).await;
        let ana = account(&store, "Ana").await;
        let line = |name: &str, email: &str| palestra_store::RosterLine {
            name: name.to_owned(),
            email: email.to_owned(),
            group_id: a1.id,
            id_number: Some("123".to_owned()),
        };
        let lines = [line("Ana Roster", "ana@example.org"), line("Never Came", "never@example.org")];
        store.import_roster(course.id, &lines, &[], NOW_MS).await.unwrap();
        store.claim_membership(course.id, &ana).await.unwrap();
        store.post_notice((course.id, None), teacher, "exam", NOW_MS).await.unwrap();
        assert!(store.courses_to_purge(course.ends_ms - 1).await.unwrap().is_empty());
        assert_eq!(store.courses_to_purge(course.ends_ms).await.unwrap().len(), 1);
        store.purge_course(course.id, &[], course.ends_ms).await.unwrap();
        assert!(store.courses_to_purge(course.ends_ms).await.unwrap().is_empty());
        let [left] = store.members(course.id).await.unwrap().try_into().unwrap();
        assert_eq!((left.account_id, left.name, left.email, left.id_number), (Some(ana.id), None, None, None));
        assert!(store.notices(course.id, None).await.unwrap().is_empty());
        assert!(store.courses_to_warn(course.ends_ms - 1).await.unwrap().is_empty());
        let later = NewCourse { ends_ms: course.ends_ms + DAY_MS, ..new_course("AI") };
        store.change_course(course.id, &later).await.unwrap();
        assert_eq!(store.courses_to_purge(later.ends_ms).await.unwrap().len(), 1, "a new end comes too");
        store.close().await;
    }
}

#[test]
fn a_time_rule_is_a_word_and_a_number() {
    for text in ["cpu 2000", "wall 2000", "depth 8", "states 140000"] {
        assert_eq!(text.parse::<TimeRule>().unwrap().to_string(), text);
    }
    for text in ["", "cpu", "cpu 0", "cpu -1", "cpu 2 s", "cpu  2", "sun 3", "depth 99999999999"] {
        assert!(text.parse::<TimeRule>().is_err(), "{text}");
    }
}
