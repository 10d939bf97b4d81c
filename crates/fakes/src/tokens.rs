//! Tokens as all fakes estimate them: four bytes each, rounded up.

use serde_json::Value;

use crate::Piece;

/// Bytes of one token.
const TOKEN_BYTES: usize = 4;

/// Returns the tokens of a text of this many bytes.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    bytes.div_ceil(TOKEN_BYTES) as u64
}

/// Returns the tokens of thoughts and of everything, in that order.
pub(crate) fn of_pieces(pieces: &[Piece]) -> (u64, u64) {
    let tokens = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Reasoning(text) => of_bytes(text.len()),
        Piece::Call { name, arguments } => of_bytes(name.len() + arguments.to_string().len()),
        Piece::RawCall { name, arguments } => of_bytes(name.len() + arguments.len()),
        Piece::Opaque(value) => of_value(value),
    };
    let is_thought = |piece: &&Piece| matches!(piece, Piece::Reasoning(_));
    let thoughts = pieces.iter().filter(is_thought).map(tokens).sum();
    (thoughts, pieces.iter().map(tokens).sum())
}

/// Returns the tokens of a value's JSON text.
pub(crate) fn of_value(value: &Value) -> u64 {
    of_bytes(value.to_string().len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{of_bytes, of_pieces};
    use crate::Piece;

    #[test]
    fn a_begun_token_counts_whole() {
        assert_eq!([0, 1, 4, 5].map(of_bytes), [0, 1, 1, 2]);
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
