//! The gateway served, asked and looked at; over a server in a few lines of shell.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Place;

/// A server with two tools, of which one tells its process; it goes on when it is asked to end.
const SERVER: &str = r#"trap '' TERM
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case "$line" in
    *'"method":"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}';;
    *'"method":"tools/list"'*) result='{"tools":[{"name":"tell_pid","description":"Tells the number of the process","inputSchema":{"type":"object"}},{"name":"fail","inputSchema":{"type":"object"}}]}';;
    *'"name":"tell_pid"'*) result='{"content":[{"type":"text","text":"'$$'"}]}';;
    *'"name":"fail"'*) result='{"content":[{"type":"text","text":"it failed"}],"isError":true}';;
    *'"method":"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id"; continue;;
    *) continue;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
while :; do read -r line </dev/zero; done"#;

pub(super) fn place() -> Place {
    Place::of(&[("project/oncue.toml", &upstream(SERVER))])
}

/// Returns the settings of a server that is this script of shell.
fn upstream(script: &str) -> String {
    let script = json!(script.replace('$', "$$"));
    format!("[upstream.sh]\ncommand = \"/bin/sh\"\nargs = [\"-c\", {script}]\n")
}

/// Returns the settings of a server with two tools.
pub(super) fn server() -> String {
    upstream(SERVER)
}

/// Returns the same, which also writes each message that it gets to a file.
#[cfg(feature = "otlp")]
pub(super) fn noting_server(file: &str) -> String {
    let read = "while read -r line; do\n";
    let noting = format!("{read}  printf '%s\\n' \"$line\" >> '{file}'\n");
    upstream(&SERVER.replacen(read, &noting, 1))
}

/// A client that has started the gateway.
pub(super) struct Client {
    pub(super) gateway: Child,
    answers: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    pub(super) fn start(place: &Place) -> Self {
        Self::start_with(place, &[], &[], Stdio::inherit())
    }

    /// Starts a gateway that is given more, and whose standard error goes elsewhere.
    pub(super) fn start_with(
        place: &Place,
        args: &[&str],
        env: &[(&str, &str)],
        err: Stdio,
    ) -> Self {
        let state = place.path("state");
        let mut command = place.command(&["serve", "--state-dir", &state]);
        let mut gateway = command
            .args(args)
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(err)
            .spawn()
            .expect("started");
        let answers = BufReader::new(gateway.stdout.take().expect("piped"));
        let mut client = Self { gateway, answers, asked: 0 };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        assert_eq!(client.ask("initialize", &hello)["serverInfo"]["name"], "oncue");
        client
    }

    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.try_ask(method, params).expect("the gateway answers")
    }

    /// Asks; nothing where the gateway ends meanwhile.
    pub(super) fn try_ask(&mut self, method: &str, params: &Value) -> Option<Value> {
        self.asked += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        let mut stdin = self.gateway.stdin.as_ref().expect("piped");
        writeln!(stdin, "{message}").ok()?;
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line).ok()? == 0 || !line.ends_with('\n') {
                return None;
            }
            let answer: Value = serde_json::from_str(&line).expect("nothing but messages");
            if answer["id"] == self.asked {
                return Some(answer["result"].clone());
            }
        }
    }

    fn call(&mut self, name: &str) -> String {
        let result = self.ask("tools/call", &json!({ "name": name, "arguments": {} }));
        result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }

    /// Calls until the server is known.
    pub(super) fn pid(&mut self) -> String {
        let begun = Instant::now();
        loop {
            let text = self.call("sh__tell_pid");
            if text.bytes().all(|byte| byte.is_ascii_digit()) {
                return text;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn is_gone(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
}

pub(super) fn wait_until_gone(pid: &str) {
    let begun = Instant::now();
    while !is_gone(pid) {
        assert!(begun.elapsed() < Duration::from_secs(4), "{pid} is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_client_that_goes_away_leaves_nothing_behind() {
    let place = place();
    let mut client = Client::start(&place);
    let tools = client.ask("tools/list", &json!({}));
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["search_tools", "call_tool"]);
    let pid = client.pid();
    drop(client.gateway.stdin.take());
    assert!(client.gateway.wait().expect("it ends").success());
    wait_until_gone(&pid);
}

#[test]
fn a_gateway_that_is_killed_leaves_nothing_behind() {
    let place = place();
    let mut client = Client::start(&place);
    let pid = client.pid();
    client.gateway.kill().expect("killed");
    client.gateway.wait().expect("it ends");
    wait_until_gone(&pid);
}

#[test]
fn a_client_may_use_sockets_and_files_in_the_place_of_pipes() {
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
        // More than a pipe or a socket takes at once.
        "_meta": { "padding": "x".repeat(1 << 20) },
    } });
    let check =
        |input: Stdio, output: Stdio, to: &mut dyn Write, of: &mut dyn FnMut() -> String| {
            let place = place();
            let mut command = place.command(&["serve", "--state-dir", &place.path("state")]);
            let started = command.stdin(input).stdout(output).stderr(Stdio::null()).spawn();
            let mut gateway = started.expect("started");
            // Its ends of the sockets are its own alone.
            drop(command);
            writeln!(to, "{hello}").expect("written");
            let answer: Value = serde_json::from_str(&of()).expect("a message");
            assert_eq!(answer["result"]["serverInfo"]["name"], "oncue");
            gateway.kill().expect("killed");
            gateway.wait().expect("ended");
        };
    let socket = || {
        let (ours, theirs) = UnixStream::pair().expect("sockets");
        (ours, Stdio::from(OwnedFd::from(theirs)))
    };

    let ((mut to, input), (of, output)) = (socket(), socket());
    let mut of = BufReader::new(of);
    check(input, output, &mut to, &mut || {
        let mut line = String::new();
        of.read_line(&mut line).expect("a line");
        line
    });

    let (mut to, input) = socket();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answers");
    let output = fs::File::create(&file).expect("a file");
    check(input, output.into(), &mut to, &mut || {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let text = fs::read_to_string(&file).expect("readable");
            if text.ends_with('\n') {
                return text;
            }
            assert!(Instant::now() < end, "nothing is written");
            std::thread::yield_now();
        }
    });
}

