//! Messages over streams: however their bytes arrive, and whatever stands between them.

use oncue_mcp::{Framing, Line, Lines, Message, Noise, Received, Transport};
use tokio::io::AsyncWriteExt;

fn lines(text: &[u8], pieces: usize, bytes_max: usize) -> Vec<String> {
    let mut framing = Framing::new(bytes_max);
    let mut lines = Vec::new();
    for piece in text.chunks(pieces) {
        framing.buffer().extend_from_slice(piece);
        while let Some(line) = framing.next_line() {
            lines.push(match line {
                Line::Whole(line) => String::from_utf8_lossy(&line).into_owned(),
                Line::TooLong(beginning) => {
                    format!("too long: {}", String::from_utf8_lossy(&beginning))
                }
            });
        }
    }
    lines
}

// case: C44
#[test]
fn lines_are_the_same_wherever_the_stream_is_cut() {
    let text = "\u{feff}{\"a\":1}\r\n\n \t\nhello\x1b[0m\n{\"b\":\"0123456789\"}\n{\"c\":2}\nopen";
    for pieces in 1..=text.len() {
        assert_eq!(
            lines(text.as_bytes(), pieces, 12),
            ["{\"a\":1}", "hello\x1b[0m", "too long: {\"b\":\"012345", "{\"c\":2}"],
            "{pieces}"
        );
    }
}

#[test]
fn the_longest_line_is_whole_and_the_next_one_is_not() {
    assert_eq!(lines(b"12345\n", 3, 5), ["12345"]);
    assert_eq!(lines(b"123456\n7\n", 3, 5), ["too long: 12345", "7"]);
    for pieces in 1..=16 {
        let found = lines(b"123456\nabcdefg\n7\n", pieces, 5);
        assert_eq!(found, ["too long: 12345", "too long: abcde", "7"], "{pieces}");
    }
}

#[tokio::test]
async fn noise_is_skipped_and_counted_and_the_rest_arrives() {
    let (mut server, ours) = tokio::io::duplex(1 << 10);
    let (from, to) = tokio::io::split(ours);
    let transport = Lines::new(from, to, 1 << 10, Noise::Skip);
    let text =
        b"MCP Nightly\n\n\xff\xfe\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n{\"jsonrpc\":\"2.0\"}\n";
    server.write_all(text).await.expect("written");
    drop(server);
    let received = transport.receive().await;
    assert!(
        matches!(received, Some(Received::Message { message: Message::Notification(it), .. }) if &*it.method == "a")
    );
    assert!(matches!(transport.receive().await, Some(Received::Malformed(_))));
    assert!(transport.receive().await.is_none());
    assert!(transport.receive().await.is_none(), "an end stays an end");
    assert_eq!(transport.skipped(), 2);
}

#[tokio::test]
async fn of_a_message_that_is_too_long_the_id_is_found_where_it_stands_first() {
    let id = async |beginning: &str| {
        let (mut server, ours) = tokio::io::duplex(1 << 12);
        let (from, to) = tokio::io::split(ours);
        let transport = Lines::new(from, to, 256, Noise::Skip);
        let text = format!("{beginning}{}\"}}\n", "x".repeat(300));
        server.write_all(text.as_bytes()).await.expect("written");
        match transport.receive().await {
            Some(Received::TooLong { bytes_max: 256, id }) => id.map(|id| id.to_string()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(id(r#"{"jsonrpc":"2.0","id":12,"result":""#).await.as_deref(), Some("12"));
    assert_eq!(id(r#"{"id": "a", "result":""#).await.as_deref(), Some("\"a\""));
    assert_eq!(id(r#"{"result":""#).await, None);
    assert_eq!(id(r#"nonsense""#).await, None);
}

#[tokio::test]
async fn a_sender_that_goes_away_leaves_no_half_message() {
    use std::future::Future;
    use std::task::{Context, Waker};

    let (mut server, ours) = tokio::io::duplex(8);
    let (from, to) = tokio::io::split(ours);
    let transport = Lines::new(from, to, 1 << 10, Noise::Skip);
    let message = Message::read(br#"{"jsonrpc":"2.0","method":"tell"}"#).expect("a message");
    // The stream takes eight bytes at a time, so none of these is written whole while its sender looks.
    for _ in 0..200 {
        let mut sending = Box::pin(transport.send(&message));
        let _ = sending.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    transport.close().await;
    let mut text = String::new();
    tokio::io::AsyncReadExt::read_to_string(&mut server, &mut text).await.expect("read");
    assert!(text.lines().count() > 10);
    for line in text.lines() {
        assert_eq!(line, r#"{"jsonrpc":"2.0","method":"tell"}"#);
    }
}
