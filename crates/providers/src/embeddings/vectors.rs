//! What the vectors of an answer must be. Pure.

use crate::limits::EMBEDDING_WIDTH_MAX;

/// Returns the vectors at length 1, where there is one for each of `texts` texts and all are `width` wide; any width will do where it is `None`.
///
/// # Errors
///
/// The answer is another one; what is wrong stands in the error, for an operator.
pub(super) fn checked(
    vectors: Vec<Vec<f32>>,
    texts: usize,
    width: Option<usize>,
) -> Result<Vec<Vec<f32>>, String> {
    if vectors.len() != texts {
        return Err(format!("{texts} texts were answered with {} vectors", vectors.len()));
    }
    let first = vectors.first().map_or(0, Vec::len);
    let wanted = width.unwrap_or(first);
    if first > EMBEDDING_WIDTH_MAX {
        return Err(format!("a vector of {first} numbers, above {EMBEDDING_WIDTH_MAX}"));
    }
    vectors.into_iter().map(|vector| unit(vector, wanted)).collect()
}

fn unit(mut vector: Vec<f32>, width: usize) -> Result<Vec<f32>, String> {
    if vector.is_empty() {
        return Err("a vector without numbers".to_owned());
    }
    if vector.len() != width {
        return Err(format!("a vector of {} numbers where {width} are wanted", vector.len()));
    }
    if !vector.iter().all(|number| number.is_finite()) {
        return Err("a vector with something that is no number".to_owned());
    }
    let squares: f64 = vector.iter().map(|number| f64::from(*number).powi(2)).sum();
    let length = squares.sqrt();
    if length <= f64::from(f32::MIN_POSITIVE) {
        return Err("a vector of zeros".to_owned());
    }
    vector.iter_mut().for_each(|number| *number = (f64::from(*number) / length) as f32);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::checked;

    #[test]
    fn vectors_are_brought_to_length_1() {
        let vectors = vec![vec![3.0, 4.0], vec![0.0, -2.0], vec![0.0, 3e30]];
        let unit = checked(vectors, 3, None).unwrap();
        assert_eq!(unit, [vec![0.6, 0.8], vec![0.0, -1.0], vec![0.0, 1.0]]);
        assert_eq!(checked(Vec::new(), 0, Some(7)).unwrap(), [[0.0; 0]; 0]);
    }

    /// The vectors, the width that is wanted, and what is wrong.
    type Case = (Vec<Vec<f32>>, Option<usize>, &'static str);

    #[test]
    fn any_other_answer_is_refused_with_what_is_wrong() {
        let cases: [Case; 8] = [
            (vec![vec![1.0]], None, "2 texts were answered with 1 vectors"),
            (vec![vec![1.0]; 3], None, "2 texts were answered with 3 vectors"),
            (vec![vec![1.0], vec![1.0, 0.0]], None, "a vector of 2 numbers where 1 are wanted"),
            (vec![vec![1.0], vec![1.0]], Some(3), "a vector of 1 numbers where 3 are wanted"),
            (vec![vec![1.0], vec![]], None, "a vector without numbers"),
            (vec![vec![1.0], vec![0.0]], None, "a vector of zeros"),
            (vec![vec![1.0], vec![f32::NAN]], None, "a vector with something that is no number"),
            (vec![vec![f32::INFINITY]; 2], None, "a vector with something that is no number"),
        ];
        for (vectors, width, expected) in cases {
            assert_eq!(checked(vectors.clone(), 2, width).unwrap_err(), expected, "{vectors:?}");
        }
        let wide = vec![vec![1.0; 20_000]];
        assert_eq!(checked(wide, 1, None).unwrap_err(), "a vector of 20000 numbers, above 16384");
    }
}