#[test]
fn a_person_can_look_at_it_and_make_a_call() {
    let place = place();
    let state = place.path("state");
    let mut client = Client::start(&place);
    client.pid();
    let begun = Instant::now();
    let told = loop {
        let answer = place.oncue(&["status", "--json", "--state-dir", &state]);
        let told: Value = serde_json::from_str(&answer.out).unwrap_or_default();
        if told["gateways"][0]["upstreams"][0]["state"] == "up" {
            break told;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{told}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(told["gateways"][0]["pid"], client.gateway.id());
    assert_eq!(told["gateways"][0]["upstreams"][0]["tools"], 2);
    // Two small tools cost less than the two that stand for them.
    let tokens = &told["gateways"][0]["tokens"];
    let [whole, shown] = ["whole", "shown"].map(|list| tokens[list].as_u64().unwrap_or_default());
    assert!(0 < whole && whole < shown && tokens["saved"] == 0, "{tokens}");
    let text = place.oncue(&["status", "--state-dir", &state]).out;
    assert!(text.contains(&format!("lists about {shown} tokens of tools; ")), "{text}");
    drop(client.gateway.stdin.take());
    client.gateway.wait().expect("it ends");
    let none = place.oncue(&["status", "--state-dir", &state]);
    assert_eq!((none.code, none.out.as_str()), (1, ""));

    let made = place.oncue(&["call", "sh__tell_pid", "--state-dir", &state]);
    assert!(made.code == 0 && made.out.trim().parse::<u32>().is_ok(), "{made:?}");
    let failed = place.oncue(&["call", "sh__fail", "{}", "--state-dir", &state]);
    assert_eq!((failed.code, failed.out.as_str()), (1, "it failed\n"));
    let broken = place.oncue(&["call", "sh__fail", "{", "--state-dir", &state]);
    assert!(broken.err.contains("hint: arguments are a JSON object"), "{broken:?}");
    let whole = place.oncue(&["audit", "verify", "--state-dir", &state]);
    assert_eq!(whole.code, 0, "{whole:?}");
}

#[test]
fn changed_settings_hold_at_once_and_broken_ones_change_nothing() {
    let place = place();
    let mut client = Client::start(&place);
    let pid = client.pid();
    let before = place.read("project/oncue.toml").expect("settings");
    let until = |client: &mut Client, name: &str, is: &dyn Fn(&str) -> bool| {
        let begun = Instant::now();
        loop {
            let text = client.call(name);
            if is(&text) {
                return text;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{text}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    place.write("project/oncue.toml", &(before.clone() + &before.replace(".sh]", ".more]")));
    let more = until(&mut client, "more__tell_pid", &is_number);
    assert_ne!(more, pid);
    place.write("project/oncue.toml", "[upstream.sh]\ncommand = 7\n");
    let record = || place.read("state/audit.jsonl").unwrap_or_default();
    let begun = Instant::now();
    while !record().contains("settings_refused") {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", record());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(client.call("sh__tell_pid"), pid, "what runs goes on");
    place.write("project/oncue.toml", &before);
    until(&mut client, "more__tell_pid", &|text| text.contains("no longer offered by more"));
    wait_until_gone(&more);
    drop(client.gateway.stdin.take());
    client.gateway.wait().expect("it ends");
    let record = record();
    let told = |change: &str, subject: &str| {
        let change = format!("\"change\":\"{change}\",\"subject\":\"{subject}\"");
        record.lines().filter(|line| line.contains(&change)).count()
    };
    assert_eq!(told("upstream_added", "more"), 1, "{record}");
    assert_eq!(told("upstream_removed", "more"), 1, "{record}");
    assert_eq!((told("catalog", "more"), told("catalog", "sh")), (1, 1), "{record}");
    assert!(record.contains("2 tools: 2 new, 0 changed, 0 gone"), "{record}");
}
