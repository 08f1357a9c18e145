//! Where two programs are alike: their passages side by side, and both as a whole.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_arena::copies::{Given, passages};
use palestra_store::Assignment;

use super::found::{Found, Subject};
use super::listing::{Block, Listing, blocks, files};
use super::page::percent;
use super::people::{People, Who};
use super::program::{ReadSources, added, given};
use super::report::{Compared, Report};
use crate::app::App;
use crate::courses::access::Access;
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::rendering::Load;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "copies_pair.html")]
struct PairPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    sides: [Side; 2],
    blocks: Vec<Block>,
}

/// One of both programs.
struct Side {
    who: Who,
    /// How much of it the other one has, in percent.
    percent: String,
    /// The titles of assignments and the pages of the team's mark, where a teacher decides.
    marks: Vec<(String, String)>,
    files: Vec<Listing>,
}

/// What is shown of the sources.
struct Shown {
    blocks: Vec<Block>,
    files: [Vec<Listing>; 2],
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, one, other)): Path<(String, String, String)>,
) -> Result<Response, Refused> {
    let access = super::find(&app, &visitor, &code).await?;
    let subjects = [one.parse()?, other.parse()?];
    let found = Found::of(&app, &access.course).await?;
    let report = Report::of(&app, &found).await?.ok_or_else(|| Refused::bad("copies.slow"))?;
    let pair = report.pair(subjects).ok_or(Refused::NotFound)?;
    let people = People::of(&app, &visitor, &access.course, &found).await?;
    let [one, other] = report.sides(pair);
    let programs = [read(&app, &found, one.subject).await?, read(&app, &found, other.subject).await?];
    let given = given(&app, &found).await?;
    let Shown { blocks, files: [its_files, others_files] } =
        app.rendering.run(Load::Heavy, move || compared(programs, &given)).await?;
    let side = async |compared: &Compared, share: f64, files: Vec<Listing>| -> Result<Side, Refused> {
        let who = people.who(compared);
        let marks = marks(&app, &access, &found, compared.subject, &who).await?;
        Ok(Side { who, percent: percent(share), marks, files })
    };
    let sides = [side(one, pair.shares[0], its_files).await?, side(other, pair.shares[1], others_files).await?];
    let frame = Frame::new(&visitor);
    let head = CourseHead::new(&access, frame.locale, "/copies");
    page(&PairPage { frame, head, access, sides, blocks })
}

/// The files of one of both; there are none of what is gone.
async fn read(app: &App, found: &Found, subject: Subject) -> Result<ReadSources, Refused> {
    match subject {
        Subject::Team(team) => ReadSources::of_team(app, found.team(team).ok_or(Refused::NotFound)?).await,
        Subject::House(version) => {
            let bot = found.house.iter().find(|bot| bot.version == version).ok_or(Refused::NotFound)?;
            Ok(ReadSources { files: app.store.version_files(bot.version).await?, is_partial: false })
        }
        Subject::Added(row, number) => {
            let sources = found.added.iter().find(|sources| sources.id == row).ok_or(Refused::NotFound)?;
            let program = added(app, sources).await?.into_iter().nth(number).ok_or(Refused::NotFound)?;
            Ok(ReadSources { files: program.files, is_partial: false })
        }
        Subject::Kept(_) => Err(Refused::NotFound),
    }
}

fn compared(programs: [ReadSources; 2], given: &Given) -> Shown {
    let [(one, its_files), (other, others_files)] = programs.map(|sources| sources.scanned(given));
    let found = passages(&one, &other);
    Shown {
        blocks: blocks([&its_files, &others_files], &found),
        files: [files(&its_files, &found, 0), files(&others_files, &found, 1)],
    }
}

/// The pages of a team's marks. Of a team that has left, those for which it has handed something in.
async fn marks(
    app: &App,
    access: &Access,
    found: &Found,
    subject: Subject,
    who: &Who,
) -> Result<Vec<(String, String)>, Refused> {
    let Subject::Team(team) = subject else { return Ok(vec![]) };
    let has_handed_in = |assignment: &Assignment| {
        found.team(team).is_some_and(|it| it.hand_ins.iter().any(|hand_in| hand_in.assignment == assignment.id))
    };
    let mut assignments = app.store.assignments_of(access.course.id).await?;
    assignments.retain(|assignment| !who.has_left || has_handed_in(assignment));
    let link = |it: Assignment| (it.title, format!("/assignments/{}/marks/{team}", it.code));
    Ok(assignments.into_iter().map(link).collect())
}
