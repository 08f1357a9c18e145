//! Members of a course: accepted, moved, paired, removed; their notices and mails.

use serde_json::Value;

use crate::courses::{Course, course_form, teacher};
use crate::people::{PASSWORD, admin, email, mail, mails, somebody};
use crate::site::{Browser, Seen, Site, between};

/// A course that people with the addresses of tests join at once, its teacher, and the addresses to join A1 and B2.
struct Class {
    site: Site,
    teacher: Browser,
    course: Course,
    joins: [String; 2],
}

impl Class {
    async fn open() -> Self {
        let site = Site::open().await;
        let root = admin(&site, "Root").await;
        let teacher = teacher(&site, &root, "Ruiz").await;
        let form: Vec<_> = course_form("AI").into_iter().filter(|(name, _)| *name != "domains").collect();
        let form = [form, vec![("domains", "example.org")]].concat();
        let course = Course { path: teacher.post("/courses", &form).await.path };
        let joins = [course.add_group(&teacher, "A1").await, course.add_group(&teacher, "B2").await];
        Self { site, teacher, course, joins }
    }

    /// A new student, who has joined A1.
    async fn student(&self, nickname: &str) -> Browser {
        let browser = somebody(&self.site, nickname).await;
        assert_eq!(browser.post(&self.joins[0], &[]).await.path, self.course.path);
        browser
    }

    /// The row of a member on the page of members.
    async fn row(&self, name: &str) -> String {
        let text = self.teacher.get(&self.course.at("/members")).await.text;
        between(&text, &format!("<bdi>{name}</bdi></a>"), "</tr>").to_owned()
    }

    /// The address of a member's page.
    async fn member(&self, name: &str) -> String {
        let text = self.teacher.get(&self.course.at("/members")).await.text;
        let (before, _) = text.split_once(&format!("\"><bdi>{name}</bdi></a>")).unwrap();
        before.rsplit_once("href=\"").unwrap().1.to_owned()
    }

    /// Does something about a member.
    async fn change(&self, name: &str, action: &str, fields: &[(&str, &str)]) -> Seen {
        let page = self.member(name).await;
        self.teacher.post(&format!("{page}/{action}"), fields).await
    }

    /// The id of a group, as the form of a notice has it.
    async fn group(&self, code: &str) -> String {
        let text = self.teacher.get(&self.course.path).await.text;
        let select = between(&text, "name=\"group\">", "</select>").to_owned();
        let (before, _) = select.split_once(&format!("\">{code}</option>")).unwrap();
        before.rsplit_once("value=\"").unwrap().1.to_owned()
    }
}

#[tokio::test]
async fn teachers_see_members_and_members_see_no_addresses() {
    let class = Class::open().await;
    let (ana, _ben) = (class.student("Ana").await, class.student("Ben").await);
    let row = class.row("Real Ana").await;
    assert!(row.contains("ana@example.org") && row.contains(">member<"), "{row}");
    let page = ana.get(&class.course.path).await.text;
    assert!(page.contains("You have not entered a bot yet"));
    assert!(!page.contains('@') && !page.contains("Real Ben") && !page.contains("<bdi>Ben"), "{page}");
    let other = class.teacher.get(&class.course.at("/members?group=B2")).await.text;
    assert!(!other.contains("Real Ana") && other.contains("Nobody is here yet"));
}

#[tokio::test]
async fn who_waits_is_accepted_or_refused() {
    let class = Class::open().await;
    let course = Course::create(&class.teacher, "Closed").await;
    let join = course.add_group(&class.teacher, "A1").await;
    let (ana, ben) = (somebody(&class.site, "Ana").await, somebody(&class.site, "Ben").await);
    for browser in [&ana, &ben] {
        browser.post(&join, &[]).await;
    }
    assert!(class.teacher.get(&course.path).await.text.contains("People who wait for you: 2"));
    let class = Class { course, ..class };
    assert!(class.row("Real Ana").await.contains("waits for a teacher"));
    assert_eq!(class.change("Real Ana", "accept", &[]).await.status, 200);
    assert_eq!(class.change("Real Ben", "remove", &[]).await.status, 200);
    assert_eq!(ana.get(&class.course.path).await.status, 200);
    assert_eq!(ben.get(&class.course.path).await.status, 404);
    assert!(!class.teacher.get(&class.course.at("/members")).await.text.contains("Real Ben"));
    assert_eq!(ben.post(&join, &[]).await.path, "/courses", "they can ask again");
}

#[tokio::test]
async fn a_member_asks_for_another_group_and_a_teacher_grants_it() {
    let class = Class::open().await;
    let ana = class.student("Ana").await;
    let group = class.group("B2").await;
    let ask = async |group: &str| ana.post(&class.course.at("/ask"), &[("group", group)]).await;
    assert!(ask(&group).await.text.contains("You asked for B2"));
    assert!(class.row("Real Ana").await.contains("asks for B2"));
    assert!(!ask("").await.text.contains("You asked for B2"));
    ask(&group).await;
    assert_eq!(class.change("Real Ana", "deny", &[]).await.status, 200);
    assert!(!ana.get(&class.course.path).await.text.contains("You asked for B2"));
    ask(&group).await;
    assert_eq!(class.change("Real Ana", "move", &[("group", &group)]).await.status, 200);
    assert!(ana.get(&class.course.path).await.text.contains("Group B2"));
    assert_eq!(ask("1").await.status, 404);
    assert_eq!(class.change("Real Ana", "move", &[("group", "1")]).await.status, 404);
}

