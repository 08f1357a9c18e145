//! What the benchmarks share: contestants in turn, medians, and one CPU for all of them.
#![allow(dead_code, reason = "not every benchmark needs all of it")]

use std::time::Duration;

/// Runs all contestants in turn, once more than asked to warm up. The median of each.
pub(crate) fn alternate<const N: usize>(
    rounds: usize,
    mut contestants: [&mut dyn FnMut() -> Duration; N],
) -> [Duration; N] {
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| vec![]);
    for round in 0..=rounds {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let time = contestant().as_secs_f64();
            if round > 0 {
                times.push(time);
            }
        }
    }
    times.map(|mut times| Duration::from_secs_f64(median(&mut times)))
}

/// The middle one of these values.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Pins the calling thread and its children to one CPU, each thread to another one.
#[cfg(target_os = "linux")]
pub(crate) fn pin(thread: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let may = sched_getaffinity(None).expect("it is known where this runs");
    let mut one = CpuSet::new();
    let mut cpus = (0..CpuSet::MAX_CPU).filter(|&cpu| may.is_set(cpu)).cycle();
    one.set(cpus.nth(thread).unwrap_or(0));
    sched_setaffinity(None, &one).expect("a program may stay on a CPU where it may be");
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_: usize) {}
