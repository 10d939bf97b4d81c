//! One vector in bytes.

/// The similarity of a vector with itself.
pub(crate) const SIMILARITY_WHOLE: i32 = 1 << 16;

/// The largest byte of a row.
const BYTE_WHOLE: f32 = 127.0;

/// A vector of length 1 in bytes: a number is `scale * byte`.
///
/// Rounding moves the cosine of two vectors of 512 numbers by about 0.001.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The bytes.
    pub bytes: Box<[i8]>,
    /// What a byte is worth.
    pub scale: f32,
}

impl Row {
    /// Rounds a vector, whatever its length, after bringing it to length 1; a vector of zeros, or of what is no number, is similar to nothing.
    #[must_use]
    pub fn of(vector: &[f32]) -> Self {
        let length = vector.iter().map(|&number| f64::from(number).powi(2)).sum::<f64>().sqrt();
        let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        if !length.is_normal() || !largest.is_normal() {
            return Self { bytes: vec![0; vector.len()].into(), scale: 0.0 };
        }
        let step = BYTE_WHOLE / largest;
        // The cast saturates.
        let bytes = vector.iter().map(|number| libm::roundf(number * step) as i8).collect();
        Self { bytes, scale: (f64::from(largest) / f64::from(BYTE_WHOLE) / length) as f32 }
    }
}

/// Returns the cosine for a product of bytes, in parts of [`SIMILARITY_WHOLE`]; whole numbers, so that sums of them do not depend on their order.
pub(super) fn similarity(product: i32, left: f32, right: f32) -> i32 {
    let cosine = f64::from(product) * f64::from(left) * f64::from(right);
    // The cast saturates.
    (cosine * f64::from(SIMILARITY_WHOLE)) as i32
}

#[cfg(test)]
mod tests {
    use super::{Row, SIMILARITY_WHOLE, similarity};
    use crate::vectors::product::products;

    fn cosine(left: &[f32], right: &[f32]) -> f64 {
        let (left, right) = (Row::of(left), Row::of(right));
        let numbers: Vec<i16> = left.bytes.iter().map(|&byte| byte.into()).collect();
        let mut product = [0];
        products(&numbers, &right.bytes, &mut product);
        f64::from(similarity(product[0], left.scale, right.scale)) / f64::from(SIMILARITY_WHOLE)
    }

    #[test]
    fn the_cosine_survives_rounding_whatever_the_length() {
        // 3·4 + 4·3 over 5·5, and the same for multiples.
        for (left, right) in [([3.0, 4.0], [4.0, 3.0]), ([0.3, 0.4], [400.0, 300.0])] {
            assert!((cosine(&left, &right) - 0.96).abs() < 0.005);
        }
        assert!((cosine(&[1.0, -2.0], &[1.0, -2.0]) - 1.0).abs() < 0.005);
        assert!((cosine(&[1.0, 0.0], &[-1.0, 0.0]) + 1.0).abs() < 0.005);
    }

    #[test]
    fn what_is_no_direction_is_similar_to_nothing() {
        for vector in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 0.0]] {
            assert_eq!(cosine(&vector, &[1.0, 1.0]), 0.0, "{vector:?}");
        }
    }
}
