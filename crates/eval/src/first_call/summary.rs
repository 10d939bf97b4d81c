//! Shares of right first calls, with the interval that so few requests allow.

use std::collections::BTreeMap;

use super::{Kind, Verdict};

/// A share of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many.
    pub count: usize,
    /// Of how many.
    pub of: usize,
}

/// What came of the requests of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The first call that ran was the right one; for requests that need no tool, none ran.
    pub right: Share,
    /// The first call was a sensible one before the right one.
    pub lookup: Share,
    /// Model calls a request, on average.
    pub steps: f64,
    /// Tokens a request, on average.
    pub tokens: f64,
}

impl Share {
    /// Returns the share in percent; 0 of nothing is 0.
    #[must_use]
    pub fn percent(&self) -> f64 {
        match self.of {
            0 => 0.0,
            of => 100.0 * self.count as f64 / of as f64,
        }
    }

    /// Returns the interval that holds the true share in 95 of 100 such measurements, in percent.
    ///
    /// Wilson's score interval (E. B. Wilson, Journal of the American Statistical Association 22, 1927, page 209), which holds for few requests and for shares near 0 and 100.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        /// The normal deviate of 95 percent.
        const Z: f64 = 1.959_964;
        if self.of == 0 {
            return (0.0, 100.0);
        }
        let n = self.of as f64;
        let p = self.count as f64 / n;
        let centre = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 100.0 / (1.0 + Z * Z / n);
        ((centre - spread) * scale, (centre + spread) * scale)
    }
}

/// Returns the summaries of verdicts by kind.
#[must_use]
pub fn summarize(verdicts: &[Verdict]) -> BTreeMap<Kind, Summary> {
    let mut by_kind: BTreeMap<Kind, Vec<&Verdict>> = BTreeMap::new();
    for verdict in verdicts {
        by_kind.entry(verdict.kind).or_default().push(verdict);
    }
    by_kind.into_iter().map(|(kind, verdicts)| (kind, summary(&verdicts))).collect()
}

fn summary(verdicts: &[&Verdict]) -> Summary {
    let of = verdicts.len();
    let share = |counts: &dyn Fn(&Verdict) -> bool| Share {
        count: verdicts.iter().filter(|verdict| counts(verdict)).count(),
        of,
    };
    let mean = |value: &dyn Fn(&Verdict) -> f64| {
        verdicts.iter().map(|verdict| value(verdict)).sum::<f64>() / of.max(1) as f64
    };
    Summary {
        right: share(&|verdict| verdict.is_right),
        lookup: share(&|verdict| verdict.is_lookup),
        steps: mean(&|verdict| f64::from(verdict.steps)),
        tokens: mean(&|verdict| verdict.tokens as f64),
    }
}
