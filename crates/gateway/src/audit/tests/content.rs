//! What a record holds, and what it never does.

use std::fs;

use oncue_decl::Scope;
use oncue_tools::{Denial, ErrorKind, Principal, PrincipalName};
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::audit::files::CURRENT;
use crate::limits::{AUDIT_FILE_BYTES_MAX, AUDIT_TEXT_CHARS_MAX};

#[test]
fn a_record_says_who_did_what_and_what_came_of_it() {
    let folder = TempDir::new().expect("a folder");
    let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
    let name = PrincipalName::parse("ci").expect("a name");
    let principal = Principal::External { name, scope: Scope::Stage };
    let Event::Call(base) = call(12).event else { panic!("a call") };
    let denied = Call {
        outcome: Outcome::denied(&Denial::Scope { needed: Scope::Write, held: Scope::Stage }),
        ..base.clone()
    };
    let failed = Call { outcome: Outcome::Failed(ErrorKind::TimedOut), ..base };
    let change = Change {
        kind: ChangeKind::TokenRevoked,
        subject: "0badcafe".to_owned(),
        detail: Some("ci".to_owned()),
    };
    let entries = [
        Entry { at: at(951_782_400), principal, event: Event::Call(denied) },
        Entry { at: at(0), principal: Principal::Local, event: Event::Call(failed) },
        Entry { at: at(0), principal: Principal::Local, event: Event::Change(change) },
    ];
    log.append(&entries, 0, at(0)).expect("written");
    let records = records(folder.path());
    let without_chain = |record: &Value| {
        let mut record = record.clone();
        let fields = record.as_object_mut().expect("an object");
        for key in ["prev", "hash"] {
            let digest = fields.shift_remove(key).expect("chained");
            assert_eq!(digest.as_str().expect("a text").len(), 64);
        }
        record
    };
    let expected = serde_json::json!([
        { "n": 1, "time": "1970-01-01T00:00:00.000Z", "event": "began" },
        {
            "n": 2, "time": "2000-02-29T00:00:00.000Z", "event": "call",
            "principal": "ci", "scope": "stage",
            "upstream": "github", "tool": "list_issues", "exposed": "github_list_issues",
            "outcome": "denied", "why": "scope",
            "us": 1500, "bytes_in": 12, "bytes_out": 7,
            "arguments": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        },
        {
            "n": 3, "time": "1970-01-01T00:00:00.000Z", "event": "call",
            "upstream": "github", "tool": "list_issues", "exposed": "github_list_issues",
            "outcome": "failed", "why": "timed_out",
            "us": 1500, "bytes_in": 12, "bytes_out": 7,
            "arguments": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        },
        {
            "n": 4, "time": "1970-01-01T00:00:00.000Z", "event": "change",
            "change": "token_revoked", "subject": "0badcafe", "detail": "ci",
        },
    ]);
    let shown: Vec<Value> = records.iter().map(without_chain).collect();
    assert_eq!(Value::from(shown), expected);
    for pair in records.windows(2) {
        assert_eq!(pair[0]["hash"], pair[1]["prev"]);
    }
    assert_eq!(records[0]["prev"], "0".repeat(64));
}

#[test]
fn the_chain_can_be_followed_with_sha_256_alone() {
    let folder = recorded(1..=3, AUDIT_FILE_BYTES_MAX);
    let text = fs::read_to_string(folder.path().join(CURRENT)).expect("there");
    let mut before = "0".repeat(64);
    for line in text.lines() {
        let (body, hash) = line.split_once(",\"hash\":\"").expect("a digest");
        assert!(body.ends_with(&format!("\"prev\":\"{before}\"")), "{line}");
        before = Digest::of(body.as_bytes()).to_string();
        assert_eq!(hash, format!("{before}\"}}"));
    }
    let report = verify_all(&StateDir::at(folder.path())).expect("readable");
    assert_eq!(report.digest.map(|digest| digest.to_string()), Some(before));
}

#[test]
fn neither_arguments_nor_what_a_guard_says_are_recorded() {
    const CANARY: &str = "canary-5f1c";
    let folder = TempDir::new().expect("a folder");
    let state = StateDir::at(folder.path());
    let audit = Audit::open(&state).expect("opened");
    let Event::Call(base) = call(1).event else { panic!("a call") };
    let outcomes = [
        Outcome::denied(&Denial::Guard(CANARY.to_owned())),
        Outcome::denied(&Denial::GuardFailed(CANARY.into())),
        Outcome::Done,
    ];
    for outcome in outcomes {
        let arguments = Digest::of(format!(r#"{{"password":"{CANARY}"}}"#).as_bytes());
        let call = Call { outcome, arguments, ..base.clone() };
        let (at, principal) = (at(0), Principal::Local);
        audit.record_blocking(Entry { at, principal, event: Event::Call(call) });
    }
    audit.flush_blocking();
    assert_eq!(audit.status().written, 3);
    for file in fs::read_dir(folder.path()).expect("a folder") {
        let bytes = fs::read(file.expect("a file").path()).expect("readable");
        assert!(!String::from_utf8_lossy(&bytes).contains(CANARY));
    }
}

#[test]
fn long_texts_are_cut_and_say_so() {
    for (chars, is_cut) in [
        (AUDIT_TEXT_CHARS_MAX - 1, false),
        (AUDIT_TEXT_CHARS_MAX, false),
        (AUDIT_TEXT_CHARS_MAX + 1, true),
    ] {
        let folder = TempDir::new().expect("a folder");
        let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
        let Event::Call(base) = call(1).event else { panic!("a call") };
        // A control character is the longest to write, in six bytes.
        let [upstream, tool, exposed] = [(); 3].map(|()| "\u{1}".repeat(chars));
        let event = Event::Call(Call { upstream, tool, exposed, ..base });
        let entry = Entry { at: at(0), principal: Principal::Local, event };
        log.append(&[entry], 0, at(0)).expect("written");
        let records = records(folder.path());
        let tool = records[1]["tool"].as_str().expect("a text");
        assert_eq!(tool.ends_with('…'), is_cut, "{chars}");
        assert_eq!(tool.chars().count(), chars);
        assert_eq!(faults(folder.path()), [], "{chars}");
    }
}

#[test]
fn a_record_that_is_off_keeps_nothing() {
    let audit = Audit::off();
    audit.record_blocking(call(1));
    audit.flush_blocking();
    assert_eq!(audit.status(), AuditStatus::default());
}

#[cfg(unix)]
#[test]
fn the_files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = recorded(1..=9, 1_500);
    let files = fs::read_dir(folder.path()).expect("a folder");
    let mut count = 0;
    for file in files {
        let file = file.expect("a file");
        let mode = file.metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file:?}");
        count += 1;
    }
    assert!(count > 3);
}
