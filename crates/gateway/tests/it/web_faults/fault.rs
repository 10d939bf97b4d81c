//! What a server behind HTTP can do wrong.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::tcp::OwnedWriteHalf;

use super::server::{Answer, for_ever};

/// One thing that a server does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nobody listens at its port.
    Refused,
    /// It closes the connection without a word.
    Closed,
    /// It resets the connection in the middle of the body.
    Reset,
    /// It answers with a status and a page.
    Page(&'static str),
    /// It answers with a status that says when to come again.
    Later(&'static str),
    /// It wants credentials.
    Challenge,
    /// It has forgotten its sessions.
    Forgotten,
    /// It says nothing.
    Hang,
    /// It says nothing behind the beginning of the body.
    HangInBody,
    /// It opens a stream and says nothing in it.
    HangInStream,
    /// It writes a byte a second.
    SlowBytes,
    /// It sends elsewhere.
    Redirect,
    /// Its body is far too long.
    LongBody,
    /// An event of its stream is far too long.
    LongEvent,
    /// Its head is far too long.
    LongHead,
    /// Its body ends before it should.
    CutBody,
    /// Its stream ends within the answer.
    CutStream,
    /// Its stream ends before the answer.
    EmptyStream,
    /// Its stream has events that are none before the answer.
    Noise,
    /// It answers twice in a stream.
    Twice,
    /// It answers with another id.
    OtherId,
    /// It answers with an id that is the same number as a text.
    IdAsText,
    /// Its stream has answers to questions that were never asked before the answer.
    Unasked,
    /// It answers with something that is no HTTP.
    Garbage,
    /// It speaks TLS.
    Tls,
    /// It takes the request and gives no answer.
    Accepted,
    /// Its body is no JSON.
    NotJson,
    /// Its body is a list of messages.
    Batch,
    /// Its body nests a hundred thousand deep.
    Deep,
    /// It answers with an error.
    Error,
}

impl Fault {
    /// Answers wrongly in place of `right`.
    pub(super) async fn answer(self, right: &Answer, to: &mut OwnedWriteHalf) {
        let message = right.message.to_string();
        let json = |body: &str| whole("200 OK", "application/json", body, right);
        let events = |body: &str| stream(body, right);
        let text = match self {
            Self::Refused | Self::Closed => return,
            Self::Reset => {
                let begun = json(&format!("{message}{}", " ".repeat(1_000)));
                let _ = to.write_all(&begun.as_bytes()[..begun.len() - 900]).await;
                // What was not read makes the end a reset.
                let stream: &tokio::net::TcpStream = to.as_ref();
                let _ = stream.set_zero_linger();
                return;
            }
            Self::Page(status) => whole(status, "text/html", "<html>no</html>", right),
            Self::Later(status) => {
                whole(&format!("{status}\r\nretry-after: 7"), "text/plain", "later", right)
            }
            Self::Challenge => whole(
                "401 Unauthorized\r\nwww-authenticate: Bearer resource_metadata=\"http://127.0.0.1:9/x\"",
                "text/plain",
                "no",
                right,
            ),
            // It says so by itself.
            Self::Forgotten => return right.write(to).await,
            Self::Hang => return for_ever().await,
            Self::HangInBody => {
                let begun = json(&message);
                let _ = to.write_all(&begun.as_bytes()[..begun.len() - 4]).await;
                return for_ever().await;
            }
            Self::HangInStream => {
                let _ = to.write_all(events(": here\n\n").as_bytes()).await;
                return for_ever().await;
            }
            Self::SlowBytes => {
                for byte in json(&message).bytes() {
                    if to.write_all(&[byte]).await.is_err() {
                        return;
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                return;
            }
            Self::Redirect => {
                whole("302 Found\r\nlocation: http://127.0.0.1:9/mcp", "text/plain", "", right)
            }
            Self::LongBody => json(&with_text(&right.message, 200_000)),
            Self::LongEvent => events(&format!("data: {}\n\n", with_text(&right.message, 200_000))),
            Self::LongHead => whole(
                &format!("200 OK\r\nx-long: {}", "x".repeat(1 << 20)),
                "application/json",
                &message,
                right,
            ),
            Self::CutBody => {
                let begun = json(&message);
                begun[..begun.len() - 10].to_owned()
            }
            Self::CutStream => events(&format!("data: {}", &message[..message.len() / 2])),
            Self::EmptyStream => events(": nothing\n\n"),
            Self::Noise => events(&format!(
                ": x\n\ndata: not json\n\nevent: other\ndata: {{}}\n\ndata: [1]\n\n\u{0}\n\ndata: {message}\n\n"
            )),
            Self::Twice => events(&format!("data: {message}\n\ndata: {message}\n\n")),
            Self::OtherId => json(&with_id(&right.message, json!(987_654_321))),
            Self::IdAsText => {
                json(&with_id(&right.message, json!(right.message["id"].to_string())))
            }
            Self::Unasked => {
                let other = with_id(&right.message, json!(987_654_321));
                events(&format!("data: {other}\n\ndata: {message}\n\n"))
            }
            Self::Garbage => "SSH-2.0-OpenSSH_9.6\r\n".to_owned(),
            Self::Tls => {
                let _ = to.write_all(&[0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46]).await;
                return;
            }
            Self::Accepted => {
                "HTTP/1.1 202 Accepted\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned()
            }
            Self::NotJson => json("{\"jsonrpc\":"),
            Self::Batch => json(&format!("[{message}]")),
            Self::Deep => json(&format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}{}}}",
                right.message["id"],
                "[".repeat(100_000),
                "]".repeat(100_000)
            )),
            Self::Error => {
                let error = json!({ "code": -32000, "message": "it is out of order" });
                json(
                    &json!({ "jsonrpc": "2.0", "id": right.message["id"], "error": error })
                        .to_string(),
                )
            }
        };
        let _ = to.write_all(text.as_bytes()).await;
    }
}

fn whole(status: &str, kind: &str, body: &str, right: &Answer) -> String {
    let session = right.session.as_ref();
    let session = session.map_or_else(String::new, |it| format!("mcp-session-id: {it}\r\n"));
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\n{session}content-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn stream(body: &str, right: &Answer) -> String {
    let session = right.session.as_ref();
    let session = session.map_or_else(String::new, |it| format!("mcp-session-id: {it}\r\n"));
    format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\n{session}content-type: text/event-stream\r\n\r\n{body}"
    )
}

fn with_text(message: &Value, bytes: usize) -> String {
    let mut message = message.clone();
    message["result"] = json!({ "content": [{ "type": "text", "text": "x".repeat(bytes) }] });
    message.to_string()
}

fn with_id(message: &Value, id: Value) -> String {
    let mut message = message.clone();
    message["id"] = id;
    message.to_string()
}
