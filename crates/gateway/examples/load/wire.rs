//! As much of HTTP as one client over one connection needs. Lives as long as the connection.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection of one client.
pub(crate) struct Wire {
    stream: TcpStream,
    /// What every request begins with.
    head: String,
    session: Option<String>,
    buffer: Vec<u8>,
}

/// The head of an answer.
struct Head {
    status: u16,
    body_bytes: usize,
    session: Option<String>,
}

impl Wire {
    pub(crate) async fn connect(address: &str, token: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             mcp-protocol-version: 2025-06-18\r\n"
        );
        Ok(Self { stream, head, session: None, buffer: Vec::new() })
    }

    /// Posts a message and returns the body of the answer.
    pub(crate) async fn post(&mut self, message: &Value) -> io::Result<String> {
        let body = message.to_string();
        let mut request = self.head.clone();
        if let Some(session) = &self.session {
            request += &format!("mcp-session-id: {session}\r\n");
        }
        request += &format!("content-length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(request.as_bytes()).await?;
        self.buffer.clear();
        let (head, begin) = loop {
            self.more().await?;
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break (Head::read(&self.buffer[..end])?, end + 4);
            }
        };
        while self.buffer.len() < begin + head.body_bytes {
            self.more().await?;
        }
        let body = String::from_utf8_lossy(&self.buffer[begin..]).into_owned();
        if !(200..300).contains(&head.status) {
            return Err(io::Error::other(format!("status {}: {body}", head.status)));
        }
        if head.session.is_some() {
            self.session = head.session;
        }
        Ok(body)
    }

    async fn more(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl Head {
    fn read(bytes: &[u8]) -> io::Result<Self> {
        let text = String::from_utf8_lossy(bytes);
        let status = text.split(' ').nth(1).and_then(|it| it.parse().ok());
        let mut head = Self {
            status: status.ok_or(io::ErrorKind::InvalidData)?,
            body_bytes: 0,
            session: None,
        };
        for line in text.lines().skip(1) {
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => {
                    head.body_bytes = value.parse().map_err(io::Error::other)?;
                }
                "transfer-encoding" => {
                    return Err(io::Error::other("an answer without a length"));
                }
                "mcp-session-id" => head.session = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(head)
    }
}
