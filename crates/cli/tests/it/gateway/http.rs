//! A gateway over HTTP, and requests written by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Place;

/// A gateway over HTTP; killed at its end.
pub(super) struct Served {
    gateway: Child,
    /// What it tells on standard error.
    err: BufReader<ChildStderr>,
    pub(super) address: SocketAddr,
    /// What it told before it served.
    pub(super) told: String,
}

/// An answer over HTTP.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Served {
    pub(super) fn start(place: &Place) -> Self {
        let state = place.path("state");
        let args = ["serve", "--http", "127.0.0.1:0", "--state-dir", &state];
        let mut command = place.command(&args);
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut gateway = command.spawn().expect("started");
        let mut err = BufReader::new(gateway.stderr.take().expect("piped"));
        let mut told = String::new();
        let address = loop {
            let mut line = String::new();
            assert_ne!(err.read_line(&mut line).expect("read"), 0, "it ended: {told}");
            if let Some(rest) = line.strip_prefix("serving at http://") {
                let address = rest.trim_end().strip_suffix("/mcp").expect("the endpoint");
                break address.parse().expect("an address");
            }
            told += &line;
        };
        Self { gateway, err, address, told }
    }

    /// Asks as a browser or a collector would, with these headers and this body.
    pub(super) fn ask(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let mut text = format!("{line} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            text += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Reply {
            status: status.expect("a status"),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    /// Asks in the newer era, and returns the result.
    pub(super) fn request(&self, method: &str, params: Value) -> Value {
        let mut params = params;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
            ("mcp-name", &name),
        ];
        let headers = if name.is_empty() { &headers[..4] } else { &headers };
        let reply = self.ask("POST /mcp", headers, &body.to_string());
        let answer: Value = serde_json::from_str(&reply.body).unwrap_or_default();
        assert!(answer["result"].is_object(), "{reply:?}");
        answer["result"].clone()
    }

    /// Returns the text of what a call gives.
    pub(super) fn call(&self, name: &str, arguments: &Value) -> String {
        let result = self.request("tools/call", json!({ "name": name, "arguments": arguments }));
        result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a search finds a tool.
    pub(super) fn find(&self, query: &str, tool: &str) -> usize {
        let begun = Instant::now();
        for searches in 1.. {
            if self.call("search_tools", &json!({ "query": query })).contains(tool) {
                return searches;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "`{tool}` is never found");
            std::thread::yield_now();
        }
        unreachable!("it is found or not")
    }

    /// Ends it, and returns what it has told since it served.
    pub(super) fn end(mut self) -> String {
        self.gateway.kill().expect("killed");
        self.gateway.wait().expect("ended");
        let mut told = String::new();
        self.err.read_to_string(&mut told).expect("UTF-8");
        told
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have been ended.
        let _ = self.gateway.kill();
        let _ = self.gateway.wait();
    }
}
