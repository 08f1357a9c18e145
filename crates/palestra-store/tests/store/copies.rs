//! What the report on similar sources compares, and the fingerprints that outlive the sources.

use palestra_store::{
    Added, Built, House, MAX_ADDED_SOURCES, NewAddedSources, NewBot, NewCourse, NewEntry, NewFingerprint, NewVersion,
    Quotas, Registered, Store, VersionState,
};

use crate::course::{course_with_groups, new_course};
use crate::place::on_both;
use crate::{NOW_MS, account};

/// A member of a group with a bot that is entered and has a version that plays: the ids of account, team, bot and version.
async fn member_with_bot(store: &Store, course: (i64, i64), nickname: &str, text: &str) -> [i64; 4] {
    let member = account(store, nickname).await;
    store.join_course(course, &member, palestra_store::MemberState::Member, NOW_MS).await.unwrap();
    let team = store.member_of(course.0, member.id).await.unwrap().unwrap().team_id;
    let name = format!("Bot{nickname}");
    let new =
        NewBot { name: &name, game: "mancala", language: "cpp", account: member.id, course: None, house: House::No };
    let Registered::Bot(bot) = store.register_bot(&new, 9, NOW_MS).await.unwrap() else { panic!() };
    let files = [("bot.cpp".to_owned(), text.as_bytes().to_vec())];
    let new = NewVersion { bot, account: member.id, note: "", files: &files };
    let Added::Version { id, .. } = store.add_version(&new, &Quotas::default(), NOW_MS).await.unwrap() else {
        panic!()
    };
    let built = Built { state: VersionState::Ready, report: "{}", compiler: None, flags: None };
    assert!(store.end_build(id, &built).await.unwrap());
    store.enter_bot(&NewEntry { team, bot, account: member.id, reason: None }, NOW_MS).await.unwrap();
    [member.id, team, bot, id]
}

