//! What a definition costs in a model's context.

use oncue_tools::Definition;

use super::subject::Subjects;
use super::{Finding, Kind};
use crate::limits::{BYTES_PER_TOKEN, TOOL_TOKENS_NOTED};

pub(super) fn check(subjects: &Subjects<'_>, findings: &mut Vec<Finding>) {
    for subject in &subjects.all {
        let tokens = tokens(subject.definition);
        if tokens > TOOL_TOKENS_NOTED {
            let message = format!(
                "costs about {tokens} tokens of context, more than {TOOL_TOKENS_NOTED}: shorten the description or split the schema"
            );
            findings.push(subject.finding(Kind::HeavyDefinition, message));
        }
    }
}

/// Returns about how many tokens a definition costs: a quarter of the bytes of `{"name", "description", "parameters"}` as compact JSON.
///
/// Tokenizers differ by vendor; four bytes a token is what English and JSON come to with most, other scripts cost more.
#[must_use]
pub fn tokens(definition: &Definition) -> usize {
    // An empty object stands for the schema of a tool without one: `{"name":,"description":,"parameters":}` has 38 bytes.
    let frame = 38;
    let row = definition.row();
    let schema = definition.parameters().map_or(2, |schema| compact_bytes(schema.get()));
    let bytes = frame + quoted_bytes(row.name()) + quoted_bytes(row.description()) + schema;
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Returns the length of `text` as a JSON string.
fn quoted_bytes(text: &str) -> usize {
    serde_json::to_string(text).map_or(0, |quoted| quoted.len())
}

/// Returns the length of a JSON text without the white space between its tokens.
fn compact_bytes(text: &str) -> usize {
    let mut bytes = 0;
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        if in_string || !byte.is_ascii_whitespace() {
            bytes += 1;
        }
        in_string ^= byte == b'"' && !is_escaped;
        is_escaped = in_string && byte == b'\\' && !is_escaped;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use oncue_decl::Row;
    use oncue_tools::Definition;
    use serde_json::value::RawValue;

    use super::{compact_bytes, tokens};

    #[test]
    fn white_space_between_tokens_costs_nothing() {
        for (text, bytes) in [
            ("{ }", 2),
            ("{\n  \"a b\" : [ 1,\t2 ]\n}", 13),
            (r#"{"a\" b": "\\" }"#, 14),
            (r#"" ""#, 3),
        ] {
            assert_eq!(compact_bytes(text), bytes, "{text}");
        }
    }

    #[test]
    fn a_token_is_four_bytes_of_the_compact_definition() {
        let compact =
            r#"{"name":"read","description":"Reads \"x\"","parameters":{"type":"object"}}"#;
        let schema = RawValue::from_string("{ \"type\" : \"object\" }".into()).unwrap();
        let tool = Definition::new(Row::inline("read", "Reads \"x\""), Some(schema));
        assert_eq!(tokens(&tool), compact.len().div_ceil(4));
    }
}
