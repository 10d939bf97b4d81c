use std::path::Path;

use super::{Lines, Node, Value, parse_json, parse_toml};

/// Every leaf of a tree with its path and place.
fn leaves(node: &Node, path: &str, found: &mut Vec<String>) {
    let place = format!("{}:{}", node.place.line, node.place.column);
    match &node.value {
        Value::Table(entries) => {
            for entry in entries {
                leaves(&entry.node, &format!("{path}.{}", entry.key), found);
            }
        }
        Value::List(nodes) => {
            for (at, node) in nodes.iter().enumerate() {
                leaves(node, &format!("{path}.{at}"), found);
            }
        }
        Value::Null => found.push(format!("{path}=null@{place}")),
        Value::Bool(truth) => found.push(format!("{path}={truth}@{place}")),
        Value::Number(number) => found.push(format!("{path}={number}@{place}")),
        Value::Text(text) => found.push(format!("{path}={text}@{place}")),
        Value::Other => found.push(format!("{path}=other@{place}")),
    }
}

fn all(tree: &Node) -> Vec<String> {
    let mut found = Vec::new();
    leaves(tree, "", &mut found);
    found
}

#[test]
fn both_forms_become_trees_with_places() {
    let file = Path::new("f");
    let json = "{ // note\n  \"a\": [1, true, null,],\n  \"é\": {\"b\": \"x\"} }";
    let tree = parse_json(file, json).unwrap();
    assert_eq!(all(&tree), [".a.0=1@2:9", ".a.1=true@2:12", ".a.2=null@2:18", ".é.b=x@3:14"]);
    let toml = "a = [1, true]\n[t.u]\nb = \"x\"\nd = 2026-01-01\n[[l]]\nc = 1.5\n";
    let tree = parse_toml(file, toml).unwrap();
    assert_eq!(
        all(&tree),
        [".a.0=1@1:6", ".a.1=true@1:9", ".t.u.b=x@3:5", ".t.u.d=other@4:5", ".l.0.c=1.5@6:5"]
    );
}

#[test]
fn an_empty_json_text_is_an_empty_table() {
    for text in ["", "\u{feff}", "// nothing\n", "{}", "\u{feff}{}"] {
        let tree = parse_json(Path::new("f"), text).unwrap();
        assert_eq!(tree.table().map(<[_]>::len), Some(0), "{text:?}");
    }
}

#[test]
fn broken_texts_are_told_with_their_place() {
    let of = |text| parse_json(Path::new("f"), text).err().unwrap().to_string();
    assert_eq!(of("{\n  \"a\": 1\n  \"b\": 2}"), "f:2:9: not JSON: expected comma");
    assert_eq!(of("{'a': 1}"), "f:1:2: not JSON: single-quoted strings are not allowed");
    let deep = "[".repeat(100_000);
    assert!(of(&deep).ends_with("maximum nesting depth exceeded"));
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(parse_toml(Path::new("f"), &deep).is_err());
}

#[test]
fn a_place_counts_lines_and_characters() {
    let lines = Lines::new(Path::new("f"), "é=1\r\nx\n");
    let at = |offset| {
        let place = lines.place(offset);
        (place.line, place.column)
    };
    assert_eq!([at(0), at(2), at(6), at(7), at(8)], [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]);
}
