//! The members of a course, for its teachers: who they are, and what can be done about each.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Group, Id, Member, MemberState, Pairing, TeamEntry, withdrawn_name};
use serde::Deserialize;

use super::access::Access;
use super::head::CourseHead;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "course_members.html")]
struct MembersPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    groups: Vec<Group>,
    /// The group whose members are shown; all if there is none.
    shown: Option<String>,
    rows: Vec<Row>,
    /// How many members are on the roster without an account.
    pending: usize,
    is_invited: bool,
}

/// A member as the page lists them.
struct Row {
    member: Member,
    name: String,
    group: String,
    /// The names of those who share the team.
    partners: Vec<String>,
    /// The group to which they ask to be moved.
    wanted: Option<(Id, String)>,
    /// The bot that the team has entered.
    bot: Option<String>,
}

/// Which members to show.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Search {
    group: String,
    invited: Option<String>,
}

/// The members of a course, or of one of its groups.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    search: Result<Query<Search>, QueryRejection>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    let Query(search) = search.unwrap_or_default();
    let groups = app.store.groups(access.course.id).await?;
    let members = app.store.members(access.course.id).await?;
    let entries = app.store.team_entries(access.course.id, None).await?;
    let shown = groups.iter().find(|group| group.code == search.group);
    let is_shown = |member: &&Member| shown.is_none_or(|group| group.id == member.group_id);
    let rows: Vec<Row> =
        members.iter().filter(is_shown).map(|member| Row::new(member, &members, &groups, &entries)).collect();
    let pending = rows.iter().filter(|row| row.member.state == MemberState::Pending).count();
    let shown = shown.map(|group| group.code.clone());
    let frame = Frame::new(&visitor);
    let head = CourseHead::new(&access, frame.locale, "/members");
    let is_invited = search.invited.is_some();
    page(&MembersPage { frame, head, access, groups, shown, rows, pending, is_invited })
}

impl Row {
    fn new(member: &Member, members: &[Member], groups: &[Group], entries: &[TeamEntry]) -> Self {
        let code = |id: Id| groups.iter().find(|group| group.id == id).map(|group| group.code.clone());
        let is_partner = |other: &&Member| other.team_id == member.team_id && other.id != member.id;
        Self {
            name: name(member),
            group: code(member.group_id).unwrap_or_default(),
            partners: members.iter().filter(is_partner).map(name).collect(),
            bot: entries.iter().find(|entry| entry.team_id == member.team_id).and_then(|entry| entry.bot_name.clone()),
            wanted: member.wanted_group_id.and_then(|id| Some((id, code(id)?))),
            member: member.clone(),
        }
    }

    /// The key of the text for how far the member has come, and the kind of its badge.
    const fn state(&self) -> (&'static str, &'static str) {
        match self.member.state {
            MemberState::Pending => ("course.state.pending", ""),
            MemberState::Waiting => ("course.state.waiting", "sun"),
            MemberState::Member => ("course.state.member", "good"),
            MemberState::Withdrawn => ("course.state.withdrawn", ""),
        }
    }
}

/// The name of a member as teachers see it.
fn name(member: &Member) -> String {
    let nickname = || member.nickname.clone();
    let number = || member.withdrawn.map(withdrawn_name);
    member.name.clone().or_else(nickname).or_else(number).unwrap_or_default()
}

#[derive(Template)]
#[template(path = "course_member.html")]
struct MemberPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    groups: Vec<Group>,
    row: Row,
    /// Members without a partner, who could become one.
    singles: Vec<(Id, String)>,
}

/// The page of a member.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    let groups = app.store.groups(access.course.id).await?;
    let members = app.store.members(access.course.id).await?;
    let entries = app.store.team_entries(access.course.id, None).await?;
    let row = Row::new(&member, &members, &groups, &entries);
    let is_single = |other: &&Member| {
        matches!(other.state, MemberState::Member | MemberState::Pending)
            && other.id != member.id
            && !members.iter().any(|third| third.team_id == other.team_id && third.id != other.id)
    };
    let singles = members.iter().filter(is_single).map(|other| (other.id, name(other))).collect();
    let frame = Frame::new(&visitor);
    let head = CourseHead::new(&access, frame.locale, "/members");
    page(&MemberPage { frame, head, access, groups, row, singles })
}

/// A member of a course that the visitor teaches.
async fn find(app: &App, visitor: &Visitor, code: &str, member: &str) -> Result<(Access, Member), Refused> {
    let access = Access::find_taught(app, visitor, code).await?;
    let member = app.store.member(access.course.id, super::id(member)?).await?.ok_or(Refused::NotFound)?;
    Ok((access, member))
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// Accepts a person who waits.
pub(crate) async fn accept(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    done(&access, app.store.accept_member(access.course.id, member.id).await?)
}

/// Removes a member, or refuses a person who waits.
pub(crate) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    done(&access, app.store.remove_member(access.course.id, member.id).await?)
}

#[derive(Deserialize)]
pub(crate) struct Move {
    group: Id,
}

/// Moves a member to another group, and their partner with them.
pub(crate) async fn move_to(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
    Posted(form): Posted<Move>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    done(&access, app.store.move_team(access.course.id, member.team_id, form.group).await?)
}

/// Refuses the wish of a member for another group.
pub(crate) async fn deny(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    done(&access, app.store.ask_for_group(access.course.id, member.team_id, None).await?)
}

#[derive(Deserialize)]
pub(crate) struct Pair {
    with: Id,
}

/// Makes a pair of two members.
pub(crate) async fn pair(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
    Posted(form): Posted<Pair>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    match app.store.pair_members(access.course.id, member.id, form.with).await? {
        Pairing::Done => done(&access, true),
        Pairing::NotFound => Err(Refused::NotFound),
        Pairing::HasPartner => Err(Refused::bad("course.wrong.has_partner")),
        Pairing::BothHaveResults => Err(Refused::bad("course.wrong.both_have_results")),
    }
}

/// Parts a pair.
pub(crate) async fn part(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, member)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, member) = find(&app, &visitor, &code, &member).await?;
    done(&access, app.store.part_members(access.course.id, member.id, now_ms()).await?)
}

fn done(access: &Access, is_done: bool) -> Result<Response, Refused> {
    if is_done { Ok(Redirect::to(&access.path("/members")).into_response()) } else { Err(Refused::NotFound) }
}
