//! `palestra course marks`: the marks of an assignment, as CSV or JSON.

use std::io::Write;

use anyhow::{Result, bail};
use palestra_web::{Decimal, Marks, blocking};

use super::{Place, check_code};
use crate::cli;
use crate::cli::{DecimalSign, MarksFormat};

pub(super) fn run(args: &cli::Marks, out: &mut impl Write) -> Result<()> {
    let cli::Marks { code, format, decimal, source } = args;
    if (*format, *decimal) == (MarksFormat::Json, DecimalSign::Comma) {
        bail!("JSON has decimal points");
    }
    check_code(code)?;
    let (marks, server): (Marks, String) = match source.open()? {
        Place::Folder(config) => (blocking::marks(&config, code)?, String::new()),
        Place::Server(client) => {
            let marks = client.get(&format!("/api/v1/assignments/{code}/marks"))?.json()?;
            (marks, client.address().link(""))
        }
    };
    let decimal = match decimal {
        DecimalSign::Point => Decimal::Point,
        DecimalSign::Comma => Decimal::Comma,
    };
    match format {
        MarksFormat::Csv => write!(out, "{}", marks.csv(decimal))?,
        MarksFormat::Games => write!(out, "{}", marks.games_csv(decimal, &server))?,
        MarksFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(&marks)?)?,
    }
    Ok(())
}
