//! Every example runs, says something and is short enough to read at one sitting.

use std::path::Path;
use std::process::Command;

/// Most lines of an example; the longest one brings a model of its own, since no example has a key.
const LINES_MAX: usize = 120;

#[test]
fn every_example_runs_and_is_short() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // Test binaries stand in `deps`, examples beside it.
    let test = std::env::current_exe().expect("a test has a path");
    let built = test.ancestors().nth(2).expect("it stands in two folders").join("examples");
    let mut count = 0;
    for file in std::fs::read_dir(sources).expect("there are examples") {
        let file = file.expect("a readable folder").path();
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a plain name");
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let lines = text.lines().count();
        assert!((20..=LINES_MAX).contains(&lines), "{name} has {lines} lines");
        // Those behind features are run by `cargo xtask test --only examples`.
        if include_str!("../../Cargo.toml").contains(&format!("name = \"{name}\"")) {
            continue;
        }
        let program = built.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let run = Command::new(program)
            .output()
            .expect("examples are built by `cargo test -p oncue`, or by `cargo build --examples`");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(!run.stdout.is_empty(), "{name} says nothing");
        count += 1;
    }
    assert!(count >= 8, "{count} examples");
}
