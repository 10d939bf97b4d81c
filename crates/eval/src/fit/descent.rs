//! Coordinate descent: one weight after another, the others held.

use super::weights::{Choice, Part};

/// A mean must grow by more than this to count as better, so that rounding decides nothing.
const GAIN_MIN: f64 = 1e-9;

/// Where a descent ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Descent {
    pub(super) choice: Choice,
    /// The mean that it reaches.
    pub(super) mean: f64,
    /// The rounds that were gone through.
    pub(super) rounds: usize,
    /// Whether the last round changed nothing.
    pub(super) settled: bool,
}

/// Returns where descending from the middle of the grid ends after at most `rounds` rounds.
///
/// `mean` tells what a choice reaches; `progress` learns the round, from 1, and the weight that is tried.
pub(super) fn descend(
    part: Part,
    rounds: usize,
    mean: &mut dyn FnMut(Choice) -> f64,
    progress: &mut dyn FnMut(usize, &'static str),
) -> Descent {
    let start = Choice::middle(part);
    let mut best = Descent { choice: start, mean: mean(start), rounds: 0, settled: false };
    while best.rounds < rounds && !best.settled {
        best.rounds += 1;
        best.settled = true;
        for (at, knob) in part.knobs().iter().enumerate() {
            progress(best.rounds, knob.name);
            for choice in best.choice.others(part, at) {
                let reached = mean(choice);
                if reached > best.mean + GAIN_MIN {
                    (best.choice, best.mean, best.settled) = (choice, reached, false);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Choice, Part, descend};

    const PART: Part = Part::Words;

    /// How far each weight is from its highest value, in steps.
    fn steps_left(choice: Choice) -> usize {
        let named = choice.weights(PART);
        PART.knobs()
            .iter()
            .zip(named.named(PART))
            .map(|(knob, (_, value))| knob.values.iter().filter(|&&other| other > value).count())
            .sum()
    }

    #[test]
    fn each_weight_goes_where_the_mean_is_best() {
        let mut tried = Vec::new();
        let found =
            descend(PART, 9, &mut |choice| -(steps_left(choice) as f64), &mut |round, knob| {
                tried.push((round, knob));
            });
        let highest: Vec<f32> =
            PART.knobs().iter().map(|knob| knob.values.last().copied().expect("values")).collect();
        let weights: Vec<f32> =
            found.choice.weights(PART).named(PART).map(|(_, value)| value).collect();
        assert_eq!(weights, highest);
        // One round moves every weight; the second changes nothing.
        assert_eq!((found.mean, found.rounds, found.settled), (0.0, 2, true));
        assert_eq!(tried.len(), 2 * PART.knobs().len());
        assert_eq!(tried[0], (1, "name"));
    }

    #[test]
    fn without_a_gain_nothing_moves() {
        let found = descend(PART, 9, &mut |_| 0.5, &mut |_, _| {});
        assert_eq!(found.choice, Choice::middle(PART));
        assert_eq!((found.mean, found.rounds, found.settled), (0.5, 1, true));
    }

    #[test]
    fn rounds_bound_the_work() {
        let found = descend(PART, 1, &mut |choice| -(steps_left(choice) as f64), &mut |_, _| {});
        assert_eq!((found.rounds, found.settled), (1, false));
    }
}
