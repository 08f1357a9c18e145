//! Counts the pages of a PDF in a box: a malicious file, or a fault of the counter, does no harm.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use palestra_protocol::{Received, Transport};

use super::{Allowance, Boxed, HELPER_WORD, Sandbox, SandboxError};
use crate::pdf::count_pages;

/// After [`HELPER_WORD`](super::HELPER_WORD), the word that makes the helper count pages.
pub(super) const COUNT_WORD: &str = "box-count-pages";

/// Where the PDF lies in the box.
const PDF_NAME: &str = "memo.pdf";

/// What the counter may hold of memory.
const COUNT_MEMORY: u64 = 256 << 20;

/// How long the counter may take by the clock; of CPU time it has the 2 s that every box has.
const COUNT_TIMEOUT: Duration = Duration::from_secs(10);

impl Sandbox {
    /// The number of pages of a PDF; none if it cannot be found out within 2 s of CPU time and 256 MiB.
    pub fn count_pages(&self, pdf: &[u8]) -> Result<Option<u32>, SandboxError> {
        let staged = self.stage.empty()?;
        staged.copy_as(Path::new(&self.helper.program), "counter")?;
        staged.write(PDF_NAME, pdf)?;
        let counter = Boxed::new(staged, &["/bot/counter", HELPER_WORD, COUNT_WORD]);
        let mut process = self.start(&counter, Allowance { memory: COUNT_MEMORY, cpu: Duration::ZERO })?;
        let mut line = String::new();
        Ok(match process.receive(COUNT_TIMEOUT, &mut line) {
            Received::Line => line.trim().parse().ok(),
            _ => None,
        })
    }
}

/// Counts the pages of the PDF in this box, and writes their number.
pub(super) fn count() -> ExitCode {
    use std::io::Write;
    let pages = fs::read(Path::new("/bot").join(PDF_NAME)).ok().and_then(|pdf| count_pages(&pdf));
    let line = pages.map_or_else(|| "unknown".to_owned(), |pages| pages.to_string());
    if writeln!(std::io::stdout(), "{line}").is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
