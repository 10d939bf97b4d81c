//! The weights that are fitted, and the values that each may take.

use oncue_search::rank::Bm25f;
use oncue_search::{Field, FieldWeight, Settings};

/// One configuration of the lexical ranker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// How fields weigh; fixed when an index is made.
    pub settings: Settings,
    /// How the terms of a query weigh.
    pub ranker: Bm25f,
}

impl Weights {
    /// Returns the weight of every knob with its name, in the order of [`KNOBS`].
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f32)> {
        KNOBS.iter().map(|knob| (knob.name, *(knob.of)(&mut self.clone())))
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

/// The weights that are fitted. Those of fields first: each of their values needs an index of its own.
///
/// Not fitted, for want of data that would tell: titles, keywords, the reference lengths, `verb_words` and `common_share`.
pub const KNOBS: [Knob; 14] = [
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
    knob("numbers", &[0.0, 0.15, 0.3, 0.6], |weights| &mut weights.ranker.number_weight),
    knob("single characters", &[0.3, 0.5, 1.0], |weights| &mut weights.ranker.single_weight),
    knob("whole identifiers", &[0.0, 0.5, 1.0], |weights| &mut weights.ranker.whole_weight),
    knob("verbs", &[0.0, 0.2, 0.4, 0.6], |weights| &mut weights.ranker.verb_weight),
    knob("spread", &[0.0, 0.15, 0.3, 0.45], |weights| &mut weights.ranker.spread),
];

const fn knob(
    name: &'static str,
    values: &'static [f32],
    of: fn(&mut Weights) -> &mut f32,
) -> Knob {
    Knob { name, values, of, also: None }
}

/// One value for each knob, as places in its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choice([u8; KNOBS.len()]);

impl Choice {
    /// The middle of the grid; of two middles the lower.
    pub(super) fn middle() -> Self {
        Self(std::array::from_fn(|at| KNOBS.get(at).map_or(0, |knob| middle(knob.values))))
    }

    /// Returns the choices that differ from this one at `knob` alone, in the order of its values.
    pub(super) fn others(self, knob: usize) -> impl Iterator<Item = Self> {
        let values = KNOBS.get(knob).map_or(0, |knob| knob.values.len());
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
    pub(super) fn weights(self) -> Weights {
        let mut weights = Weights::default();
        for (knob, place) in KNOBS.iter().zip(self.0) {
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

    use super::{Choice, KNOBS};

    #[test]
    fn a_choice_moves_each_weight_to_one_of_its_values() {
        let middle: Vec<f32> = Choice::middle().weights().named().map(|(_, value)| value).collect();
        assert_eq!(
            middle,
            [2.5, 0.7, 0.3, 0.2, 0.2, 0.4, 0.5, 0.5, 1.2, 0.15, 0.5, 0.5, 0.2, 0.15]
        );
        for (at, knob) in KNOBS.iter().enumerate() {
            let others: Vec<Vec<f32>> = Choice::middle()
                .others(at)
                .map(|choice| choice.weights().named().map(|(_, value)| value).collect())
                .collect();
            assert_eq!(others.len(), knob.values.len() - 1, "{}", knob.name);
            for other in others {
                let changed: Vec<usize> =
                    (0..KNOBS.len()).filter(|&at| other[at] != middle[at]).collect();
                assert_eq!(changed, [at], "{}", knob.name);
            }
        }
    }

    #[test]
    fn knobs_have_names_of_their_own_and_values_that_ascend() {
        let names: HashSet<&str> = KNOBS.iter().map(|knob| knob.name).collect();
        assert_eq!(names.len(), KNOBS.len());
        for knob in &KNOBS {
            assert!(knob.values.is_sorted_by(|left, right| left < right), "{}", knob.name);
        }
    }

    #[test]
    fn both_parameter_fields_share_their_length_discount() {
        let weights = Choice::middle().weights();
        let [.., names, text, _] = weights.settings.fields;
        assert_eq!((names.length_discount, text.length_discount), (0.5, 0.5));
    }
}
