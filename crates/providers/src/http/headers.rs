//! The headers of an answer, as pairs of a name in lower case and a value.

/// Returns the value of the first header of this name.
pub(crate) fn header<'h>(headers: &'h [(String, String)], wanted: &str) -> Option<&'h str> {
    let mut found = headers.iter().filter(|(name, _)| name == wanted);
    found.next().map(|(_, value)| value.trim())
}
