//! The vocabulary of a SentencePiece model: pieces, their likelihoods and the table of characters.
//!
//! The file is a protocol buffer (`sentencepiece_model.proto`: `ModelProto`), of which a few fields are wanted; unknown ones are passed over.

use std::str;

/// Fields of `ModelProto`.
const PIECES: u64 = 1;
const NORMALIZER: u64 = 3;
/// Fields of `SentencePiece`.
const PIECE: u64 = 1;
const SCORE: u64 = 2;
const KIND: u64 = 3;
/// The kind of a piece that is found in text.
const NORMAL: u64 = 1;
/// The field of `NormalizerSpec` with the table of characters.
const CHARACTERS: u64 = 2;

/// What a model knows of text.
pub(super) struct Vocabulary {
    /// The pieces by number; those that are never found in text are empty.
    pub(super) pieces: Vec<String>,
    /// The logarithm of how likely each is.
    pub(super) scores: Vec<f32>,
    /// The double-array trie of characters that are replaced.
    pub(super) characters: Vec<u8>,
    /// The replacements, each ended by a zero byte.
    pub(super) replacements: Vec<u8>,
}

/// One field of a message.
enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    Word([u8; 4]),
    Other,
}

/// Returns what `bytes` hold, or `None` where they are no such model.
pub(super) fn vocabulary(bytes: &[u8]) -> Option<Vocabulary> {
    let (mut pieces, mut scores, mut table) = (Vec::new(), Vec::new(), None);
    for (field, value) in fields(bytes)? {
        match (field, value) {
            (PIECES, Value::Bytes(piece)) => {
                let (text, score) = piece_of(piece)?;
                pieces.push(text);
                scores.push(score);
            }
            (NORMALIZER, Value::Bytes(normalizer)) => {
                table = fields(normalizer)?.into_iter().find_map(|(field, value)| match value {
                    Value::Bytes(bytes) if field == CHARACTERS => Some(bytes),
                    _ => None,
                });
            }
            _ => {}
        }
    }
    let (len, rest) = table?.split_first_chunk::<4>()?;
    let (characters, replacements) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    let (characters, replacements) = (characters.to_vec(), replacements.to_vec());
    Some(Vocabulary { pieces, scores, characters, replacements })
}

fn piece_of(bytes: &[u8]) -> Option<(String, f32)> {
    let (mut text, mut score, mut kind) = ("", 0.0, NORMAL);
    for (field, value) in fields(bytes)? {
        match (field, value) {
            (PIECE, Value::Bytes(bytes)) => text = str::from_utf8(bytes).ok()?,
            (SCORE, Value::Word(bytes)) => score = f32::from_le_bytes(bytes),
            (KIND, Value::Number(number)) => kind = number,
            _ => {}
        }
    }
    Some((if kind == NORMAL { text.to_owned() } else { String::new() }, score))
}

/// Returns the fields of a message in order (Protocol Buffers, *Encoding*).
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Value<'_>)>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut bytes)?),
            1 => {
                take(&mut bytes, 8)?;
                Value::Other
            }
            2 => {
                let len = usize::try_from(varint(&mut bytes)?).ok()?;
                Value::Bytes(take(&mut bytes, len)?)
            }
            5 => Value::Word(take(&mut bytes, 4)?.try_into().ok()?),
            _ => return None,
        };
        fields.push((key >> 3, value));
    }
    Some(fields)
}

fn take<'b>(bytes: &mut &'b [u8], len: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *take(bytes, 1)?.first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::vocabulary;

    #[test]
    fn pieces_scores_and_characters_are_read_and_the_rest_is_passed_over() {
        // Written by hand from the encoding: key = field << 3 | wire type.
        let mut model = Vec::new();
        // A piece "ab" of score -1.5; a control piece "<s>".
        model.extend(b"\x0a\x09\x0a\x02ab\x15\x00\x00\xc0\xbf");
        model.extend(b"\x0a\x07\x0a\x03<s>\x18\x03");
        // A trainer specification, which does not matter.
        model.extend(b"\x12\x02\x08\x01");
        // The normaliser: a name, and a table of a 4-byte trie and two replacements.
        model.extend(b"\x1a\x10\x0a\x01n\x12\x0b\x04\x00\x00\x00TRIEx\x00y");
        let read = vocabulary(&model).unwrap();
        assert_eq!(read.pieces, ["ab", ""]);
        assert_eq!(read.scores, [-1.5, 0.0]);
        assert_eq!(read.characters, b"TRIE");
        assert_eq!(read.replacements, b"x\0y");
        assert!(vocabulary(&model[..model.len() - 1]).is_none());
        assert!(vocabulary(b"\x0f").is_none());
    }
}
