//! The written reference, held against the definitions.

use std::fs;
use std::path::Path;

use crate::oncue::oncue;

#[test]
fn the_reference_says_what_the_command_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let written = fs::read_to_string(path).expect("docs/cli.md");
    let now = oncue(&["docs"]).out;
    assert!(
        written == now,
        "docs/cli.md has drifted: cargo run -p oncue-cli -- docs > docs/cli.md"
    );
}
