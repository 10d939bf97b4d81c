//! Going on after a crash: nothing acknowledged is lost, and nothing is smoothed over.

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::audit::files::{CURRENT, HEAD};
use crate::limits::AUDIT_FILE_BYTES_MAX;

#[test]
fn a_torn_end_is_kept_aside_and_noted() {
    let base = recorded(1..=3, AUDIT_FILE_BYTES_MAX);
    let before = fs::read(base.path().join(CURRENT)).expect("there");
    let head = fs::read(base.path().join(HEAD)).expect("there");
    // A fourth call of which the head does not tell yet.
    let mut log = Log::new(SystemDisk, &StateDir::at(base.path()), AUDIT_FILE_BYTES_MAX);
    log.append(&[call(4)], 0, at(9)).expect("written");
    let after = fs::read(base.path().join(CURRENT)).expect("there");
    for cut in before.len()..after.len() {
        let disk = FragileDisk::default();
        disk.overwrite("/state/audit.jsonl", &after[..cut]);
        disk.overwrite("/state/audit.head", &head);
        let mut log = Log::new(disk.clone(), &StateDir::at("/state"), AUDIT_FILE_BYTES_MAX);
        log.append(&[call(5)], 0, at(9)).expect("written");
        let folder = laid_out(&disk);
        let report = verify_all(&StateDir::at(folder.path())).expect("readable");
        assert_eq!(report.faults, [], "{cut}");
        assert_eq!(calls(folder.path()), [1, 2, 3, 5]);
        let torn = &after[before.len()..cut];
        if torn.is_empty() {
            assert_eq!(report.notes, []);
            continue;
        }
        let aside = "audit-torn-000000000005.bin".to_owned();
        assert_eq!(fs::read(folder.path().join(&aside)).expect("kept"), torn);
        let bytes = torn.len() as u64;
        assert_eq!(report.notes, [Note { n: 5, kind: NoteKind::Torn { bytes, aside } }]);
    }
}

#[test]
fn what_was_taken_away_stays_missing_when_somebody_goes_on() {
    for kept in [0, 1, 3] {
        let folder = recorded(1..=3, AUDIT_FILE_BYTES_MAX);
        let file = folder.path().join(CURRENT);
        let good = fs::read_to_string(&file).expect("there");
        let text: String = good.lines().take(kept).map(|line| format!("{line}\n")).collect();
        fs::write(&file, text).expect("written");
        let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
        log.append(&[call(4)], 0, at(9)).expect("written");
        log.write_head().expect("written");
        let report = verify_all(&StateDir::at(folder.path())).expect("readable");
        let from = kept as u64 + 1;
        match kept {
            0 => assert_eq!(kinds(&report), [FaultKind::Vanished { n: 5 }]),
            _ => assert_eq!(kinds(&report), [FaultKind::Missing { from, to: 4 }]),
        }
    }
}

#[test]
fn a_file_of_something_else_is_kept_aside_as_a_whole() {
    for garbage in [&b"garbage"[..], b"{}\n{}\n", &[0; 300_000]] {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join(CURRENT), garbage).expect("written");
        let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
        log.append(&[call(1)], 0, at(9)).expect("written");
        assert_eq!(calls(folder.path()), [1]);
        let aside = folder.path().join("audit-torn-000000000001.bin");
        assert_eq!(fs::read(aside).expect("kept"), garbage);
        assert_eq!(faults(folder.path()), []);
    }
}

#[test]
fn whatever_fails_no_acknowledged_record_is_lost() {
    let state = StateDir::at("/state");
    let mut runs = 0;
    for dies in [false, true] {
        for step in 0.. {
            runs += 1;
            let disk = FragileDisk::default();
            // Small files, so that some of the steps are those of beginning a new one.
            let mut log = Log::new(disk.clone(), &state, 1_000);
            log.append(&[call(1), call(2)], 0, at(9)).expect("written");
            log.write_head().expect("written");
            if dies {
                disk.die_at(step);
            } else {
                disk.fail_at(step);
            }
            let mut acknowledged = vec![1, 2];
            let mut lost = 0;
            for number in 3..=5 {
                match log.append(&[call(number)], lost, at(9)) {
                    Ok(()) => {
                        acknowledged.push(number);
                        lost = 0;
                    }
                    Err(_) => lost += 1,
                }
                log.write_head().ok();
            }
            let has_failed = disk.has_failed();
            disk.mend();
            for after in disk.power_losses().into_iter().chain([disk.clone()]) {
                let mut log = Log::new(after.clone(), &state, 1_000);
                log.append(&[call(9)], 0, at(9)).expect("it goes on");
                log.write_head().expect("written");
                let folder = laid_out(&after);
                let calls = calls(folder.path());
                let found: Vec<u64> =
                    calls.iter().copied().filter(|call| acknowledged.contains(call)).collect();
                assert_eq!(found, acknowledged, "step {step}, dies: {dies}");
                assert_eq!(calls.last(), Some(&9));
                assert_eq!(faults(folder.path()), [], "step {step}, dies: {dies}");
            }
            if !has_failed {
                break;
            }
        }
    }
    assert!(runs > 40, "every step of three batches, three heads and a new file: {runs}");
}
