//! Members of courses: how they come, change, pair and go.

use palestra_store::{Account, Id, MemberState, NewAccount, Pairing, Role, RosterLine, Store, Token};

use crate::course::course_with_groups;
use crate::place::{Place, on_both};
use crate::{NOW_MS, account, somebody};

fn line(nickname: &str, group: Id) -> RosterLine {
    RosterLine {
        name: format!("{nickname} Roster"),
        email: format!("{}@Example.org", nickname.to_lowercase()),
        group_id: group,
        id_number: None,
    }
}

/// Joins a group, and returns the member's id.
async fn join(store: &Store, course: Id, group: Id, account: &Account) -> Id {
    let state = store.join_course((course, group), account, MemberState::Member, NOW_MS).await.unwrap();
    assert_eq!(state, MemberState::Member);
    store.member_of(course, account.id).await.unwrap().unwrap().id
}

/// Gives the team of a member a result: an entered bot.
async fn enter(place: &Place, store: &Store, course: Id, member: Id, id: i64) {
    let team = store.member(course, member).await.unwrap().unwrap().team_id;
    place
        .run(&format!(
            "INSERT INTO bots (id, name, name_key, game, language, created_ms) \
             VALUES ({id}, 'Bot{id}', 'bot{id}', 'mancala', 'cpp', 1); \
             INSERT INTO entries (id, team_id, bot_id, created_ms) VALUES ({id}, {team}, {id}, 1)"
        ))
        .await;
}

