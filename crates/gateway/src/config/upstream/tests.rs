use std::path::Path;

use crate::config::{Context, Loaded, Upstream};

fn upstream(text: &str) -> Upstream {
    upstream_in("oncue.toml", text)
}

fn upstream_in(file: &str, text: &str) -> Upstream {
    let none = |_: &Path| panic!("nothing is imported");
    let loaded = Loaded::parse(Path::new(file), text, &Context::default(), &none).unwrap();
    loaded.settings.upstreams.into_iter().next().unwrap()
}

fn fingerprint(text: &str) -> String {
    upstream(&format!("[upstream.a]\n{text}")).fingerprint().to_string()
}

#[test]
fn a_fingerprint_is_what_the_upstream_is_and_not_its_secrets() {
    let command = fingerprint("command = \"npx\"\nargs = [\"-y\", \"srv\"]");
    assert_eq!(command.len(), 64);
    for same in [
        "command = \"npx\"\nargs = [\"-y\", \"srv\"]\nenv = { TOKEN = \"x\" }",
        "command = \"npx\"\nargs = [\"-y\", \"srv\"]\nenabled = false\nhidden = [\"x\"]",
    ] {
        assert_eq!(fingerprint(same), command, "{same}");
    }
    for other in [
        "command = \"npx\"\nargs = [\"-ysrv\"]",
        "command = \"npx\"\nargs = [\"srv\", \"-y\"]",
        "command = \"uvx\"\nargs = [\"-y\", \"srv\"]",
        "command = \"npx\"\nargs = [\"-y\", \"srv\"]\ncwd = \"/x\"",
        "command = \"npx\"\nargs = [\"-y\", \"${srv}\"]",
        "url = \"https://npx\"",
    ] {
        assert_ne!(fingerprint(other), command, "{other}");
    }
}

#[test]
fn a_fingerprint_of_an_address_leaves_credentials_out() {
    let address = fingerprint("url = \"https://a.example/mcp?team=1\"");
    for same in [
        "url = \"https://u:p@a.example/mcp?team=1\"",
        "url = \"https://a.example/mcp?api_key=x&team=1\"",
        "url = \"https://a.example/mcp?team=1&token=y\"",
        "url = \"https://a.example/mcp?team=1\"\nheaders = { A = \"b\" }",
    ] {
        assert_eq!(fingerprint(same), address, "{same}");
    }
    for other in [
        "url = \"https://a.example/mcp?team=2\"",
        "url = \"https://a.example/other?team=1\"",
        "url = \"https://b.example/mcp?team=1\"",
        "url = \"http://a.example/mcp?team=1\"",
    ] {
        assert_ne!(fingerprint(other), address, "{other}");
    }
}

#[test]
fn a_fingerprint_stays_the_same_over_releases() {
    // SHA-256 over the parts, each behind its length as eight bytes, worked out by another program.
    let expected = "0a7219a712b9040b97a6d2c96040a79a9af46c0a0837601f53e40abd31f567a7";
    assert_eq!(fingerprint("command = \"npx\"\nargs = [\"srv\"]"), expected);
}

#[test]
fn a_project_is_part_of_what_its_servers_are() {
    let text = r#"{"mcpServers": {"a": {"command": "./srv"}}}"#;
    let of = |file| upstream_in(file, text).fingerprint();
    assert_ne!(of("/p/.mcp.json"), of("/q/.mcp.json"));
}
