//! The report on a map: whether it is fair, what it measures, and how that is said.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use palestra_games::bandera::{Map, MapFile, MapReport, Measure, ReportRow};
use palestra_protocol::shown;
use serde::{Deserialize, Serialize};

use super::draft::{Draft, Problem};
use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::rendering::Load;
use crate::visitor::Visitor;

/// Cache of reports, by a hash of the map's text.
pub(crate) type MapReports = Cache<Report>;

/// Memory for them.
pub(crate) const REPORT_BYTES: usize = 4 << 20;

/// Title of a map that is only measured.
const NO_TITLE: &str = "-";

/// What is wrong with a map, if anything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Fair,
    Unfair(Problem),
    Unplayable(Problem),
}

/// The report on a map.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(super) verdict: Verdict,
    pub(super) rows: Vec<ReportRow>,
}

impl Report {
    pub(super) fn of(map: &Map) -> Self {
        let report = MapReport::of(map);
        let verdict = match (MapFile::new(NO_TITLE, map.clone()), report.fairness()) {
            (Err(invalid), _) => Verdict::Unplayable(Problem::of_unplayable(map, invalid)),
            (Ok(_), Err(unfair)) => Verdict::Unfair(Problem::of_unfair(map, unfair)),
            (Ok(_), Ok(())) => Verdict::Fair,
        };
        Self { verdict, rows: report.rows().to_vec() }
    }

    /// The report in one or two sentences.
    pub(super) fn sentence(&self, locale: Locale) -> String {
        let measured = self.measured(locale);
        match &self.verdict {
            Verdict::Fair => format!("{} {measured}", locale.t("mapeditor.fair")),
            Verdict::Unfair(problem) => {
                let reason = locale.phrase(&problem.phrase);
                format!("{} {measured}", locale.with("mapeditor.unfair", &[("what", &reason)]))
            }
            Verdict::Unplayable(problem) => unplayable(problem, locale),
        }
    }

    /// How many of the guidelines are met; fairness is said apart.
    fn measured(&self, locale: Locale) -> String {
        let guidelines = &self.rows[1..];
        let all = guidelines.len().to_string();
        let missed: Vec<_> =
            guidelines.iter().filter(|row| !row.ok).map(|row| name_of(row, locale).to_lowercase()).collect();
        if missed.is_empty() {
            return locale.with("mapeditor.all_met", &[("all", &all)]);
        }
        let met = (guidelines.len() - missed.len()).to_string();
        locale.with("mapeditor.some_met", &[("met", &met), ("all", &all), ("missed", &missed.join("; "))])
    }
}

impl Weighed for Report {
    fn bytes(&self) -> usize {
        let rows = self.rows.iter().map(|row| size_of::<ReportRow>() + heap_bytes(&row.value) + heap_bytes(&row.range));
        let problem = match &self.verdict {
            Verdict::Fair => 0,
            Verdict::Unfair(problem) | Verdict::Unplayable(problem) => {
                4 * problem.phrase.english().len() + size_of::<usize>() * problem.cells.len()
            }
        };
        size_of::<Self>() + problem + rows.sum::<usize>()
    }
}

/// Bytes that a measure holds beside itself.
fn heap_bytes(measure: &Measure) -> usize {
    match measure {
        Measure::Yes | Measure::No => 0,
        Measure::Numbers(text) | Measure::AtLeast(text) => text.len(),
    }
}

fn unplayable(problem: &Problem, locale: Locale) -> String {
    locale.with("mapeditor.unplayable", &[("what", &locale.phrase(&problem.phrase))])
}

/// The name of what a row measures.
pub(super) fn name_of(row: &ReportRow, locale: Locale) -> String {
    locale.t(&format!("maps.report.{}", row.name)).to_owned()
}

/// A value or a range, in words.
pub(super) fn in_words(measure: &Measure, locale: Locale) -> String {
    match measure {
        Measure::Yes => locale.t("maps.yes").to_owned(),
        Measure::No => locale.t("maps.no").to_owned(),
        Measure::Numbers(numbers) => numbers.clone(),
        Measure::AtLeast(number) => locale.with("maps.at_least", &[("what", number)]),
    }
}

