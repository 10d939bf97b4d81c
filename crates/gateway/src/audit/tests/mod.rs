//! The record, from what is recorded to what is found wrong with it.

mod content;
mod crash;
mod tampering;
mod writer;

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, SystemTime};

use oncue_tools::Principal;
use serde_json::Value;
use tempfile::TempDir;

use super::log::Log;
use super::*;
use crate::state::fragile::FragileDisk;
use crate::state::{StateDir, SystemDisk};

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// An entry that is told apart by the size of its arguments.
fn call(number: u64) -> Entry {
    let call = Call {
        upstream: "github".to_owned(),
        tool: "list_issues".to_owned(),
        exposed: "github_list_issues".to_owned(),
        outcome: Outcome::Done,
        duration: Duration::from_micros(1_500),
        bytes_in: number,
        bytes_out: 7,
        arguments: Digest::of(b"{}"),
    };
    Entry { at: at(0), principal: Principal::Local, event: Event::Call(call) }
}

/// The records in a folder, in order.
fn records(folder: &Path) -> Vec<Value> {
    let files = files::all(folder).expect("a folder");
    let texts = files.iter().map(|file| fs::read_to_string(file).expect("UTF-8"));
    let texts: String = texts.collect();
    texts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The numbers of the calls in a folder, in order.
fn calls(folder: &Path) -> Vec<u64> {
    records(folder).iter().filter_map(|record| record["bytes_in"].as_u64()).collect()
}

fn kinds(report: &Report) -> Vec<FaultKind> {
    report.faults.iter().map(|fault| fault.kind).collect()
}

fn faults(folder: &Path) -> Vec<FaultKind> {
    kinds(&verify_all(&StateDir::at(folder)).expect("readable"))
}

/// A folder with a record of these calls, one a batch, with files of about this size.
fn recorded(numbers: RangeInclusive<u64>, file_bytes: u64) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), file_bytes);
    for number in numbers {
        log.append(&[call(number)], 0, at(9)).expect("written");
        log.write_head().expect("written");
    }
    folder
}

/// Returns a folder with the files of a disk.
fn laid_out(disk: &FragileDisk) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (path, bytes) in disk.files() {
        fs::write(folder.path().join(path.file_name().expect("a name")), bytes).expect("written");
    }
    folder
}
