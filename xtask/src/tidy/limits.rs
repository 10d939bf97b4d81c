//! Every bound has a name, a unit and one place: the crate's `limits.rs`.

use super::{Finding, rust};
use crate::tree::File;

/// Bounds that live elsewhere, each with its reason.
const ELSEWHERE: &[(&str, &str)] =
    &[("NAME_CHARS_MAX", "the one bound of `decl`, public beside the check that applies it")];

/// Folders whose constants bound tools of the project, not the product.
const NOT_THE_PRODUCT: [&str; 1] = ["xtask/"];

/// A constant that says `MAX` or `LIMIT` is a bound and lives in `limits.rs`.
pub(super) fn bounds_live_in_limits(files: &[File]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, source) in rust(files) {
        let is_elsewhere = NOT_THE_PRODUCT.iter().any(|folder| file.path.starts_with(folder));
        if is_elsewhere || file.is_test() || file.path.ends_with("/limits.rs") {
            continue;
        }
        for pair in source.tokens.windows(2) {
            let [keyword, name] = pair else { continue };
            let is_excused = ELSEWHERE.iter().any(|&(known, _)| known == name.text);
            if keyword.text == "const"
                && is_bound(&name.text)
                && !is_excused
                && !file.is_test_line(name.line)
            {
                let what = format!("the bound `{}` belongs in `limits.rs`", name.text);
                found.push(Finding::new(file, name.line, what));
            }
        }
    }
    found
}

fn is_bound(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && name.split('_').any(|part| matches!(part, "MAX" | "LIMIT"))
}

#[cfg(test)]
mod tests {
    use super::bounds_live_in_limits;
    use crate::tidy::lines;

    #[test]
    fn a_bound_outside_limits_is_found() {
        let text = "const HITS_MAX: usize = 1;\nconst MAXIMAL: u8 = 2;\nconst fn max() {}\npub const DEPTH_LIMIT: u8 = 3;\n#[cfg(test)]\nmod tests {\n const A_MAX: u8 = 1;\n}\n";
        assert_eq!(lines(bounds_live_in_limits, "crates/a/src/b.rs", text), [1, 4]);
        assert_eq!(lines(bounds_live_in_limits, "crates/a/src/limits.rs", text), [0_usize; 0]);
        assert_eq!(lines(bounds_live_in_limits, "crates/a/tests/it/b.rs", text), [0_usize; 0]);
    }
}
