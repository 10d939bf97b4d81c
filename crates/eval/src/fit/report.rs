//! Fits on all data sets and without each, and what that tells.

use oncue_tools::Embedder;

use super::descent::{Descent, descend};
use super::families::families;
use super::measured::{Measured, mean};
use super::weights::{Part, Weights};
use crate::remembered::RememberedEmbedder;
use crate::retrieval::{Dataset, Difference, difference};

/// Weights fitted on some of the data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The data sets that took no part; none in the fit on all.
    pub without: Vec<String>,
    /// The weights.
    pub weights: Weights,
    /// The mean over the sets that took part of what was fitted: recall within 5 hits and nDCG within 10, halved.
    pub mean: f64,
    /// The rounds that were gone through.
    pub rounds: usize,
    /// Whether the last round changed nothing; otherwise more rounds could change more.
    pub settled: bool,
}

/// What weights reach on a data set that they were not fitted on.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The data set.
    pub dataset: String,
    /// How many queries it has.
    pub queries: usize,
    /// The place in [`Report::fits`] of the fit that it took no part in.
    pub fit: usize,
    /// Recall within 5 hits with the weights of that fit.
    pub recall_5: f64,
    /// The same with the weights in use.
    pub default_recall_5: f64,
    /// How much better the fitted weights are, query by query.
    pub difference: Difference,
}

/// All fits over some data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Which weights were fitted.
    pub part: Part,
    /// The fit on all sets, then one without each catalog.
    pub fits: Vec<Fit>,
    /// The data sets, in order, each with the fit that it took no part in.
    pub left_out: Vec<LeftOut>,
    /// How many configurations were measured.
    pub configurations: usize,
}

impl Report {
    /// Returns the mean over the data sets of what weights fitted on the others reach, and of what the weights in use reach.
    #[must_use]
    pub fn means(&self) -> (f64, f64) {
        let fitted: Vec<f64> = self.left_out.iter().map(|line| line.recall_5).collect();
        let default: Vec<f64> = self.left_out.iter().map(|line| line.default_recall_5).collect();
        (mean(&fitted), mean(&default))
    }
}

/// Where a call of [`fit`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The fit, from 1.
    pub fit: usize,
    /// How many fits there are.
    pub fits: usize,
    /// The round, from 1.
    pub round: usize,
    /// The weight that is tried.
    pub knob: &'static str,
}

/// Why nothing can be fitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// There is nothing to leave out.
    #[error("leaving one out needs data sets over at least two catalogs, not {catalogs}")]
    TooFew {
        /// How many different catalogs there are.
        catalogs: usize,
    },
}

/// Fits the weights of ranking by words on all of `datasets`, and anew without each, in at most `rounds` rounds a fit; with an `embedder`, whose model must run in this process, those that blend words and meaning.
///
/// Data sets over the same tools are left out together.
///
/// # Errors
///
/// [`FitError::TooFew`] unless there are at least two catalogs.
pub fn fit(
    datasets: &[Dataset],
    embedder: Option<&dyn Embedder>,
    rounds: usize,
    progress: &mut dyn FnMut(Step),
) -> Result<Report, FitError> {
    let families = families(datasets);
    if families.len() < 2 {
        return Err(FitError::TooFew { catalogs: families.len() });
    }
    let part = if embedder.is_some() { Part::Blend } else { Part::Words };
    let embedder = embedder.map(RememberedEmbedder::new);
    let embedder = embedder.as_ref().map(|embedder| -> &dyn Embedder { embedder });
    let mut measured = Measured::new(datasets, part, embedder);
    let mut fits = Vec::with_capacity(families.len() + 1);
    for without in std::iter::once(&[][..]).chain(families.iter().map(Vec::as_slice)) {
        let sets: Vec<usize> = (0..datasets.len()).filter(|set| !without.contains(set)).collect();
        let (at, all) = (fits.len() + 1, families.len() + 1);
        let Descent { choice, mean, rounds, settled } = descend(
            part,
            rounds,
            &mut |choice| measured.mean(choice, &sets),
            &mut |round, knob| {
                progress(Step { fit: at, fits: all, round, knob });
            },
        );
        let names = without.iter().filter_map(|&set| datasets.get(set));
        fits.push(Fit {
            without: names.map(|dataset| dataset.name.clone()).collect(),
            weights: choice.weights(part),
            mean,
            rounds,
            settled,
        });
    }
    let mut left_out: Vec<(usize, LeftOut)> = Vec::with_capacity(datasets.len());
    for (family, (place, fit)) in families.iter().zip(fits.iter().enumerate().skip(1)) {
        for &set in family {
            let line = |dataset| (set, compared(&measured, set, dataset, place, fit));
            left_out.extend(datasets.get(set).map(line));
        }
    }
    left_out.sort_by_key(|&(set, _)| set);
    let left_out = left_out.into_iter().map(|(_, line)| line).collect();
    Ok(Report { part, fits, left_out, configurations: measured.configurations() })
}

fn compared(
    measured: &Measured<'_>,
    set: usize,
    dataset: &Dataset,
    place: usize,
    fit: &Fit,
) -> LeftOut {
    let fitted = measured.recalls(&fit.weights, set);
    let default = measured.recalls(&Weights::default(), set);
    let difference = difference(&fitted, &default);
    LeftOut {
        dataset: dataset.name.clone(),
        queries: fitted.len(),
        fit: place,
        recall_5: mean(&fitted),
        default_recall_5: mean(&default),
        difference: difference.unwrap_or(Difference { mean: 0.0, ci95: [0.0, 0.0] }),
    }
}
