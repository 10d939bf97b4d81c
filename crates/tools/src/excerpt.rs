//! Cutting foreign text for messages.

use crate::limits::ECHO_CHARS_MAX;

/// Returns `text` on one line, with at most `chars_max` characters, the sign that something was left out included.
pub(crate) fn excerpt(text: &str, chars_max: usize) -> String {
    let one_line = |sign: char| if sign.is_control() { ' ' } else { sign };
    let mut short: String = text.chars().take(chars_max).map(one_line).collect();
    if text.chars().nth(chars_max).is_some() {
        short.pop();
        short.push('…');
    }
    short
}

/// Returns a name from a model as a message may repeat it between single quotes.
pub(crate) fn echo(name: &str) -> String {
    excerpt(name, ECHO_CHARS_MAX).replace('\'', " ")
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_is_never_longer_than_asked() {
        for (text, expected) in [
            ("abcd", "abcd"),
            ("abcde", "abc…"),
            ("한국어말뭉치", "한국어…"),
            ("a\nb", "a b"),
            ("", ""),
        ] {
            assert_eq!(excerpt(text, 4), expected);
        }
    }
}
