//! What somebody does to the files is found, and where.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::audit::files::CURRENT;
use crate::limits::AUDIT_FILE_BYTES_MAX;

/// Three files: two that are full, and the current one.
fn three_files() -> (TempDir, Vec<PathBuf>) {
    let folder = recorded(1..=5, 1_000);
    let files = files::all(folder.path()).expect("a folder");
    assert_eq!(files.len(), 3, "{files:?}");
    assert_eq!(faults(folder.path()), []);
    for file in &files {
        assert_eq!(kinds(&verify(file).expect("readable")), []);
    }
    (folder, files)
}

#[test]
fn flipped_bits_are_found_at_their_line() {
    let (folder, files) = three_files();
    for file in &files {
        let good = fs::read(file).expect("there");
        // A step by which each bit has its turn.
        for at in (0..good.len()).step_by(5) {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(file, &bytes).expect("written");
            let line = good[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            let report = verify_all(&StateDir::at(folder.path())).expect("readable");
            let found = report.faults.first().unwrap_or_else(|| panic!("byte {at} of {file:?}"));
            assert_eq!((&found.file, found.line), (file, line), "byte {at}");
        }
        fs::write(file, &good).expect("written");
    }
}

#[test]
fn each_removed_and_each_moved_record_is_found() {
    let (folder, files) = three_files();
    for file in &files {
        let good = fs::read_to_string(file).expect("there");
        let lines: Vec<&str> = good.lines().collect();
        let check = |lines: &[&str], near: usize, what: &str| {
            fs::write(file, format!("{}\n", lines.join("\n"))).expect("written");
            let report = verify_all(&StateDir::at(folder.path())).expect("readable");
            let found = report.faults.first().unwrap_or_else(|| panic!("{what} {near} {file:?}"));
            let line = usize::try_from(found.line).expect("small");
            assert!(line == near || line + 1 == near, "{what} {near}: {found}");
            assert_eq!(found.file, *file);
        };
        for at in 0..lines.len() {
            let mut removed = lines.clone();
            removed.remove(at);
            check(&removed, at + 1, "removed");
            if at > 0 {
                let mut moved = lines.clone();
                moved.swap(at - 1, at);
                check(&moved, at, "moved");
            }
            let mut twice = lines.clone();
            twice.insert(at, lines[at]);
            check(&twice, at + 2, "twice");
        }
        fs::write(file, &good).expect("written");
    }
}

#[test]
fn what_is_missing_is_told_by_its_numbers() {
    let folder = recorded(1..=5, AUDIT_FILE_BYTES_MAX);
    let file = folder.path().join(CURRENT);
    let good = fs::read_to_string(&file).expect("there");
    let lines: Vec<&str> = good.lines().collect();
    let found = |kept: &[usize]| {
        let text: String = kept.iter().map(|&n| format!("{}\n", lines[n - 1])).collect();
        fs::write(&file, text).expect("written");
        faults(folder.path())
    };
    use FaultKind::{Missing, Moved, NoBeginning};
    assert_eq!(found(&[1, 2, 3, 4, 5, 6]), []);
    assert_eq!(found(&[1, 2, 5, 6]), [Missing { from: 3, to: 4 }]);
    assert_eq!(found(&[1, 2, 3]), [Missing { from: 4, to: 6 }]);
    assert_eq!(found(&[]), [Missing { from: 1, to: 6 }]);
    assert_eq!(found(&[2, 3, 4, 5, 6]), [NoBeginning]);
    assert_eq!(
        found(&[1, 2, 4, 3, 5, 6]),
        [Missing { from: 3, to: 3 }, Moved { n: 3, expected: 5 }, Missing { from: 4, to: 4 },]
    );
}

#[test]
fn cuts_are_found_wherever_they_are() {
    let (folder, files) = three_files();
    for file in &files {
        let good = fs::read(file).expect("there");
        let line_ends = (0..good.len()).filter(|&at| at > 0 && good[at - 1] == b'\n');
        for bytes in (0..good.len()).step_by(11).chain(line_ends) {
            fs::write(file, &good[..bytes]).expect("written");
            assert_ne!(faults(folder.path()), [], "{bytes} bytes of {file:?}");
            assert_ne!(
                kinds(&verify(file).expect("readable")),
                [],
                "{bytes} bytes of {file:?} alone"
            );
        }
        fs::remove_file(file).expect("removed");
        let is_oldest = file == &files[0];
        // Files that were put away are told of, not complained about.
        assert_eq!(faults(folder.path()).is_empty(), is_oldest, "{file:?}");
        fs::write(file, &good).expect("written");
    }
}

#[test]
fn a_record_made_up_by_somebody_who_can_hash_breaks_the_link() {
    let folder = recorded(1..=4, AUDIT_FILE_BYTES_MAX);
    let file = folder.path().join(CURRENT);
    let good = fs::read_to_string(&file).expect("there");
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    let body = lines[2].split_once(",\"hash\"").expect("a digest").0;
    let body = body.replace("\"bytes_in\":2", "\"bytes_in\":9");
    lines[2] = format!("{body},\"hash\":\"{}\"}}", Digest::of(body.as_bytes()));
    fs::write(&file, format!("{}\n", lines.join("\n"))).expect("written");
    let report = verify_all(&StateDir::at(folder.path())).expect("readable");
    assert_eq!(kinds(&report), [FaultKind::Unlinked { n: 4 }]);
    assert_eq!(report.faults[0].line, 4);
}
