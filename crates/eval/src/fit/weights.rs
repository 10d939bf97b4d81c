//! The weights that are fitted, and the values that each may take.

use oncue_search::rank::Hybrid;
use oncue_search::{Field, FieldWeight, Settings};

/// One configuration of a ranker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// How fields weigh; fixed when an index is made.
    pub settings: Settings,
    /// How the terms of a query weigh, and words beside meaning.
    pub ranker: Hybrid,
}

/// Which weights are fitted; the others stay as they are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those of ranking by words, without a model.
    Words,
    /// Those that blend words and meaning.
    Blend,
}

impl Part {
    /// Returns the weights.
    #[must_use]
    pub const fn knobs(self) -> &'static [Knob] {
        match self {
            Self::Words => &WORDS,
            Self::Blend => &BLEND,
        }
    }
}

impl Weights {
    /// Returns the weight of every knob of a part with its name, in order.
    pub fn named(&self, part: Part) -> impl Iterator<Item = (&'static str, f32)> {
        part.knobs().iter().map(|knob| (knob.name, *(knob.of)(&mut self.clone())))
    }

    fn field(&mut self, field: Field) -> &mut FieldWeight {
        // There is a weight for each field.
        &mut self.settings.fields[field as usize]
    }
}

/// A weight that is fitted, with the values that are tried.
#[derive(Debug)]
pub struct Knob {
    /// What it is called in reports.
    pub name: &'static str,
    /// The values, ascending.
    pub values: &'static [f32],
    /// The place of its value; a knob of several fields reads the first.
    of: fn(&mut Weights) -> &mut f32,
    /// The further place that has the same value.
    also: Option<fn(&mut Weights) -> &mut f32>,
}

/// How words and meaning are blended. What a query of which nothing fits must score is not fitted: recall knows nothing of such.
const BLEND: [Knob; 3] = [
    knob("meaning", &[0.04, 0.06, 0.08, 0.1, 0.13, 0.17, 0.22], |weights| {
        &mut weights.ranker.meaning_weight
    }),
    knob("spread", &[0.0, 0.15, 0.3, 0.45, 0.6], |weights| &mut weights.ranker.spread),
    knob("alike", &[0.3, 0.4, 0.5, 0.6], |weights| &mut weights.ranker.alike),
];

/// How words weigh. The weights of fields come first: each of their values needs an index of its own.
///
/// Not fitted, for want of data that would tell: titles, keywords, the reference lengths, `verb_words` and `common_share`.
const WORDS: [Knob; 14] = [
    knob("name", &[1.5, 2.0, 2.5, 3.0, 4.0], |weights| &mut weights.field(Field::Name).weight),
    knob("description", &[0.5, 0.7, 1.0, 1.5], |weights| {
        &mut weights.field(Field::Description).weight
    }),
    knob("parameter names", &[0.1, 0.2, 0.3, 0.45, 0.6], |weights| {
        &mut weights.field(Field::ParameterNames).weight
    }),
    knob("parameter text", &[0.05, 0.1, 0.2, 0.3, 0.45], |weights| {
        &mut weights.field(Field::ParameterText).weight
    }),
    knob("source", &[0.0, 0.2, 0.4, 0.8], |weights| &mut weights.field(Field::Source).weight),
    knob("name length", &[0.0, 0.2, 0.4, 0.6, 0.8], |weights| {
        &mut weights.field(Field::Name).length_discount
    }),
    knob("description length", &[0.35, 0.5, 0.65, 0.8], |weights| {
        &mut weights.field(Field::Description).length_discount
    }),
    Knob {
        also: Some(|weights| &mut weights.field(Field::ParameterText).length_discount),
        ..knob("parameter length", &[0.2, 0.5, 0.8], |weights| {
            &mut weights.field(Field::ParameterNames).length_discount
        })
    },
    knob("saturation", &[0.9, 1.2, 1.8, 2.5], |weights| &mut weights.settings.saturation),
    knob("numbers", &[0.0, 0.15, 0.3, 0.6], |weights| &mut weights.ranker.lexical.number_weight),
    knob("single characters", &[0.3, 0.5, 1.0], |weights| {
        &mut weights.ranker.lexical.single_weight
    }),
    knob("whole identifiers", &[0.0, 0.5, 1.0], |weights| &mut weights.ranker.lexical.whole_weight),
    knob("verbs", &[0.0, 0.2, 0.4, 0.6], |weights| &mut weights.ranker.lexical.verb_weight),
    knob("spread", &[0.0, 0.15, 0.3, 0.45], |weights| &mut weights.ranker.lexical.spread),
];

