use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Finding, FindingKind, Surroundings, check};
use crate::config::{Context, Environment, Loaded};

fn findings(text: &str) -> Vec<Finding> {
    let none = |_: &Path| panic!("nothing is imported");
    let loaded = Loaded::parse(Path::new("f.toml"), text, &Context::default(), &none).unwrap();
    let surroundings = Surroundings {
        environment: Environment::new([("SET", "x")]),
        programs: BTreeSet::from(["npx".to_owned(), "uvx.exe".to_owned()]),
        own_programs: vec![PathBuf::from("/opt/gateway")],
    };
    check(&loaded, &surroundings)
}

fn check_kinds(text: &str, expected: &[(FindingKind, usize)]) {
    let found: Vec<(FindingKind, usize)> =
        findings(text).iter().map(|finding| (finding.kind, finding.place.line)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn settings_that_mean_what_they_say_have_no_findings() {
    check_kinds(
        r#"
http.bind = "127.0.0.1:8787"
[upstream.a]
command = "npx"
args = ["-y", "srv", "--token", "${SET}"]
env = { TOKEN = "${SET}" }
[upstream.b]
command = "/usr/bin/anything"
[upstream.c]
url = "https://u@c.example/mcp?team=1"
headers = { Authorization = "Bearer ${SET}", X-Region = "eu" }
[upstream.d]
url = "http://localhost:9/mcp"
headers = { A = "b" }
[upstream.e]
command = "uvx"
args = ["oncue-like-server", "--key", "${SET}"]
[[grant]]
principal = "ci"
upstreams = ["a", "*"]
[[grant]]
principal = "*"
"#,
        &[],
    );
}

#[test]
fn twins_and_loops_are_found() {
    use FindingKind::{CaseOnly, Duplicate, Loop};
    check_kinds(
        "[upstream.a]\ncommand = \"npx\"\n[upstream.b]\ncommand = \"npx\"\nenv = { A = \"b\" }\n",
        &[(Duplicate, 3)],
    );
    check_kinds(
        "[upstream.a]\ncommand = \"npx\"\n[upstream.A]\ncommand = \"npx\"\nargs = [\"x\"]\n",
        &[(CaseOnly, 3)],
    );
    check_kinds(
        "[upstream.a]\ncommand = \"npx\"\n[upstream.b]\ncommand = \"npx\"\nenabled = false\n",
        &[],
    );
    for text in [
        "[upstream.a]\ncommand = \"/x/oncue\"\nargs = [\"serve\"]\n",
        "[upstream.a]\ncommand = \"/opt/gateway\"\nargs = [\"--config\", \"f\", \"serve\"]\n",
        "[upstream.a]\ncommand = \"npx\"\nargs = [\"oncue\", \"serve\"]\n",
    ] {
        check_kinds(text, &[(Loop, 1)]);
    }
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let text = format!(
            "http.bind = \"127.0.0.1:8787\"\n[upstream.a]\nurl = \"http://{host}:8787/mcp\"\n"
        );
        check_kinds(&text, &[(Loop, 2)]);
    }
    check_kinds(
        "http.bind = \"127.0.0.1:8787\"\n[upstream.a]\nurl = \"http://127.0.0.1:8788\"\n",
        &[],
    );
}

#[test]
fn what_cannot_start_is_found() {
    use FindingKind::{NoProgram, NoVariable};
    check_kinds("[upstream.a]\ncommand = \"nope\"\n", &[(NoProgram, 1)]);
    check_kinds("[upstream.a]\ncommand = \"nope\"\nenabled = false\n", &[]);
    check_kinds("[upstream.a]\ncommand = \"npx\"\nargs = [\"${UNSET}\"]\n", &[(NoVariable, 1)]);
}

#[test]
fn secrets_and_open_ways_are_found() {
    use FindingKind::{PlainSecret, Unencrypted};
    for text in [
        "command = \"npx\"\nenv = { API_TOKEN = \"canary\" }",
        "command = \"npx\"\nargs = [\"--api-key\", \"canary\"]",
        "command = \"npx\"\nargs = [\"--api-key=canary\"]",
        "command = \"npx\"\nargs = [\"ghp_canary0123456789\"]",
        "url = \"https://a.example\"\nheaders = { Authorization = \"Bearer canary\" }",
        "url = \"https://u:canary@a.example\"",
        "url = \"https://a.example?api_key=canary\"",
    ] {
        check_kinds(&format!("[upstream.a]\n{text}\n"), &[(PlainSecret, 1)]);
        let shown = format!("{:?}", findings(&format!("[upstream.a]\n{text}\n")));
        assert!(!shown.contains("canary"), "{shown}");
    }
    check_kinds(
        "[upstream.a]\nurl = \"http://10.0.0.1\"\nheaders = { Authorization = \"Bearer ${SET}\" }\n",
        &[(Unencrypted, 1)],
    );
    check_kinds("[upstream.a]\nurl = \"http://10.0.0.1\"\n", &[]);
}

// case: C59
#[test]
fn rows_of_grants_that_reach_nothing_are_found() {
    use FindingKind::{OpenBind, StaleGrant};
    check_kinds(
        "[[grant]]\nprincipal = \"*\"\n[[grant]]\nprincipal = \"ci-*\"\n",
        &[(StaleGrant, 3)],
    );
    check_kinds("[[grant]]\nprincipal = \"ci-*\"\n[[grant]]\nprincipal = \"*\"\n", &[]);
    check_kinds("[[grant]]\nprincipal = \"*\"\nupstreams = [\"gone\"]\n", &[(StaleGrant, 1)]);
    check_kinds("[[grant]]\nprincipal = \"*\"\ntools = [\"gone/x\"]\n", &[(StaleGrant, 1)]);
    check_kinds("[http]\nbind = \"0.0.0.0:1\"\n", &[(OpenBind, 1)]);
    check_kinds("[http]\nbind = \"0.0.0.0:1\"\n[[grant]]\nprincipal = \"*\"\n", &[]);
}

#[test]
fn the_gravest_come_first_and_say_what_to_do() {
    let text = "[upstream.a]\ncommand = \"npx\"\nenv = { TOKEN = \"x\" }\n[upstream.b]\ncommand = \"nope\"\n";
    let shown: Vec<String> = findings(text).iter().map(Finding::to_string).collect();
    assert_eq!(
        shown,
        [
            "error: f.toml:4:11: `b` needs the program `nope`, which is not on PATH; install it, or write its whole path",
            "warning: f.toml:1:11: `env.TOKEN` of `a` looks like a secret written out; put it into a variable and write `${NAME}`",
        ]
    );
}
