//! The page of a course: its groups for teachers; where they belong for members.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_store::{Group, Id, Member, MemberState, Notice, TeamEntry};

use super::access::Access;
use super::groups::GroupForm;
use super::head::CourseHead;
use super::notices::{MAX_NOTICE, NoticeForm};
use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::page::{Frame, page, page_again};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "course.html")]
pub(super) struct CoursePage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    groups: Vec<GroupRow>,
    /// The nicknames of those who share the visitor's team; none of those who have no account yet.
    partners: Vec<Option<String>>,
    /// The bot that the visitor's team has entered.
    bot: Option<String>,
    /// Whether the visitor's team can ask for another group.
    can_ask: bool,
    /// How many people wait for a teacher: to be accepted, or to be moved.
    waiting: usize,
    notices: Vec<Notice>,
    /// The form for another group.
    new_group: GroupForm,
    new_notice: NoticeForm,
    wrong: Wrong,
}

/// A group as the page lists it.
struct GroupRow {
    group: Group,
    /// How many members it has, those included who have not come yet.
    count: usize,
    /// How many of its teams have entered a bot.
    bots: usize,
    /// The address of the page to join it.
    link: Option<String>,
}

impl CoursePage {
    pub(super) async fn new(app: &App, visitor: &Visitor, access: Access) -> Result<Self, Refused> {
        let frame = Frame::new(visitor);
        let course = access.course.id;
        let members = app.store.members(course).await?;
        let entries = app.store.team_entries(course, None).await?;
        let entered = |entry: &&TeamEntry| entry.bot_name.is_some();
        let own_team = access.member().map(|member| member.team_id);
        let row = |group: Group| GroupRow {
            bots: entries.iter().filter(entered).filter(|entry| entry.group_id == group.id).count(),
            count: members.iter().filter(|member| is_in(member, group.id)).count(),
            link: group.join_code.as_ref().map(|code| app.origins.link(&format!("/join/{code}"))),
            group,
        };
        let groups = app.store.groups(course).await?.into_iter().map(row).collect();
        let partners = access.member().map_or_else(Vec::new, |own| partners(own, &members));
        let head = CourseHead::new(&access, frame.locale, "");
        let waits = |member: &&Member| member.state == MemberState::Waiting || member.wanted_group_id.is_some();
        let own_group = if access.is_teacher() { None } else { access.member().map(|member| member.group_id) };
        Ok(Self {
            can_ask: access.member().is_some() && !app.store.has_counted_run(course).await?,
            waiting: members.iter().filter(waits).count(),
            notices: app.store.notices(course, own_group).await?,
            bot: entries.iter().find(|entry| Some(entry.team_id) == own_team).and_then(|entry| entry.bot_name.clone()),
            frame,
            head,
            access,
            groups,
            partners,
            new_group: GroupForm::default(),
            new_notice: NoticeForm::default(),
            wrong: Wrong::default(),
        })
    }

    /// The page once more, with what is wrong with the form of a new group.
    pub(super) async fn with_wrong_group(
        app: &App,
        visitor: &Visitor,
        access: Access,
        new_group: GroupForm,
        wrong: Wrong,
    ) -> Result<Response, Refused> {
        let again = Self::new(app, visitor, access).await?;
        page_again(&Self { frame: Frame::returned(visitor), new_group, wrong, ..again })
    }

    /// The page once more, with what is wrong with the form of a notice.
    pub(super) async fn with_wrong_notice(
        app: &App,
        visitor: &Visitor,
        access: Access,
        new_notice: NoticeForm,
        wrong: Wrong,
    ) -> Result<Response, Refused> {
        let again = Self::new(app, visitor, access).await?;
        page_again(&Self { frame: Frame::returned(visitor), new_notice, wrong, ..again })
    }

    /// The group to which the visitor asks to be moved.
    fn wanted_group(&self) -> Option<&Group> {
        let wanted = self.access.member()?.wanted_group_id?;
        self.groups.iter().map(|row| &row.group).find(|group| group.id == wanted)
    }

    /// The group of the visitor.
    fn own_group(&self) -> Option<&Group> {
        let member = self.access.member()?;
        self.groups.iter().map(|row| &row.group).find(|group| group.id == member.group_id)
    }
}

fn is_in(member: &Member, group: Id) -> bool {
    member.group_id == group && matches!(member.state, MemberState::Member | MemberState::Pending)
}

fn partners(own: &Member, members: &[Member]) -> Vec<Option<String>> {
    let is_partner = |member: &&Member| {
        member.team_id == own.team_id && member.id != own.id && member.state != MemberState::Withdrawn
    };
    members.iter().filter(is_partner).map(|member| member.nickname.clone()).collect()
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = Access::find(&app, &visitor, &code).await?;
    page(&CoursePage::new(&app, &visitor, access).await?)
}
