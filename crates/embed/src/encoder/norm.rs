//! Normal forms of rows.

/// Numbers that are summed side by side; the order of a sum is part of its result.
const LANES: usize = 8;

/// Below this a variance or a squared length counts as nothing.
pub(super) const EPSILON: f32 = 1e-12;

/// Scale and shift of a layer normalisation (Ba, Kiros, Hinton: *Layer Normalization*, 2016, equation 4).
pub(crate) struct Norm {
    pub(crate) gain: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Norm {
    /// Brings each row to mean 0 and variance 1, then to gain and bias.
    pub(super) fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.gain.len()) {
            let mean = sum(row, |number| number) / row.len() as f32;
            row.iter_mut().for_each(|number| *number -= mean);
            let variance = sum(row, |number| number * number) / row.len() as f32;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            for ((number, gain), bias) in row.iter_mut().zip(&self.gain).zip(&self.bias) {
                *number = *number * scale * gain + bias;
            }
        }
    }
}

/// Brings `row` to length 1.
pub(super) fn to_unit_length(row: &mut [f32]) {
    let scale = 1.0 / sum(row, |number| number * number).max(EPSILON).sqrt();
    row.iter_mut().for_each(|number| *number *= scale);
}

fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, &number) in sums.iter_mut().zip(chunk) {
            *sum += of(number);
        }
    }
    sums.into_iter().sum::<f32>() + rest.iter().map(|&number| of(number)).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::{Norm, to_unit_length};

    #[test]
    fn a_row_gets_the_mean_and_variance_that_are_asked_for() {
        // Mean 3 and variance 4: (1 - 3) / 2 = -1 and (5 - 3) / 2 = 1.
        let mut rows = [1.0, 5.0, 5.0, 1.0];
        Norm { gain: vec![2.0, 10.0], bias: vec![0.0, 1.0] }.apply(&mut rows);
        for (number, expected) in rows.into_iter().zip([-2.0, 11.0, 2.0, -9.0]) {
            assert!((number - expected).abs() < 1e-5, "{number} for {expected}");
        }
    }

    #[test]
    fn a_row_is_brought_to_length_one_and_nothing_stays_nothing() {
        let mut row = [3.0, 0.0, 4.0];
        to_unit_length(&mut row);
        for (number, expected) in row.into_iter().zip([0.6, 0.0, 0.8]) {
            assert!((number - expected).abs() < 1e-6);
        }
        let mut nothing = [0.0; 3];
        to_unit_length(&mut nothing);
        assert_eq!(nothing, [0.0; 3]);
    }
}
