//! Exact fractions: marks are rounded once, at the end.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};

/// A fraction in lowest terms; never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// Nothing.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// One number divided by another, zero if that is zero.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Self {
        Self::reduced(numerator.into(), denominator.into())
    }

    /// A number of hundredths.
    #[must_use]
    pub fn hundredths(hundredths: u64) -> Self {
        Self::new(hundredths, 100)
    }

    /// In hundredths, rounded half up.
    #[must_use]
    pub fn rounded(self) -> u64 {
        let hundredths = (200 * self.numerator + self.denominator) / (2 * self.denominator);
        u64::try_from(hundredths).unwrap_or(u64::MAX)
    }

    fn reduced(numerator: u128, denominator: u128) -> Self {
        if denominator == 0 {
            return Self::ZERO;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Add for Ratio {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Self::reduced(numerator, self.denominator * other.denominator)
    }
}

impl Mul for Ratio {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::reduced(self.numerator * other.numerator, self.denominator * other.denominator)
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(ratios: I) -> Self {
        ratios.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halves_are_rounded_up_and_what_is_below_them_down() {
        for (numerator, denominator, hundredths) in [
            (0, 1, 0),
            (1, 200, 1),
            (1, 201, 0),
            (1, 3, 33),
            (2, 3, 67),
            (28, 30, 93),
            (40, 11, 364),
            (9995, 1000, 1000),
        ] {
            assert_eq!(Ratio::new(numerator, denominator).rounded(), hundredths, "{numerator}/{denominator}");
        }
    }

    #[test]
    fn three_thirds_are_one() {
        let third = Ratio::new(1, 3);
        assert_eq!([third; 3].into_iter().sum::<Ratio>(), Ratio::new(1, 1));
        assert_eq!((third + Ratio::new(1, 6)).to_string(), "1/2");
        assert_eq!(Ratio::new(5, 0), Ratio::ZERO);
    }

    proptest! {
        #[test]
        fn rounding_errs_by_half_a_hundredth_at_most(numerator in 0..1_000_000_u64, denominator in 1..1_000_000_u64) {
            let rounded = u128::from(Ratio::new(numerator, denominator).rounded());
            let (exact, denominator) = (200 * u128::from(numerator), u128::from(denominator));
            prop_assert!(2 * rounded * denominator <= exact + denominator);
            prop_assert!(2 * rounded * denominator + denominator > exact);
        }
    }
}
