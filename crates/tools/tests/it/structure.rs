//! Rules about the source text that no type can hold.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            into.push((path, text));
        }
    }
}

fn lines_with(pattern: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut lines = Vec::new();
    for (path, text) in &files {
        let file = path.strip_prefix(&root).unwrap().display().to_string();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.extend(code.filter(|line| line.contains(pattern)).map(|_| file.clone()));
    }
    lines.sort();
    lines
}

// founding: A12
#[test]
fn activation_is_written_at_one_place() {
    assert_eq!(lines_with(".activate("), ["search_tool/load.rs"]);
    assert_eq!(lines_with("load::load("), ["search_tool/mod.rs"]);
}
