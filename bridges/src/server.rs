//! A server of the Chat Completions form that plays a script and keeps what it was asked. Lives as long as one example.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

/// What the model of the script says in one step.
pub enum Answer {
    /// Calls, each a name and its arguments.
    Calls(Vec<(&'static str, Value)>),
    /// The final text.
    Text(&'static str),
}

/// What one request showed to the model.
#[derive(Debug)]
pub struct Asked {
    /// The names of the tools, in order.
    pub tools: Vec<String>,
    /// The results of tools among the messages, in order.
    pub results: Vec<String>,
}

/// A model on a local port that says what its script says.
pub struct Server {
    url: String,
    playing: JoinHandle<io::Result<Vec<Asked>>>,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// There is no port to listen on.
    pub fn start(script: Vec<Answer>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1/", listener.local_addr()?);
        let playing = thread::spawn(move || {
            let steps = script.iter().enumerate();
            steps.map(|(step, answer)| serve(&listener.accept()?.0, step, answer)).collect()
        });
        Ok(Self { url, playing })
    }

    /// Returns where the model is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns what the requests showed, once the script is played to its end.
    ///
    /// # Errors
    ///
    /// A connection broke.
    pub fn asked(self) -> io::Result<Vec<Asked>> {
        self.playing.join().unwrap_or_else(|_| Err(io::Error::other("the server panicked")))
    }
}

/// Reads one request and answers it; every connection carries one.
fn serve(mut stream: &TcpStream, step: usize, answer: &Answer) -> io::Result<Asked> {
    let request = read(&mut BufReader::new(stream))?;
    let body = completion(step, answer).to_string();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let tools = request["tools"].as_array().into_iter().flatten();
    let messages = request["messages"].as_array().into_iter().flatten();
    Ok(Asked {
        tools: tools.map(|tool| text(&tool["function"]["name"])).collect(),
        results: messages
            .filter(|message| message["role"] == "tool")
            .map(|message| text(&message["content"]))
            .collect(),
    })
}

fn read(from: &mut impl BufRead) -> io::Result<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(bytes) = line.strip_prefix("content-length:") {
            length = bytes.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = Vec::new();
    from.take(length).read_to_end(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}

/// The text of a content, which is a string or a list of parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| text(&part["text"])).collect(),
        _ => String::new(),
    }
}

fn completion(step: usize, answer: &Answer) -> Value {
    let (message, reason) = match answer {
        Answer::Text(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Answer::Calls(calls) => {
            let calls: Vec<Value> =
                calls.iter().enumerate().map(|call| tool_call(step, call)).collect();
            (json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
        }
    };
    json!({
        "id": format!("chatcmpl-{step}"),
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
}

fn tool_call(step: usize, (at, (name, arguments)): (usize, &(&str, Value))) -> Value {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    json!({"id": format!("call_{step}_{at}"), "type": "function", "function": function})
}
