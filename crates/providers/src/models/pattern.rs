//! Names of models with `*` in them.

/// Says whether `text` matches `pattern`, in which `*` stands for anything, nothing included.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(head) else { return false };
    // The first place where the next piece fits leaves the most for what follows; the last piece must stand at the end.
    let mut text = text;
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some((_, after)) = text.split_once(piece) else { return false };
        text = after;
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        let cases = [
            ("a", "a", true),
            ("a", "ab", false),
            ("", "", true),
            ("*", "", true),
            ("a*", "a", true),
            ("a*", "abc", true),
            ("a*", "ba", false),
            ("*a", "ba", true),
            ("*a", "ab", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*b*", "abc", true),
            ("*b*", "ac", false),
            ("a*b*c", "axbyc", true),
            ("a*b*c", "axcyb", false),
            ("a**c", "abc", true),
            ("*ab", "aab", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
