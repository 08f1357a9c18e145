//! The assignments of a course: what was handed in, and the marks; and sources that teachers have added.

use std::collections::HashMap;
use std::io::Write;

use palestra_store::{Assignment, HandIn, Id};
use serde_json::json;

use super::csv::{number, table, text};
use super::{Archive, ArchiveError, folder};
use crate::assignments::{Decimal, Marks};
use crate::locale::Locale;
use crate::page::time;

impl<W: Write> Archive<'_, W> {
    /// A folder for each assignment.
    pub(super) fn assignments(&mut self) -> Result<(), ArchiveError> {
        let people = self.people()?;
        for assignment in self.wait(self.app.store.assignments_of(self.course.id))? {
            let folder = format!("assignments/{}", folder(&assignment.title, &assignment.code));
            let Assignment { title, due_ms, rubric, published_ms, .. } = &assignment;
            let published = published_ms.map(time);
            let about = json!({"title": title, "due": time(*due_ms), "rubric": rubric, "published": published});
            self.add(&format!("{folder}/assignment.json"), format!("{about:#}\n").as_bytes())?;
            self.hand_ins(&folder, &assignment, &people)?;
            self.marks(&folder, &assignment)?;
        }
        Ok(())
    }

    /// The sources that teachers have added to the report on similar sources.
    pub(super) fn added_sources(&mut self) -> Result<(), ArchiveError> {
        for sources in self.wait(self.app.store.added_sources(self.course.id))? {
            if let Some(archive) = self.wait(self.app.store.blob(&sources.archive_hash))? {
                let name = folder(&sources.name, &sources.id.to_string());
                let kind = if sources.is_given { "given" } else { "foreign" };
                self.add(&format!("copies/{kind}/{name}.zip"), &archive)?;
            }
        }
        Ok(())
    }

    /// The marks, the games that they come from, and the runs in which these were played.
    fn marks(&mut self, folder: &str, assignment: &Assignment) -> Result<(), ArchiveError> {
        let marks = self.wait(Marks::of(self.app, assignment, Locale::English))?;
        self.add(&format!("{folder}/marks.csv"), marks.csv(Decimal::Point).as_bytes())?;
        let games = marks.games_csv(Decimal::Point, &self.app.origins.link(""));
        self.add(&format!("{folder}/games-of-marks.csv"), games.as_bytes())?;
        for run in self.wait(self.app.store.markings(assignment.id))? {
            self.run(&format!("{folder}/marking-{}", run.number), &run)?;
        }
        Ok(())
    }

    /// The names of the members of each team, by which files are called.
    fn people(&self) -> Result<HashMap<Id, String>, ArchiveError> {
        let mut people: HashMap<Id, String> = HashMap::new();
        for member in self.wait(self.app.store.members(self.course.id))? {
            let name = member.name.or(member.nickname).unwrap_or_default();
            let team = people.entry(member.team_id).or_default();
            team.push_str(if team.is_empty() { "" } else { " " });
            team.push_str(&name);
        }
        Ok(people)
    }

    /// The hand-in of each team that counts.
    fn hand_ins(
        &mut self,
        path: &str,
        assignment: &Assignment,
        people: &HashMap<Id, String>,
    ) -> Result<(), ArchiveError> {
        let found = self.wait(self.app.store.counted_hand_ins(assignment.id))?;
        let file = |hand_in: &HandIn| {
            let name = people.get(&hand_in.team_id).map_or("", String::as_str);
            format!("{}.zip", folder(name, &hand_in.id.to_string()))
        };
        let row = |hand_in: &HandIn| {
            let HandIn { team_id, memo_name, memo_pages, is_late, created_ms, .. } = hand_in;
            let team = people.get(team_id).cloned().unwrap_or_default();
            [file(hand_in), team, time(*created_ms), is_late.to_string(), text(memo_name), number(*memo_pages)]
        };
        let head = ["file", "team", "handed_in", "late", "memo", "pages"];
        self.add(&format!("{path}/hand-ins.csv"), &table(head, found.iter().map(row)))?;
        for hand_in in &found {
            if let Some(archive) = self.wait(self.app.store.blob(&hand_in.archive_hash))? {
                self.add(&format!("{path}/hand-ins/{}", file(hand_in)), &archive)?;
            }
        }
        Ok(())
    }
}
