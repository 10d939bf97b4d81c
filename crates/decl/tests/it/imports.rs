//! The crate's files as text: they import nothing but `core`, `alloc` and the crate itself.
//!
//! A browser page and a server share the rows. An import that reaches further compiles on both and breaks one of them when it is loaded, which no type checker sees.

use std::fs;
use std::path::{Path, PathBuf};

const ROOTS: [&str; 5] = ["alloc", "core", "crate", "self", "super"];

/// The lines of `text` that import from anywhere else, from 1.
fn foreign_imports(text: &str) -> Vec<usize> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, code(line)));
    numbered.filter(|(_, line)| reaches_out(line)).map(|(line, _)| line).collect()
}

/// The line without comments.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("").trim()
}

fn reaches_out(line: &str) -> bool {
    let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
    if let Some(path) = line.strip_prefix("use ") {
        let root = path.trim_start_matches("::");
        let root = root.split([':', ';', ' ']).next().unwrap_or("");
        return !ROOTS.contains(&root) && !is_own_module(root);
    }
    if let Some(name) = line.strip_prefix("extern crate ") {
        return name.split([';', ' ']).next() != Some("alloc");
    }
    line.contains("std::") || line.contains("include!") || line.contains("include_str!")
}

/// `pub use row::Row` in lib.rs names a module of the crate.
fn is_own_module(name: &str) -> bool {
    source().join(name).with_extension("rs").is_file()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

// founding: B9
#[test]
fn the_crate_imports_nothing_from_outside() {
    let mut files = 0;
    for entry in fs::read_dir(source()).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.is_file(), "a folder would not be read: {}", path.display());
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(foreign_imports(&text), [0_usize; 0], "{}", path.display());
        files += 1;
    }
    assert!(files >= 4, "only {files} files were read");
}

// founding: B9
#[test]
fn the_crate_declares_no_dependencies_and_no_standard_library() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    assert!(!fs::read_to_string(manifest).unwrap().contains("dependencies"));
    let lib = fs::read_to_string(source().join("lib.rs")).unwrap();
    assert!(lib.lines().any(|line| line == "#![no_std]"));
}

// founding: B9
#[test]
fn an_import_from_outside_is_found() {
    for line in [
        "use std::fs;",
        "use ::std::fs;",
        "    use serde::Serialize;",
        "pub use serde::Serialize;",
        "pub(crate) use tokio::spawn;",
        "use {std::fs, core::fmt};",
        "extern crate std;",
        "let x = std::env::var(\"x\");",
        "include!(\"x.rs\");",
    ] {
        assert_eq!(foreign_imports(line), [1], "{line}");
    }
    for line in [
        "use core::fmt;",
        "use alloc::vec::Vec;",
        "use crate::Row;",
        "pub use check::{Fault, check};",
        "extern crate alloc;",
        "// use std::fs;",
        "//! use oncue_decl::Row;",
    ] {
        assert_eq!(foreign_imports(line), [0_usize; 0], "{line}");
    }
    assert_eq!(foreign_imports("use core::fmt;\nuse std::fs;\n"), [2]);
}
