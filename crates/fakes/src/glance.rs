//! What an onlooker who knows no vendor sees of a request, and the answers of the demonstration that follow from it.

use serde_json::{Map, Value, json};

use crate::{Piece, Scripted, read};

/// A request as an onlooker sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glance {
    /// The last text of the user.
    pub said: String,
    /// Every tool that the request declares, hidden ones and those declared in the conversation included.
    pub tools: Vec<Declared>,
    /// What came of the calls since the user's last text, in order.
    pub results: Vec<Outcome>,
}

/// A tool that a request declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Its wire name.
    pub name: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The wire name of the tool that was called.
    pub name: String,
    /// What the model reads, as text.
    pub text: String,
    /// The tools that the result shows in the vendor's own way.
    pub shows: Vec<String>,
}

/// Searches once, calls the first tool that the search shows, then says what came of it.
pub(crate) fn search_demo(glance: Option<&Glance>) -> Scripted {
    let Some(glance) = glance else {
        return Scripted::text("This wire has no demonstration.");
    };
    let Some(search) = glance.search_tool() else {
        return Scripted::text("The request declares no search tool.");
    };
    match glance.results.last() {
        None => Scripted::call(&search.name, json!({ "query": glance.said })),
        Some(outcome) if outcome.name == search.name => match glance.found(outcome, search) {
            Some(tool) => Scripted::call(&tool.name, example(&tool.parameters)),
            None => Scripted::text("The search found nothing that can be called."),
        },
        Some(outcome) => Scripted::Reply(vec![Piece::Text(format!(
            "{} answered: {}",
            outcome.name, outcome.text
        ))]),
    }
}

impl Glance {
    /// Returns the search tool, known by its name.
    fn search_tool(&self) -> Option<&Declared> {
        let plain = |tool: &Declared| {
            let letters = tool.name.chars().filter(char::is_ascii_alphabetic);
            letters.collect::<String>().to_ascii_lowercase()
        };
        let by = |wanted: fn(&str) -> bool| self.tools.iter().find(|tool| wanted(&plain(tool)));
        by(|name| name.ends_with("toolsearch") || name.ends_with("searchtools"))
            .or_else(|| by(|name| name.contains("search")))
    }

    /// Returns the tool that the outcome of a search shows first.
    fn found(&self, outcome: &Outcome, search: &Declared) -> Option<&Declared> {
        let shown = outcome.shows.iter().find_map(|name| self.tool(name));
        let named = || {
            let others = self.tools.iter().filter(|tool| tool.name != search.name);
            let places = others.filter_map(|tool| Some((place(&outcome.text, &tool.name)?, tool)));
            places.min_by_key(|&(at, _)| at).map(|(_, tool)| tool)
        };
        shown.or_else(named)
    }

    fn tool(&self, name: &str) -> Option<&Declared> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

/// Returns where `name` stands as a word of its own.
fn place(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let places = text.match_indices(name).filter(|&(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + name.len()..));
        !before.is_some_and(|text| text.ends_with(is_part))
            && !after.is_some_and(|text| text.starts_with(is_part))
    });
    places.map(|(at, _)| at).next()
}

/// Returns arguments that a simple schema accepts: its required properties, each with a value of its type.
fn example(schema: &Value) -> Value {
    let arguments: Map<String, Value> = read::list(schema.get("required"))
        .iter()
        .filter_map(Value::as_str)
        .map(|name| {
            let of = schema.get("properties").and_then(|all| all.get(name));
            (name.to_owned(), of.map_or_else(|| json!("example"), example_value))
        })
        .collect();
    Value::Object(arguments)
}

fn example_value(schema: &Value) -> Value {
    if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
        return first.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => example(schema),
        _ => json!("example"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Declared, Glance, Outcome, search_demo};
    use crate::Scripted;

    fn glance(results: Vec<Outcome>) -> Glance {
        let tool = |name: &str| Declared {
            name: name.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"path": {"type": "string"}, "kind": {"enum": ["csv"]}, "rows": {"type": "integer"}},
                "required": ["kind", "rows"],
            }),
        };
        let tools = vec![tool("Tool_Search"), tool("export"), tool("exportAll")];
        Glance { said: "export my rows".to_owned(), tools, results }
    }

    fn outcome(name: &str, text: &str, shows: &[&str]) -> Outcome {
        let shows = shows.iter().map(|&name| name.to_owned()).collect();
        Outcome { name: name.to_owned(), text: text.to_owned(), shows }
    }

    #[test]
    fn the_search_tool_is_known_by_its_name() {
        let check = |names: &[&str], expected: Option<&str>| {
            let tool = |name: &&str| Declared { name: (*name).to_owned(), ..Declared::default() };
            let glance = Glance { tools: names.iter().map(tool).collect(), ..Glance::default() };
            assert_eq!(glance.search_tool().map(|tool| tool.name.as_str()), expected);
        };
        check(&["research", "find", "search_tools"], Some("search_tools"));
        check(&["research", "x__Tool-Search"], Some("x__Tool-Search"));
        check(&["find", "websearch"], Some("websearch"));
        check(&["find"], None);
    }

    #[test]
    fn the_demonstration_searches_calls_and_tells() {
        let check = |results, expected| assert_eq!(search_demo(Some(&glance(results))), expected);
        let arguments = json!({"kind": "csv", "rows": 1});
        check(vec![], Scripted::call("Tool_Search", json!({"query": "export my rows"})));
        check(
            vec![outcome("Tool_Search", r#"[{"name":"exportAll"},{"name":"export"}]"#, &[])],
            Scripted::call("exportAll", arguments.clone()),
        );
        check(
            vec![outcome("Tool_Search", "", &["gone", "export"])],
            Scripted::call("export", arguments),
        );
        check(
            vec![outcome("Tool_Search", "nothing", &[])],
            Scripted::text("The search found nothing that can be called."),
        );
        check(
            vec![outcome("Tool_Search", "", &["export"]), outcome("export", "3 rows", &[])],
            Scripted::text("export answered: 3 rows"),
        );
    }
}
