//! What a search tells a client, within a budget of bytes. Pure.
//!
//! Hits come in order with their whole schema while the budget lasts, the first always unless it alone is huge; the rest come as name, one line and the arguments that a call must have.
//! A definition stays as its upstream wrote it, and a required argument is never hidden, whatever the budget.

use oncue_mcp::Members;
use oncue_tools::{Entry, Found};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::limits::{FIRST_HIT_BYTES_MAX, REQUIRED_KINDS_CHARS_MAX, SUMMARY_CHARS_MAX};

/// What the search tool and the calling tool are called.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The tool that searches.
    pub search: &'n str,
    /// The tool that calls.
    pub call: &'n str,
}

/// Returns the text of an answer, about `budget` bytes long.
#[must_use]
pub fn text(found: &Found, budget: usize, names: Names<'_>) -> String {
    text_without(found, budget, names, &[])
}

/// The same, where these servers should be searched too and it is not known what they offer: where nothing fits, the answer says so.
#[must_use]
pub(super) fn text_without(
    found: &Found,
    budget: usize,
    names: Names<'_>,
    away: &[String],
) -> String {
    let mut whole = Vec::new();
    let mut short = Vec::new();
    let mut bytes = 0;
    for (place, entry) in found.tools.iter().enumerate() {
        let definition = definition(entry);
        let length = definition.len();
        let fits = match place {
            0 => length <= FIRST_HIT_BYTES_MAX,
            // What comes behind a hit that did not fit is shorter to read in the order of the hits.
            _ => short.is_empty() && bytes + length <= budget,
        };
        let text = if fits { definition } else { summary(entry) };
        bytes += text.len();
        if fits { whole.push(text) } else { short.push(text) }
    }
    let mut answer = String::from("{");
    let mut member = |name: &str, texts: &[String]| {
        if !texts.is_empty() {
            let comma = if answer.len() > 1 { "," } else { "" };
            answer += &format!(r#"{comma}"{name}":[{}]"#, texts.join(","));
        }
    };
    member("tools", &whole);
    member("more", &short);
    let near: Vec<String> = found.near.iter().map(|name| quoted(name)).collect();
    member("near", &near);
    let hint = hint(found, &short, names) + &unsearched(found, away);
    let comma = if answer.len() > 1 { "," } else { "" };
    answer += &format!(r#"{comma}"hint":{}}}"#, quoted(&hint));
    answer
}

/// Returns the answer to a search that was made a moment ago: names and required arguments, and nothing that is known already.
#[must_use]
pub(super) fn repeated(found: &Found, names: Names<'_>, away: &[String]) -> String {
    let short: Vec<String> = found.tools.iter().map(|entry| summary(entry)).collect();
    let hint = match found.tools.first() {
        Some(first) => format!(
            "Searched a moment ago. Call {}(name='{}', arguments={{…}}) now",
            names.call,
            first.exposed()
        ),
        None => "Searched a moment ago, and nothing fits. Answer without a tool, or ask the user"
            .to_owned(),
    };
    let hint = hint + &unsearched(found, away);
    format!(r#"{{"more":[{}],"hint":{}}}"#, short.join(","), quoted(&hint))
}

/// Returns a tool as its upstream wrote it, under its exposed name, without what only clients use.
fn definition(entry: &Entry) -> String {
    let name = quoted(entry.exposed());
    let description = quoted(entry.row().description().trim());
    let schema = entry.definition().parameters().map_or(r#"{"type":"object"}"#, RawValue::get);
    format!(r#"{{"name":{name},"description":{description},"inputSchema":{schema}}}"#)
}

/// Returns name, one line and the required arguments of a tool, each with its kind.
fn summary(entry: &Entry) -> String {
    let line = first_line(entry.row().description());
    let required = required(entry.definition().parameters());
    json!({ "name": entry.exposed(), "about": line, "required": required }).to_string()
}

/// Returns the arguments that a call must have, each with its kind where the schema says it plainly.
fn required(schema: Option<&RawValue>) -> serde_json::Map<String, Value> {
    let schema = Members::of(schema).unwrap_or_default();
    let names: Vec<String> = schema.read("required").unwrap_or_default();
    let properties = Members::of(schema.get("properties")).unwrap_or_default();
    let kind = |name: &str| {
        let property = Members::of(properties.get(name)).unwrap_or_default();
        let values = property.get("enum").or_else(|| property.get("const"));
        let kind = values.map(RawValue::get).or_else(|| property.get("type").map(RawValue::get));
        let kind = kind.filter(|text| text.chars().count() <= REQUIRED_KINDS_CHARS_MAX);
        kind.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| Value::from("any"))
    };
    names.iter().map(|name| (name.clone(), kind(name))).collect()
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(SUMMARY_CHARS_MAX) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
    }
}

fn hint(found: &Found, short: &[String], names: Names<'_>) -> String {
    let Names { search, call } = names;
    if let Some((name, full)) = found.ambiguous.as_ref().zip(found.near.first()) {
        return format!(
            "'{name}' names several tools. Select one by its full name: {search}(query='select:{full}')"
        );
    }
    match (found.tools.first(), found.near.first()) {
        (Some(first), _) if short.is_empty() => {
            format!("Call {call}(name='{}', arguments={{…}})", first.exposed())
        }
        (Some(first), _) => format!(
            "Call {call}(name='{}', arguments={{…}}); for the whole schema of one in `more`, {search}(query='select:NAME')",
            first.exposed()
        ),
        (None, Some(near)) => {
            format!(
                "No tool is called that. {search}(query='select:{near}') if that is what you mean"
            )
        }
        (None, None) => format!(
            "No tool fits. Call {search} again with other words for the action and the thing, or with '+word' for tools whose name contains word"
        ),
    }
}

/// Returns what is said of servers of which nothing is known, where nothing was found.
fn unsearched(found: &Found, away: &[String]) -> String {
    match away {
        [] => String::new(),
        _ if !found.tools.is_empty() => String::new(),
        away => format!(
            ". Not searched, since it is not known what they offer: {}. If one of them is needed, tell the user",
            away.join(", ")
        ),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oncue_decl::Row;
    use oncue_tools::{Catalog, Definition, Grants, OpenTools, Tool};
    use serde_json::value::to_raw_value;

    use super::*;

    const NAMES: Names<'_> = Names { search: "search_tools", call: "call_tool" };

    struct Described(Definition);

    impl Tool for Described {
        fn definition(&self) -> &Definition {
            &self.0
        }

        fn call<'a>(
            &'a self,
            _: &'a oncue_tools::CallContext<'a>,
            _: oncue_tools::Arguments,
        ) -> oncue_tools::BoxFuture<'a, Result<oncue_tools::Output, oncue_tools::ToolError>>
        {
            Box::pin(std::future::ready(Ok(oncue_tools::Output::default())))
        }
    }

    fn found(tools: &[(&'static str, usize)]) -> Found {
        let catalog = Catalog::new();
        let tools = tools.iter().map(|&(name, padding)| -> Arc<dyn Tool> {
            let schema = to_raw_value(&json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "p".repeat(padding)},
                    "mode": {"enum": ["a", "b"]},
                },
                "required": ["path", "mode", "x"],
            }));
            let row = Row::discoverable(name, "Exports a table\nand more");
            Arc::new(Described(Definition::new(row, schema.ok())))
        });
        catalog.replace("s", tools.collect()).expect("tools");
        let grants = Grants::all();
        let names: Vec<String> =
            catalog.snapshot().iter().map(|it| it.exposed().to_owned()).collect();
        OpenTools::new(&catalog, &grants).find(&format!("select:{}", names.join(",")), 20)
    }

    fn parts(text: &str) -> (Vec<String>, Vec<Value>) {
        let answer: Value = serde_json::from_str(text).expect("JSON");
        let names = answer["tools"].as_array().cloned().unwrap_or_default();
        let names = names.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned());
        (names.collect(), answer["more"].as_array().cloned().unwrap_or_default())
    }

    #[test]
    fn hits_are_whole_while_the_budget_lasts_and_short_from_then_on() {
        let found = found(&[("a", 100), ("b", 100), ("c", 5_000), ("d", 10)]);
        let (whole, more) = parts(&text(&found, 1_000, NAMES));
        assert_eq!(whole, ["s__a", "s__b"]);
        let expected = json!({"name": "s__c", "about": "Exports a table", "required": {"path": "string", "mode": ["a", "b"], "x": "any"}});
        assert_eq!(more[0], expected);
        assert_eq!(more.len(), 2, "the order of the hits stays");
    }

    #[test]
    fn the_first_hit_is_whole_whatever_the_budget_unless_it_is_huge() {
        assert_eq!(parts(&text(&found(&[("a", 10_000)]), 400, NAMES)).0, ["s__a"]);
        let (whole, more) = parts(&text(&found(&[("a", 17_000), ("b", 10)]), 400, NAMES));
        assert!(whole.is_empty());
        assert_eq!(more.len(), 2);
    }

    #[test]
    fn whatever_is_found_the_answer_says_what_to_do_next() {
        let hint = |found: &Found| {
            let answer: Value = serde_json::from_str(&text(found, 1_000, NAMES)).expect("JSON");
            answer["hint"].as_str().expect("a hint").to_owned()
        };
        assert_eq!(hint(&found(&[("a", 1)])), "Call call_tool(name='s__a', arguments={…})");
        assert!(hint(&found(&[("a", 1), ("b", 5_000)])).contains("select:NAME"));
        assert!(hint(&Found::default()).starts_with("No tool fits. Call search_tools again"));
        let near = Found { near: vec!["s__b".into()], ..Found::default() };
        assert!(hint(&near).contains("select:s__b"));
        let again: Value =
            serde_json::from_str(&repeated(&found(&[("a", 1)]), NAMES, &[])).expect("JSON");
        assert_eq!(again["more"][0]["required"]["path"], "string");
    }

    #[test]
    fn servers_of_which_nothing_is_known_are_named_where_nothing_is_found() {
        let away = ["crm (cannot be started)".to_owned()];
        for text in [
            text_without(&Found::default(), 1_000, NAMES, &away),
            repeated(&Found::default(), NAMES, &away),
        ] {
            assert!(text.contains("offer: crm (cannot be started). If"), "{text}");
        }
        let found = found(&[("a", 1)]);
        assert!(!text_without(&found, 1_000, NAMES, &away).contains("crm"));
        assert!(!repeated(&found, NAMES, &away).contains("crm"));
    }
}
