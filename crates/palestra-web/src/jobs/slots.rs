//! Slots: how many jobs are done at the same time.

use std::num::NonZero;
use std::thread::available_parallelism;

/// How many jobs are done at the same time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    /// The setting of the server's owner.
    fixed: Option<usize>,
    cores: usize,
}

impl Slots {
    /// The slots of this machine, or as many as the server's owner says.
    pub(crate) fn new(fixed: Option<usize>) -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self { fixed: fixed.map(|slots| slots.max(1)), cores }
    }

    /// Number of cores of this machine.
    pub(crate) const fn cores(self) -> usize {
        self.cores
    }

    /// The most slots that there ever are.
    pub(crate) fn most(self) -> usize {
        self.fixed.unwrap_or(self.cores)
    }

    /// The slots while something else thinks, a table or an analysis: a core is left to it.
    pub(crate) fn shared(self) -> usize {
        self.fixed.unwrap_or_else(|| self.cores.saturating_sub(1).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_left_to_those_who_think() {
        let of = |fixed, cores| {
            let slots = Slots { fixed, cores };
            (slots.shared(), slots.most())
        };
        assert_eq!(of(None, 8), (7, 8));
        assert_eq!(of(None, 1), (1, 1));
        assert_eq!(of(Some(3), 8), (3, 3));
        assert_eq!(Slots::new(Some(0)).most(), 1);
    }
}
