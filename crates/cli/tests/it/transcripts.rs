//! The transcripts in the documentation, held against the command.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::oncue::{Answer, command};
use crate::run::{file, steady};

/// Returns the words of a command line, some of them in single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Runs a command in the folder of the repository and returns what a terminal would show.
fn shown(args: &[&str]) -> String {
    let (mut shown, out) = std::io::pipe().expect("a pipe");
    let mut command = command(args);
    command.current_dir(file("")).env("COLUMNS", "96").stdin(Stdio::null());
    command.stdout(out.try_clone().expect("another end")).stderr(out);
    let mut child = command.spawn().expect("it starts");
    // What is left of the pipe's ends is the child's.
    drop(command);
    let mut text = String::new();
    shown.read_to_string(&mut text).expect("UTF-8");
    child.wait().expect("it ends");
    text
}

fn without_times(text: &str) -> String {
    steady(Answer { code: 0, out: String::new(), err: text.to_owned() }).err
}

#[test]
fn the_documentation_shows_what_the_command_shows() {
    let text = fs::read_to_string(file("docs/run.md")).expect("docs/run.md");
    let mut transcripts = 0;
    for block in text.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").expect("the block ends");
        let (typed, expected) = block.split_once('\n').expect("a line that is typed");
        let typed = words(typed.strip_prefix("$ oncue ").expect("a command"));
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        assert_eq!(without_times(&shown(&typed)), without_times(expected), "{typed:?}");
        transcripts += 1;
    }
    assert_eq!(transcripts, 3);
}
