//! `oncue run --record` and `--replay`.

use std::fs;

use serde_json::json;

use crate::oncue::{Folder, answer, command, oncue};
use crate::run::{call, cassette, refund, say, steady};

#[test]
fn a_replay_shows_what_the_run_showed() {
    let folder = Folder::of(&[]);
    let (path, model) = (folder.path("rec.jsonl"), refund());
    let task = "Pay order 1007 back";
    let recorded = oncue(&["run", "--model", &model, "--yes", "--record", &path, task]);
    let replayed = steady(oncue(&["run", "--replay", &path, task]));
    let mut recorded = steady(recorded);
    assert_eq!(recorded.code, 0, "{recorded:?}");
    let warning = "warning: every call of a gated tool runs without asking (`--yes`)\n";
    recorded.err = recorded.err.replace(warning, "");
    assert_eq!(replayed, recorded);
    // The recording knows the task.
    assert_eq!(steady(oncue(&["run", "--replay", &path])), recorded);

    let other = oncue(&["run", "--replay", &path, "--system", "You are brief", task]);
    assert_eq!(other.code, 3);
    let told = format!(
        "\nerror: the run differs from the recording `{path}`: request 1: what the model is told once is another text\n"
    );
    assert!(other.err.contains(&told), "{other:?}");
}

#[test]
fn a_replay_ends_as_the_run_did_whoever_agreed() {
    for (consent, code) in [(&["--yes"][..], 0), (&["--deny-all"], 0), (&[], 5)] {
        let folder = Folder::of(&[]);
        let (path, model) = (folder.path("rec.jsonl"), refund());
        let mut args = vec!["run", "--model", &model, "--record", &path];
        args.extend(consent);
        args.push("Pay order 1007 back");
        let recorded = steady(oncue(&args));
        let replayed = steady(oncue(&["run", "--replay", &path]));
        assert_eq!((recorded.code, replayed.code), (code, code), "{replayed:?}");
        assert!(recorded.err.ends_with(&replayed.err), "{recorded:?}\n{replayed:?}");
    }
}

#[test]
fn a_replay_runs_no_program_and_a_recording_holds_no_secret() {
    let tools = |description: &str| {
        format!(
            "[[tool]]\nname = \"append\"\ndescription = \"{description}\"\ntier = \"silent\"\n\
             command = [\"sh\", \"-c\", \"echo x >> log; cat log\"]\ncwd = \".\"\n\
             env = {{ TOKEN = \"secret-1\", ONCUE_TEST_SECRET = true }}\n"
        )
    };
    let replies = [call("c1", "append", &json!({})), say("Done.")];
    let folder = Folder::of(&[
        ("tools.toml", tools("Appends").as_bytes()),
        ("model.jsonl", cassette(&replies).as_bytes()),
    ]);
    let (path, file) = (folder.path("rec.jsonl"), folder.path("tools.toml"));
    let model = format!("replay:{}", folder.path("model.jsonl"));
    let mut recording =
        command(&["run", "--model", &model, "--tools", &file, "--record", &path, "Append"]);
    recording.env("ONCUE_TEST_SECRET", "secret-2").env("ONCUE_API_KEY", "secret-3");
    let recorded = answer(recording, b"");
    assert_eq!((recorded.code, recorded.out.as_str()), (0, "Done.\n"), "{recorded:?}");
    let replay = || oncue(&["run", "--replay", &path, "--tools", &file]);
    assert_eq!(replay().code, 0);
    assert_eq!(fs::read_to_string(folder.path("log")).expect("the log"), "x\n");
    let text = fs::read_to_string(&path).expect("the recording");
    assert!(!text.contains("secret"), "{text}");

    fs::write(&file, tools("Appends a line")).expect("written");
    let changed = replay();
    assert_eq!(changed.code, 3);
    assert!(
        changed.err.contains(": request 1: tool 1 (append) is not what it was\n"),
        "{changed:?}"
    );
}

#[test]
fn a_recording_is_for_nobody_else() {
    let folder = Folder::of(&[]);
    let (path, model) = (folder.path("rec.jsonl"), refund());
    oncue(&["run", "--model", &model, "--yes", "--record", &path, "Pay it back"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).expect("the recording").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let nowhere = folder.path("none/rec.jsonl");
    let found = oncue(&["run", "--model", &model, "--record", &nowhere, "Pay it back"]);
    assert_eq!((found.code, found.out.as_str()), (4, ""));
    assert!(found.err.starts_with("error: failed to write the recording `"), "{found:?}");
}
