//! x
use std::io::Write;
pub(crate) fn run(_: u16, _: &mut impl Write) -> anyhow::Result<()> {
    Ok(())
}
