//! How pieces of a stream are framed and texts cut into fragments.

use serde_json::Value;

/// Characters of one fragment: short, so that every reader has to join them.
const FRAGMENT_CHARS: usize = 7;

/// An event without a name.
pub(crate) fn data(value: &Value) -> Vec<u8> {
    format!("data: {value}\n\n").into_bytes()
}

/// An event with a name, which its data repeat as their type.
pub(crate) fn event(value: &Value) -> Vec<u8> {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n").into_bytes()
}

/// Cuts a text into fragments between characters.
pub(crate) fn fragments(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(FRAGMENT_CHARS).map(|fragment| fragment.iter().collect()).collect()
}

/// Returns the first half of a text, as far as a reply gets that is cut off in it.
pub(crate) fn first_half(text: &str) -> &str {
    let end = text.floor_char_boundary(text.len() / 2);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{first_half, fragments};

    #[test]
    fn fragments_join_to_the_text_and_never_cut_a_character() {
        let text = "åtte små fisk";
        assert_eq!(fragments(text), ["åtte sm", "å fisk"]);
        assert!(fragments("").is_empty());
    }

    #[test]
    fn half_a_text_ends_between_characters() {
        assert_eq!((first_half("abcd"), first_half("åå"), first_half("æ")), ("ab", "å", ""));
    }
}
