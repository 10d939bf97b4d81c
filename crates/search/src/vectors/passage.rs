//! The text of a tool that is made a vector.

use crate::Document;
use crate::limits::{
    LABEL_BYTES_MAX, PASSAGE_BYTES_MAX, PASSAGE_PARAMETERS_MAX, PASSAGE_SENTENCE_BYTES_MAX, head,
};
use crate::schema::{Part, each_part};

/// Bytes of a description in which no sentence ends: abbreviations and versions do not make one.
const SENTENCE_BYTES_MIN: usize = 20;

/// Returns the text that stands for a tool before a model of meaning: its name in words, the first sentence of what it does, and the names of its parameters.
///
/// Short, since such models were trained on sentences: whole descriptions were measured and find less.
///
/// ```
/// use oncue_decl::Row;
/// use oncue_search::{Document, passage};
///
/// let tool = Document::new(Row::discoverable("sendMail", "Sends a message to somebody. Needs an account."));
/// assert_eq!(passage(&tool), "send Mail. Sends a message to somebody.");
/// ```
#[must_use]
pub fn passage(document: &Document) -> String {
    let row = &document.row;
    let mut passage = words(head(row.name(), LABEL_BYTES_MAX));
    passage += ". ";
    passage += first_sentence(row.description());
    let mut parameters = Vec::new();
    if let Some(schema) = &document.schema {
        each_part(schema.get(), &mut |part, text| {
            if part == Part::Name && parameters.len() < PASSAGE_PARAMETERS_MAX {
                parameters.push(words(text));
            }
        });
    }
    if !parameters.is_empty() {
        passage.push(' ');
        passage += &parameters.join(", ");
    }
    passage.truncate(passage.floor_char_boundary(PASSAGE_BYTES_MAX));
    passage.trim().to_owned()
}

fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let from = text.floor_char_boundary(SENTENCE_BYTES_MIN);
    let rest = text.get(from..).unwrap_or_default();
    let ends = |&(at, mark): &(usize, char)| match mark {
        '。' | '\n' => true,
        '.' | '!' | '?' => {
            let next = rest.get(at + 1..).and_then(|rest| rest.chars().next());
            next.is_none_or(char::is_whitespace)
        }
        _ => false,
    };
    match rest.char_indices().find(ends) {
        Some((at, mark)) => head(text, from + at + mark.len_utf8()).trim_end(),
        None => head(text, PASSAGE_SENTENCE_BYTES_MAX),
    }
}

/// Returns an identifier as words: a space for each separator, and one in front of each capital behind a small letter or digit.
fn words(identifier: &str) -> String {
    let mut words = String::with_capacity(identifier.len() + 8);
    let mut before = ' ';
    for character in identifier.chars() {
        let character =
            if matches!(character, '_' | '-' | '.' | '/' | ':') { ' ' } else { character };
        let begins = character.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if begins {
            words.push(' ');
        }
        if character != ' ' || before != ' ' {
            words.push(character);
        }
        before = character;
    }
    words
}

#[cfg(test)]
mod tests {
    use oncue_decl::Row;
    use serde_json::value::RawValue;

    use super::passage;
    use crate::Document;

    #[test]
    fn a_passage_is_short_and_in_words() {
        let schema =
            r#"{"properties": {"maxResults": {"description": "many words"}, "user_id": {}}}"#;
        let document = Document::new(Row::inline(
            "github__list-PullRequests",
            "Lists the pull requests of v1.2 repositories\nwith all their comments. And more.",
        ))
        .with_schema(RawValue::from_string(schema.to_owned()).unwrap());
        assert_eq!(
            passage(&document),
            "github list Pull Requests. Lists the pull requests of v1.2 repositories max Results, user id"
        );
    }

    #[test]
    fn no_text_makes_a_passage_long() {
        let document = Document::new(Row::inline("x".repeat(5_000), "y".repeat(5_000)));
        assert_eq!(passage(&document).len(), 1_024);
        assert_eq!(passage(&Document::new(Row::inline("", ""))), ".");
    }
}
