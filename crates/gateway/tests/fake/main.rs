//! An MCP server that does what its script says, right or wrong. For tests and benchmarks.
//!
//! Its first argument is a script in JSON; a fault holds while the file `while` is there, or always.
//! It is served over standard input and output, or, where a second argument is an address, well behaved over HTTP.

mod fault;
mod http;
mod script;

use std::io::{BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use fault::Fault;
use script::Script;

fn main() {
    let text = std::env::args().nth(1).unwrap_or_else(|| "{}".to_owned());
    let Ok(script) = serde_json::from_str::<Script>(&text) else { exit(2) };
    let Ok(definitions) = definitions(&script) else { exit(2) };
    if let Some(file) = &script.starts {
        note(file, "start");
    }
    let mut server = Server { script, definitions, calls: 0, held: None };
    if let Some(address) = std::env::args().nth(2) {
        let Err(error) = http::serve(server, &address);
        eprintln!("{error}");
        exit(1)
    }
    server.at("start");
    let mut lines = std::io::stdin().lock().lines();
    while let Some(Ok(line)) = lines.next() {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        server.take(&message);
    }
    server.at("shutdown");
    if server.script.is_stubborn {
        loop {
            sleep(Duration::from_secs(1));
        }
    }
}

/// Reads the whole definitions that the script names.
fn definitions(script: &Script) -> std::io::Result<Vec<Value>> {
    let Some(file) = &script.definitions else { return Ok(Vec::new()) };
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}

/// Appends a word and the number of this process to a file.
fn note(file: &str, word: &str) {
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(file) {
        let _ = writeln!(file, "{word} {}", std::process::id());
    }
}

struct Server {
    script: Script,
    /// Whole definitions of further tools.
    definitions: Vec<Value>,
    calls: u64,
    /// An answer that is given later.
    held: Option<Value>,
}

impl Server {
    fn fault(&self, phase: &str) -> Option<Fault> {
        let holds =
            self.script.hold.as_ref().is_none_or(|file| std::path::Path::new(file).exists());
        self.script.fault.filter(|_| holds && self.script.phase == phase)
    }

    /// Does what the fault of a phase without a question does.
    fn at(&mut self, phase: &str) {
        if let Some(fault) = self.fault(phase) {
            fault.before(&json!({ "jsonrpc": "2.0", "method": "notifications/message" }));
        }
    }

    fn take(&mut self, message: &Value) {
        let method = message["method"].as_str().unwrap_or_default();
        let Some(id) = message.get("id").filter(|_| !method.is_empty()) else {
            if method == "notifications/cancelled"
                && let Some(file) = &self.script.cancels
            {
                note(file, &format!("cancelled {}", message["params"]["requestId"]));
            }
            return;
        };
        let phase = match method {
            "initialize" | "server/discover" => "init",
            "tools/list" => "list",
            "tools/call" => "call",
            _ => "",
        };
        let answer = match self.result(method, &message["params"]) {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, text)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
            }
        };
        match self.fault(phase) {
            None => say(&answer),
            Some(fault) => fault.answer(answer, &mut self.held),
        }
    }

    fn result(&mut self, method: &str, params: &Value) -> Result<Value, (i64, &'static str)> {
        match method {
            "initialize" => Ok(json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": { "listChanged": true } },
                "serverInfo": { "name": "fake", "version": "1" },
            })),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(self.page(params)),
            "tools/call" => {
                self.calls += 1;
                self.call(params)
            }
            _ => Err((-32601, "Method not found")),
        }
    }

    fn page(&self, params: &Value) -> Value {
        let own: Vec<Value> = self.script.tools.iter().map(|name| tool(name)).collect();
        let all: Vec<&Value> = own.iter().chain(&self.definitions).collect();
        let size = self.script.page.unwrap_or(usize::MAX).max(1);
        // The cursor of the second page is the empty text, which is one like any other.
        let from = match params["cursor"].as_str() {
            None => 0,
            Some("") => size,
            Some(text) => text.parse().unwrap_or(usize::MAX),
        };
        let page: Vec<&Value> = all.iter().copied().skip(from).take(size).collect();
        let next = from.saturating_add(size);
        let mut result = json!({ "tools": page });
        if next < all.len() {
            result["nextCursor"] = if from == 0 { json!("") } else { json!(next.to_string()) };
        }
        result
    }

    fn call(&self, params: &Value) -> Result<Value, (i64, &'static str)> {
        let text = match params["name"].as_str().unwrap_or_default() {
            "count" => self.calls.to_string(),
            "pid" => std::process::id().to_string(),
            "env" => std::env::vars().map(|(name, value)| format!("{name}={value}\n")).collect(),
            "slow" => {
                sleep(Duration::from_millis(params["arguments"]["ms"].as_u64().unwrap_or(0)));
                "slow".to_owned()
            }
            "fail" => return Err((-32000, "it cannot")),
            name if self.script.tools.iter().any(|tool| tool == name)
                || self.definitions.iter().any(|tool| tool["name"] == name) =>
            {
                params["arguments"].to_string()
            }
            _ => return Err((-32602, "Unknown tool")),
        };
        Ok(json!({ "content": [{ "type": "text", "text": text }] }))
    }
}

fn tool(name: &str) -> Value {
    let hint = if name.starts_with("delete") { json!({}) } else { json!({ "readOnlyHint": true }) };
    json!({
        "name": name,
        "description": format!("Does what {name} says"),
        "inputSchema": { "type": "object" },
        "annotations": hint,
    })
}

/// Writes a message as one line.
fn say(message: &Value) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{message}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}
