//! A server behind HTTP, down to its bytes, that does one thing wrong while it is told to.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oncue_mcp::Era;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::fault::Fault;

/// What a request belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The first question of a connection.
    Open,
    /// `notifications/initialized`.
    Begun,
    /// `tools/list`.
    List,
    /// `tools/call`.
    Call,
    /// The stream for what belongs to no request.
    Listen,
    /// Anything else.
    Other,
}

/// The server. Its port stays the same however often it is closed and opened.
pub(super) struct Server {
    shared: Arc<Shared>,
    pub(super) port: u16,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    fault: Fault,
    phase: Phase,
    era: Era,
    is_faulty: AtomicBool,
    /// Connections that are open now.
    open: AtomicUsize,
    /// The session that is the newest.
    session: AtomicUsize,
}

/// Counts a connection for as long as it is open.
struct Counted(Arc<Shared>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// One request.
struct Asked {
    method: String,
    session: Option<String>,
    message: Value,
}

impl Server {
    pub(super) async fn start(fault: Fault, phase: Phase, era: Era) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            fault,
            phase,
            era,
            is_faulty: AtomicBool::new(false),
            open: AtomicUsize::new(0),
            session: AtomicUsize::new(0),
        });
        let server = Self { shared, port, accepting: Mutex::default() };
        server.accept(listener);
        server
    }

    fn accept(&self, listener: TcpListener) {
        let shared = Arc::clone(&self.shared);
        let task = tokio::spawn(async move {
            // Connections end with the task that accepts them.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                shared.open.fetch_add(1, Ordering::SeqCst);
                connections.spawn(serve(stream, Counted(Arc::clone(&shared))));
            }
        });
        *self.accepting.lock().expect("no panic") = Some(task);
    }

    /// Begins to do its thing wrong.
    pub(super) async fn break_down(&self) {
        self.shared.is_faulty.store(true, Ordering::SeqCst);
        match self.shared.fault {
            Fault::Refused => self.close().await,
            Fault::Forgotten => drop(self.shared.session.fetch_add(1, Ordering::SeqCst)),
            _ => {}
        }
    }

    /// Is well again.
    pub(super) async fn recover(&self) {
        self.shared.is_faulty.store(false, Ordering::SeqCst);
        if self.shared.fault == Fault::Refused {
            let listener = TcpListener::bind(("127.0.0.1", self.port)).await.expect("its port");
            self.accept(listener);
        }
    }

    pub(super) async fn close(&self) {
        let task = self.accepting.lock().expect("no panic").take();
        if let Some(task) = task {
            task.abort();
            let _ = task.await;
        }
    }

    /// Returns how many connections are open.
    pub(super) fn open(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }
}

async fn serve(mut stream: TcpStream, counted: Counted) {
    let shared = Arc::clone(&counted.0);
    let Some(asked) = read(&mut stream).await else { return };
    let answer = shared.answer(&asked);
    let is_wrong = shared.is_faulty.load(Ordering::SeqCst) && shared.phase == phase(&asked);
    // Whoever asks may go away before it is answered, and then the connection ends too.
    let (mut reads, mut writes) = stream.into_split();
    let gone = async {
        let mut rest = [0; 64];
        while reads.read(&mut rest).await.is_ok_and(|count| count > 0) {}
    };
    let answering = async {
        match is_wrong {
            true => shared.fault.answer(&answer, &mut writes).await,
            false => answer.write(&mut writes).await,
        }
        let _ = writes.shutdown().await;
    };
    tokio::select! {
        () = gone => {}
        () = answering => {}
    }
}

fn phase(asked: &Asked) -> Phase {
    match (&*asked.method, asked.message["method"].as_str().unwrap_or_default()) {
        ("GET", _) => Phase::Listen,
        (_, "initialize" | "server/discover") => Phase::Open,
        (_, "notifications/initialized") => Phase::Begun,
        (_, "tools/list") => Phase::List,
        (_, "tools/call") => Phase::Call,
        _ => Phase::Other,
    }
}

/// An answer as it should be.
pub(super) struct Answer {
    pub(super) status: &'static str,
    pub(super) session: Option<String>,
    /// The message; nothing where there is none.
    pub(super) message: Value,
}

impl Answer {
    pub(super) async fn write(&self, to: &mut (impl AsyncWriteExt + Unpin)) {
        let body = match &self.message {
            Value::Null => String::new(),
            message => message.to_string(),
        };
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let session = self.session.as_ref();
        let session = session.map_or_else(String::new, |it| format!("mcp-session-id: {it}\r\n"));
        let text = format!(
            "HTTP/1.1 {}\r\nconnection: close\r\n{kind}{session}content-length: {}\r\n\r\n{body}",
            self.status,
            body.len()
        );
        let _ = to.write_all(text.as_bytes()).await;
    }
}

impl Shared {
    fn answer(&self, asked: &Asked) -> Answer {
        let id = &asked.message["id"];
        let answer = |status, result: Value| Answer {
            status,
            session: None,
            message: json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        };
        let bare = |status| Answer { status, session: None, message: Value::Null };
        let error = |status, code: i32| Answer {
            status,
            session: None,
            message: json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": "no" } }),
        };
        let method = asked.message["method"].as_str().unwrap_or_default();
        if asked.method != "POST" {
            return bare("405 Method Not Allowed");
        }
        let has_sessions = self.era == Era::Sessions;
        let newest = self.session.load(Ordering::SeqCst).to_string();
        match method {
            "initialize" if has_sessions => {
                let session = self.session.fetch_add(1, Ordering::SeqCst) + 1;
                let result = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                    "serverInfo": { "name": "web", "version": "1" } });
                Answer { session: Some(session.to_string()), ..answer("200 OK", result) }
            }
            "server/discover" if has_sessions => bare("400 Bad Request"),
            _ if has_sessions && asked.session.as_deref() != Some(&newest) => bare("404 Not Found"),
            "server/discover" => answer(
                "200 OK",
                json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
                    "ttlMs": 0, "cacheScope": "private" }),
            ),
            "tools/list" => answer(
                "200 OK",
                json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
                    "tools": [{ "name": "echo", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } }] }),
            ),
            "tools/call" => {
                let text = asked.message["params"]["arguments"].to_string();
                answer(
                    "200 OK",
                    json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] }),
                )
            }
            "ping" if has_sessions => answer("200 OK", json!({})),
            _ if id.is_null() => bare("202 Accepted"),
            _ => error("404 Not Found", -32601),
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length = header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Asked {
        method: head.split(' ').next()?.to_owned(),
        session: header("mcp-session-id"),
        message: serde_json::from_slice(&bytes[end..end + length]).unwrap_or(Value::Null),
    })
}

/// A pause that is longer than anybody waits.
pub(super) async fn for_ever() {
    tokio::time::sleep(Duration::from_secs(3_600)).await;
}
