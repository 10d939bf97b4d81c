//! Programs of the workspace, built and found. Asked anew by each check.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::machine::cargo;
use crate::workspace::Target;

/// One line of cargo's JSON messages, as far as it is read here.
#[derive(Deserialize)]
struct Artifact {
    target: Target,
    executable: Option<PathBuf>,
}

/// Builds a program of a package and returns where it lies.
pub(crate) fn program(root: &Path, package: &str, name: &str) -> Result<PathBuf> {
    let [program] = programs(root, &["-p", package, "--bin", name], [name])?;
    Ok(program)
}

/// Builds what these words to `cargo build` choose, and returns where the programs of these names lie.
pub(crate) fn programs<const N: usize>(
    root: &Path,
    words: &[&str],
    names: [&str; N],
) -> Result<[PathBuf; N]> {
    let mut command = cargo();
    command.args(["build", "-q", "--message-format", "json-render-diagnostics"]).args(words);
    let output = command.current_dir(root).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.context("failed to start `cargo build`")?;
    if !output.status.success() {
        bail!("`{}` does not build", names.join("`, `"));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut found = [const { PathBuf::new() }; N];
    for (name, place) in names.iter().zip(&mut found) {
        let lies = executable(&messages, name);
        *place = lies.with_context(|| format!("cargo does not say where `{name}` lies"))?;
    }
    Ok(found)
}

fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut built = artifacts.filter(|artifact: &Artifact| artifact.target.name == name);
    built.find_map(|artifact| artifact.executable)
}

#[cfg(test)]
mod tests {
    use super::executable;
    use std::path::PathBuf;

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let messages = "\
            {\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"lib\"],\"name\":\"oncue_fakes\",\"src_path\":\"lib.rs\"},\"executable\":null}\n\
            {\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"bin\"],\"name\":\"oncue-fake\",\"src_path\":\"main.rs\"},\"executable\":\"/t/oncue-fake\"}\n\
            {\"reason\":\"build-finished\",\"success\":true}\n";
        assert_eq!(executable(messages, "oncue-fake"), Some(PathBuf::from("/t/oncue-fake")));
        assert_eq!(executable(messages, "oncue"), None);
        assert_eq!(executable("", "oncue-fake"), None);
    }
}
