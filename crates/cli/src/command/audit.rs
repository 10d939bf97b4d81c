//! `oncue audit`: whether the record of calls, denials and changes is whole.

use std::io::{self, Write};

use oncue_gateway::audit::{FaultKind, Report, verify, verify_all};
use serde::Serialize;

use super::state::Kept;
use super::{JSON_VERSION, write_json};
use crate::args::{Audit, AuditVerify};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::{counted, printable};

#[derive(Serialize)]
struct Answer {
    version: u32,
    whole: bool,
    files: Vec<String>,
    records: u64,
    first: u64,
    last: u64,
    digest: Option<String>,
    faults: Vec<FaultJson>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct FaultJson {
    file: String,
    line: u64,
    kind: &'static str,
    message: String,
}

pub(super) fn run(args: &Audit, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let Audit::Verify(args) = args;
    let report = examined(args)?;
    if args.json {
        write_json(out, &answer(&report))?;
    } else {
        for fault in &report.faults {
            writeln!(out, "{}", printable(&fault.to_string()))?;
        }
        out.flush()?;
        write_sums(&report, err)?;
    }
    Ok(if report.faults.is_empty() { Exit::Ok } else { Exit::Nothing })
}

fn examined(args: &AuditVerify) -> Result<Report, Failure> {
    match &args.file {
        Some(file) => verify(file).map_err(Failure::input),
        None => verify_all(&Kept::find(&args.state)?.state).map_err(Failure::input),
    }
}

fn write_sums(report: &Report, err: &mut dyn Write) -> io::Result<()> {
    for note in &report.notes {
        writeln!(err, "note: {}", printable(&note.to_string()))?;
    }
    let count = |count: u64, noun| counted(usize::try_from(count).unwrap_or(usize::MAX), noun);
    let files = counted(report.files.len(), "file");
    let records = count(report.records, "record");
    match report.faults.len() {
        0 => write!(err, "{records} in {files}: whole")?,
        faults => write!(err, "{records} in {files}: {}", counted(faults, "fault"))?,
    }
    match &report.digest {
        Some(digest) => writeln!(err, "; record {} has the digest {digest}", report.last),
        None => writeln!(err),
    }
}

fn answer(report: &Report) -> Answer {
    let fault = |fault: &oncue_gateway::audit::Fault| FaultJson {
        file: fault.file.display().to_string(),
        line: fault.line,
        kind: kind(fault.kind),
        message: fault.kind.to_string(),
    };
    Answer {
        version: JSON_VERSION,
        whole: report.faults.is_empty(),
        files: report.files.iter().map(|file| file.display().to_string()).collect(),
        records: report.records,
        first: report.first,
        last: report.last,
        digest: report.digest.map(|digest| digest.to_string()),
        faults: report.faults.iter().map(fault).collect(),
        notes: report.notes.iter().map(ToString::to_string).collect(),
    }
}

fn kind(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NoRecord => "no-record",
        FaultKind::Changed { .. } => "changed",
        FaultKind::Missing { .. } => "missing",
        FaultKind::Moved { .. } => "moved",
        FaultKind::Unlinked { .. } => "unlinked",
        FaultKind::Vanished { .. } => "vanished",
        FaultKind::NoBeginning => "no-beginning",
        FaultKind::Cut => "cut",
        _ => "other",
    }
}