const fn knob(
    name: &'static str,
    values: &'static [f32],
    of: fn(&mut Weights) -> &mut f32,
) -> Knob {
    Knob { name, values, of, also: None }
}

/// One value for each knob of a part, as places in its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choice([u8; WORDS.len()]);

impl Choice {
    /// The middle of the grid; of two middles the lower.
    pub(super) fn middle(part: Part) -> Self {
        let values = |at: usize| part.knobs().get(at).map_or(0, |knob| middle(knob.values));
        Self(std::array::from_fn(values))
    }

    /// Returns the choices that differ from this one at `knob` alone, in the order of its values.
    pub(super) fn others(self, part: Part, knob: usize) -> impl Iterator<Item = Self> {
        let values = part.knobs().get(knob).map_or(0, |knob| knob.values.len());
        let choice = move |place: u8| {
            let mut other = self;
            if let Some(slot) = other.0.get_mut(knob) {
                *slot = place;
            }
            other
        };
        (0..).take(values).map(choice).filter(move |other| *other != self)
    }

    /// Returns the weights in use with the chosen values in their places.
    pub(super) fn weights(self, part: Part) -> Weights {
        let mut weights = Weights::default();
        for (knob, place) in part.knobs().iter().zip(self.0) {
            if let Some(&value) = knob.values.get(usize::from(place)) {
                *(knob.of)(&mut weights) = value;
                if let Some(also) = knob.also {
                    *also(&mut weights) = value;
                }
            }
        }
        weights
    }
}

fn middle(values: &[f32]) -> u8 {
    u8::try_from(values.len().saturating_sub(1) / 2).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Choice, Part};

    fn values(choice: Choice, part: Part) -> Vec<f32> {
        choice.weights(part).named(part).map(|(_, value)| value).collect()
    }

    #[test]
    fn a_choice_moves_each_weight_to_one_of_its_values() {
        let words = [2.5, 0.7, 0.3, 0.2, 0.2, 0.4, 0.5, 0.5, 1.2, 0.15, 0.5, 0.5, 0.2, 0.15];
        for (part, expected) in [(Part::Words, &words[..]), (Part::Blend, &[0.1, 0.3, 0.4])] {
            let start = Choice::middle(part);
            let middle = values(start, part);
            assert_eq!(middle, expected);
            for (at, knob) in part.knobs().iter().enumerate() {
                let others: Vec<Vec<f32>> =
                    start.others(part, at).map(|choice| values(choice, part)).collect();
                assert_eq!(others.len(), knob.values.len() - 1, "{}", knob.name);
                for other in others {
                    let changed: Vec<usize> =
                        (0..middle.len()).filter(|&at| other[at] != middle[at]).collect();
                    assert_eq!(changed, [at], "{}", knob.name);
                }
            }
        }
    }

    #[test]
    fn knobs_have_names_of_their_own_and_values_that_ascend() {
        for part in [Part::Words, Part::Blend] {
            let knobs = part.knobs();
            let names: HashSet<&str> = knobs.iter().map(|knob| knob.name).collect();
            assert_eq!(names.len(), knobs.len());
            for knob in knobs {
                assert!(knob.values.is_sorted_by(|left, right| left < right), "{}", knob.name);
            }
        }
    }

    #[test]
    fn both_parameter_fields_share_their_length_discount() {
        let weights = Choice::middle(Part::Words).weights(Part::Words);
        let [.., names, text, _] = weights.settings.fields;
        assert_eq!((names.length_discount, text.length_discount), (0.5, 0.5));
    }
}
