//! How sure a mean is: the percentile bootstrap, seeded, so that the same values always give the same interval.

use crate::random::Random;

/// How often the values are drawn anew.
pub const RESAMPLES: usize = 1_000;

/// Where the random numbers start.
pub const SEED: u64 = 0x6f6e_6375_6520_3935;

/// The share of means on either side of a 95 % interval, in thousandths.
const TAIL_PER_MILLE: usize = 25;

/// The mean difference of two rankers over the same queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Mean of left minus right.
    pub mean: f64,
    /// The 95 % interval of that mean, low and high.
    pub ci95: [f64; 2],
}

/// Returns the 95 % interval of the mean of `values`: the 26th lowest and the 26th highest of 1,000 resampled means.
///
/// `[0, 0]` without values.
#[must_use]
pub fn interval(values: &[f64]) -> [f64; 2] {
    if values.is_empty() {
        return [0.0, 0.0];
    }
    let mut random = Random(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let sum: f64 =
                values.iter().filter_map(|_| values.get(random.below(values.len()))).sum();
            sum / values.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let low = RESAMPLES * TAIL_PER_MILLE / 1_000;
    let at = |place: usize| means.get(place).copied().unwrap_or(0.0);
    [at(low), at(RESAMPLES - 1 - low)]
}

/// Returns how much better `left` is than `right`, query by query; `None` unless both have the same, non-zero number of values.
///
/// Pairs are resampled together, so what makes a query hard for both does not widen the interval.
#[must_use]
pub fn difference(left: &[f64], right: &[f64]) -> Option<Difference> {
    if left.len() != right.len() || left.is_empty() {
        return None;
    }
    let pairs: Vec<f64> = left.iter().zip(right).map(|(left, right)| left - right).collect();
    let mean = pairs.iter().sum::<f64>() / pairs.len() as f64;
    Some(Difference { mean, ci95: interval(&pairs) })
}

#[cfg(test)]
mod tests {
    use super::{Difference, difference, interval};

    #[test]
    fn equal_values_leave_no_doubt() {
        assert_eq!(interval(&[0.5; 7]), [0.5, 0.5]);
        assert_eq!(interval(&[]), [0.0, 0.0]);
    }

    #[test]
    fn the_interval_of_a_share_is_near_the_normal_one() {
        // Half of 400 values are 1: standard error 0.5 / 20 = 0.025, so 0.5 ± 1.96 · 0.025.
        let values: Vec<f64> = (0..400).map(|at| f64::from(at % 2)).collect();
        let [low, high] = interval(&values);
        assert!((low - 0.451).abs() < 0.006, "{low}");
        assert!((high - 0.549).abs() < 0.006, "{high}");
        assert_eq!(interval(&values), [low, high]);
    }

    #[test]
    fn a_difference_is_taken_in_pairs() {
        // Left is better by exactly 0.25 each time, however much the queries differ.
        let left = [1.0, 0.25, 0.75, 0.5];
        let right = [0.75, 0.0, 0.5, 0.25];
        assert_eq!(difference(&left, &right), Some(Difference { mean: 0.25, ci95: [0.25, 0.25] }));
        assert_eq!(difference(&left, &right[..3]), None);
        assert_eq!(difference(&[], &[]), None);
    }

    #[test]
    fn the_interval_of_a_difference_holds_its_mean() {
        let left: Vec<f64> = (0..100).map(|at| f64::from(u8::from(at % 4 != 0))).collect();
        let right: Vec<f64> = (0..100).map(|at| f64::from(u8::from(at % 2 != 0))).collect();
        // 75 hits against 50; left has each hit of right.
        let found = difference(&left, &right).expect("same length");
        assert!((found.mean - 0.25).abs() < 1e-12);
        assert!(found.ci95[0] < 0.25 && 0.25 < found.ci95[1]);
        assert!(found.ci95[0] > 0.0);
    }
}
