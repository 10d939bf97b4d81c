//! How the fields of a tool weigh against each other. Fixed when an index is made.

use crate::Field;
use crate::limits::COUNT_MAX;

/// The weight of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldWeight {
    /// How much one occurrence counts beside other fields; 0 leaves the field out.
    pub weight: f32,
    /// How much a long field is discounted, from 0 (not at all) to 1 (in full).
    pub length_discount: f32,
    /// The length, in terms, at which nothing is discounted.
    ///
    /// It is fixed, not the average of the catalog, so that a score does not move when another tool comes or goes.
    pub reference_terms: f32,
}

/// The parameters of BM25F (Robertson, Zaragoza: *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009, section 3.6).
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// One weight a field, in the order of [`Field::ALL`].
    pub fields: [FieldWeight; Field::ALL.len()],
    /// How fast repeats of a term stop counting; smaller is faster.
    pub saturation: f32,
}

impl Settings {
    /// Returns the weight of `field`.
    #[must_use]
    pub fn field(&self, field: Field) -> FieldWeight {
        self.fields[field as usize]
    }

    /// Returns what a term is worth to a tool, from 0 to 1: `counts` are its occurrences in each field, `lengths` the terms of each field.
    #[must_use]
    pub fn impact(&self, counts: &FieldCounts, lengths: &FieldCounts) -> f32 {
        let sum: f32 = (0..Field::ALL.len()).map(|at| self.part(at, counts, lengths)).sum();
        sum / (self.saturation + sum)
    }

    /// Returns the weighted, length-discounted count of a term in the field at place `at`, before saturation.
    pub(crate) fn part(&self, at: usize, counts: &FieldCounts, lengths: &FieldCounts) -> f32 {
        let FieldWeight { weight, length_discount, reference_terms } = self.fields[at];
        if counts[at] == 0 {
            return 0.0;
        }
        let relative = f32::from(lengths[at]) / reference_terms;
        weight * f32::from(counts[at].min(COUNT_MAX))
            / (1.0 - length_discount + length_discount * relative)
    }
}

/// A number for each field, in the order of [`Field::ALL`].
pub type FieldCounts = [u16; Field::ALL.len()];

impl Default for Settings {
    /// The measured weights; `docs/retrieval.md` says on what they were fitted.
    fn default() -> Self {
        let field = |weight, length_discount, reference_terms| FieldWeight {
            weight,
            length_discount,
            reference_terms,
        };
        Self {
            fields: [
                field(2.0, 0.6, 4.0),
                field(1.0, 0.4, 4.0),
                field(2.0, 0.4, 6.0),
                field(0.7, 0.65, 15.0),
                field(0.2, 0.2, 8.0),
                field(0.3, 0.2, 30.0),
                field(0.2, 0.0, 3.0),
            ],
            saturation: 1.8,
        }
    }
}
