//! How templates show values. What a filter returns is escaped like any other text.

#![allow(unreachable_pub, reason = "`filter_fn` makes a method that is `pub`")]

use std::fmt::Display;

use askama::{Result, Values, filter_fn};

/// A stranger's text as it may be shown, at most `limit` columns wide.
#[filter_fn]
pub(super) fn visible(text: impl AsRef<str>, _: &dyn Values, limit: usize) -> Result<String> {
    Ok(super::visible(text.as_ref(), limit))
}

/// Numbers with a minus sign where they have a hyphen.
#[filter_fn]
pub(super) fn minus(numbers: impl Display, _: &dyn Values) -> Result<String> {
    Ok(super::minus(&numbers.to_string()))
}

/// A number without decimals.
#[filter_fn]
pub(super) fn whole(value: &f64, _: &dyn Values) -> Result<String> {
    Ok(super::whole(*value))
}

/// A time in milliseconds as a person would say it.
#[filter_fn]
pub(super) fn duration(ms: &u64, _: &dyn Values) -> Result<String> {
    Ok(super::duration(*ms))
}

/// A place from left to right in a plot.
#[filter_fn]
pub(super) fn percent(x: impl Display, _: &dyn Values) -> Result<String> {
    Ok(format!("{x:.2}%"))
}

/// A place from top to bottom in a plot.
#[filter_fn]
pub(super) fn pixels(y: impl Display, _: &dyn Values) -> Result<String> {
    Ok(format!("{y:.1}"))
}
