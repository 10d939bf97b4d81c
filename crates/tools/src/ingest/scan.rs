//! Finds where JSON values begin and end, without recursion and without reading what is in them.
//!
//! The parts of a list are found before anything in them is parsed, so a broken or absurdly deep part costs its siblings nothing.
//! Whether a part is valid JSON is for the parser to say.

use std::ops::Range;

use memchr::memchr2;

/// The text stops being JSON here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// Byte offset in the text.
    pub(super) at: usize,
    /// What should have been there.
    pub(super) expected: &'static str,
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member<'t> {
    /// The bytes between the quotes of the key, escapes and all.
    pub(super) key: &'t [u8],
    /// Where the value is.
    pub(super) value: Range<usize>,
}

/// How large and how deep a JSON text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Levels of objects and arrays; 0 for a scalar.
    pub(super) depth: usize,
    /// Objects, nested ones too.
    pub(super) objects: usize,
    /// Elements of all arrays that are the value of a key `enum`.
    pub(super) enum_values: usize,
}

/// Returns the first place at or after `at` that is not JSON white space.
pub(super) fn blank_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    at + rest.iter().position(|byte| !blank(byte)).unwrap_or(rest.len())
}

/// Returns the end of the value that begins at `at`.
pub(super) fn value_end(text: &[u8], at: usize) -> Result<usize, Broken> {
    match text.get(at) {
        Some(b'"') => string_end(text, at),
        Some(b'{' | b'[') => nested_end(text, at),
        _ => scalar_end(text, at),
    }
}

fn string_end(text: &[u8], at: usize) -> Result<usize, Broken> {
    let mut next = at + 1;
    loop {
        let rest = text.get(next..).unwrap_or_default();
        match memchr2(b'"', b'\\', rest) {
            Some(found) if rest.get(found) == Some(&b'"') => return Ok(next + found + 1),
            Some(found) => next += found + 2,
            None => return Err(Broken { at, expected: "a string with a closing quote" }),
        }
    }
}

fn scalar_end(text: &[u8], at: usize) -> Result<usize, Broken> {
    let rest = text.get(at..).unwrap_or_default();
    let ends =
        |byte: &u8| matches!(byte, b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}' | 0..=b' ');
    match rest.iter().position(ends).unwrap_or(rest.len()) {
        0 => Err(Broken { at, expected: "a value" }),
        length => Ok(at + length),
    }
}

fn nested_end(text: &[u8], at: usize) -> Result<usize, Broken> {
    let mut open: Vec<u8> = Vec::new();
    let mut next = at;
    while let Some(&byte) = text.get(next) {
        match byte {
            b'"' => {
                next = string_end(text, next)?;
                continue;
            }
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                if open.pop() != Some(byte) {
                    return Err(Broken { at: next, expected: "the other closing bracket" });
                }
                if open.is_empty() {
                    return Ok(next + 1);
                }
            }
            _ => {}
        }
        next += 1;
    }
    Err(Broken { at: text.len(), expected: "a closing bracket" })
}

/// Iterates over the members of the object that begins at `at`.
pub(super) fn members(text: &[u8], at: usize) -> impl Iterator<Item = Result<Member<'_>, Broken>> {
    let mut parts = Parts::new(text, at, b'}');
    std::iter::from_fn(move || parts.next_with(member))
}

/// Iterates over the elements of the array that begins at `at`.
pub(super) fn elements(
    text: &[u8],
    at: usize,
) -> impl Iterator<Item = Result<Range<usize>, Broken>> {
    let mut parts = Parts::new(text, at, b']');
    std::iter::from_fn(move || {
        parts.next_with(|text, at| value_end(text, at).map(|end| (at..end, end)))
    })
}

fn member(text: &[u8], at: usize) -> Result<(Member<'_>, usize), Broken> {
    if text.get(at) != Some(&b'"') {
        return Err(Broken { at, expected: "a key in quotes" });
    }
    let key_end = string_end(text, at)?;
    let colon = blank_end(text, key_end);
    if text.get(colon) != Some(&b':') {
        return Err(Broken { at: colon, expected: "`:`" });
    }
    let begin = blank_end(text, colon + 1);
    let end = value_end(text, begin)?;
    let key = text.get(at + 1..key_end - 1).unwrap_or_default();
    Ok((Member { key, value: begin..end }, end))
}

/// The comma-separated parts between two brackets; after the first fault there are no more.
struct Parts<'t> {
    text: &'t [u8],
    at: usize,
    close: u8,
    is_first: bool,
    is_over: bool,
}

impl<'t> Parts<'t> {
    /// The parts after the opening bracket at `at`.
    fn new(text: &'t [u8], at: usize, close: u8) -> Self {
        Self { text, at: at + 1, close, is_first: true, is_over: false }
    }

    fn next_with<P>(
        &mut self,
        part: impl FnOnce(&'t [u8], usize) -> Result<(P, usize), Broken>,
    ) -> Option<Result<P, Broken>> {
        if self.is_over {
            return None;
        }
        let begin = match self.begin()? {
            Ok(begin) => begin,
            Err(broken) => return Some(Err(self.broken(broken))),
        };
        match part(self.text, begin) {
            Ok((part, end)) => {
                self.at = end;
                Some(Ok(part))
            }
            Err(broken) => Some(Err(self.broken(broken))),
        }
    }

    /// Returns where the next part begins, or nothing at the closing bracket.
    fn begin(&mut self) -> Option<Result<usize, Broken>> {
        let at = blank_end(self.text, self.at);
        let byte = self.text.get(at).copied();
        if byte == Some(self.close) {
            self.is_over = true;
            return None;
        }
        if std::mem::take(&mut self.is_first) {
            return Some(Ok(at));
        }
        if byte != Some(b',') {
            return Some(Err(Broken { at, expected: "`,` or a closing bracket" }));
        }
        Some(Ok(blank_end(self.text, at + 1)))
    }

    fn broken(&mut self, broken: Broken) -> Broken {
        self.is_over = true;
        broken
    }
}

/// One open bracket while a text is measured.
struct Level {
    is_enum: bool,
    is_empty: bool,
}

/// Returns how large and how deep a valid JSON text is; one pass, no recursion.
pub(super) fn extent(text: &[u8]) -> Extent {
    let mut extent = Extent::default();
    let mut open: Vec<Level> = Vec::new();
    let mut last_string = 0..0;
    let mut is_enum_next = false;
    let mut next = 0;
    while let Some(&byte) = text.get(next) {
        let begin = next;
        next += 1;
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            continue;
        }
        count_enum_value(byte, open.last_mut(), &mut extent);
        match byte {
            b'"' => {
                next = string_end(text, begin).unwrap_or(text.len());
                last_string = begin + 1..next.saturating_sub(1);
            }
            b':' => is_enum_next = text.get(last_string.clone()) == Some(b"enum"),
            b'{' | b'[' => {
                extent.objects += usize::from(byte == b'{');
                open.push(Level { is_enum: is_enum_next && byte == b'[', is_empty: true });
                extent.depth = extent.depth.max(open.len());
                is_enum_next = false;
            }
            b'}' | b']' => {
                open.pop();
            }
            _ => is_enum_next = false,
        }
    }
    extent
}

fn count_enum_value(byte: u8, level: Option<&mut Level>, extent: &mut Extent) {
    let Some(level) = level.filter(|level| level.is_enum) else { return };
    let begins_first = level.is_empty && byte != b']';
    if begins_first || byte == b',' {
        extent.enum_values += 1;
    }
    level.is_empty = false;
}

#[cfg(test)]
mod tests;
