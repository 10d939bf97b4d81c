//! How long files and functions may be.

use super::{Finding, rust};
use crate::tree::File;

/// Lines of a Rust file, its tests included, at which it must be split.
const FILE_LINES_MAX: usize = 800;

/// Lines at which splitting is worth a thought.
const FILE_LINES_NOTICED: usize = 400;

/// Lines of a function, its signature and braces included.
const FUNCTION_LINES_MAX: usize = 100;

/// Files that are one long table, each with its reason.
const TABLES: &[(&str, &str)] = &[];

fn is_table(path: &str) -> bool {
    TABLES.iter().any(|&(table, _)| table == path)
}

/// No file is longer than can be kept in mind.
pub(super) fn files_are_short(files: &[File]) -> Vec<Finding> {
    rust(files)
        .map(|(file, _)| (file, file.text.lines().count()))
        .filter(|&(file, lines)| lines > FILE_LINES_MAX && !is_table(&file.path))
        .map(|(file, lines)| {
            Finding::new(file, 0, format!("{lines} lines, {FILE_LINES_MAX} at most: split it"))
        })
        .collect()
}

/// Files that may soon be too long; told, not refused.
pub(super) fn long_files(files: &[File]) -> Vec<String> {
    rust(files)
        .map(|(file, _)| (file, file.text.lines().count()))
        .filter(|&(file, lines)| lines >= FILE_LINES_NOTICED && !is_table(&file.path))
        .map(|(file, lines)| format!("{}: {lines} lines; think of splitting it", file.path))
        .collect()
}

/// No function is longer than a screen or so.
pub(super) fn functions_fit_a_screen(files: &[File]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, source) in rust(files) {
        for function in &source.functions {
            let lines = function.lines.end() - function.lines.start() + 1;
            if lines > FUNCTION_LINES_MAX {
                let what =
                    format!("`{}` has {lines} lines, {FUNCTION_LINES_MAX} at most", function.name);
                found.push(Finding::new(file, *function.lines.start(), what));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{files_are_short, functions_fit_a_screen, long_files};
    use crate::tidy::lines;
    use crate::tree::File;

    #[test]
    fn a_file_over_the_limit_is_found() {
        assert_eq!(lines(files_are_short, "a.rs", &"\n".repeat(800)), [0_usize; 0]);
        assert_eq!(lines(files_are_short, "a.rs", &"\n".repeat(801)), [0]);
        assert_eq!(lines(files_are_short, "a.toml", &"\n".repeat(801)), [0_usize; 0]);
    }

    #[test]
    fn a_long_file_is_told() {
        assert_eq!(long_files(&[File::new("a.rs", &"\n".repeat(399))]), Vec::<String>::new());
        assert_eq!(long_files(&[File::new("a.rs", &"\n".repeat(400))]).len(), 1);
    }

    #[test]
    fn a_function_over_the_limit_is_found() {
        let function = |lines: usize| format!("\nfn f() {{{}}}\n", "\n".repeat(lines - 1));
        assert_eq!(lines(functions_fit_a_screen, "a.rs", &function(100)), [0_usize; 0]);
        assert_eq!(lines(functions_fit_a_screen, "a.rs", &function(101)), [2]);
    }
}
