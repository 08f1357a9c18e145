//! Parses and formats times, sizes and counts.

use std::time::Duration;

/// `5s`, `500ms`, `2m`, `1h`; a bare number is seconds.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 5] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds = scaled(text, &UNITS).filter(|&seconds| seconds > 0.0 && seconds <= MAX_SECONDS);
    let seconds =
        seconds.ok_or("expected a time above 0 and up to a year: a number and ms, s, m or h, such as 500ms or 5s")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// A year: longer than any sensible limit, and far from any overflow.
const MAX_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// `256MiB`, `1GiB`; a bare number is MiB.
pub(crate) fn memory(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, f64); 4] = [("kib", 1024.0), ("mib", MIB), ("gib", 1024.0 * MIB), ("", MIB)];
    let bytes = scaled(&text.to_ascii_lowercase(), &UNITS).filter(|bytes| (0.0..usize::MAX as f64).contains(bytes));
    let bytes = bytes.ok_or("expected a number and KiB, MiB or GiB, such as 256MiB")?;
    Ok(bytes as usize)
}

/// The memory limit of a program, at least 1 MiB.
pub(crate) fn program_memory(text: &str) -> Result<usize, String> {
    let bytes = memory(text)?;
    if bytes >= 1 << 20 { Ok(bytes) } else { Err("a program needs at least 1MiB".to_owned()) }
}

const MIB: f64 = (1 << 20) as f64;

/// A number with one of the units, which are tried in order.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, scale) = units.iter().find_map(|&(unit, scale)| Some((text.strip_suffix(unit)?, scale)))?;
    let is_plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * scale)
}

/// A limit or a long time: `0.123 s`, `12.3 s`, `5 s`, `2 min 05 s`.
pub(crate) fn written_time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 | 1 if time.subsec_nanos() != 0 => format!("{:.3} s", time.as_secs_f64()),
        0..60 if time.subsec_nanos() != 0 => format!("{:.1} s", time.as_secs_f64()),
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A measured time, in milliseconds below 10 s: `0.3 ms`, `420 ms`, `12.3 s`.
pub(crate) fn spent(time: Duration) -> String {
    match time.as_micros() {
        micros @ ..10_000 => format!("{:.1} ms", micros as f64 / 1e3),
        micros @ ..10_000_000 => format!("{} ms", micros / 1000),
        micros => format!("{:.1} s", micros as f64 / 1e6),
    }
}

/// What is left on a clock: `4:59`, `1:00:00`; of the last ten seconds also the tenths.
pub(crate) fn written_clock(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..10 => format!("0:{:04.1}", (left.as_millis() / 100) as f64 / 10.0),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// A count with its noun: `1 game`, `2 games`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A rate per second: `950 /s`, `12.3 k/s`, `4.5 M/s`.
pub(crate) fn rate(count: u64, time: Duration) -> String {
    let rate = count as f64 / time.as_secs_f64().max(1e-9);
    match rate {
        ..1e4 => format!("{rate:.0} /s"),
        ..1e6 => format!("{:.1} k/s", rate / 1e3),
        _ => format!("{:.1} M/s", rate / 1e6),
    }
}

/// A size: `64 MiB`, `1.5 GiB`.
pub(crate) fn written_memory(bytes: u64) -> String {
    let mib = bytes as f64 / MIB;
    if mib < 1024.0 { format!("{mib:.0} MiB") } else { format!("{:.1} GiB", mib / 1024.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_their_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("5s"), time("5"));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        for bad in ["", "s", "0", "0s", "-1s", "inf", "nan", "1e3s", "5 s", "5x", "9999999h", "1.2.3s", "."] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_read_in_their_units() {
        assert_eq!(memory("64"), Ok(64 << 20));
        assert_eq!(memory("1GiB"), Ok(1 << 30));
        assert_eq!(memory("1.5gib"), memory("1536MiB"));
        assert_eq!(memory("16KiB"), Ok(16 << 10));
        assert_eq!(memory("0"), Ok(0));
        for bad in ["", "MiB", "-1", "1TB", "99999999999999999999GiB", "1 MiB"] {
            assert!(memory(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn clocks_are_written_as_on_a_clock() {
        let written = |millis| written_clock(Duration::from_millis(millis));
        assert_eq!([5_350, 65_000, 300_000, 3_605_000].map(written), ["0:05.3", "1:05", "5:00", "1:00:05"]);
    }

    #[test]
    fn what_is_written_is_short() {
        let written = |millis| written_time(Duration::from_millis(millis));
        assert_eq!([12, 1_500, 5_000, 12_345].map(written), ["0.012 s", "1.500 s", "5 s", "12.3 s"]);
        assert_eq!([65_400, 3_600_000].map(written), ["1 min 05 s", "1 h 00 min"]);
        assert_eq!(rate(500, Duration::from_secs(1)), "500 /s");
        assert_eq!(rate(50_000, Duration::from_secs(1)), "50.0 k/s");
        assert_eq!(rate(5_000_000, Duration::from_secs(2)), "2.5 M/s");
        assert_eq!(written_memory(1 << 26), "64 MiB");
        assert_eq!(written_memory(3 << 29), "1.5 GiB");
    }
}
