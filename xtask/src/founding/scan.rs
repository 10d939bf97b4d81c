//! Finds the comments that say what a test shows, and the full names that the test may have.

use std::path::Path;

use crate::source::Source;
use crate::tree::File;
use crate::workspace::{Workspace, binary_id};

/// A comment that says what the test below it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// What it shows, such as `A7`.
    pub ids: Vec<String>,
    /// Where the comment is, as `file:line`.
    pub place: String,
    /// What the comment stands above.
    pub test: Test,
}

/// What a claim stands above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// A test function, with the full names that its file gives it: one for each target that may include the file.
    Function(Vec<String>),
    /// A documentation test, as `file:line`.
    Doctest(String),
    /// Neither.
    Nothing,
}

impl Claim {
    /// Says whether the claim stands above a documentation test.
    pub(super) fn is_doctest(&self) -> bool {
        matches!(self.test, Test::Doctest(_))
    }
}

/// Returns every comment `// WORD: A7, A12`, in file order.
pub(super) fn claims(files: &[File], workspace: &Workspace, word: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for file in files {
        let Some(source) = &file.rust else { continue };
        for comment in &source.comments {
            let Some(ids) = comment.text.strip_prefix(word).and_then(|t| t.strip_prefix(':'))
            else {
                continue;
            };
            claims.push(Claim {
                ids: ids.split(',').map(|id| id.trim().to_owned()).collect(),
                place: format!("{}:{}", file.path, comment.line),
                test: test_below(file, source, workspace, comment.line),
            });
        }
    }
    claims
}

fn test_below(file: &File, source: &Source, workspace: &Workspace, line: usize) -> Test {
    let below = file.text.lines().nth(line).unwrap_or("").trim();
    if below.starts_with("/// ```") || below.starts_with("//! ```") {
        return Test::Doctest(format!("{}:{}", file.path, line + 1 - comments_within(file, line)));
    }
    let next = source.tokens.iter().find(|token| token.line > line).map(|token| token.line);
    let function = source.functions.iter().find(|function| {
        Some(function.begins) == next
            && function.attributes.iter().any(|attribute| is_test_attribute(attribute))
    });
    let Some(function) = function else { return Test::Nothing };
    let mut path = function.modules.clone();
    path.push(function.name.clone());
    Test::Function(full_names(&file.path, workspace, &path.join("::")))
}

/// Returns how many plain comments stand within the documentation that goes on below `line`, the claim included: rustdoc does not count them.
fn comments_within(file: &File, line: usize) -> usize {
    let lines: Vec<&str> = file.text.lines().take(line).map(str::trim).collect();
    let is_doc = |line: &str| line.starts_with("///") || line.starts_with("//!");
    let block: Vec<&&str> = lines.iter().rev().take_while(|line| line.starts_with("//")).collect();
    // Comments above the first line of the documentation are none within it.
    let first = block.iter().rposition(|line| is_doc(line)).map_or(0, |first| first + 1);
    block.iter().take(first).filter(|line| !is_doc(line)).count()
}

/// `test`, `tokio::test`, `tokio::test(flavor = …)` and the like.
fn is_test_attribute(attribute: &str) -> bool {
    let path = attribute.split('(').next().unwrap_or("");
    path == "test" || path.ends_with("::test")
}

fn full_names(file: &str, workspace: &Workspace, path: &str) -> Vec<String> {
    let mut names = Vec::new();
    for package in &workspace.packages {
        for target in &package.targets {
            let Some(modules) = modules(file, &target.src_path) else { continue };
            let binary = binary_id(&package.name, target);
            let joined: Vec<&str> = modules.iter().map(String::as_str).chain([path]).collect();
            names.push(format!("{binary} {}", joined.join("::")));
        }
    }
    names
}

/// The modules that `file` stands for in a target whose first file is `root`; `None` if it lies elsewhere.
fn modules(file: &str, root: &str) -> Option<Vec<String>> {
    if file == root {
        return Some(Vec::new());
    }
    let folder = Path::new(root).parent()?;
    let inside = Path::new(file).strip_prefix(folder).ok()?.with_extension("");
    let mut modules: Vec<String> =
        inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    Some(modules)
}

