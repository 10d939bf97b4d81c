//! Plays scripts and holds what happens against what was written down before.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | each theme's scripts, played in every way |
//! | `data` | the form of the files |
//! | `world` | tools and the catalog |
//! | `actor` | the model |
//! | `hooks` | hooks, the person, the listener |
//! | `play` | one play of one script |

mod actor;
mod data;
mod hooks;
mod play;
mod world;

use std::fs;
use std::path::{Path, PathBuf};

use data::{File, Script};
use play::{Mode, Played, play};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts")
}

fn read(name: &str) -> File {
    let path = folder().join(name).with_extension("toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Plays every script of a theme: streamed and not, at one go and stored at every rest.
pub(crate) fn check(theme: &str) {
    let shared = read("tools").tool;
    let scripts = read(theme).script;
    assert!(!scripts.is_empty());
    let mut wrong = Vec::new();
    for script in &scripts {
        let mut first: Option<Played> = None;
        for (streams, stores) in [(false, false), (false, true), (true, false), (true, true)] {
            let mode = Mode { streams, stores };
            let played = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .unwrap()
                .block_on(play(script, &shared, mode));
            if let Some(difference) = difference(script, &played.transcript) {
                wrong.push(format!("{} {mode:?}\n{difference}", script.title));
                break;
            }
            match &first {
                None => first = Some(played),
                Some(first) => assert_eq!(*first, played, "{}: {mode:?} differs", script.title),
            }
        }
    }
    assert!(wrong.is_empty(), "{theme}\n\n{}", wrong.join("\n\n"));
}

/// Returns where a transcript leaves what was written down; a line there that ends in `…` stands for all that begin like it.
fn difference(script: &Script, happened: &str) -> Option<String> {
    let expected: Vec<&str> = script.transcript.trim().lines().map(str::trim_end).collect();
    let happened: Vec<&str> = happened.trim().lines().map(str::trim_end).collect();
    let fits = |at: usize| match (expected.get(at), happened.get(at)) {
        (Some(expected), Some(happened)) => match expected.strip_suffix('…') {
            Some(start) => happened.starts_with(start),
            None => expected == happened,
        },
        _ => false,
    };
    let wrong = (0..expected.len().max(happened.len())).find(|&at| !fits(at))?;
    let show = |lines: &[&str]| lines.get(wrong).copied().unwrap_or("(nothing)").to_owned();
    Some(format!(
        "line {}\n  expected {}\n  happened {}\n{}",
        wrong + 1,
        show(&expected),
        show(&happened),
        happened.join("\n")
    ))
}

/// Returns the theme and the title of every script.
pub(crate) fn titles() -> Vec<(String, String)> {
    let mut titles = Vec::new();
    for file in fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let theme = path.file_stem().unwrap().to_string_lossy().into_owned();
        titles.extend(read(&theme).script.into_iter().map(|it| (theme.clone(), it.title)));
    }
    titles.sort();
    titles
}
