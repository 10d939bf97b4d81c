//! Events as lines of text. Pure; how wide a line may be is passed in.

use std::time::Duration;

use oncue_tools::{Content, ErrorKind};
use serde::Deserialize;

use crate::text::{cut, grouped, printable, printable_lines, width};

/// Columns of the word that a line begins with.
pub(super) const VERB: usize = 8;

/// Returns a line that begins with `verb`; foreign words of `text` are printable already.
pub(super) fn line(verb: &str, text: &str, columns: usize) -> String {
    let space = VERB.saturating_sub(width(verb)).max(1);
    let line = format!("{verb}{}{text}", " ".repeat(space));
    cut(line.trim_end(), columns)
}

/// Returns a duration as people read it.
pub(super) fn time(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{:.1} s", ms as f64 / 1_000.0),
        _ => humantime::format_duration(Duration::from_secs(ms / 1_000)).to_string(),
    }
}

/// Returns pieces of a result as one text.
pub(super) fn text(content: &[Content]) -> String {
    let pieces: Vec<String> = content.iter().map(piece).collect();
    pieces.join("\n")
}

fn piece(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Json(value) => value.to_string(),
        Content::Image { media_type, bytes } => {
            format!("[{media_type}, {} bytes]", grouped(bytes.len()))
        }
        _ => "[something else]".to_owned(),
    }
}

/// Returns the first line that says something, fit for a terminal.
pub(super) fn first_line(text: &str) -> String {
    printable(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default())
}

/// Returns a text in lines that stand under the texts of other lines.
pub(super) fn indented(text: &str) -> String {
    let indent = " ".repeat(VERB);
    let text = printable_lines(text);
    let lines: Vec<String> = text
        .trim_end()
        .lines()
        .map(|line| format!("{indent}{line}").trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// Returns what a search asked for, fit for a terminal.
pub(super) fn query(arguments: &str) -> String {
    #[derive(Deserialize)]
    struct Asked {
        query: String,
    }
    let asked = serde_json::from_str(arguments).map(|asked: Asked| asked.query);
    printable(&asked.unwrap_or_else(|_| arguments.to_owned()))
}

/// Returns what a search found, fit for a terminal.
pub(super) fn found(content: &[Content], error: Option<ErrorKind>) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Found {
        functions: Vec<Function>,
        available: Vec<String>,
        near: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Function {
        name: String,
    }
    let text = text(content);
    if error.is_some() {
        return format!("failed: {}", first_line(&text));
    }
    let Ok(found) = serde_json::from_str::<Found>(&text) else { return first_line(&text) };
    let names: Vec<&str> = found.functions.iter().map(|function| function.name.as_str()).collect();
    let mut parts = Vec::new();
    if !names.is_empty() {
        parts.push(names.join(", "));
    }
    if !found.available.is_empty() {
        parts.push(format!("there already: {}", found.available.join(", ")));
    }
    if parts.is_empty() && !found.near.is_empty() {
        parts.push(format!("nothing; near names: {}", found.near.join(", ")));
    }
    match parts.is_empty() {
        true => "nothing".to_owned(),
        false => printable(&parts.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use oncue_tools::{Content, ErrorKind};

    use super::{first_line, found, indented, line, query, time};

    #[test]
    fn a_line_fits_its_columns() {
        assert_eq!(line("call", "a  b", 99), "call    a  b");
        assert_eq!(line("call", "abcdef", 11), "call    ab…");
        assert_eq!(line("progress", "x", 99), "progress x");
        assert_eq!(line("  yes", "", 99), "  yes");
    }

    #[test]
    fn times_have_their_unit() {
        for (ms, expected) in
            [(0, "0 ms"), (999, "999 ms"), (1_000, "1.0 s"), (59_940, "59.9 s"), (61_500, "1m 1s")]
        {
            assert_eq!(time(ms), expected);
        }
    }

    #[test]
    fn what_a_search_found_is_told_by_name() {
        let told = |json: &str| found(&[Content::Text(json.to_owned())], None);
        let two = r#"{"functions":[{"name":"a","description":"","parameters":{}},{"name":"b"}],"available":["c"]}"#;
        assert_eq!(told(two), "a, b; there already: c");
        assert_eq!(told(r#"{"functions":[],"hint":"No tool fits"}"#), "nothing");
        assert_eq!(told(r#"{"functions":[],"near":["ab"]}"#), "nothing; near names: ab");
        let budget = [Content::Text("no more".to_owned())];
        assert_eq!(found(&budget, Some(ErrorKind::Budget)), "failed: no more");
        assert_eq!(query(r#"{"query":"csv","max_results":3}"#), "csv");
        assert_eq!(query("{"), "{");
    }

    #[test]
    fn texts_stand_under_texts() {
        assert_eq!(indented("a\n\nb\u{7}\n"), "        a\n\n        b�");
        assert_eq!(first_line("\n \n x\u{1b}  z\ny"), "x� z");
    }
}
