//! The roster of a course from a class list: a preview of what it would change, then the change.

use std::collections::{HashMap, HashSet};

use askama::Template;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Group, Id, Member, MemberState, RosterLine};
use palestra_tournament::{ClassList, ClassListError, MAX_CLASS_LIST_BYTES, MAX_STUDENTS, Problem, Student};

use super::access::Access;
use super::head::CourseHead;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong, check_csrf};
use crate::locale::Locale;
use crate::mail::Mail;
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The largest body of a form with a list in it, in which every byte may be escaped.
pub(crate) const MAX_BODY_BYTES: usize = 3 * MAX_CLASS_LIST_BYTES + (1 << 20);

#[derive(Template)]
#[template(path = "course_roster.html")]
struct RosterPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    groups: Vec<Group>,
    preview: Option<Preview>,
    wrong: Wrong,
}

/// What a class list would change.
struct Preview {
    /// The list as it is sent back to be carried out.
    text: String,
    /// The group of lines that name none.
    default: String,
    lines: Vec<RosterLine>,
    /// How many of the lines are new members, and how many change one.
    added: usize,
    changed: usize,
    /// What is wrong, by line.
    problems: Vec<(usize, String)>,
    /// Members of the groups of the list whom the list does not name.
    missing: Vec<(Id, String, Option<String>)>,
}

impl RosterPage {
    async fn new(app: &App, frame: Frame, access: Access) -> Result<Self, Refused> {
        let groups = app.store.groups(access.course.id).await?;
        let head = CourseHead::new(&access, frame.locale, "/members");
        Ok(Self { frame, head, access, groups, preview: None, wrong: Wrong::default() })
    }
}

/// The form for a file.
pub(crate) async fn form(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    page(&RosterPage::new(&app, Frame::new(&visitor), access).await?)
}

/// A form with a file.
#[derive(Default)]
struct Upload {
    csrf: String,
    default: String,
    bytes: Vec<u8>,
}

impl Upload {
    async fn read(mut form: Multipart) -> Result<Self, Refused> {
        let mut upload = Self::default();
        let too_large = |_| Refused::bad("course.roster.wrong.large");
        while let Some(field) = form.next_field().await.map_err(too_large)? {
            let name = field.name().unwrap_or_default().to_owned();
            let bytes = field.bytes().await.map_err(too_large)?;
            match name.as_str() {
                "csrf" => upload.csrf = String::from_utf8_lossy(&bytes).into_owned(),
                "group" => upload.default = String::from_utf8_lossy(&bytes).into_owned(),
                "list" => upload.bytes = bytes.to_vec(),
                _ => {}
            }
        }
        Ok(upload)
    }
}

/// Shows what a file would change. Nothing is done yet.
pub(crate) async fn preview(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    app.origins.check(&headers, &visitor)?;
    let upload = Upload::read(form.map_err(|_| Refused::Stale)?).await?;
    check_csrf(&visitor, &upload.csrf)?;
    app.limits.uploads.check(Key::visitor(&visitor))?;
    let shown = RosterPage::new(&app, Frame::new(&visitor), access).await?;
    match look(&app, &visitor, &shown, &upload.bytes, upload.default).await {
        Ok(preview) => page(&RosterPage { preview: Some(preview), ..shown }),
        Err(refused @ Refused::Bad(..)) => {
            let wrong = Wrong::at("list", &refused, visitor.locale);
            page_again(&RosterPage { frame: Frame::returned(&visitor), wrong, ..shown })
        }
        Err(refused) => Err(refused),
    }
}

async fn look(
    app: &App,
    visitor: &Visitor,
    shown: &RosterPage,
    bytes: &[u8],
    default: String,
) -> Result<Preview, Refused> {
    visitor.sends()?;
    let list = ClassList::read(bytes).map_err(refused)?;
    let members = app.store.members(shown.access.course.id).await?;
    Ok(Preview::new(&list, &shown.groups, &members, default, visitor.locale))
}

impl Preview {
    fn new(list: &ClassList, groups: &[Group], members: &[Member], default: String, locale: Locale) -> Self {
        let mut problems: Vec<_> =
            list.problems.iter().map(|problem| (problem.line, sentence(&problem.what, locale))).collect();
        let mut lines = vec![];
        for student in &list.students {
            match line(student, groups, &default) {
                Some(line) => lines.push(line),
                None => {
                    let group = student.group.as_deref().unwrap_or("");
                    let key =
                        if group.is_empty() { "course.roster.wrong.no_group" } else { "course.roster.wrong.group" };
                    problems.push((student.line, locale.with(key, &[("what", group)])));
                }
            }
        }
        problems.sort_by_key(|(line, _)| *line);
        let present = members.iter().filter(|member| is_present(member));
        let present: HashMap<&str, &Member> =
            present.filter_map(|member| Some((member.email.as_deref()?, member))).collect();
        let known: Vec<_> = lines.iter().filter_map(|line| Some((line, *present.get(line.email.as_str())?))).collect();
        let changed = known.iter().filter(|(line, member)| differs(line, member)).count();
        Self {
            text: ClassList { problems: vec![], ..list.clone() }.write(),
            added: lines.len() - known.len(),
            changed,
            missing: missing(&lines, members, list),
            default,
            lines,
            problems,
        }
    }
}

