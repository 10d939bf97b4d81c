//! Replays every input that once broke a target, and every seed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use oncue_fuzz::TARGETS;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn inputs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    inputs
}

#[test]
fn inputs_found_once_break_nothing_any_more() {
    for (name, target) in TARGETS {
        let seeds = inputs(&folder("seeds").join(name));
        assert!(!seeds.is_empty(), "the target {name} has no seeds");
        for input in seeds.into_iter().chain(inputs(&folder("regressions").join(name))) {
            println!("{}", input.display());
            target(&fs::read(&input).unwrap());
        }
    }
}

#[test]
fn every_target_has_a_program_and_every_folder_a_target() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let stems = |folder: PathBuf| -> BTreeSet<String> {
        let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
        inputs(&folder).into_iter().map(stem).collect()
    };
    assert_eq!(stems(folder("fuzz_targets")), names);
    assert_eq!(stems(folder("seeds")), names);
    assert!(stems(folder("regressions")).is_subset(&names));
}
