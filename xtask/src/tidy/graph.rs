//! Which crate may depend on which.

use std::collections::BTreeSet;

use crate::workspace::{Package, Workspace};

/// The house: each crate, and the crates that it may name. What those may name, it may name too.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("oncue-decl", &[]),
    ("oncue-search", &["oncue-decl"]),
    ("oncue-sse", &[]),
    ("oncue-tools", &["oncue-search"]),
    ("oncue-agent", &["oncue-tools"]),
    ("oncue-embed", &["oncue-tools"]),
    ("oncue-fakes", &["oncue-agent"]),
    ("oncue-providers", &["oncue-agent", "oncue-fakes", "oncue-sse"]),
    ("oncue-mcp", &["oncue-sse", "oncue-tools"]),
    ("oncue-gateway", &["oncue-mcp"]),
    ("oncue-eval", &["oncue-agent"]),
    ("oncue", &["oncue-providers", "oncue-embed", "oncue-gateway", "oncue-eval"]),
    ("oncue-bridges", &["oncue"]),
    ("oncue-cli", &["oncue"]),
    ("oncue-workbench", &["oncue"]),
    ("oncue-wasm-probe", &["oncue-search"]),
    ("oncue-fuzz", &["oncue-gateway"]),
    ("xtask", &[]),
];

/// Dependencies for tests that go another way, each with its reason.
const DEV_FOR_A_REASON: &[(&str, &str, &str)] = &[];

/// The crate of rows is shared with browsers and must stay weightless.
pub(super) fn decl_depends_on_nothing(workspace: &Workspace) -> Vec<String> {
    let decl = workspace.packages.iter().filter(|package| package.name == "oncue-decl");
    decl.flat_map(|package| &package.dependencies)
        .filter(|dependency| dependency.kind.as_deref() != Some("dev"))
        .map(|dependency| {
            format!("`oncue-decl` depends on `{}`: it has no dependencies", dependency.name)
        })
        .collect()
}

/// Dependencies between the crates go one way, those of tests included.
pub(super) fn dependencies_go_one_way(workspace: &Workspace) -> Vec<String> {
    let mut found = Vec::new();
    for package in &workspace.packages {
        let name = package.name.as_str();
        if !MAY_NAME.iter().any(|&(known, _)| known == name) {
            found.push(format!("`{name}` is not in the list of crates and what they may name"));
            continue;
        }
        let allowed = reach(name);
        for dependency in inside(workspace, package) {
            let excused =
                DEV_FOR_A_REASON.iter().any(|&(of, on, _)| of == name && on == dependency);
            if !allowed.contains(dependency) && !excused {
                found.push(format!("`{name}` must not depend on `{dependency}`"));
            }
        }
    }
    found
}

/// The crates of the workspace that `package` names.
fn inside<'w>(workspace: &'w Workspace, package: &'w Package) -> impl Iterator<Item = &'w str> {
    let is_inside = |name: &str| workspace.packages.iter().any(|package| package.name == name);
    package.dependencies.iter().map(|d| d.name.as_str()).filter(move |name| is_inside(name))
}

/// Everything that a crate may name.
fn reach(name: &str) -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::new();
    let direct = MAY_NAME.iter().filter(|&&(known, _)| known == name).flat_map(|&(_, may)| may);
    for next in direct {
        reached.insert(*next);
        reached.extend(reach(next));
    }
    reached
}

/// The protocol's SDK changes often; one crate adapts to it.
pub(super) fn one_crate_names_the_protocol_sdk(workspace: &Workspace) -> Vec<String> {
    let others = workspace.packages.iter().filter(|package| package.name != "oncue-mcp");
    others
        .filter(|package| package.dependencies.iter().any(|d| d.name == "rmcp"))
        .map(|package| format!("`{}` depends on `rmcp`: only `oncue-mcp` may", package.name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        decl_depends_on_nothing, dependencies_go_one_way, one_crate_names_the_protocol_sdk,
    };
    use crate::workspace::{Dependency, Package, Workspace};

    /// A package's name and what it depends on, each with the kind of the dependency.
    type Sample<'s> = (&'s str, &'s [(&'s str, Option<&'s str>)]);

    fn workspace(packages: &[Sample<'_>]) -> Workspace {
        let packages = packages.iter().map(|&(name, dependencies)| Package {
            name: name.into(),
            dependencies: dependencies
                .iter()
                .map(|&(name, kind)| Dependency {
                    name: name.into(),
                    kind: kind.map(str::to_owned),
                })
                .collect(),
            ..Package::default()
        });
        Workspace { packages: packages.collect() }
    }

    #[test]
    fn a_dependency_of_decl_is_found() {
        let sample = |kind| workspace(&[("oncue-decl", &[("serde", kind)])]);
        assert_eq!(decl_depends_on_nothing(&sample(None)).len(), 1);
        assert_eq!(decl_depends_on_nothing(&sample(Some("build"))).len(), 1);
        assert_eq!(decl_depends_on_nothing(&sample(Some("dev"))).len(), 0);
    }

    #[test]
    fn a_dependency_against_the_direction_is_found() {
        let found = |name, on, kind| {
            let others: [(&str, &[_]); 2] = [(name, &[(on, kind)]), (on, &[])];
            dependencies_go_one_way(&workspace(&others))
        };
        for (name, on) in [("oncue-tools", "oncue-decl"), ("oncue-cli", "oncue-eval")] {
            assert_eq!(found(name, on, None), Vec::<String>::new());
        }
        for (name, on) in [
            ("oncue-search", "oncue-tools"),
            ("oncue-eval", "oncue-mcp"),
            ("oncue-gateway", "oncue-agent"),
            ("oncue-agent", "oncue-providers"),
        ] {
            assert_eq!(found(name, on, None), [format!("`{name}` must not depend on `{on}`")]);
            assert_eq!(found(name, on, Some("dev")).len(), 1);
        }
        let unknown = dependencies_go_one_way(&workspace(&[("oncue-more", &[])]));
        assert_eq!(unknown.len(), 1);
    }

    #[test]
    fn the_protocol_sdk_elsewhere_is_found() {
        let sample = |name| workspace(&[(name, &[("rmcp", None)])]);
        assert_eq!(one_crate_names_the_protocol_sdk(&sample("oncue-gateway")).len(), 1);
        assert_eq!(one_crate_names_the_protocol_sdk(&sample("oncue-mcp")).len(), 0);
    }
}
