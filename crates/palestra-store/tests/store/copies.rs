//! What the report on similar sources compares.

use palestra_store::{Added, Built, House, NewBot, NewEntry, NewVersion, Quotas, Registered, Store, VersionState};

use crate::course::course_with_groups;
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
        store.purge_course(course.id, course.ends_ms).await.unwrap();
        assert!(teams().await.is_empty());
    }
}
