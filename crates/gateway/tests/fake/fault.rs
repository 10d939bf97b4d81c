//! What a server can do wrong.

use std::io::{Read, Write};
use std::process::{Command, exit};
use std::thread::{sleep, spawn};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::say;

/// One thing that a server does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    /// Ends at once.
    Exit,
    /// Ends behind its answer.
    ExitAfter,
    /// Ends in the middle of its answer.
    ExitMidLine,
    /// Says nothing.
    Hang,
    /// Writes a byte a second.
    SlowBytes,
    /// Starts a process that outlives it, and ends.
    Grandchild,
    /// Writes ten megabytes on its standard error before it answers.
    Stderr,
    /// Writes what is no JSON before it answers.
    Noise,
    /// Writes bytes that are no text before it answers.
    NotUtf8,
    /// Puts marks around its answer that some systems write.
    Marks,
    /// Answers with a line that is far too long.
    LongLine,
    /// Answers with JSON that is nested a hundred thousand deep.
    Deep,
    /// Answers with an id that is the same number as a text.
    IdAsText,
    /// Answers with an id of another kind.
    IdOfOtherKind,
    /// Answers a question that was never asked.
    UnknownId,
    /// Answers twice.
    Twice,
    /// Answers two seconds late.
    Late,
    /// Answers in the other order: each answer comes behind the next.
    Reordered,
    /// Leads from page to page in a circle.
    Circle,
    /// Says every 5 ms that its lists have changed.
    Storm,
    /// Answers with an error.
    Error,
}

impl Fault {
    /// Does what can be done without a question.
    pub(crate) fn before(self, message: &Value) {
        match self {
            Self::Exit => exit(1),
            Self::Hang => sleep(Duration::from_secs(3_600)),
            Self::Storm => {
                spawn(|| {
                    loop {
                        say(
                            &json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
                        );
                        sleep(Duration::from_millis(5));
                    }
                });
            }
            Self::Stderr | Self::Noise | Self::NotUtf8 | Self::Marks => self.around(message),
            _ => {}
        }
    }

    /// Answers wrongly, or after something that is wrong.
    pub(crate) fn answer(self, mut answer: Value, held: &mut Option<Value>) {
        match self {
            Self::Exit => exit(1),
            Self::ExitAfter => {
                say(&answer);
                exit(0)
            }
            Self::ExitMidLine => {
                write(&answer.to_string().as_bytes()[..20]);
                exit(1)
            }
            Self::Hang => sleep(Duration::from_secs(3_600)),
            Self::SlowBytes => {
                for byte in answer.to_string().bytes() {
                    write(&[byte]);
                    sleep(Duration::from_secs(1));
                }
            }
            Self::Grandchild => {
                let script = "trap '' TERM HUP; while :; do sleep 1; done";
                let _ = Command::new("sh").args(["-c", script]).spawn();
                exit(1)
            }
            Self::LongLine => {
                let text = "x".repeat(9 << 20);
                answer["result"] = json!({ "content": [{ "type": "text", "text": text }] });
                say(&answer);
            }
            Self::Deep => {
                let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
                write(
                    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{deep}}}\n", answer["id"])
                        .as_bytes(),
                );
            }
            Self::IdAsText => {
                answer["id"] = json!(answer["id"].to_string());
                say(&answer);
            }
            Self::IdOfOtherKind => {
                answer["id"] = json!({ "id": answer["id"] });
                say(&answer);
            }
            Self::UnknownId => {
                answer["id"] = json!(987_654_321);
                say(&answer);
            }
            Self::Twice => {
                say(&answer);
                say(&answer);
            }
            Self::Late => {
                sleep(Duration::from_secs(2));
                say(&answer);
            }
            Self::Reordered => match held.take() {
                None => *held = Some(answer),
                Some(first) => {
                    say(&answer);
                    say(&first);
                }
            },
            Self::Circle => {
                answer["result"]["nextCursor"] = json!("again");
                say(&answer);
            }
            Self::Storm => {
                self.before(&answer);
                say(&answer);
            }
            Self::Error => {
                let error = json!({ "code": -32000, "message": "it is out of order" });
                say(&json!({ "jsonrpc": "2.0", "id": answer["id"], "error": error }));
            }
            Self::Stderr | Self::Noise | Self::NotUtf8 | Self::Marks => self.around(&answer),
        }
    }

    fn around(self, answer: &Value) {
        match self {
            Self::Stderr => {
                let mut zeros = std::io::repeat(b'e').take(10 << 20);
                let _ = std::io::copy(&mut zeros, &mut std::io::stderr());
            }
            Self::Noise => write(b"MCP Nightly\n\n\x1b[32mready\x1b[0m\n[info] x\n"),
            Self::NotUtf8 => write(b"\xff\xfe\x00\xc3\x28\n"),
            Self::Marks => {
                write(format!("\u{feff}{answer}\r\n").as_bytes());
                return;
            }
            _ => {}
        }
        say(answer);
    }
}

fn write(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}
