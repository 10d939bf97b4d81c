//! What models want in front of queries and passages, by their makers' descriptions. Without it they find less.

use crate::models::matches;

/// What a model wants in front of a text.
struct Row {
    /// A part of its name in small letters, in which `*` stands for anything.
    pattern: &'static str,
    query: &'static str,
    passage: &'static str,
}

/// The first row that matches counts.
const ROWS: [Row; 10] = [
    Row { pattern: "*nomic-embed-text*", query: "search_query: ", passage: "search_document: " },
    // Instructed models of the family want a sentence in front of queries and nothing else.
    Row { pattern: "*e5*instruct*", query: INSTRUCTED, passage: "" },
    Row { pattern: "*e5-mistral*", query: INSTRUCTED, passage: "" },
    Row { pattern: "*e5-*", query: "query: ", passage: "passage: " },
    Row {
        pattern: "*embeddinggemma*",
        query: "task: search result | query: ",
        passage: "title: none | text: ",
    },
    Row { pattern: "*qwen3-embedding*", query: INSTRUCTED, passage: "" },
    Row { pattern: "*arctic-embed2*", query: "query: ", passage: "" },
    Row { pattern: "*arctic-embed*v2*", query: "query: ", passage: "" },
    Row { pattern: "*arctic-embed*", query: SEARCHING, passage: "" },
    Row { pattern: "*mxbai-embed*", query: SEARCHING, passage: "" },
];

const INSTRUCTED: &str = "Instruct: Given a request, retrieve the tools that serve it\nQuery: ";

const SEARCHING: &str = "Represent this sentence for searching relevant passages: ";

/// Returns what an embedding model of this name wants in front of a query and in front of a text that is searched; nothing where it is not known to want anything.
///
/// ```
/// use oncue_providers::embedding_prefixes;
///
/// assert_eq!(embedding_prefixes("multilingual-e5-small"), ("query: ", "passage: "));
/// assert_eq!(embedding_prefixes("all-minilm"), ("", ""));
/// ```
#[must_use]
pub fn of_model(model: &str) -> (&'static str, &'static str) {
    let model = model.to_lowercase();
    let row = ROWS.iter().find(|row| matches(row.pattern, &model));
    row.map_or(("", ""), |row| (row.query, row.passage))
}

#[cfg(test)]
mod tests {
    use super::of_model;

    #[test]
    fn models_are_known_by_a_part_of_their_names() {
        let cases = [
            ("text-embedding-3-small", "", ""),
            ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
            ("nomic-ai/nomic-embed-text-v2-moe", "search_query: ", "search_document: "),
            ("intfloat/multilingual-e5-small", "query: ", "passage: "),
            ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: "),
            ("snowflake-arctic-embed2", "query: ", ""),
            ("bge-m3", "", ""),
            ("all-minilm", "", ""),
        ];
        for (model, query, passage) in cases {
            assert_eq!(of_model(model), (query, passage), "{model}");
        }
        for model in ["Qwen/Qwen3-Embedding-0.6B", "multilingual-e5-large-instruct"] {
            let (query, passage) = of_model(model);
            assert!(query.starts_with("Instruct: ") && passage.is_empty(), "{model}");
        }
        for model in ["snowflake-arctic-embed:22m", "mxbai-embed-large"] {
            assert!(of_model(model).0.starts_with("Represent this sentence"), "{model}");
        }
    }
}
