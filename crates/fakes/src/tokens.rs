//! How long a text is, in tokens: an estimate that anyone can work out by hand.

use serde_json::Value;

use crate::Piece;

/// Returns the length of so many bytes: a quarter, rounded up.
pub(crate) const fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}

/// Returns the tokens of thoughts and of everything, in that order.
pub(crate) fn of_pieces(pieces: &[Piece]) -> (u64, u64) {
    let length = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Reasoning(text) => tokens(text.len()),
        Piece::Call { name, arguments } => tokens(name.len() + arguments.to_string().len()),
        Piece::RawCall { name, arguments } => tokens(name.len() + arguments.len()),
        Piece::Opaque(value) => of_value(value),
    };
    let is_thought = |piece: &&Piece| matches!(piece, Piece::Reasoning(_));
    let thoughts = pieces.iter().filter(is_thought).map(length).sum();
    (thoughts, pieces.iter().map(length).sum())
}

/// Returns the tokens of a value's JSON text.
pub(crate) fn of_value(value: &Value) -> u64 {
    tokens(value.to_string().len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{of_pieces, tokens};
    use crate::Piece;

    #[test]
    fn a_begun_token_counts_whole() {
        assert_eq!([0, 1, 4, 5].map(tokens), [0, 1, 1, 2]);
    }

    #[test]
    fn thoughts_are_counted_apart_and_with_the_rest() {
        let pieces = [
            Piece::Reasoning("12345".to_owned()),
            Piece::Text("1234".to_owned()),
            // One byte of name and two of arguments.
            Piece::Call { name: "f".to_owned(), arguments: json!({}) },
        ];
        assert_eq!(of_pieces(&pieces), (2, 4));
    }
}
