//! Hand-ins to download: one as it came, its memo, or all of an assignment. Nothing of them is shown inline.

use std::collections::BTreeSet;
use std::io::{self, Seek};

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use palestra_arena::{HandIn as Archive, HandInBundle};
use palestra_store::{HandIn, Id, Member};

use super::access::AssignmentAccess;
use super::sheet::name;
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::visitor::Visitor;

/// A hand-in as it came.
pub(crate) async fn archive(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, id)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let (hand_in, bytes) = find(&app, &visitor, &code, &id).await?;
    Ok(attachment("application/zip", &format!("hand-in-{}.zip", hand_in.id), Body::from(bytes)))
}

/// The memo of a hand-in.
pub(crate) async fn memo(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, id)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let (hand_in, bytes) = find(&app, &visitor, &code, &id).await?;
    let read = app.rendering.run(Load::Heavy, move || Archive::read(&bytes)).await?;
    let memo = read.ok().and_then(|archive| archive.memo).ok_or(Refused::NotFound)?;
    Ok(attachment("application/pdf", &format!("memo-{}.pdf", hand_in.id), Body::from(memo.1)))
}

/// A hand-in with its bytes, for its team and the teachers of the course.
async fn find(app: &App, visitor: &Visitor, code: &str, id: &str) -> Result<(HandIn, Vec<u8>), Refused> {
    app.limits.heavy.check(Key::visitor(visitor))?;
    let found = AssignmentAccess::find(app, visitor, code).await?;
    let id: Id = id.parse().map_err(|_| Refused::NotFound)?;
    let hand_in = app.store.hand_in(id).await?.filter(|it| it.assignment_id == found.assignment.id);
    let hand_in = hand_in.ok_or(Refused::NotFound)?;
    if !found.access.is_teacher() && found.team() != Some(hand_in.team_id) {
        return Err(Refused::NotFound);
    }
    let bytes = app.store.blob(&hand_in.archive_hash).await?.ok_or(Refused::NotFound)?;
    Ok((hand_in, bytes))
}

/// All hand-ins that count as one ZIP, with a folder for each team.
pub(crate) async fn all(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let (members, groups) =
        (app.store.members(found.access.course.id).await?, app.store.groups(found.access.course.id).await?);
    let mut names = BTreeSet::new();
    // On the disk: all of them together may be larger than the memory.
    let mut bundle = Some(HandInBundle::new(tempfile::tempfile().map_err(|error| fault(&error))?));
    for hand_in in app.store.counted_hand_ins(found.assignment.id).await? {
        let team: Vec<&Member> = members.iter().filter(|member| member.team_id == hand_in.team_id).collect();
        let group = team.first().and_then(|member| groups.iter().find(|group| group.id == member.group_id));
        let folder = folder(group.map_or("", |group| &group.code), &team, &hand_in, &mut names);
        let Some(bytes) = app.store.blob(&hand_in.archive_hash).await? else { continue };
        let Some(mut open) = bundle.take() else { continue };
        let added = move || open.add(&folder, &bytes).map(|()| open);
        bundle = Some(app.rendering.run(Load::Heavy, added).await?.map_err(|error| fault(&error))?);
    }
    let mut file = bundle.ok_or(Refused::Fault)?.finish().map_err(|error| fault(&error))?;
    file.rewind().map_err(|error| fault(&error))?;
    let parts = stream::try_unfold(file, |mut file| async {
        let read = tokio::task::spawn_blocking(move || {
            let mut part = vec![0; 256 << 10];
            io::Read::read(&mut file, &mut part).map(|count| (part, count, file))
        });
        let (mut part, count, file) = read.await.map_err(io::Error::other)??;
        part.truncate(count);
        Ok::<_, io::Error>((count > 0).then_some((part, file)))
    });
    Ok(attachment("application/zip", &format!("hand-ins-{}.zip", found.assignment.code), Body::from_stream(parts)))
}

fn fault(error: &io::Error) -> Refused {
    tracing::error!(%error, "hand-ins cannot be put together");
    if error.kind() == io::ErrorKind::StorageFull { Refused::Full } else { Refused::Fault }
}

/// The folder of a team: the group and the names, without what a file system could take amiss. No two are equal.
fn folder(group: &str, team: &[&Member], hand_in: &HandIn, names: &mut BTreeSet<String>) -> String {
    let who = team.iter().map(|member| name(member)).collect::<Vec<_>>().join(" + ");
    let late = if hand_in.is_late { " (late)" } else { "" };
    let plain = |c: char| if c.is_alphanumeric() || " -_+()".contains(c) { c } else { '_' };
    let text: String = format!("{group} {who}{late}").trim().chars().map(plain).take(80).collect();
    let text = text.trim().to_owned();
    let numbered = (2..).map(|number| format!("{text} {number}"));
    let folder = std::iter::once(text.clone()).chain(numbered).find(|folder| !names.contains(&folder.to_lowercase()));
    let folder = folder.unwrap_or(text);
    names.insert(folder.to_lowercase());
    folder
}

/// A file that browsers store and do not show.
pub(super) fn attachment(kind: &'static str, name: &str, body: Body) -> Response {
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, disposition)];
    (headers, body).into_response()
}
