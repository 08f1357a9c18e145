//! Contestants run in turn, round after round, so that a change in the machine's mood meets them all; medians count.

use std::fmt;
use std::time::Instant;

use crate::clock::process_cpu;

/// What something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// CPU seconds of all threads of this process.
    pub(crate) cpu: f64,
    /// Seconds.
    pub(crate) wall: f64,
    /// Of whatever is counted: positions, games.
    pub(crate) count: u64,
}

/// Does something that returns a count, and says what it took.
pub(crate) fn measure(work: impl FnOnce() -> u64) -> Cost {
    let (wall, cpu) = (Instant::now(), process_cpu());
    let count = work();
    Cost { cpu: (process_cpu() - cpu).as_secs_f64(), wall: wall.elapsed().as_secs_f64(), count }
}

/// A thing to be measured: prepares itself, then says what the measured part took.
pub(crate) type Contestant<'a> = Box<dyn FnMut() -> Cost + 'a>;

/// Runs all contestants `rounds` times in turn, and once before that to warm up. The median cost of each.
pub(crate) fn alternate<const N: usize>(rounds: usize, mut contestants: [Contestant<'_>; N]) -> [Cost; N] {
    for contestant in &mut contestants {
        contestant();
    }
    let mut costs: [Vec<Cost>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..rounds.max(1) {
        for (contestant, costs) in contestants.iter_mut().zip(&mut costs) {
            costs.push(contestant());
        }
    }
    costs.map(|costs| Cost {
        cpu: median(&costs, |cost| cost.cpu),
        wall: median(&costs, |cost| cost.wall),
        count: median(&costs, |cost| cost.count as f64) as u64,
    })
}

fn median(costs: &[Cost], of: impl Fn(&Cost) -> f64) -> f64 {
    let mut values: Vec<f64> = costs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// What was hoped for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

/// A figure with its unit, and the goal if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure(pub(crate) f64, pub(crate) &'static str, pub(crate) Option<Goal>);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, unit, goal) = *self;
        write!(f, "{} {unit}", written(value))?;
        let (met, sign, limit) = match goal {
            None => return Ok(()),
            Some(Goal::AtMost(limit)) => (value <= limit, "<=", limit),
            Some(Goal::AtLeast(limit)) => (value >= limit, ">=", limit),
        };
        write!(f, " (goal {sign} {}: {})", written(limit), if met { "met" } else { "MISSED" })
    }
}

/// Whole numbers as they are, others with three digits that count.
fn written(value: f64) -> String {
    match value {
        _ if value.fract() == 0.0 => format!("{value:.0}"),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Prints a row of the table.
pub(crate) fn row(name: &str, figures: &[Figure]) {
    let figures: Vec<String> = figures.iter().map(ToString::to_string).collect();
    println!("{name:<44}{}", figures.join(", "));
}
