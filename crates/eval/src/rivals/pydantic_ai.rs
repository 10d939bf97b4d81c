//! pydantic-ai's local tool search: how many different words a text shares with name and description.
//!
//! Words are runs of `a-z0-9` once lowered, so that a text in another script has none.

use std::collections::HashSet;

use super::rival::Answers;
use super::terms::{Terms, add, best};
use crate::retrieval::LabelledTool;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    let terms = Terms::of(tools.iter().map(|tool| {
        let row = &tool.document.row;
        words(&format!("{} {}", row.name(), row.description())).into_iter().collect()
    }));
    Box::new(move |text, max| {
        let mut scores = vec![0.0; terms.texts()];
        for word in words(text) {
            for posting in terms.having(&word) {
                add(&mut scores, posting.text, 1.0);
            }
        }
        best(&scores, max)
    })
}

fn words(text: &str) -> HashSet<String> {
    let text = text.to_lowercase();
    let is_outside = |character: char| !matches!(character, 'a'..='z' | '0'..='9');
    text.split(is_outside).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::index;
    use crate::rivals::rival::tests::{check, tools};

    #[test]
    fn each_shared_word_counts_once_whatever_its_rarity() {
        let tools = tools(&[
            ("read_file", "Read a file, then read the file"),
            ("mail", "Send a file by mail to many readers"),
            ("메일", "메일을 보낸다"),
        ]);
        check(
            &index(&tools),
            &[
                // The first has {read, file}; the second {file}.
                ("READ file read", &[0, 1]),
                // The first has {a, file}, the second {a, file, mail}.
                ("mail a file", &[1, 0]),
                // Both have {a}: the order of the catalog.
                ("a reader", &[0, 1]),
                ("메일 보내기", &[]),
            ],
        );
    }
}
