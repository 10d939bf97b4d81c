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

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use fault::Fault;
use script::Script;

fn main() {
    let text = std::env::args().nth(1).unwrap_or_else(|| "{}".to_owned());
    let Ok(script) = serde_json::from_str::<Script>(&text) else { exit(2) };
    if let Some(file) = &script.starts {
        note(file, "start");
    }
    let Some(tools) = script.listed() else { exit(2) };
    let mut server = Server { script, tools, calls: 0, held: None, asking: None, list: 0 };
    if let Some(address) = std::env::args().nth(2) {
        let Err(error) = http::serve(server, &address);
        eprintln!("{error}");
        exit(1)
    }
    server.at("start");
    let mut lines = std::io::stdin().lock().lines();
    while let Some(Ok(line)) = lines.next() {
        server.take(&line);
    }
    server.at("shutdown");
    if server.script.is_stubborn {
        loop {
            sleep(Duration::from_secs(1));
        }
    }
}

/// Appends a word and the number of this process to a file.
fn note(file: &str, word: &str) {
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(file) {
        let _ = writeln!(file, "{word} {}", std::process::id());
    }
}

struct Server {
    script: Script,
    /// Its tools, each as it is listed.
    tools: Vec<Listed>,
    calls: u64,
    /// An answer that is given later.
    held: Option<Value>,
    /// The id of a call that waits for the answer of its client.
    asking: Option<Value>,
    /// Which of the lists that follow each other is listed.
    list: usize,
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

    fn take(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str::<Value>(line) else { return };
        let method = message["method"].as_str().unwrap_or_default();
        let Some(id) = message.get("id").filter(|_| !method.is_empty()) else {
            if let Some(id) = self.asking.take_if(|_| message["id"] == "question") {
                let answer = message.get("result").or(message.get("error"));
                let text = answer.unwrap_or(&Value::Null).to_string();
                let result = json!({ "content": [{ "type": "text", "text": text }] });
                say(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
            }
            if method == "notifications/cancelled"
                && let Some(file) = &self.script.cancels
            {
                note(file, &format!("cancelled {}", message["params"]["requestId"]));
            }
            return;
        };
        if method == "tools/call" && message["params"]["name"] == "ask" {
            self.asking = Some(id.clone());
            let form = json!({ "message": "Who?", "requestedSchema": { "type": "object" } });
            say(
                &json!({ "jsonrpc": "2.0", "id": "question", "method": "elicitation/create", "params": form }),
            );
            return;
        }
        let phase = match method {
            "initialize" | "server/discover" => "init",
            "tools/list" => "list",
            "tools/call" => "call",
            _ => "",
        };
        if phase == "list" && self.fault(phase).is_none() {
            return self.list(id, &message["params"]);
        }
        let answer = match self.result(method, &message["params"], line) {
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

    fn result(
        &mut self,
        method: &str,
        params: &Value,
        line: &str,
    ) -> Result<Value, (i64, &'static str)> {
        match method {
            "initialize" => Ok(json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": { "listChanged": true } },
                "serverInfo": { "name": "fake", "version": "1" },
            })),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(serde_json::from_str(&self.page(params)).unwrap_or_default()),
            "tools/call" => {
                self.calls += 1;
                self.call(params, line)
            }
            _ => Err((-32601, "Method not found")),
        }
    }

    /// Answers with a page whose tools are word for word as they are listed.
    fn list(&self, id: &Value, params: &Value) {
        let page = self.page(params);
        write(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{page}}}"#));
    }

    fn page(&self, params: &Value) -> String {
        let size = self.script.page.unwrap_or(usize::MAX).max(1);
        // The cursor of the second page is the empty text, which is one like any other.
        let from = match params["cursor"].as_str() {
            None => 0,
            Some("") => size,
            Some(text) => text.parse().unwrap_or(usize::MAX),
        };
        let page = self.tools.iter().skip(from).take(size);
        let page: Vec<&str> = page.map(|tool| tool.raw.get()).collect();
        let next = from.saturating_add(size);
        let cursor = match next < self.tools.len() {
            true if from == 0 => r#","nextCursor":"""#.to_owned(),
            true => format!(r#","nextCursor":"{next}""#),
            false => String::new(),
        };
        format!(r#"{{"tools":[{}]{cursor}}}"#, page.join(","))
    }

    /// Goes on to the next list.
    fn turn_over(&mut self) -> String {
        self.list += 1;
        if let Some(tools) = self.script.list(self.list) {
            self.tools = tools;
        }
        std::thread::spawn(|| {
            sleep(Duration::from_millis(5));
            say(&json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
        });
        self.list.to_string()
    }

    fn call(&mut self, params: &Value, line: &str) -> Result<Value, (i64, &'static str)> {
        let is_real = self.script.catalog.is_some();
        let text = match params["name"].as_str().unwrap_or_default() {
            name if is_real && self.tools.iter().any(|tool| tool.name == name) => arguments(line),
            "next" => self.turn_over(),
            "count" => self.calls.to_string(),
            "pid" => std::process::id().to_string(),
            "env" => std::env::vars().map(|(name, value)| format!("{name}={value}\n")).collect(),
            "slow" => {
                sleep(Duration::from_millis(params["arguments"]["ms"].as_u64().unwrap_or(0)));
                "slow".to_owned()
            }
            "fail" => return Err((-32000, "it cannot")),
            name if self.tools.iter().any(|tool| tool.name == name) => arguments(line),
            _ => return Err((-32602, "Unknown tool")),
        };
        let text = match &self.script.label {
            None => text,
            Some(label) => format!("{label} {} {text}", params["name"]),
        };
        Ok(json!({ "content": [{ "type": "text", "text": text }] }))
    }
}

/// A tool as it is listed.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) raw: Box<RawValue>,
}

/// Returns the arguments of a call, word for word.
fn arguments(line: &str) -> String {
    #[derive(Deserialize)]
    struct Call<'l> {
        #[serde(borrow)]
        params: Params<'l>,
    }
    #[derive(Deserialize)]
    struct Params<'l> {
        #[serde(borrow)]
        arguments: Option<&'l RawValue>,
    }
    let call = serde_json::from_str::<Call<'_>>(line).ok();
    call.and_then(|call| call.params.arguments).map_or("null", RawValue::get).to_owned()
}

/// Writes a message as one line.
fn say(message: &Value) {
    write(&message.to_string());
}

fn write(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}
