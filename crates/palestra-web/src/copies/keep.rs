//! Fingerprints that stay when sources are deleted: with a course that ends, or with an account.

use std::sync::Arc;

use palestra_arena::copies::Fingerprint;
use palestra_store::{Bot, Course, House, Id, Member, MemberState, NewFingerprint, withdrawn_name};

use super::found::{Found, TeamSources};
use super::print::{Printer, Prints};
use crate::app::{App, now_ms};
use crate::http::error::Refused;

/// What is kept of a course that ends, if it says so: a fingerprint for each team, for each house bot, and for
/// each ZIP that a teacher has added.
pub(crate) async fn of_course(app: &App, course: &Course) -> Result<Vec<NewFingerprint>, Refused> {
    if !course.keeps_fingerprints {
        return Ok(vec![]);
    }
    let found = Found::of(app, course).await?;
    let printer = Printer::new(app, &found).await?;
    let (members, groups) = (app.store.members(course.id).await?, app.store.groups(course.id).await?);
    let mut kept = vec![];
    for team in &found.teams {
        let members: Vec<&Member> = members.iter().filter(|member| member.team_id == team.team).collect();
        let group = members.first().and_then(|member| groups.iter().find(|group| group.id == member.group_id));
        let label = label(team, &members, group.map_or("", |group| &group.code));
        let version = team.version.as_ref().map(|version| version.version_id);
        kept.extend(fingerprint(printer.team(team).await, version, label, false)?);
    }
    for bot in &found.house {
        kept.extend(fingerprint(printer.version(bot.version).await, Some(bot.version), bot.name.clone(), false)?);
    }
    for sources in &found.added {
        // The names of its folders may be those of people.
        kept.extend(fingerprint(printer.added(sources).await, None, sources.name.clone(), true)?);
    }
    Ok(kept)
}

/// What a team's sources are called when the names are gone: as their bot, or as their results, or by what was handed in.
fn label(team: &TeamSources, members: &[&Member], group: &str) -> String {
    let has_left = members.iter().all(|member| member.state == MemberState::Withdrawn);
    let withdrawn = members.iter().find_map(|member| member.withdrawn).filter(|_| has_left);
    match (&team.version, withdrawn) {
        (Some(version), _) => version.bot_name.clone(),
        (None, Some(number)) => withdrawn_name(number),
        (None, None) => {
            let titles: Vec<&str> = team.hand_ins.iter().map(|hand_in| hand_in.title.as_str()).collect();
            format!("{group} · {}", titles.join(", "))
        }
    }
}

/// One fingerprint of all these. Sources that make the server fail do not keep it from deleting them.
fn fingerprint(
    prints: Result<Arc<Prints>, Refused>,
    version: Option<Id>,
    label: String,
    is_foreign: bool,
) -> Result<Option<NewFingerprint>, Refused> {
    let prints = match prints {
        Err(Refused::Fault) => return Ok(None),
        prints => prints?,
    };
    let hashes: Fingerprint = prints.programs.iter().flat_map(|(_, print)| print.hashes().iter().copied()).collect();
    let print = NewFingerprint { version, label, is_foreign, hashes: hashes.to_bytes() };
    Ok((!hashes.is_empty()).then_some(print))
}

/// Keeps what an account's bots leave behind in courses that say so. Called before the account is deleted.
pub(crate) async fn keep_of_account(app: &App, account: Id) -> Result<(), Refused> {
    for bot in app.store.bots_of(account).await?.into_iter().filter(|bot| bot.house == House::No) {
        let (Some(course), Some(version)) = (bot.course_id, bot.active_version_id) else { continue };
        if let Some(course) = app.store.course_by_id(course).await?.filter(|course| course.keeps_fingerprints) {
            keep_bot(app, &course, bot, version).await?;
        }
    }
    Ok(())
}

async fn keep_bot(app: &App, course: &Course, bot: Bot, version: Id) -> Result<(), Refused> {
    let found = Found::of(app, course).await?;
    let prints = Printer::new(app, &found).await?.version(version).await;
    if let Some(print) = fingerprint(prints, Some(version), bot.name, false)? {
        app.store.keep_fingerprints(course.id, &[print], now_ms()).await?;
    }
    Ok(())
}
