//! Vectors that anyone can work out by hand: a place for each word.

/// Returns the vector of `text`, at length 1: a word adds one to the number at the sum of its bytes, modulo the width; a text without words has all of its length in the first number.
pub(super) fn vector(text: &str, width: usize) -> Vec<f32> {
    let mut vector = vec![0.0_f32; width];
    let text = text.to_lowercase();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let sum: usize = word.bytes().map(usize::from).sum();
        if let Some(number) = vector.get_mut(sum % width) {
            *number += 1.0;
        }
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    match (length > 0.0, vector.first_mut()) {
        (true, _) => vector.iter_mut().for_each(|number| *number /= length),
        (false, Some(first)) => *first = 1.0,
        (false, None) => {}
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::vector;

    #[test]
    fn a_word_has_its_place() {
        // "a" is 97, which is 1 of 4; "b" is 2; "ab" is 195, which is 3.
        assert_eq!(vector("a", 4), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(vector("A, b!", 4), [0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt(), 0.0]);
        assert_eq!(vector("ab a b ab ab", 4)[3], 3.0 / 11.0_f32.sqrt());
        assert_eq!(vector(" .", 2), [1.0, 0.0]);
    }
}
