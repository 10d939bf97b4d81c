//! Servers that run while the suite does. Each lives until it is dropped.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::FOLDER;

/// What a server says once it can be reached, before its address.
const READY: &str = "serving at ";

/// How long the gateway may take to learn what the server behind it offers.
const LEARN_TIME: Duration = Duration::from_secs(30);

/// A tool of the server behind the gateway.
const TOOL: &str = "test_simple_text";

/// Our server.
pub(super) struct Fixture {
    _child: Killed,
    pub(super) url: String,
}

/// The gateway before it.
pub(super) struct Gateway {
    _child: Killed,
    pub(super) url: String,
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Fixture {
    pub(super) fn start(program: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("0").stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = Killed(command.spawn().context("failed to start the server")?);
        let output = child.0.stdout.take().context("the server has an output")?;
        let url = address(output)?;
        Ok(Self { _child: child, url })
    }
}

impl Gateway {
    /// Starts the gateway in front of `fixture`, with every tool under its own name, and waits until it knows them.
    pub(super) fn start(root: &Path, program: &Path, fixture: &Fixture) -> Result<Self> {
        let folder = root.join(FOLDER);
        let (settings, state) = (folder.join("oncue.toml"), folder.join("state"));
        if state.exists() {
            fs::remove_dir_all(&state)?;
        }
        let text = format!("[upstream.fixture]\nurl = \"{}\"\nnamespaced = false\n", fixture.url);
        fs::write(&settings, text)?;
        let mut command = Command::new(program);
        command.args(["serve", "--http", "127.0.0.1:0", "--mode", "passthrough", "--log", "warn"]);
        command.arg("--config").arg(&settings).arg("--state-dir").arg(&state);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = Killed(command.spawn().context("failed to start the gateway")?);
        let told = child.0.stderr.take().context("the gateway tells what it does")?;
        let url = address(told)?;
        let begun = Instant::now();
        while !lists(&url)? {
            if begun.elapsed() > LEARN_TIME {
                bail!("the gateway does not learn what the server offers");
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(Self { _child: child, url })
    }
}

/// Returns the address that a server tells; what it tells later is read in a thread of its own and shown.
fn address(told: impl Read + Send + 'static) -> Result<String> {
    let mut lines = BufReader::new(told).lines();
    let url = loop {
        let line = lines.next().context("a server ended before it could be reached")??;
        match line.split_once(READY) {
            Some((_, url)) => break url.trim().to_owned(),
            None => eprintln!("{line}"),
        }
    };
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            eprintln!("{line}");
        }
    });
    Ok(url)
}

/// Says whether the gateway lists a tool of the server behind it.
fn lists(url: &str) -> Result<bool> {
    let rest = url.strip_prefix("http://").context("an address of HTTP")?;
    let (authority, path) = rest.split_once('/').context("an address with a path")?;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let head = format!(
        "POST /{path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(authority)?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).contains(TOOL))
}
