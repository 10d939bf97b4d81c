//! The commands of the gateway, each in a home and a project of its own.

mod behind;
mod check;
mod connect;
mod crash;
mod http;
mod import;
mod meaning;
mod prompt;
mod scrape;
mod secrets;
mod serve;
#[cfg(feature = "otlp")]
mod traces;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::oncue::{Answer, answer, command};

/// Settings of one upstream whose program is there.
const SETTINGS: &str = "[upstream.memory]\ncommand = \"npx\"\nargs = [\"memory\"]\n";

/// A home, a project in which commands are typed, and programs; gone at its end.
struct Place {
    /// Holds the folder until the end.
    _folder: TempDir,
    root: PathBuf,
}

impl Place {
    /// A place with these files, such as `ada/.claude.json` and `project/.mcp.json`; one program is there, `npx`.
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("it is there");
        let place = Self { _folder: folder, root };
        for folder in ["ada", "project"] {
            fs::create_dir(place.root.join(folder)).expect("made");
        }
        place.write("bin/npx", "");
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// Returns what a file holds; `None` where there is none.
    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.root.join(name)).ok()
    }

    fn path(&self, name: &str) -> String {
        self.root.join(name).into_os_string().into_string().expect("UTF-8")
    }

    /// Returns the names of the files in a folder, in order.
    fn names(&self, folder: &str) -> Vec<String> {
        let files = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            files.map(|file| file.file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// Returns the command, typed in the project by the one whose home it is.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = command(args);
        command.current_dir(self.root.join("project"));
        command.env("HOME", self.root.join("ada")).env("USERPROFILE", self.root.join("ada"));
        command.env("APPDATA", self.root.join("ada/AppData/Roaming"));
        command.env("PATH", self.root.join("bin"));
        for name in ["XDG_CONFIG_HOME", "DOCS_TOKEN", "TOKEN"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the command with no terminal, and leaves out where the place and the program are.
    fn oncue(&self, args: &[&str]) -> Answer {
        let Answer { code, out, err } = answer(self.command(args), b"");
        Answer { code, out: self.without_paths(&out), err: self.without_paths(&err) }
    }

    fn without_paths(&self, text: &str) -> String {
        let root = self.root.to_str().expect("UTF-8");
        text.replace(&format!("{root}/"), "").replace(env!("CARGO_BIN_EXE_oncue"), "ONCUE")
    }
}

/// Returns the text with each time in a backup's name as `TIME`.
fn without_times(text: &str) -> String {
    let mut parts = text.split(".oncue-");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (_, rest) = part.split_once(".bak").expect("the end of a backup's name");
        format!("{text}.oncue-TIME.bak{rest}")
    })
}

#[test]
fn completions_know_the_clients() {
    for shell in ["bash", "zsh", "fish"] {
        let script = crate::oncue::oncue(&["completions", shell]).out;
        for word in ["import", "disconnect", "claude-code", "windsurf"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
