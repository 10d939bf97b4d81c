//! Reads JSON as weak models write it, and gives it back as JSON. Pure; reads each byte once.

use serde_json::value::RawValue;

use crate::limits::{LENIENT_CLOSERS_MAX, LENIENT_DEPTH_MAX};

/// A value at the beginning of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Read {
    /// The value as JSON, without white space between its parts; numbers are spelled as they were.
    pub(super) json: String,
    /// How many bytes of the text it takes.
    pub(super) bytes: usize,
}

/// There is no value at the beginning of the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// How many bytes were read to find out.
    pub(super) bytes: usize,
}

/// Where brackets that are still open may be closed by the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Close<'c> {
    /// Nowhere.
    Never,
    /// At the end of the text.
    AtEnd,
    /// Before this text, and at the end of the text if that may be an end.
    Before {
        /// The text.
        closer: &'c str,
        /// Whether the end of the text counts too.
        at_end: bool,
    },
}

/// Reads the value at the beginning of `text`, after white space.
///
/// Beside JSON it takes commas before a closing bracket, strings in single quotes, line ends within strings, backslashes before any character, and the words of Python for true, false and null.
pub(super) fn read(text: &str, close: Close<'_>) -> Result<Read, Broken> {
    let mut reader = Reader { text, at: 0, json: String::new(), close, closed: 0, depth: 0 };
    match reader.value() {
        Some(()) => Ok(Read { json: reader.json, bytes: reader.at }),
        None => Err(Broken { bytes: reader.at }),
    }
}