#[cfg(test)]
mod tests {
    use super::{Claim, Test, claims};
    use crate::tree::File;
    use crate::workspace::{Package, Target, Workspace};

    fn workspace() -> Workspace {
        let target = |name: &str, kind: &str, path: &str| Target {
            name: name.into(),
            kind: vec![kind.into()],
            src_path: path.into(),
            ..Target::default()
        };
        let package = Package {
            name: "oncue-x".into(),
            manifest_path: "crates/x/Cargo.toml".into(),
            dependencies: Vec::new(),
            targets: vec![
                target("oncue_x", "lib", "crates/x/src/lib.rs"),
                target("it", "test", "crates/x/tests/it/main.rs"),
            ],
        };
        Workspace { packages: vec![package] }
    }

    fn claim(path: &str, text: &str) -> Claim {
        let found = claims(&[File::new(path, text)], &workspace(), "founding");
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap()
    }

    fn function(name: &str) -> Test {
        Test::Function(vec![name.to_owned()])
    }

    #[test]
    fn a_claim_knows_its_ids_and_the_full_name_of_its_test() {
        let text = "mod tests {\n  // founding: A7, A12\n  #[test]\n  fn a_b() {}\n}\n";
        assert_eq!(
            claim("crates/x/src/rank/y.rs", text),
            Claim {
                ids: vec!["A7".into(), "A12".into()],
                place: "crates/x/src/rank/y.rs:2".into(),
                test: function("oncue-x rank::y::tests::a_b"),
            }
        );
    }

    #[test]
    fn names_follow_the_file_and_every_kind_of_test_counts() {
        let cases = [
            ("crates/x/src/lib.rs", "// founding: A1\n#[test]\nfn a() {}", "oncue-x a"),
            ("crates/x/src/y/mod.rs", "// founding: A1\n#[test]\nfn a() {}", "oncue-x y::a"),
            ("crates/x/tests/it/main.rs", "// founding: A1\n#[test]\nfn a() {}", "oncue-x::it a"),
            (
                "crates/x/tests/it/z.rs",
                "// founding: A1\n// case: C01\n#[tokio::test(flavor = \"multi_thread\")]\nasync fn a() {}",
                "oncue-x::it z::a",
            ),
            (
                "crates/x/tests/it/z.rs",
                "proptest! {\n  // founding: A1\n  #[test]\n  fn a(x in 0..3) {}\n}",
                "oncue-x::it z::a",
            ),
        ];
        for (path, text, name) in cases {
            assert_eq!(claim(path, text).test, function(name), "{path}\n{text}");
        }
    }

    #[test]
    fn a_claim_above_anything_else_shows_nothing() {
        for text in [
            "// founding: A1\nfn a() {}",
            "// founding: A1\nstruct S;\n#[test]\nfn a() {}",
            "// founding: A1\n#[derive(Debug)]\nstruct S;\n#[test]\nfn a() {}",
            "// founding: A1\n",
        ] {
            assert_eq!(claim("crates/x/src/y.rs", text).test, Test::Nothing, "{text}");
        }
    }

    #[test]
    fn a_claim_above_an_example_is_shown_by_the_example() {
        let text = "/// Docs.\n// founding: A15\n/// ```compile_fail\n/// x\n/// ```\nstruct S;";
        // rustdoc counts the lines of documentation alone from its first line on.
        let expected = Test::Doctest("crates/x/src/y.rs:2".into());
        assert_eq!(claim("crates/x/src/y.rs", text).test, expected);
        let text = "// founding: A15\n/// ```compile_fail\n/// x\n/// ```\nstruct S;";
        assert_eq!(claim("crates/x/src/y.rs", text).test, expected);
    }

    #[test]
    fn text_in_a_literal_claims_nothing() {
        let file = File::new("crates/x/src/y.rs", "const S: &str = \"\n// founding: A1\n\";");
        assert_eq!(claims(&[file], &workspace(), "founding"), []);
    }
}
