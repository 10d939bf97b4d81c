//! The tools whose meaning is closest to that of a query.

use crate::rank::top::{Found, best};
use crate::vectors::{Closeness, SIMILARITY_WHOLE, closeness};
use crate::{Asked, Candidates};

/// How many tools of ordinary spread stand beside those that there are, so that a small catalog does not take its few tools for all that could be.
const USUAL_TOOLS: f64 = 30.0;
/// The mean cosine of a request with the tools of a catalog, by the built-in model; six data sets have 0.05 to 0.09.
const USUAL_MEAN: f64 = 0.1;
/// The standard deviation of the same; they have 0.07 to 0.09.
const USUAL_DEVIATION: f64 = 0.09;

/// How close every candidate is, and the closest.
pub(super) struct Nearest {
    /// For each part the closeness of the tools of its segment, in parts of [`SIMILARITY_WHOLE`]; `None` for those that are no candidates or have no vector.
    closeness: Vec<Closeness>,
    mean: f64,
    deviation: f64,
    /// How many standard deviations the closest is closer than the mean where no tool has anything to do with the query.
    pub(super) chance: f64,
    /// The closest, best first.
    pub(super) found: Vec<Found>,
}

/// Returns how close the candidates are to what is asked with the `max` closest, or `None` where none has a vector of the model that told what it means.
pub(super) fn nearest(
    asked: Asked<'_>,
    candidates: &Candidates<'_>,
    max: usize,
) -> Option<Nearest> {
    let meaning = asked.meaning?;
    let parts = candidates.parts();
    let told = |part| asked.told.and_then(|told| told.get(part));
    let all = parts.iter().map(|part| told(part).unwrap_or_else(|| closeness(part, meaning)));
    let closeness: Vec<Closeness> = all.collect();
    // Whole numbers, so that neither order nor segments show.
    let (mut count, mut sum, mut squares) = (0_i64, 0_i64, 0_i64);
    for &one in closeness.iter().flat_map(|all| &**all).flatten() {
        count += 1;
        sum += i64::from(one);
        squares += i64::from(one) * i64::from(one);
    }
    if count == 0 {
        return None;
    }
    let whole = f64::from(SIMILARITY_WHOLE);
    let all = count as f64 + USUAL_TOOLS;
    let mean = (sum as f64 / whole + USUAL_TOOLS * USUAL_MEAN) / all;
    let usual = USUAL_DEVIATION * USUAL_DEVIATION + USUAL_MEAN * USUAL_MEAN;
    let square = (squares as f64 / whole / whole + USUAL_TOOLS * usual) / all;
    let deviation = libm::sqrt((square - mean * mean).max(f64::MIN_POSITIVE));
    // Sums are not negative.
    let sum = |one: i32| one.saturating_add(SIMILARITY_WHOLE).max(0).cast_unsigned();
    let all = closeness.iter().enumerate().flat_map(|(part, all)| {
        let known = (0..).zip(&**all).filter_map(|(doc, &one)| Some((doc, one?)));
        known.map(move |(doc, one)| Found { sum: sum(one), part, doc })
    });
    let found = best(parts, max, all);
    Some(Nearest { closeness, mean, deviation, chance: chance(count), found })
}

/// Returns where the largest of `count` numbers of the standard normal distribution is to be expected (Cramér: *Mathematical Methods of Statistics*, 1946, section 28.6: the mode of the largest).
fn chance(count: i64) -> f64 {
    // For fewer the approximation is none.
    let log = libm::log(count.max(3) as f64);
    let root = libm::sqrt(2.0 * log);
    root - (libm::log(log) + libm::log(4.0 * std::f64::consts::PI)) / (2.0 * root)
}

impl Nearest {
    /// Returns how many standard deviations the tool is closer than the mean; `None` where it has no vector.
    pub(super) fn deviations(&self, part: usize, doc: u32) -> Option<f64> {
        let one = (*self.closeness.get(part)?.get(doc as usize)?)?;
        Some((f64::from(one) / f64::from(SIMILARITY_WHOLE) - self.mean) / self.deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn the_closest_by_chance_moves_away_slowly_with_the_number_of_tools() {
        // Worked out with a calculator: sqrt(2 ln n) - (ln ln n + ln 4π) / (2 sqrt(2 ln n)).
        for (count, expected) in [(10, 1.362), (1_000, 3.116), (100_000, 4.281)] {
            assert!((chance(count) - expected).abs() < 0.001, "{count}: {}", chance(count));
        }
        assert!(chance(0) == chance(3) && chance(3) > 0.0);
    }
}