/// A map whose report is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    map: Draft,
}

/// The report for the editor.
#[derive(Serialize)]
pub(crate) struct Reply {
    /// `fair`, `unfair` or `unplayable`.
    state: &'static str,
    sentence: String,
    /// The cells that the sentence speaks of, from 1.
    cells: Vec<usize>,
    rows: Vec<RowReply>,
}

#[derive(Serialize)]
struct RowReply {
    name: String,
    value: String,
    range: String,
    ok: bool,
}

impl Reply {
    fn of(map: Result<Map, Problem>, locale: Locale) -> Self {
        let report = match map {
            Ok(map) => Report::of(&map),
            Err(problem) => {
                let sentence = unplayable(&problem, locale);
                return Self { state: "unplayable", sentence, cells: problem.cells, rows: vec![] };
            }
        };
        let sentence = report.sentence(locale);
        let row = |row: &ReportRow| RowReply {
            name: name_of(row, locale),
            value: in_words(&row.value, locale),
            range: in_words(&row.range, locale),
            ok: row.ok,
        };
        let rows = report.rows.iter().map(row).collect();
        let (state, cells) = match report.verdict {
            Verdict::Fair => ("fair", vec![]),
            Verdict::Unfair(problem) => ("unfair", problem.cells),
            Verdict::Unplayable(problem) => ("unplayable", problem.cells),
        };
        Self { state, sentence, cells, rows }
    }
}

/// Measures a map that is being drawn, beside the threads that serve.
pub(crate) async fn report(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Json<Reply>, Refused> {
    app.origins.check(&headers, &visitor)?;
    app.limits.try_map_report(&visitor)?;
    let Wanted { map } = given(wanted)?;
    let locale = visitor.locale;
    Ok(Json(app.rendering.run(Load::Heavy, move || Reply::of(map.map(), locale)).await?))
}

/// What the editor sends, or why it cannot be read.
pub(super) fn given<T>(sent: Result<Json<T>, JsonRejection>) -> Result<T, Refused> {
    let Json(sent) =
        sent.map_err(|error| Refused::bad_with("refused.json", shown(&error.body_text(), 300).to_string()))?;
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use palestra_games::bandera::BUNDLED;

    use super::*;
    use crate::maps::draft::empty;

    #[test]
    fn every_line_of_a_report_has_a_text_in_every_language() {
        for bundled in BUNDLED {
            for row in MapReport::of(&bundled.map()).rows() {
                for &locale in Locale::ALL {
                    assert!(!name_of(row, locale).starts_with("maps."), "{}", row.name);
                }
            }
        }
        assert_eq!(in_words(&Measure::AtLeast("3".to_owned()), Locale::Spanish), "al menos 3");
        assert_eq!(in_words(&Measure::Numbers("2-4".to_owned()), Locale::Spanish), "2-4");
        assert_eq!([Measure::Yes, Measure::No].map(|it| in_words(&it, Locale::Spanish)), ["sí", "no"]);
    }

    #[test]
    fn the_sentence_says_what_to_do_next() {
        let sentence = |draft: &Draft| Reply::of(draft.map(), Locale::English).sentence;
        let mut draft = empty(8, 8);
        assert_eq!(sentence(&draft), "Not playable yet: there is no flag on the map.");
        draft.rows[0].replace_range(0..1, "F");
        let unfair = sentence(&draft);
        assert!(unfair.starts_with("Playable, but not fair: row 1 column 1 is flag, but row 8 column 8"), "{unfair}");
        draft.rows[7].replace_range(7..8, "F");
        let fair = sentence(&draft);
        assert!(fair.starts_with("Fair. ") && fair.contains(" of 21 guidelines") && fair.contains("flags"), "{fair}");
        let good = sentence(&Draft::of(&BUNDLED[0].map()));
        assert_eq!(good, "Fair. All 21 guidelines are met.");
    }
}
