//! Codex's tool search: the crate `bm25` with its English analysis, over one text of each tool.
//!
//! The text is the name with its server in front and the name, both as a model would write them, the name as it is, the server, the description and the names of the top-level parameters.
//! In Codex the order of equal scores changes from run to run; here it is drawn once for each text, so that no order of a catalog helps.

use serde_json::Value;

use super::english::{self, Ties};
use super::rival::Answers;
use crate::retrieval::LabelledTool;

/// What the crate has where nothing else is said.
const K1: f32 = 1.2;
const B: f32 = 0.75;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    english::answers(tools.iter().map(text_of).enumerate().collect(), K1, B, Ties::Drawn)
}

fn text_of(tool: &LabelledTool) -> String {
    let row = &tool.document.row;
    let (name, server) = (row.name(), tool.source.as_str());
    let callable = callable(name);
    let mut parts = vec![format!("mcp__{}__{callable}", self::callable(server)), callable];
    parts.extend([name, server, row.description().trim()].map(str::to_owned));
    let schema = tool.document.schema.as_ref();
    let schema: Option<Value> = schema.and_then(|text| serde_json::from_str(text.get()).ok());
    let properties = schema.as_ref().and_then(|schema| schema.get("properties")?.as_object());
    let mut names: Vec<String> = properties.into_iter().flat_map(|it| it.keys().cloned()).collect();
    names.sort();
    parts.extend(names);
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// A name as its vendor's models can write it.
fn callable(name: &str) -> String {
    let kept = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().map(|letter| if kept(letter) { letter } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{index, text_of};
    use crate::rivals::rival::tests::{check, parsed, tools};

    #[test]
    fn the_text_has_server_and_parameter_names() {
        let tools = parsed(&[
            json!({"id": "1", "name": "create-event", "description": " Create. ", "server": "cal",
            "input_schema": {"properties": {"start": {"description": "when"}, "attendees": {}}}}),
        ]);
        let text = "mcp__cal__create_event create_event create-event cal Create. attendees start";
        assert_eq!(text_of(&tools[0]), text);
    }

    #[test]
    fn rare_stems_win_and_identifiers_are_not_split() {
        // 5, 5 and 4 terms, since `on`, `a`, `by`, `there` and `were` are none. `file` is in two of three: ln(1 + 1.5 / 2.5) = 0.470; `mail` in one: ln(1 + 2.5 / 1.5) = 0.981.
        let tools = tools(&[
            ("read_file", "files on a disk"),
            ("send_mail", "file by mailing"),
            ("stop_jobs", "jobs there were"),
        ]);
        check(&index(&tools), &[("filing mails", &[1, 0]), ("read", &[]), ("stop_jobs", &[2])]);
    }
}
