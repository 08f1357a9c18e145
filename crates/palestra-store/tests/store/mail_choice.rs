//! Who gets mails about courses.

use palestra_store::{Audience, MailKind, MemberState};

use crate::course::course_with_groups;
use crate::place::on_both;
use crate::{NOW_MS, account};

on_both! {
    async fn mails_go_to_members_who_want_them(store: Store) {
        let (course, [a1, b2], _) = course_with_groups(&store).await;
        let mut accounts = vec![];
        for (nickname, group, state) in [
            ("Ana", a1.id, MemberState::Member),
            ("Ben", b2.id, MemberState::Member),
            ("Cem", a1.id, MemberState::Waiting),
        ] {
            let account = account(&store, nickname).await;
            store.join_course((course.id, group), &account, state, NOW_MS).await.unwrap();
            accounts.push(account.id);
        }
        let team = store.member_of(course.id, accounts[0]).await.unwrap().unwrap().team_id;
        let to = async |audience, kind| store.mail_addresses(audience, kind).await.unwrap();
        let notice = MailKind::Notice;
        assert_eq!(to(Audience::Course(course.id), notice).await, ["ana@example.org", "ben@example.org"]);
        assert_eq!(to(Audience::Group(a1.id), notice).await, ["ana@example.org"], "who waits is no member yet");
        assert_eq!(to(Audience::Team(team), notice).await, ["ana@example.org"]);
        assert_eq!(to(Audience::Account(accounts[2]), notice).await, ["cem@example.org"]);
        store.choose_mails(accounts[0], &[notice, MailKind::Deadline]).await.unwrap();
        assert_eq!(to(Audience::Course(course.id), notice).await, ["ben@example.org"]);
        assert_eq!(to(Audience::Course(course.id), MailKind::RunFinished).await.len(), 2);
        store.choose_mails(accounts[0], &[MailKind::Deadline]).await.unwrap();
        assert_eq!(store.unwanted_mails(accounts[0]).await.unwrap(), [MailKind::Deadline]);
        assert_eq!(to(Audience::Course(course.id), notice).await.len(), 2);
        let held = store.export_account(accounts[0]).await.unwrap().unwrap();
        assert_eq!(held.unwanted_mails, [MailKind::Deadline]);
    }
}