struct Reader<'t> {
    text: &'t str,
    /// How many bytes are read.
    at: usize,
    /// What was read so far, as JSON.
    json: String,
    close: Close<'t>,
    /// How many brackets were added.
    closed: usize,
    /// How many brackets are open.
    depth: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes `byte` if it is the next one.
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Says whether an open bracket may be taken as closed here.
    fn may_close(&self) -> bool {
        let is_end = self.peek().is_none();
        self.closed < LENIENT_CLOSERS_MAX
            && match self.close {
                Close::Never => false,
                Close::AtEnd => is_end,
                Close::Before { closer, at_end } => {
                    is_end && at_end || !is_end && self.rest().starts_with(closer)
                }
            }
    }

    fn value(&mut self) -> Option<()> {
        self.skip_space();
        match self.peek()? {
            b'{' => self.nested(b'}', Self::member),
            b'[' => self.nested(b']', Self::value),
            quote @ (b'"' | b'\'') => self.string(quote),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    /// Reads an object or a list, whose parts `part` reads.
    fn nested(&mut self, end: u8, part: fn(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        if self.depth > LENIENT_DEPTH_MAX {
            return None;
        }
        let begin = self.peek()?;
        self.at += 1;
        self.json.push(char::from(begin));
        let mut is_first = true;
        loop {
            self.skip_space();
            if self.takes(end) {
                break;
            }
            if !is_first && self.may_close() {
                self.closed += 1;
                break;
            }
            if !is_first {
                self.takes(b',').then_some(())?;
                self.skip_space();
                if self.takes(end) {
                    break;
                }
                self.json.push(',');
            }
            part(self)?;
            is_first = false;
        }
        self.json.push(char::from(end));
        self.depth -= 1;
        Some(())
    }

    fn member(&mut self) -> Option<()> {
        match self.peek()? {
            quote @ (b'"' | b'\'') => self.string(quote)?,
            _ => return None,
        }
        self.skip_space();
        self.takes(b':').then_some(())?;
        self.json.push(':');
        self.value()
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        self.json.push('"');
        loop {
            let is_plain = |byte: &u8| *byte != quote && !matches!(byte, b'\\' | b'"' | ..b' ');
            let plain = self.rest().bytes().take_while(is_plain).count();
            let text = self.text.get(self.at..self.at + plain)?;
            self.json.push_str(text);
            self.at += plain;
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'\\' => self.escape()?,
                _ if byte == quote => break,
                b'"' => self.json.push_str("\\\""),
                control => self.json.push_str(&format!("\\u{control:04x}")),
            }
        }
        self.json.push('"');
        Some(())
    }

    /// Reads what follows a backslash; one that means nothing in JSON stands for itself, as in a pattern.
    fn escape(&mut self) -> Option<()> {
        let byte = self.peek()?;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.at += 1;
                self.json.push('\\');
                self.json.push(char::from(byte));
            }
            b'u' => {
                let digits = self.text.get(self.at + 1..self.at + 5)?;
                digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
                self.json.push_str("\\u");
                self.json.push_str(digits);
                self.at += 5;
            }
            b'\'' => {
                self.at += 1;
                self.json.push('\'');
            }
            _ => self.json.push_str("\\\\"),
        }
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
        let length = self.rest().bytes().take_while(is_part).count();
        let number = self.text.get(self.at..self.at + length)?;
        self.at += length;
        serde_json::from_str::<&RawValue>(number).ok()?;
        self.json.push_str(number);
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let length = self.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = self.text.get(self.at..self.at + length)?;
        let meant = match word {
            "true" | "True" => "true",
            "false" | "False" => "false",
            "null" | "None" => "null",
            _ => "",
        };
        self.at += length;
        self.json.push_str(meant);
        (!meant.is_empty()).then_some(())?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, Close, read};

    const TAG: Close<'_> = Close::Before { closer: "</t>", at_end: true };

    fn check(text: &str, close: Close<'_>, json: &str, rest: &str) {
        let read = read(text, close).unwrap_or_else(|_| panic!("{text}"));
        assert_eq!((read.json.as_str(), &text[read.bytes..]), (json, rest), "{text}");
        serde_json::from_str::<serde_json::Value>(json).unwrap();
    }

    #[test]
    fn json_is_read_as_it_is() {
        check(
            r#" {"a": [1, -2.50e3, "b\n\u00e9"], "c": null} d"#,
            Close::Never,
            r#"{"a":[1,-2.50e3,"b\n\u00e9"],"c":null}"#,
            " d",
        );
        check(
            "123456789012345678901234567890,",
            Close::Never,
            "123456789012345678901234567890",
            ",",
        );
        check(r#"{}{"a":1}"#, Close::Never, "{}", r#"{"a":1}"#);
    }

    #[test]
    fn what_weak_models_write_is_mended() {
        check(r#"{"a": [1, 2,], "b": {"c": 3,},}"#, Close::Never, r#"{"a":[1,2],"b":{"c":3}}"#, "");
        check(
            r#"{'a': 'it is "b"', 'c': "it's", 'd': 'it\'s'}"#,
            Close::Never,
            r#"{"a":"it is \"b\"","c":"it's","d":"it's"}"#,
            "",
        );
        check(
            "{'a': True, 'b': None, 'c': False}",
            Close::Never,
            r#"{"a":true,"b":null,"c":false}"#,
            "",
        );
        check("{\"a\": \"two\nlines\t\"}", Close::Never, r#"{"a":"two\u000alines\u0009"}"#, "");
        check(r#"{"a": "\d+\.한"}"#, Close::Never, r#"{"a":"\\d+\\.한"}"#, "");
    }

    #[test]
    fn missing_brackets_are_added_where_text_may_end() {
        check(r#"{"a": {"b": 1}"#, Close::AtEnd, r#"{"a":{"b":1}}"#, "");
        check(r#"[{"a": {"b": 1"#, Close::AtEnd, r#"[{"a":{"b":1}}]"#, "");
        check("{\"a\": {\"b\": 1}\n</t> c", TAG, r#"{"a":{"b":1}}"#, "</t> c");
    }

    #[test]
    fn what_is_ambiguous_is_no_value() {
        for (text, close, bytes) in [
            (r#"{"a": {"b": 1}"#, Close::Never, 14),
            (r#"{"a": {"b": 1} c"#, Close::AtEnd, 15),
            (r#"{"a": "b"#, Close::AtEnd, 8),
            (r#"{"a": "#, Close::AtEnd, 6),
            (r#"{"a""#, Close::AtEnd, 4),
            ("{", Close::AtEnd, 1),
            ("[[[[1", Close::AtEnd, 5),
            (r#"{"a": 1,, "b": 2}"#, Close::AtEnd, 8),
            (r#"{"a": 1 "b": 2}"#, Close::AtEnd, 8),
            (r#"{a: 1}"#, Close::AtEnd, 1),
            ("01", Close::AtEnd, 2),
            ("NaN", Close::AtEnd, 3),
            (r#""\u12"#, Close::AtEnd, 2),
            (r#"{"a": 1</t>"#, Close::AtEnd, 7),
            ("", Close::AtEnd, 0),
        ] {
            assert_eq!(read(text, close), Err(Broken { bytes }), "{text}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&deep(64), Close::Never).is_ok());
        assert_eq!(read(&deep(65), Close::Never), Err(Broken { bytes: 64 }));
    }
}
