//! The marks of an assignment as data: for programs, and for the rows of the CSV.

use palestra_store::{Assignment, Member, MemberState};
use palestra_tournament::rubric::{Cause, PartMark};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::explain::{ShownGame, flag, reason};
use super::rubric::written;
use super::sheet::{Sheet, SheetRow, name};
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;

/// The marks of an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Marks {
    /// The parts of the rubric.
    pub rubric: Vec<RubricPart>,
    /// The teams, by group and name.
    pub teams: Vec<MarkedTeam>,
}

/// A part of a rubric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricPart {
    /// The word for it.
    pub key: String,
    /// The title, in the language of the request.
    pub title: String,
    /// The most points.
    #[schema(value_type = f64)]
    pub maximum: Points,
}

/// A team with its mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MarkedTeam {
    /// Its members: one, or a pair.
    pub members: Vec<MarkedMember>,
    /// The short code of its group.
    pub group: String,
    /// The bot that is entered.
    pub bot: Option<String>,
    /// The points of each part of the rubric, in its order.
    pub parts: Vec<MarkedPart>,
    /// Null if there is no mark, because code or memo are missing.
    #[schema(value_type = Option<f64>)]
    pub total: Option<Points>,
    /// What is worth a look, in the language of the request.
    pub remarks: Vec<String>,
}

/// A member of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MarkedMember {
    /// The full name.
    pub name: String,
    /// The ID number of the class list.
    pub id_number: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// Whether the member has left.
    pub has_left: bool,
}

/// The points of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MarkedPart {
    /// The word for the part.
    pub key: String,
    /// Null if a teacher has not entered them yet.
    #[schema(value_type = Option<f64>)]
    pub points: Option<Points>,
    /// How they came about, in the language of the request.
    pub how: String,
    /// The games that they come from.
    pub games: Vec<MarkGame>,
    /// The address of the list of the bot's games in the league that they come from.
    pub league_games: Option<String>,
}

/// A game that points come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MarkGame {
    /// The code in its address, `/games/CODE`.
    pub code: String,
    /// The name of the opponent.
    pub opponent: String,
    /// The side of the team's bot, 1 or 2.
    pub side: usize,
    /// The points of the game, the own first: `30-18`.
    pub score: String,
    /// `won`, `drawn` or `lost`.
    pub result: String,
}

/// Points with two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    hundredths: u64,
}

impl Points {
    const fn new(hundredths: u64) -> Self {
        Self { hundredths }
    }

    /// The points with two decimals: `2.75`.
    pub(super) fn text(self) -> String {
        written(self.hundredths)
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.hundredths as f64 / 100.0)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Numbers out of range become the nearest in range.
        Ok(Self::new((f64::deserialize(deserializer)? * 100.0).round() as u64))
    }
}

impl Marks {
    /// The marks as they stand, with texts in a language.
    pub(crate) async fn of(app: &App, assignment: &Assignment, locale: Locale) -> Result<Self, Refused> {
        let course = app.store.course_by_id(assignment.course_id).await?.ok_or(Refused::NotFound)?;
        Ok(Self::new(&Sheet::of(app, &course, assignment).await?, locale))
    }

    fn new(sheet: &Sheet, locale: Locale) -> Self {
        let part = |part: &palestra_tournament::rubric::Part| RubricPart {
            key: part.key.clone(),
            title: part.title.text(locale.word()).to_owned(),
            maximum: Points::new(part.kind.maximum()),
        };
        Self {
            rubric: sheet.rubric.parts.iter().map(part).collect(),
            teams: sheet.rows.iter().map(|row| team(sheet, row, locale)).collect(),
        }
    }
}

fn team(sheet: &Sheet, row: &SheetRow, locale: Locale) -> MarkedTeam {
    let part = |(part, own): (&palestra_tournament::rubric::Part, &PartMark)| MarkedPart {
        key: part.key.clone(),
        points: (own.cause != Cause::NotEntered).then(|| Points::new(own.points.rounded())),
        how: reason(part, &own.cause, locale),
        games: own.games.iter().filter_map(|&index| row.game(index)).map(game).collect(),
        league_games: sheet.league_games(row.team, &own.cause),
    };
    MarkedTeam {
        members: row.members.iter().map(member).collect(),
        group: sheet.group_code(row.group).to_owned(),
        bot: row.bot.clone(),
        parts: sheet.rubric.parts.iter().zip(&row.mark.parts).map(part).collect(),
        total: row.mark.total.map(Points::new),
        remarks: row.mark.flags.iter().map(|&it| flag(it, locale).to_owned()).collect(),
    }
}

fn member(member: &Member) -> MarkedMember {
    MarkedMember {
        name: name(member),
        id_number: member.id_number.clone(),
        email: member.email.clone(),
        has_left: member.state == MemberState::Withdrawn,
    }
}

fn game(game: ShownGame) -> MarkGame {
    let ShownGame { code, opponent, side, score, result } = game;
    MarkGame { code, opponent, side, score, result: result.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_numbers_with_two_decimals() {
        for hundredths in [0, 5, 29, 57, 114, 150, 275, 1000] {
            let points = Points::new(hundredths);
            let json = serde_json::to_string(&points).unwrap();
            assert_eq!(serde_json::from_str::<Points>(&json).unwrap(), points, "{json}");
        }
        assert_eq!(serde_json::to_string(&Points::new(275)).unwrap(), "2.75");
        assert_eq!(serde_json::from_str::<Points>("-1").unwrap(), Points::new(0));
    }
}
