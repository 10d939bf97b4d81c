//! One run: the gateway, a client and what plays its model, until the client has ended.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::bench::Bench;
use super::launch::{self, Place, Reach};
use super::rows::{Cell, Row, Transport};
use super::supply::PINS;

/// The tool that is looked for, by the name that the gateway gives it.
pub(super) const TOOL: &str = "everything__get-sum";

/// What it answers.
pub(super) const ANSWER: &str = "The sum of 19 and 23 is 42";

/// How long a client may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long the gateway may take until it listens.
const LISTENS: Duration = Duration::from_secs(15);

/// What a run left.
pub(super) struct Ran {
    /// Whether the client ended well, and if not, how.
    pub(super) ending: Option<String>,
    /// What it wrote on its standard output.
    pub(super) output: String,
    /// What it wrote on its standard error.
    pub(super) errors: String,
    /// What was asked of the model, a request each.
    pub(super) asked: Vec<Value>,
    /// What passed between client and gateway.
    pub(super) passed: Vec<Value>,
}

/// A process that is ended when it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a client once.
pub(super) fn run(bench: &Bench, row: &Row, cell: &Cell) -> Result<Ran> {
    let place = Place::make(bench.runs.join(row.folder(cell)))?;
    let plan = json!({
        "query": "sum of two numbers",
        "find": "search_tools call_tool",
        "tool": TOOL,
        "arguments": { "a": 19, "b": 23 },
        "mode": cell.mode.word(),
        "steps": cell.steps,
        "instructions": bench.instructions.get(&cell.mode),
    });
    fs::write(place.folder.join("plan.json"), plan.to_string())?;
    let (reach, _gateway) = match cell.transport {
        Transport::Stdio => (Reach::Words(noted(bench, &place, bench.serve(cell.mode))), None),
        Transport::Http => {
            let (url, gateway) = over_http(bench, &place, cell)?;
            (Reach::Url(url), Some(gateway))
        }
    };
    let vendor = row.has_model().then(|| vendor(bench, &place)).transpose()?;
    let url = vendor.as_ref().map_or("", |(url, _)| url);
    let mut command = launch::command(bench, row, &place, &reach, url)?;
    let ending = ended(&mut command, &place)?;
    let text = |name: &str| fs::read_to_string(place.folder.join(name)).unwrap_or_default();
    Ok(Ran {
        ending,
        output: text("output"),
        errors: text("errors"),
        asked: lines(&text("model.jsonl")),
        passed: lines(&text("messages.jsonl")),
    })
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The gateway's words, by way of what notes the messages.
fn noted(bench: &Bench, place: &Place, serve: Vec<String>) -> Vec<String> {
    let path = |path: std::path::PathBuf| path.display().to_string();
    let mut words = vec![
        path(bench.node.clone()),
        path(bench.root.join(PINS).join("tee.mjs")),
        path(place.folder.join("messages.jsonl")),
    ];
    words.extend(serve);
    words
}

/// Starts the gateway on a free port.
fn over_http(bench: &Bench, place: &Place, cell: &Cell) -> Result<(String, Running)> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let words = bench.serve(cell.mode);
    let (program, words) = words.split_first().context("no program")?;
    let gateway = Command::new(program)
        .args(words)
        .args(["--http", &free.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(place.folder.join("gateway"))?)
        .spawn()
        .context("failed to start `oncue serve`")?;
    let gateway = Running(gateway);
    wait_for(free)?;
    Ok((format!("http://{free}/mcp"), gateway))
}

fn wait_for(address: SocketAddr) -> Result<()> {
    let begun = Instant::now();
    while TcpStream::connect(address).is_err() {
        if begun.elapsed() > LISTENS {
            bail!("`oncue serve` does not listen on {address}");
        }
        sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Starts what plays the model.
fn vendor(bench: &Bench, place: &Place) -> Result<(String, Running)> {
    let mut child = Command::new(&bench.node)
        .arg(bench.root.join(PINS).join("vendor.mjs"))
        .arg(place.folder.join("plan.json"))
        .arg(place.folder.join("model.jsonl"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("failed to start what plays the model")?;
    let output = child.stdout.take().context("its output is piped")?;
    let running = Running(child);
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    match line.trim() {
        "" => bail!("what plays the model did not start"),
        url => Ok((url.to_owned(), running)),
    }
}

/// Runs the client to its end; says how it ended, unless well.
fn ended(command: &mut Command, place: &Place) -> Result<Option<String>> {
    let child = command
        .stdin(Stdio::null())
        .stdout(File::create(place.folder.join("output"))?)
        .stderr(File::create(place.folder.join("errors"))?)
        .spawn()
        .with_context(|| format!("failed to start {:?}", command.get_program()))?;
    let mut running = Running(child);
    let begun = Instant::now();
    loop {
        if let Some(status) = running.0.try_wait()? {
            return Ok((!status.success()).then(|| format!("it ended with {status}")));
        }
        if begun.elapsed() > PATIENCE {
            return Ok(Some(format!("it had not ended after {} s", PATIENCE.as_secs())));
        }
        sleep(Duration::from_millis(20));
    }
}
