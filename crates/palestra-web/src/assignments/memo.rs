//! What the server has to say about a hand-in.

use palestra_arena::{HandIn as Archive, HandInError};
use palestra_store::HandIn;
use serde::{Deserialize, Serialize};

use super::sheet::NO_SOURCE;
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::rendering::Load;

/// Something that the server remarks on a hand-in: the key of the text `hand_in.remark.`, and the value in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remark {
    pub(super) key: String,
    pub(super) what: String,
}

impl Remark {
    fn new(key: &str, what: impl ToString) -> Self {
        Self { key: key.to_owned(), what: what.to_string() }
    }

    /// The remarks on a hand-in.
    pub(super) fn all(hand_in: &HandIn) -> Vec<Self> {
        serde_json::from_str(&hand_in.remarks).unwrap_or_default()
    }

    /// The remark in words.
    pub(super) fn text(&self, locale: Locale) -> String {
        locale.with(&format!("hand_in.remark.{}", self.key), &[("what", &self.what)])
    }
}

/// A hand-in that was looked into.
pub(super) struct Checked {
    pub(super) memo_name: Option<String>,
    pub(super) memo_pages: Option<i64>,
    pub(super) remarks: Vec<Remark>,
}

/// Looks into a hand-in, and counts the pages of its memo in a box. Where there are no boxes they are not counted.
pub(super) async fn check(app: &App, bytes: &[u8], page_limit: i64) -> Result<Checked, Refused> {
    let (boxes, bytes) = (app.clone(), bytes.to_vec());
    let look = move || -> Result<(Archive, Option<u32>), HandInError> {
        let archive = Archive::read(&bytes)?;
        let pages = archive.memo.as_ref().and_then(|(_, pdf)| count_pages(&boxes, pdf));
        Ok((archive, pages))
    };
    let looked = app.rendering.run(Load::Heavy, look).await?;
    let (archive, pages) = looked.map_err(|HandInError(reason)| Refused::bad_with("hand_in.refused", reason))?;
    Ok(Checked {
        remarks: remarks(&archive, pages, page_limit),
        memo_name: archive.memo.map(|(name, _)| name),
        memo_pages: pages.map(i64::from),
    })
}

fn count_pages(app: &App, pdf: &[u8]) -> Option<u32> {
    let counted = app.config.sandbox.as_ref().ok()?.count_pages(pdf);
    counted.inspect_err(|error| tracing::warn!(%error, "the pages of a memo cannot be counted")).ok()?
}

fn remarks(archive: &Archive, pages: Option<u32>, page_limit: i64) -> Vec<Remark> {
    let mut remarks = vec![];
    if let Some(folder) = &archive.folder {
        remarks.push(Remark::new("folder", folder));
    }
    if !archive.has_source() {
        remarks.push(Remark::new(NO_SOURCE, ""));
    }
    match (&archive.memo, pages) {
        (None, _) => remarks.push(Remark::new("no_memo", "")),
        (Some(_), None) => remarks.push(Remark::new("not_counted", "")),
        (Some(_), Some(pages)) if i64::from(pages) > page_limit => remarks.push(Remark::new("too_long", page_limit)),
        _ => {}
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(names: &[&str], memo: bool) -> Archive {
        Archive {
            folder: None,
            names: names.iter().map(|&name| name.to_owned()).collect(),
            memo: memo.then(|| ("memo.pdf".to_owned(), vec![])),
        }
    }

    #[test]
    fn what_is_missing_or_too_long_is_said() {
        let keys = |archive: &Archive, pages| {
            let all = remarks(archive, pages, 5);
            all.iter().map(|remark| remark.key.clone()).collect::<Vec<_>>()
        };
        assert!(keys(&archive(&["a.cpp"], true), Some(5)).is_empty());
        assert_eq!(keys(&archive(&["a.cpp"], true), Some(6)), ["too_long"]);
        assert_eq!(keys(&archive(&["a.cpp"], true), None), ["not_counted"]);
        assert_eq!(keys(&archive(&["a.txt"], false), None), ["no_source", "no_memo"]);
        let in_folder = Archive { folder: Some("p1".to_owned()), ..archive(&["a.py"], true) };
        assert_eq!(keys(&in_folder, Some(1)), ["folder"]);
    }

    #[test]
    fn every_remark_has_a_text() {
        for key in ["folder", NO_SOURCE, "no_memo", "not_counted", "too_long"] {
            let text = Remark::new(key, "p1").text(Locale::Spanish);
            assert!(!text.starts_with("hand_in."), "{text}");
        }
    }
}
