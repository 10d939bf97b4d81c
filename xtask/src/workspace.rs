//! The packages of the workspace and what depends on what, as `cargo metadata` tells. Read once per command.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::machine;

/// The packages of the workspace.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Workspace {
    /// The members, in the order of cargo.
    pub packages: Vec<Package>,
}

/// One member.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Package {
    /// The package's name.
    pub name: String,
    /// The path of its `Cargo.toml` from the root.
    pub manifest_path: String,
    /// What it depends on, by declaration.
    pub dependencies: Vec<Dependency>,
    /// What it builds.
    #[serde(default)]
    pub targets: Vec<Target>,
}

impl Package {
    /// The features that its examples ask for, each once; none where every example is built without.
    pub(crate) fn features_of_examples(&self) -> Vec<&str> {
        let examples = self.targets.iter().filter(|target| target.is("example"));
        let mut features: Vec<&str> =
            examples.flat_map(|target| &target.required_features).map(String::as_str).collect();
        features.sort_unstable();
        features.dedup();
        features
    }
}

/// A declared dependency.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Dependency {
    /// The package's name.
    pub name: String,
    /// `dev`, `build`, or nothing for a normal one.
    #[serde(default)]
    pub kind: Option<String>,
}

/// Something that a package builds.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Target {
    /// The target's name.
    pub name: String,
    /// What it is: `lib`, `bin`, `test`, `bench`, `example` …
    pub kind: Vec<String>,
    /// The path of its first file from the root.
    pub src_path: String,
    /// The features without which it is not built.
    #[serde(default, rename = "required-features")]
    pub required_features: Vec<String>,
}

impl Target {
    /// Says whether it is of this kind.
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|word| word == kind)
    }
}

/// The name of a target's test binary, as `cargo nextest` says it.
pub(crate) fn binary_id(package: &str, target: &Target) -> String {
    let name = &target.name;
    if target.is("test") {
        format!("{package}::{name}")
    } else if target.is("bin") || target.is("example") || target.is("bench") {
        let kind = target.kind.first().map_or("", String::as_str);
        format!("{package}::{kind}/{name}")
    } else {
        package.to_owned()
    }
}

/// Asks cargo for the members.
pub(crate) fn read(root: &Path) -> Result<Workspace> {
    let output = machine::cargo()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .context("failed to start `cargo metadata`")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let mut workspace: Workspace =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` is not as expected")?;
    let prefix = format!("{}/", root.display());
    let relative = |path: &mut String| {
        if let Some(rest) = path.strip_prefix(&prefix) {
            *path = rest.to_owned();
        }
    };
    for package in &mut workspace.packages {
        relative(&mut package.manifest_path);
        package.targets.iter_mut().for_each(|target| relative(&mut target.src_path));
    }
    Ok(workspace)
}

#[cfg(test)]
mod tests {
    use super::Package;

    #[test]
    fn features_of_examples_are_those_of_examples_alone_and_each_once() {
        let target = |kind: &str, features: &[&str]| {
            serde_json::json!({
                "name": "x", "kind": [kind], "src_path": "x.rs", "required-features": features,
            })
        };
        let package: Package = serde_json::from_value(serde_json::json!({
            "name": "x", "manifest_path": "Cargo.toml", "dependencies": [],
            "targets": [
                target("bin", &["engine"]),
                target("example", &["b", "c"]),
                target("example", &["a", "b"]),
                {"name": "plain", "kind": ["example"], "src_path": "y.rs"},
            ],
        }))
        .unwrap();
        assert_eq!(package.features_of_examples(), ["a", "b", "c"]);
        assert_eq!(Package::default().features_of_examples(), [""; 0]);
    }
}
