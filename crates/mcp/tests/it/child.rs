//! Servers that are child processes.

use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::{Child, Launch, Peer, Silent, Transport, Unreadable};

/// A server in a few lines of shell: what it prints is up to the test.
fn shell(script: &str) -> Launch {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut launch = Launch::new("sh").with_args(["-c", script]);
    launch.env.insert("PATH".into(), path);
    launch
}

fn peer(child: &Arc<Child>) -> Peer {
    let transport: Arc<dyn Transport> = Arc::<Child>::clone(child);
    Peer::start(transport, Arc::new(Silent), Unreadable::Count)
}

const ANSWERS: &str = r#"n=0; while read -r line; do n=$((n+1)); printf '{"jsonrpc":"2.0","id":%d,"result":{"n":%d}}\n' $n $n; done"#;

#[tokio::test]
async fn a_child_answers_and_ends_when_its_input_does() {
    let child = Arc::new(Child::start(&shell(ANSWERS)).expect("a shell"));
    let peer = peer(&child);
    assert_eq!(peer.request("a", None).await.expect("an answer").get(), r#"{"n":1}"#);
    assert_eq!(peer.request("a", None).await.expect("an answer").get(), r#"{"n":2}"#);
    peer.close().await;
    assert!(child.ended().expect("it has ended").success());
}

// case: C43
#[tokio::test]
async fn a_child_that_floods_its_error_stream_still_answers() {
    let script = format!(
        "head -c 10000000 /dev/zero | tr '\\0' e >&2; printf '\\nlast words\\n' >&2; {ANSWERS}"
    );
    let child = Arc::new(Child::start(&shell(&script)).expect("a shell"));
    let peer = peer(&child);
    assert!(peer.request("a", None).await.is_ok());
    assert_eq!(child.stderr().lines(1), ["last words"]);
    assert!(child.stderr().bytes() <= 64 << 10);
    peer.close().await;
}

#[tokio::test]
async fn whatever_a_child_starts_is_gone_with_it() {
    // It ignores the end of its input and every request to end, and so does what it starts.
    let script = r#"trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo '{"jsonrpc":"2.0","id":1,"result":{}}'; while :; do sleep 1; done"#;
    let child = Arc::new(Child::start(&shell(script)).expect("a shell"));
    let peer = peer(&child);
    peer.request("a", None).await.expect("an answer");
    let group = child.group();
    assert!(members(group) >= 2);
    child.stop().await;
    let gone = async {
        while members(group) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(2), gone).await.expect("nobody is left");
}

/// Returns how many living processes are in the group.
fn members(group: u32) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir("/proc").expect("proc").flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // Behind the name in parentheses: state, parent, group.
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let is_alive = fields.first().is_some_and(|state| !matches!(*state, "Z" | "X"));
        count += usize::from(is_alive && fields.get(2) == Some(&group.to_string().as_str()));
    }
    count
}

#[tokio::test]
async fn a_child_has_no_environment_but_what_it_is_given() {
    let mut launch = shell(
        r#"read -r line; printf '{"jsonrpc":"2.0","id":1,"result":{"set":"%s","unset":"%s"}}\n' "$GIVEN" "$HOME$CARGO""#,
    );
    launch.env.insert("GIVEN".into(), "yes".into());
    let child = Arc::new(Child::start(&launch).expect("a shell"));
    let answer = peer(&child).request("a", None).await.expect("an answer");
    assert_eq!(answer.get(), r#"{"set":"yes","unset":""}"#);
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error_at_once() {
    let error = Child::start(&Launch::new("no-such-program-anywhere")).err().expect("an error");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}