/// The line of the roster for a student; `None` if the course does not have their group.
fn line(student: &Student, groups: &[Group], default: &str) -> Option<RosterLine> {
    let code = student.group.as_deref().unwrap_or(default);
    let group = groups.iter().find(|group| group.code.eq_ignore_ascii_case(code))?;
    Some(RosterLine {
        name: student.name.clone(),
        email: student.email.clone(),
        group_id: group.id,
        id_number: student.id_number.clone(),
    })
}

fn is_present(member: &Member) -> bool {
    member.state != MemberState::Withdrawn
}

fn differs(line: &RosterLine, member: &Member) -> bool {
    member.name.as_ref() != Some(&line.name)
        || member.group_id != line.group_id
        || line.id_number.is_some() && member.id_number != line.id_number
        || member.state == MemberState::Waiting
}

/// The members of the groups of a list whom it does not name.
fn missing(lines: &[RosterLine], members: &[Member], list: &ClassList) -> Vec<(Id, String, Option<String>)> {
    let groups: HashSet<Id> = lines.iter().map(|line| line.group_id).collect();
    let named: HashSet<&str> = list.students.iter().map(|student| student.email.as_str()).collect();
    let is_missing = |member: &&Member| {
        is_present(member)
            && groups.contains(&member.group_id)
            && member.email.as_deref().is_none_or(|email| !named.contains(email))
    };
    let name = |member: &Member| member.name.clone().or_else(|| member.nickname.clone()).unwrap_or_default();
    members.iter().filter(is_missing).map(|member| (member.id, name(member), member.email.clone())).collect()
}

/// Why a file cannot be read.
fn refused(error: ClassListError) -> Refused {
    match error {
        ClassListError::Empty => Refused::bad("course.roster.wrong.empty"),
        ClassListError::TooLarge => Refused::bad("course.roster.wrong.large"),
        ClassListError::TooMany => Refused::bad_with("course.roster.wrong.many", MAX_STUDENTS.to_string()),
        ClassListError::NotText => Refused::bad("course.roster.wrong.not_text"),
        ClassListError::Quote(line) => Refused::bad_with("course.roster.wrong.quote", line.to_string()),
    }
}

/// What is wrong with a line.
fn sentence(problem: &Problem, locale: Locale) -> String {
    let with = |key: &str, what: &str| locale.with(key, &[("what", what)]);
    match problem {
        Problem::NoEmail => locale.t("course.roster.wrong.no_email").to_owned(),
        Problem::Email(text) => with("course.roster.wrong.email", text),
        Problem::NoName => locale.t("course.roster.wrong.no_name").to_owned(),
        Problem::Name => locale.t("course.roster.wrong.name").to_owned(),
        Problem::Group => locale.t("course.roster.wrong.long_group").to_owned(),
        Problem::IdNumber => locale.t("course.roster.wrong.id_number").to_owned(),
        Problem::Twice { first } => with("course.roster.wrong.twice", &first.to_string()),
    }
}

/// Carries out a list that was previewed. Members whom it does not name are removed only if they are ticked.
pub(crate) async fn import(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(fields): Posted<Vec<(String, String)>>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    visitor.sends()?;
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
    let list = ClassList::read(field("list").as_bytes()).map_err(refused)?;
    let course = access.course.id;
    let (groups, members) = (app.store.groups(course).await?, app.store.members(course).await?);
    let preview = Preview::new(&list, &groups, &members, field("group").to_owned(), visitor.locale);
    // Only who is missing can be ticked.
    let is_ticked = |id: &Id| fields.iter().any(|(key, value)| key == "remove" && *value == id.to_string());
    let removed: Vec<Id> = preview.missing.iter().map(|(id, ..)| *id).filter(is_ticked).collect();
    app.limits.uploads.check(Key::visitor(&visitor))?;
    app.store.import_roster(course, &preview.lines, &removed, now_ms()).await?;
    Ok(Redirect::to(&access.path("/members")).into_response())
}

#[derive(serde::Deserialize)]
pub(crate) struct Invite {}

/// Invites by mail all on the roster who have not joined yet. An address gets few such mails, no matter how many teachers invite it.
pub(crate) async fn invite(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Invite {}): Posted<Invite>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    app.limits.notices.check(Key::visitor(&visitor))?;
    let members = app.store.members(access.course.id).await?;
    let pending = members.into_iter().filter(|member| member.state == MemberState::Pending);
    for to in pending.filter_map(|member| member.email) {
        if app.limits.mail.check(app.limits.text(&to)).is_ok() {
            app.mailer.send(Mail { to, locale: None, kind: "invited", link: app.origins.link("/courses") });
        }
    }
    Ok(Redirect::to(&access.path("/members?invited=yes")).into_response())
}
