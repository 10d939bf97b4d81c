//! Running the command, and the small catalog that most tests search.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Four tools of two servers. Each word of the tests' queries is in the fields that the test names.
pub(crate) const CATALOG: &str = r#"{"name": "export_csv", "description": "Export rows as CSV. Slow.", "server": "sheets", "input_schema": {"type": "object", "properties": {"path": {"type": "string", "description": "Where to"}}}}
{"name": "download_file", "description": "Download a file, such as csv", "server": "web", "input_schema": {"type": "object", "properties": {"url": {"type": "string"}}}}
{"name": "send_mail", "description": "Sends a mail", "server": "web"}
{"name": "search_laws", "description": "日本の法令を検索します。速い。", "server": "web"}
"#;

/// What came back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    /// Returns standard output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Returns the command, free of what the environment says about colours.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oncue"));
    command.args(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "ONCUE_MODEL"] {
        command.env_remove(name);
    }
    // What is installed on this machine does not matter.
    command.env("ONCUE_MODELS", "no-models");
    command
}

/// Runs the command with nothing on standard input.
pub(crate) fn oncue(args: &[&str]) -> Answer {
    fed(args, b"")
}

/// Runs the command with `input` on standard input.
pub(crate) fn fed(args: &[&str], input: &[u8]) -> Answer {
    answer(command(args), input)
}

/// Runs `command` with `input` on standard input.
pub(crate) fn answer(mut command: Command, input: &[u8]) -> Answer {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let bytes = input.to_vec();
    let feeder = std::thread::spawn(move || {
        // A command that does not read its input closes the pipe.
        let _ = stdin.write_all(&bytes);
    });
    let output = child.wait_with_output().expect("the command ends");
    feeder.join().expect("the feeder ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Answer {
        code: output.status.code().expect("no signal"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// A folder of files; gone at its end.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// A folder with these files.
    pub(crate) fn of(files: &[(&str, &[u8])]) -> Self {
        let folder = Self(TempDir::new().expect("a temporary folder"));
        for (name, bytes) in files {
            let path = folder.0.path().join(name);
            fs::create_dir_all(path.parent().expect("inside the folder")).expect("made");
            fs::write(path, bytes).expect("written");
        }
        folder
    }

    /// Returns the path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        let path: PathBuf = self.0.path().join(name);
        path.into_os_string().into_string().expect("UTF-8")
    }
}

/// Runs the command on `catalog` as a file of that name, and returns the answer with the folder's path left out.
pub(crate) fn on(name: &str, catalog: &[u8], args: &[&str]) -> Answer {
    let folder = Folder::of(&[(name, catalog)]);
    let path = folder.path(name);
    let mut all = args.to_vec();
    all.extend(["--catalog", &path]);
    let prefix = path.strip_suffix(name).expect("ends with its name").to_owned();
    let Answer { code, out, err } = oncue(&all);
    Answer { code, out: out.replace(&prefix, ""), err: err.replace(&prefix, "") }
}
