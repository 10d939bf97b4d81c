//! The query grammar: any text is a query.

use oncue_search::Query;

use super::text;
use crate::time::bounded;

/// Any text parses; the parts come from the text, and each form keeps what it promises.
pub fn query(input: &[u8]) {
    let text = text(input);
    let parsed = bounded(1, || Query::parse(&text));
    match &parsed {
        Query::Keyword(words) => {
            assert_eq!(words, text.trim());
            assert!(!words.starts_with('+'));
        }
        Query::Select(names) => {
            for (at, name) in names.iter().enumerate() {
                assert!(text.contains(name.as_str()));
                assert!(!name.contains(',') && !name.is_empty() && name.trim() == name);
                assert!(!names.iter().take(at).any(|earlier| earlier == name));
            }
        }
        Query::Required { required, ranking } => {
            assert!(!required.contains(char::is_whitespace) && ranking.trim() == ranking);
            assert!(text.contains(required.as_str()) && text.trim().ends_with(ranking.as_str()));
        }
    }
    assert_eq!(Query::parse(text.trim()), parsed);
}