on_both! {
    async fn the_versions_that_play_are_compared_while_their_sources_are_kept(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        let [ana, first, bot, version] = member_with_bot(&store, (course.id, a1.id), "Ana", "int a;").await;
        let [ben, second, ..] = member_with_bot(&store, (course.id, b2.id), "Ben", "int b;").await;
        let teams = async || {
            let found = store.entered_versions(course.id).await.unwrap();
            found.into_iter().map(|it| it.team_id).collect::<Vec<_>>()
        };
        let found = store.entered_versions(course.id).await.unwrap();
        let of_ana = found.iter().find(|it| it.team_id == first).unwrap();
        assert_eq!((of_ana.bot_id, of_ana.version_id, of_ana.bot_name.as_str()), (bot, version, "BotAna"));
        assert_eq!(found.len(), 2);
        let row = store.member_of(course.id, ben).await.unwrap().unwrap();
        assert!(store.remove_member(course.id, row.id).await.unwrap());
        assert_eq!(teams().await.len(), 2, "who has left may have been copied from");
        assert!(store.delete_account(ana).await.unwrap());
        assert_eq!(teams().await, [second]);
        store.purge_course(course.id, &[], course.ends_ms).await.unwrap();
        assert!(teams().await.is_empty());
    }

    async fn sources_that_teachers_add_are_kept_until_they_are_removed_or_the_course_ends(store: Store) {
        let (course, ..) = course_with_groups(&store).await;
        let add = async |name, archive| {
            let new = NewAddedSources { name, archive, is_given: name == "template" };
            store.add_sources(course.id, &new, NOW_MS + i64::from(new.is_given)).await.unwrap()
        };
        assert!(add("github", b"one").await && add("template", b"two").await);
        let [github, template] = store.added_sources(course.id).await.unwrap().try_into().unwrap();
        assert_eq!((github.name.as_str(), github.is_given, template.is_given), ("github", false, true));
        assert!(!store.remove_added_sources(course.id + 1, github.id).await.unwrap(), "of another course");
        assert!(store.remove_added_sources(course.id, github.id).await.unwrap());
        assert!(!store.remove_added_sources(course.id, github.id).await.unwrap());
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 2).await.unwrap(), 1, "of what was removed alone");
        assert_eq!(store.blob(&template.archive_hash).await.unwrap().as_deref(), Some(&b"two"[..]));
        assert_eq!(store.course_bytes().await.unwrap()[0].sources, 3);
        for _ in 1..MAX_ADDED_SOURCES {
            assert!(add("more", b"three").await);
        }
        assert!(!add("too many", b"four").await);
        store.purge_course(course.id, &[], course.ends_ms).await.unwrap();
        assert!(store.added_sources(course.id).await.unwrap().is_empty());
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 2).await.unwrap(), 2);
    }

    async fn only_fingerprints_stay_of_a_course_and_only_if_it_says_so(store: Store) {
        let (course, [a1, _], _) = course_with_groups(&store).await;
        let [ana, .., version] = member_with_bot(&store, (course.id, a1.id), "Ana", "int a;").await;
        let [.., bens] = member_with_bot(&store, (course.id, a1.id), "Ben", "int b;").await;
        let print = |version, label: &str, hash| {
            NewFingerprint { version, label: label.to_owned(), is_foreign: false, hashes: vec![hash] }
        };
        let labels = async |game| {
            let kept = store.kept_fingerprints(game).await.unwrap();
            kept.into_iter().map(|it| it.label).collect::<Vec<_>>()
        };
        // Ana's account goes first. While a bot has its sources, its fingerprint is not compared with.
        store.keep_fingerprints(course.id, &[print(Some(version), "BotAna", 1)], NOW_MS).await.unwrap();
        assert!(labels("mancala").await.is_empty());
        assert!(store.delete_account(ana).await.unwrap());
        assert_eq!(labels("mancala").await, ["withdrawn 1"]);
        let foreign = NewFingerprint { is_foreign: true, ..print(None, "BotBen", 4) };
        let prints = [print(Some(bens), "BotBen", 2), print(None, "A1 · Practice", 3), foreign];
        store.purge_course(course.id, &prints, course.ends_ms).await.unwrap();
        assert_eq!(labels("mancala").await.len(), 4);
        assert!(labels("parchis").await.is_empty());
        let found = store.kept_fingerprints("mancala").await.unwrap();
        let of_ben = found.iter().find(|it| it.label == "BotBen" && !it.is_foreign).unwrap();
        assert_eq!((of_ben.course_id, of_ben.year.as_str()), (Some(course.id), "2026/27"));
        assert_eq!(of_ben.bot_id, Some(store.bot("BotBen").await.unwrap().unwrap().id));
        let hashes = store.fingerprint_hashes("mancala", 0..=i64::MAX).await.unwrap();
        assert!(hashes.contains(&(of_ben.id, vec![2])) && hashes.len() == 4);
        let one = store.fingerprint_hashes("mancala", of_ben.id..=of_ben.id).await.unwrap();
        assert_eq!(one, [(of_ben.id, vec![2])]);
        // A course that is purged twice has each bot once.
        store.purge_course(course.id, &[print(Some(bens), "BotBen", 5)], course.ends_ms).await.unwrap();
        let hashes: Vec<_> = store.fingerprint_hashes("mancala", 0..=i64::MAX).await.unwrap().into_iter().map(|it| it.1).collect();
        assert!(hashes.len() == 4 && hashes.contains(&vec![5]) && !hashes.contains(&vec![2]), "{hashes:?}");
        let ben = store.account_by_nickname("Ben").await.unwrap().unwrap().id;
        assert!(store.delete_account(ben).await.unwrap());
        let mut left = labels("mancala").await;
        left.sort();
        assert_eq!(left, ["A1 · Practice", "BotBen", "withdrawn 1", "withdrawn 2"], "that of foreign sources is no bot");
        let silent = NewCourse { keeps_fingerprints: false, ..new_course("AI") };
        store.change_course(course.id, &silent).await.unwrap();
        store.purge_course(course.id, &prints, course.ends_ms).await.unwrap();
        assert!(labels("mancala").await.is_empty());
    }
}
