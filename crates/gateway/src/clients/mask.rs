//! A file of a client with everything in it that may be secret left out, so that a change of it can be shown.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use jsonc_parser::ast::{Comment, Value as Json};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};
use toml_edit::{Document, Item, TableLike, Value as Toml};

use crate::config::{Form, json_options};

/// What stands for a text that is not shown.
const HIDDEN: &str = "\"…\"";

/// Keys of a server whose texts are no secrets; elsewhere they may mean anything.
const SHOWN: [&str; 3] = ["command", "type", "cwd"];

/// Returns the text with every string and comment left out but those of the entry `own`; a text that cannot be read is left out as a whole.
pub(super) fn masked(file: &Path, form: Form, text: &str, own: Option<&str>) -> String {
    let hidden = match file.extension().is_some_and(|extension| extension == "toml") {
        true => toml(text),
        false => json(text),
    };
    let servers = form.row().map_or("", |row| row.servers);
    let Some(mut ranges) = hidden.map(|found| found.outside(servers, own)) else {
        return "…\n".to_owned();
    };
    ranges.sort_by_key(|(range, _)| range.start);
    let (mut shown, mut at) = (String::new(), 0);
    for (range, instead) in ranges {
        shown.push_str(text.get(at..range.start).unwrap_or_default());
        shown.push_str(instead);
        at = range.end.max(at);
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    shown
}

/// Strings and comments with the path of keys at which each stands.
#[derive(Default)]
struct Found {
    texts: Vec<(Vec<String>, Range<usize>)>,
    comments: Vec<(Range<usize>, &'static str)>,
}

impl Found {
    /// Returns what is to be left out, and what stands for it.
    fn outside(self, servers: &str, own: Option<&str>) -> Vec<(Range<usize>, &'static str)> {
        let is_hidden = |path: &[String]| {
            let is_own = matches!(path, [first, second, ..] if first == servers && own == Some(second.as_str()));
            let is_plain = matches!(path, [first, _, key] if first == servers && SHOWN.contains(&key.as_str()));
            !is_own && !is_plain
        };
        let texts = self.texts.into_iter().filter(|(path, _)| is_hidden(path));
        texts.map(|(_, range)| (range, HIDDEN)).chain(self.comments).collect()
    }
}

fn json(text: &str) -> Option<Found> {
    let options = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: false };
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - plain.len();
    let parsed = parse_to_ast(plain, &options, &json_options()).ok()?;
    let mut found = Found::default();
    let shifted = |range: jsonc_parser::common::Range| range.start + skipped..range.end + skipped;
    if let Some(value) = &parsed.value {
        walk_json(value, &mut Vec::new(), &mut |path, range| {
            found.texts.push((path.to_vec(), shifted(range)));
        });
    }
    for comment in parsed.comments.into_iter().flatten().flat_map(|(_, comments)| comments.to_vec())
    {
        let (range, instead) = match &comment {
            Comment::Line(line) => (line.range, "// …"),
            Comment::Block(block) => (block.range, "/* … */"),
        };
        found.comments.push((shifted(range), instead));
    }
    // A comment is kept for the token before and the one after it.
    found.comments.sort_by_key(|(range, _)| range.start);
    found.comments.dedup_by(|left, right| left.0 == right.0);
    Some(found)
}

fn walk_json(
    value: &Json<'_>,
    path: &mut Vec<String>,
    found: &mut impl FnMut(&[String], jsonc_parser::common::Range),
) {
    match value {
        Json::StringLit(text) => found(path, text.range),
        Json::Array(list) => {
            for inner in &list.elements {
                walk_json(inner, path, found);
            }
        }
        Json::Object(object) => {
            for property in &object.properties {
                path.push(property.name.as_str().to_owned());
                walk_json(&property.value, path, found);
                path.pop();
            }
        }
        Json::NumberLit(_) | Json::BooleanLit(_) | Json::NullKeyword(_) => {}
    }
}

fn toml(text: &str) -> Option<Found> {
    let document = Document::parse(text).ok()?;
    let mut found = Found::default();
    walk_table(document.as_table(), &mut Vec::new(), &mut found);
    let strings: BTreeMap<usize, usize> =
        found.texts.iter().map(|(_, range)| (range.start, range.end)).collect();
    found.comments = toml_comments(text, &strings).map(|range| (range, "# …")).collect();
    Some(found)
}

/// Returns where the comments of a text stand whose strings, by where they begin and end, are known.
fn toml_comments(
    text: &str,
    strings: &BTreeMap<usize, usize>,
) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            if let Some(&end) = strings.get(&at) {
                at = end.max(at + 1);
                continue;
            }
            let rest = text.get(at..)?;
            let next = rest.chars().next()?;
            match next {
                '#' => {
                    let end =
                        at + rest.lines().next().map_or(rest.len(), |line| line.trim_end().len());
                    let comment = at..end;
                    at = end;
                    return Some(comment);
                }
                // A key in quotes.
                '"' | '\'' => at += quoted(rest, next),
                _ => at += next.len_utf8(),
            }
        }
    })
}

/// Returns how many bytes a key takes that begins with this quotation mark.
fn quoted(text: &str, mark: char) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == mark && !is_escaped;
        is_escaped = mark == '"' && c == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + mark.len_utf8())
}

fn walk_table(table: &dyn TableLike, path: &mut Vec<String>, found: &mut Found) {
    for (key, item) in table.iter() {
        path.push(key.to_owned());
        match item {
            Item::None => {}
            Item::Value(value) => walk_value(value, path, found),
            Item::Table(inner) => walk_table(inner, path, found),
            Item::ArrayOfTables(tables) => {
                tables.iter().for_each(|inner| walk_table(inner, path, found));
            }
        }
        path.pop();
    }
}

fn walk_value(value: &Toml, path: &mut Vec<String>, found: &mut Found) {
    match value {
        Toml::String(_) => {
            found.texts.extend(value.span().map(|range| (path.clone(), range)));
        }
        Toml::Array(list) => list.iter().for_each(|inner| walk_value(inner, path, found)),
        Toml::InlineTable(inner) => walk_table(inner, path, found),
        Toml::Integer(_) | Toml::Float(_) | Toml::Boolean(_) | Toml::Datetime(_) => {}
    }
}