#[tokio::test]
async fn two_members_become_a_pair_and_part() {
    let class = Class::open().await;
    let (ana, ben, _cem) = (class.student("Ana").await, class.student("Ben").await, class.student("Cem").await);
    let id = |page: &str| page.rsplit('/').next().unwrap().to_owned();
    let (bens, cems) = (id(&class.member("Real Ben").await), id(&class.member("Real Cem").await));
    assert_eq!(class.change("Real Ana", "pair", &[("with", &bens)]).await.status, 200);
    assert!(ana.get(&class.course.path).await.text.contains("Together with Ben"));
    assert!(ben.get(&class.course.path).await.text.contains("Together with Ana"));
    assert!(class.row("Real Ana").await.contains("Together with Real Ben"));
    let third = class.change("Real Ana", "pair", &[("with", &cems)]).await;
    assert!(third.status == 422 && third.text.contains("has a partner already"), "{third:?}");
    assert_eq!(class.change("Real Ben", "part", &[]).await.status, 200);
    assert!(!ana.get(&class.course.path).await.text.contains("Together with"));
    assert_eq!(class.change("Real Ben", "part", &[]).await.status, 404);
}

#[tokio::test]
async fn co_teachers_are_teachers_already() {
    let class = Class::open().await;
    let root = admin(&class.site, "Root2").await;
    let second = teacher(&class.site, &root, "Lopez").await;
    class.student("Ana").await;
    let add = async |who: &str| class.teacher.post(&class.course.at("/teachers"), &[("teacher", who)]).await;
    for student in ["Ana", "ana@example.org", "nobody@example.org", ""] {
        let refused = add(student).await;
        assert!(refused.status == 422 && refused.text.contains("There is no teacher with"), "{student}: {refused:?}");
    }
    assert_eq!(second.get(&class.course.path).await.status, 404);
    assert_eq!(add(" LOPEZ@example.org").await.status, 200);
    assert_eq!(second.get(&class.course.at("/members")).await.status, 200);
    let page = second.get(&class.course.at("/settings")).await.text;
    let row = between(&page, "<bdi>Ruiz</bdi>", "</tr>");
    let first = between(row, "name=\"id\" value=\"", "\"");
    assert_eq!(second.post(&class.course.at("/teachers/remove"), &[("id", first)]).await.status, 200);
    assert_eq!(class.teacher.get(&class.course.path).await.status, 404);
    let page = second.get(&class.course.at("/settings")).await.text;
    assert!(!page.contains("/teachers/remove"), "the last one stays");
}

#[tokio::test]
async fn a_notice_is_read_in_the_course_and_only_announced_by_mail() {
    let class = Class::open().await;
    let (ana, ben) = (class.student("Ana").await, class.student("Ben").await);
    let group = class.group("B2").await;
    class.change("Real Ben", "move", &[("group", &group)]).await;
    let kinds = ["run_finished", "upload_refused", "deadline", "marks_published"].map(|kind| (kind, "on"));
    assert!(ben.post("/settings/mails", &kinds).await.text.contains("Saved."));
    let form = ben.get("/settings/mails").await.text;
    assert_eq!(form.matches(" checked").count(), 4);
    assert!(between(&form, "name=\"notice\"", "<").starts_with('>'), "not ticked");

    let post = async |group: &str, text: &str| {
        class.teacher.post(&class.course.at("/notices"), &[("group", group), ("text", text)]).await
    };
    let posted = post("", "The exam is on Friday.\n<b>Bring</b> your card\u{202e}.").await;
    assert_eq!(posted.status, 200);
    let shown = "The exam is on Friday.<br>&#60;b&#62;Bring&#60;/b&#62; your card.";
    assert!(ana.get(&class.course.path).await.text.contains(shown));
    post(&group, "Only for the night shift").await;
    assert!(!ana.get(&class.course.path).await.text.contains("night shift"));
    assert!(ben.get(&class.course.path).await.text.contains("night shift"));
    let told = mail(&class.site, &email("Ana"), "a new notice in your course").await;
    assert!(told.contains(&class.course.path) && !told.contains("Friday") && told.contains("Un docente"), "{told}");
    assert!(!mails(&class.site, &email("Ben")).iter().any(|mail| mail.contains("a new notice")));

    let long = post("", &"x".repeat(2001)).await;
    assert!(long.status == 422 && long.text.contains("id=\"text-error\""), "{}", long.status);
    assert_eq!(post("1", "to no group").await.status, 404);
    let page = class.teacher.get(&class.course.path).await.text;
    let (before, _) = page.split_once("/delete\"><button class=\"button small\"").unwrap();
    let notice = before.rsplit_once("action=\"").unwrap().1;
    assert_eq!(class.teacher.post(&format!("{notice}/delete"), &[]).await.status, 200);
    assert!(!ben.get(&class.course.path).await.text.contains("night shift"));
}

#[tokio::test]
async fn a_member_takes_their_data_and_leaves() {
    let class = Class::open().await;
    let (ana, ben) = (class.student("Ana").await, class.student("Ben").await);
    let held: Value = serde_json::from_str(&ana.get("/settings/export").await.text).unwrap();
    assert_eq!(held["courses"][0]["course"], "AI");
    assert_eq!(held["courses"][0]["group"], "A1");
    assert_eq!(ana.post(&class.course.at("/leave"), &[]).await.path, "/courses");
    assert_eq!(ana.get(&class.course.path).await.status, 404);
    assert_eq!(ben.post("/settings/delete", &[("password", PASSWORD)]).await.path, "/");
    let members = class.teacher.get(&class.course.at("/members")).await.text;
    assert!(!members.contains("Real Ana") && !members.contains("ben@example.org"), "{members}");
}
