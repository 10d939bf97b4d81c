//! The terms of one tool, counted by field.

use std::collections::HashMap;
use std::hash::Hasher;

use fnv::{FnvBuildHasher, FnvHasher};

use crate::limits::{
    DESCRIPTION_BYTES_MAX, LABEL_BYTES_MAX, NAME_TERMS_MAX, PARAMETER_BYTES_MAX,
    PARAMETER_TERMS_MAX, head,
};
use crate::schema::{Part, each_part};
use crate::settings::FieldCounts;
use crate::text::{Sort, Stems, each_term};
use crate::{Document, Field};

/// The identity of a term: 40 bits of the 64-bit FNV-1a hash of its text, folded.
///
/// An index keeps no texts.
/// Two of 100,000 distinct terms share an identity with a probability of about 1 in 200; a word that the index lacks is taken for another with one of about 1 in 10 million.
pub(crate) type TermId = u64;

/// Bits of a [`TermId`].
pub(crate) const TERM_BITS: u32 = 40;

/// Returns the identity of a term.
pub(crate) fn term_id(term: &str) -> TermId {
    let mut hasher = FnvHasher::default();
    hasher.write(term.as_bytes());
    let hash = hasher.finish();
    // Folding, as the authors of the hash advise for sizes that are no power of two.
    (hash >> TERM_BITS ^ hash) & ((1 << TERM_BITS) - 1)
}

/// How often each term occurs in each field of one tool.
#[derive(Debug, Default)]
pub(crate) struct TermCounts {
    /// The counts by term.
    pub(crate) counts: HashMap<TermId, FieldCounts, FnvBuildHasher>,
    /// The number of terms of each field, repeats included.
    pub(crate) lengths: FieldCounts,
    parameter_terms: usize,
}

impl TermCounts {
    /// Returns the counts of `document`, a tool of the source `source`.
    pub(crate) fn of(source: &str, document: &Document, stems: &mut Stems) -> Self {
        let mut counts = Self::default();
        counts.fill(source, document, &mut |text, sink| each_term(text, stems, sink));
        counts
    }

    /// Counts anew, in place, so that many tools share one allocation.
    pub(crate) fn recount(&mut self, source: &str, document: &Document, stems: &mut Stems) {
        self.counts.clear();
        self.lengths = FieldCounts::default();
        self.parameter_terms = 0;
        self.fill(source, document, &mut |text, sink| each_term(text, stems, sink));
    }

    fn fill(&mut self, source: &str, document: &Document, split: &mut Split<'_>) {
        let row = &document.row;
        self.add(Field::Name, row.name(), split);
        self.add(Field::Title, head(row.title(), LABEL_BYTES_MAX), split);
        let mut keyword_bytes = LABEL_BYTES_MAX;
        for word in row.keywords().iter() {
            let word = head(word, keyword_bytes);
            keyword_bytes -= word.len();
            self.add(Field::Keywords, word, split);
        }
        self.add(Field::Description, head(row.description(), DESCRIPTION_BYTES_MAX), split);
        self.add(Field::Source, head(source, LABEL_BYTES_MAX), split);
        if let Some(schema) = &document.schema {
            let (mut name_bytes, mut text_bytes) = (PARAMETER_BYTES_MAX, PARAMETER_BYTES_MAX);
            each_part(schema.get(), &mut |part, text| {
                let (field, left) = match part {
                    Part::Name => (Field::ParameterNames, &mut name_bytes),
                    Part::Description | Part::Value => (Field::ParameterText, &mut text_bytes),
                };
                let text = head(text, *left);
                *left -= text.len();
                self.add(field, text, split);
            });
        }
    }

    fn add(&mut self, field: Field, text: &str, split: &mut Split<'_>) {
        let at = field as usize;
        let is_parameter = matches!(field, Field::ParameterNames | Field::ParameterText);
        split(text, &mut |term, sort| {
            if field == Field::Name && usize::from(self.lengths[at]) >= NAME_TERMS_MAX {
                return;
            }
            let id = term_id(term);
            if is_parameter && !self.counts.contains_key(&id) {
                if self.parameter_terms >= PARAMETER_TERMS_MAX {
                    return;
                }
                self.parameter_terms += 1;
            }
            let count = &mut self.counts.entry(id).or_default()[at];
            *count = count.saturating_add(1);
            // What repeats other terms of the field does not make it longer.
            if !matches!(sort, Sort::Whole | Sort::Verbs) {
                self.lengths[at] = self.lengths[at].saturating_add(1);
            }
        });
    }
}

type Split<'f> = dyn FnMut(&str, &mut dyn FnMut(&str, Sort)) + 'f;