on_both! {
    async fn a_row_of_the_roster_is_claimed_by_its_address(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        let known = account(&store, "Known").await;
        let lines = ["Known", "Late", "Coder"].map(|name| line(name, b2.id));
        store.import_roster(course.id, &lines, &[], NOW_MS).await.unwrap();
        let state = async |email: &str| {
            let members = store.members(course.id).await.unwrap();
            members.into_iter().find(|member| member.email.as_deref() == Some(email)).unwrap()
        };
        assert_eq!(state("known@example.org").await.state, MemberState::Pending, "an account joins by itself");
        assert!(store.has_courses(&known).await.unwrap(), "and is led there");
        assert!(store.claim_membership(course.id, &known).await.unwrap());
        assert!(!store.claim_membership(course.id, &known).await.unwrap());
        assert_eq!(state("known@example.org").await.account_id, Some(known.id));

        let token = Token::random().hash();
        store.register(&token, &somebody("Late"), NOW_MS).await.unwrap();
        let registration = store.registration(&token, NOW_MS).await.unwrap().unwrap();
        let late = store.confirm(registration.id, NOW_MS).await.unwrap().unwrap();
        let member = state("late@example.org").await;
        assert_eq!((member.account_id, member.state, member.group_id), (Some(late), MemberState::Member, b2.id));

        let coder = account(&store, "Coder").await;
        let waits = store.join_course((course.id, a1.id), &coder, MemberState::Waiting, NOW_MS).await.unwrap();
        assert_eq!(waits, MemberState::Member, "the roster knows them");
        assert_eq!(state("coder@example.org").await.group_id, b2.id, "the roster's group stands");
        assert_eq!(store.members(course.id).await.unwrap().len(), 3);
    }

    async fn joining_twice_changes_nothing(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        let ana = account(&store, "Ana").await;
        let both = [(); 2].map(|()| {
            let (store, ana, course, group) = (store.clone(), ana.clone(), course.id, a1.id);
            tokio::spawn(async move { store.join_course((course, group), &ana, MemberState::Waiting, NOW_MS).await })
        });
        for one in both {
            let joined = one.await.unwrap();
            assert!(matches!(joined, Ok(MemberState::Waiting) | Err(palestra_store::StoreError::Taken)), "{joined:?}");
        }
        let again = store.join_course((course.id, b2.id), &ana, MemberState::Member, NOW_MS).await.unwrap();
        assert_eq!(again, MemberState::Waiting, "another code does not let them in");
        let [member] = store.members(course.id).await.unwrap().try_into().unwrap();
        assert!(!store.accept_member(course.id + 1, member.id).await.unwrap());
        assert!(store.accept_member(course.id, member.id).await.unwrap());
        assert!(!store.accept_member(course.id, member.id).await.unwrap());
        assert_eq!(store.member_of(course.id, ana.id).await.unwrap().unwrap().state, MemberState::Member);
    }

    async fn importing_again_updates_and_removes_only_who_is_named(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        let lines = ["Ana", "Ben", "Cem"].map(|name| line(name, a1.id));
        store.import_roster(course.id, &lines, &[], NOW_MS).await.unwrap();
        let ana = account(&store, "Ana").await;
        store.claim_membership(course.id, &ana).await.unwrap();
        let eva = account(&store, "Eva").await;
        store.join_course((course.id, a1.id), &eva, MemberState::Waiting, NOW_MS).await.unwrap();
        let id = |name: &str, members: &[palestra_store::Member]| {
            members.iter().find(|member| member.name.as_deref() == Some(name)).map(|member| member.id)
        };
        let members = store.members(course.id).await.unwrap();
        let ben = id("Ben Roster", &members).unwrap();
        let again = [
            RosterLine { name: "Ana Renamed".to_owned(), id_number: Some("77".to_owned()), ..line("Ana", b2.id) },
            line("Eva", a1.id),
        ];
        store.import_roster(course.id, &again, &[ben], NOW_MS).await.unwrap();
        let members = store.members(course.id).await.unwrap();
        assert_eq!(members.len(), 3, "Cem stays although the file does not name them");
        assert_eq!(id("Ben Roster", &members), None);
        let ana = members.iter().find(|member| member.account_id == Some(ana.id)).unwrap();
        assert_eq!((ana.name.as_deref(), ana.id_number.as_deref()), (Some("Ana Renamed"), Some("77")));
        assert_eq!((ana.group_id, ana.state), (b2.id, MemberState::Member));
        let eva = members.iter().find(|member| member.account_id == Some(eva.id)).unwrap();
        assert_eq!((eva.state, eva.email.as_deref()), (MemberState::Member, Some("eva@example.org")), "accepted");
        store.import_roster(course.id, &again, &[], NOW_MS).await.unwrap();
        assert_eq!(store.members(course.id).await.unwrap().len(), 3);
    }

    async fn a_team_moves_and_asks_within_its_course(store: Store) {
        let (course, [a1, b2], teacher) = course_with_groups(&store).await;
        let other = store.create_course(teacher, &crate::course::new_course("Other"), NOW_MS).await.unwrap();
        let other = store.course(&other).await.unwrap().unwrap().id;
        let foreign = store.add_group(other, "A1", "", NOW_MS).await.unwrap();
        let ana = account(&store, "Ana").await;
        let member = join(&store, course.id, a1.id, &ana).await;
        let now = async || store.member(course.id, member).await.unwrap().unwrap();
        let team = now().await.team_id;
        assert!(!store.ask_for_group(course.id, team, Some(foreign)).await.unwrap());
        assert!(!store.ask_for_group(course.id, team, Some(a1.id)).await.unwrap(), "they are there");
        assert!(store.ask_for_group(course.id, team, Some(b2.id)).await.unwrap());
        assert_eq!(now().await.wanted_group_id, Some(b2.id));
        assert!(store.ask_for_group(course.id, team, None).await.unwrap());
        assert_eq!(now().await.wanted_group_id, None);
        store.ask_for_group(course.id, team, Some(b2.id)).await.unwrap();
        for (course, group) in [(other, foreign), (course.id, foreign), (other, b2.id)] {
            assert!(!store.move_team(course, team, group).await.unwrap());
        }
        assert!(store.move_team(course.id, team, b2.id).await.unwrap());
        assert_eq!((now().await.group_id, now().await.wanted_group_id), (b2.id, None));
    }

    async fn a_pair_shares_what_one_of_them_had(place: Place) {
        let store = place.open().await;
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        let mut ids = vec![];
        for (nickname, group) in [("Ana", a1.id), ("Ben", b2.id), ("Cem", a1.id)] {
            ids.push(join(&store, course.id, group, &account(&store, nickname).await).await);
        }
        let [ana, ben, cem] = ids[..] else { panic!() };
        let team = async |member| store.member(course.id, member).await.unwrap().unwrap();
        enter(place, &store, course.id, ben, 1).await;
        let bens = team(ben).await.team_id;
        assert_eq!(store.pair_members(course.id, ana, ana).await.unwrap(), Pairing::NotFound);
        assert_eq!(store.pair_members(course.id + 1, ana, ben).await.unwrap(), Pairing::NotFound);
        assert_eq!(store.pair_members(course.id, ana, ben).await.unwrap(), Pairing::Done);
        assert_eq!((team(ana).await.team_id, team(ana).await.group_id), (bens, b2.id));
        assert_eq!(store.team_members(bens).await.unwrap().len(), 2);
        assert_eq!(store.pair_members(course.id, cem, ana).await.unwrap(), Pairing::HasPartner);
        assert!(store.part_members(course.id, ana, NOW_MS).await.unwrap());
        assert!(!store.part_members(course.id, ana, NOW_MS).await.unwrap());
        assert_eq!((team(ben).await.team_id, team(ana).await.group_id), (bens, b2.id));
        assert_ne!(team(ana).await.team_id, bens);
        enter(place, &store, course.id, cem, 2).await;
        assert_eq!(store.pair_members(course.id, cem, ben).await.unwrap(), Pairing::BothHaveResults);
        store.close().await;
    }

    async fn results_outlive_the_member(place: Place) {
        let store = place.open().await;
        let (course, [a1, _], _) = course_with_groups(&store).await;
        let mut ids = vec![];
        for nickname in ["Ana", "Ben", "Cem", "Eva"] {
            let account = account(&store, nickname).await;
            ids.push((join(&store, course.id, a1.id, &account).await, account.id));
        }
        let [(ana, anas), (ben, _), (cem, _), (eva, evas)] = ids[..] else { panic!() };
        for (member, id) in [(ana, 1), (ben, 2), (eva, 3)] {
            enter(place, &store, course.id, member, id).await;
        }
        assert!(!store.remove_member(course.id + 1, ben).await.unwrap());
        for member in [ben, cem] {
            assert!(store.remove_member(course.id, member).await.unwrap());
        }
        assert!(!store.remove_member(course.id, ben).await.unwrap(), "once");
        assert_eq!(store.member(course.id, cem).await.unwrap(), None, "without results nothing is left");
        let line = line("Eva", a1.id);
        store.import_roster(course.id, &[RosterLine { id_number: Some("1".to_owned()), ..line }], &[], NOW_MS).await.unwrap();
        place.run(&format!("UPDATE bots SET account_id = {anas} WHERE id = 1")).await;
        assert!(store.delete_account(anas).await.unwrap() && store.delete_account(evas).await.unwrap());
        let bot = store.bot("bot1").await.unwrap().unwrap().withdrawn;
        assert_eq!(store.member(course.id, ana).await.unwrap().unwrap().withdrawn, bot, "one number for both");
        let members = store.members(course.id).await.unwrap();
        let mut numbers: Vec<_> = members.iter().map(|member| member.withdrawn).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
        for member in members {
            assert_eq!((member.state, member.account_id), (MemberState::Withdrawn, None));
            assert_eq!((member.name, member.email, member.id_number), (None, None, None));
        }
        store.close().await;
    }

    async fn memberships_can_be_taken_away(store: Store) {
        let (course, [a1, _], teacher) = course_with_groups(&store).await;
        let ana = account(&store, "Ana").await;
        store.import_roster(course.id, &[line("Ana", a1.id)], &[], NOW_MS).await.unwrap();
        store.claim_membership(course.id, &ana).await.unwrap();
        let held = store.export_account(ana.id).await.unwrap().unwrap();
        let [membership] = held.memberships.as_slice() else { panic!("{:?}", held.memberships) };
        assert_eq!((membership.course.as_str(), membership.group_code.as_str()), ("AI", "A1"));
        assert_eq!((membership.name.as_deref(), membership.state), (Some("Ana Roster"), MemberState::Member));
        assert_eq!(store.export_account(teacher).await.unwrap().unwrap().taught, ["AI"]);
    }

    async fn a_counted_run_is_seen_in_its_course_alone(place: Place) {
        let store = place.open().await;
        let (course, ..) = course_with_groups(&store).await;
        assert!(!store.has_counted_run(course.id).await.unwrap());
        let run = |counted: &str, id: i64| format!(
            "INSERT INTO runs (id, code, kind, league_id, number, due_ms, state, is_counted, is_final, is_published, \
             plan, settings, started_ms) VALUES ({id}, 'run{id}', 'league', 1, {id}, {id}, 'finished', {counted}, FALSE, \
             FALSE, '', '', 1)"
        );
        place.run(&format!(
            "INSERT INTO leagues (id, code, course_id, name, schedule, ranking, move_ms, rounds, is_published, is_open, \
             created_ms) VALUES (1, 'x', {}, 'L', '', '', 1, 1, FALSE, TRUE, 1); {}", course.id, run("FALSE", 1)
        )).await;
        assert!(!store.has_counted_run(course.id).await.unwrap());
        place.run(&run("TRUE", 2)).await;
        assert!(store.has_counted_run(course.id).await.unwrap());
        assert!(!store.has_counted_run(course.id + 1).await.unwrap());
        store.close().await;
    }

    async fn a_teacher_who_goes_leaves_the_course(store: Store) {
        let (course, _, teacher) = course_with_groups(&store).await;
        let new = NewAccount { role: Role::Teacher, ..somebody("Second") };
        let second = store.create_account(&new, NOW_MS).await.unwrap();
        store.add_course_teacher(course.id, second).await.unwrap();
        assert!(store.delete_account(teacher).await.unwrap());
        let teachers = store.course_teachers(course.id).await.unwrap();
        assert_eq!(teachers.iter().map(|teacher| teacher.id).collect::<Vec<_>>(), [second]);
    }
}
