use std::path::Path;

use super::{ConfigError, Context, Diff, Environment, Loaded, Surroundings, check, reference};

fn load(file: &str, text: &str) -> Loaded {
    let none = |path: &Path| {
        let source = std::io::ErrorKind::NotFound.into();
        Err(ConfigError::Unreadable { file: path.display().to_string(), source })
    };
    let context = Context { home: Some("/h".into()), cwd: Some("/p".into()) };
    Loaded::parse(Path::new(file), text, &context, &none).unwrap()
}

const DOCS: &str = include_str!("../../../../docs/config.md");

/// The blocks of code of this language in the documentation.
fn blocks(language: &str) -> Vec<&'static str> {
    let parts = DOCS.split("```").skip(1).step_by(2);
    parts.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

#[test]
fn the_documentation_lists_every_key_and_form() {
    assert!(
        DOCS.contains(reference().trim_end()),
        "docs/config.md differs from the tables of the readers; they are:\n{}",
        reference()
    );
    let clients = crate::clients::reference();
    assert!(
        DOCS.contains(clients.trim_end()),
        "docs/config.md lists other clients than:\n{clients}"
    );
}

#[test]
fn the_examples_of_the_documentation_are_read() {
    let examples = blocks("toml");
    assert!(examples.len() >= 2);
    for example in examples {
        load("oncue.toml", example);
    }
    for example in blocks("json") {
        assert!(load(".mcp.json", example).set_aside.is_empty());
    }
}

#[test]
fn the_first_example_uses_every_key() {
    let example = blocks("toml")[0];
    let tree = super::parse_toml(Path::new("f"), example).unwrap();
    let mut keys = std::collections::BTreeSet::new();
    fn walk(node: &super::tree::Node, keys: &mut std::collections::BTreeSet<String>) {
        if let super::tree::Value::List(nodes) = &node.value {
            nodes.iter().for_each(|node| walk(node, keys));
        }
        for entry in node.table().unwrap_or_default() {
            keys.insert(entry.key.clone());
            walk(&entry.node, keys);
        }
    }
    walk(&tree, &mut keys);
    for table in super::native::TABLES {
        for key in table.keys {
            assert!(keys.contains(key.name), "{} of {}", key.name, table.title);
        }
    }
}

#[test]
fn a_change_is_told_upstream_by_upstream() {
    let old = r#"
[upstream.same]
command = "a"
[upstream.gone]
command = "b"
[upstream.other]
command = "c"
env = { T = "one" }
[upstream.tools]
command = "d"
[upstream.off]
command = "e"
"#;
    let new = r#"
# moved by a line
[upstream.new]
command = "x"
[upstream.same]
command = "a"
[upstream.other]
command = "c"
env = { T = "two" }
[upstream.tools]
command = "d"
hidden = ["y"]
[upstream.off]
command = "e"
enabled = false
"#;
    let (old, new) = (load("f.toml", old).settings, load("f.toml", new).settings);
    let diff = Diff::new(&old, &new);
    let names = |ids: &[super::UpstreamId]| {
        ids.iter().map(|id| id.as_str().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        [
            names(&diff.added),
            names(&diff.removed),
            names(&diff.restarted),
            names(&diff.adjusted),
            names(&diff.unchanged)
        ],
        ["new", "gone", "other off", "tools", "same"]
    );
    assert!(!diff.is_empty() && Diff::new(&new, &new).is_empty());
}

// case: C28
#[test]
fn names_come_from_the_settings_alone() {
    let text = r#"{"mcpServers": {"git_hub": {"command": "a"}, "数据库": {"command": "b"}}}"#;
    let ids = |loaded: Loaded| {
        let ids = loaded.settings.upstreams.into_iter().map(|upstream| upstream.id.to_string());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(load("x.json", text)), ["git_hub", "数据库"]);
    assert_eq!(ids(load("x.json", text)), ids(load("x.json", text)));
}

// case: C61
#[test]
fn no_secret_is_in_any_rendering_of_any_form() {
    const CANARY: &str = "c4n4ry";
    let entry = format!(
        r#""s": {{"command": "srv", "args": ["--token", "{CANARY}1", "{CANARY}2"], "env": {{"A": "{CANARY}3"}}}},
           "h": {{"url": "https://u:{CANARY}4@h.example/{CANARY}5?key={CANARY}6", "headers": {{"X": "{CANARY}7"}}}},
           "bad": {{"command": "x", "args": "{CANARY}8"}}, "worse": {{"url": "{CANARY}9"}},
           "deep": {{"command": "x", "env": {{"A": ["{CANARY}"]}}, "{CANARY}": "{CANARY}"}}"#
    )
    .replace(&format!("\"{CANARY}\": "), "\"unknown\": ");
    let codex = format!(
        "[mcp_servers.s]\ncommand = \"srv\"\nargs = [\"{CANARY}\"]\nenv = {{ A = \"{CANARY}\" }}\n\
         [mcp_servers.h]\nurl = \"https://u:{CANARY}@h.example\"\nhttp_headers = {{ X = \"{CANARY}\" }}\n\
         [mcp_servers.bad]\ncommand = \"x\"\nenv_vars = [{{ secret = \"{CANARY}\" }}]\n\
         [mcp_servers.worse]\nurl = \"https://x.example\"\nbearer_token_env_var = \"{CANARY}-is-no-name\"\n"
    );
    let native = format!(
        "[telemetry]\notlp = \"https://u:{CANARY}@o.example\"\n\
         [upstream.s]\ncommand = \"srv\"\nargs = [\"{CANARY}\", \"${{NONE:-{CANARY}}}\"]\nenv = {{ A = \"{CANARY}\" }}\n\
         [upstream.h]\nurl = \"https://u:{CANARY}@h.example/{CANARY}\"\nheaders = {{ X = \"{CANARY}\" }}\n"
    );
    let servers = format!("{{\"servers\": {{{entry}}}}}");
    let others = format!("{{\"mcpServers\": {{{entry}}}}}");
    let mut files = vec![("f.toml", &native)];
    for row in super::foreign::FORMS {
        let text = match (row.form, row.servers) {
            (super::Form::Codex, _) => &codex,
            (_, "servers") => &servers,
            _ => &others,
        };
        files.push((row.files.first().copied().unwrap_or("x.json"), text));
    }
    for (file, text) in files {
        let loaded = load(file, text);
        let mut shown = vec![format!("{loaded:?} {loaded:#?}")];
        for finding in check(&loaded, &Surroundings::default()) {
            shown.push(format!("{finding} {finding:?}"));
        }
        for upstream in &loaded.settings.upstreams {
            let launch = upstream.launch(&Environment::new([("NONE", CANARY)]));
            shown.push(format!("{} {launch:?} {:?}", upstream.transport, upstream.fingerprint()));
            let failed = upstream.launch(&Environment::default());
            shown.push(format!("{failed:?}"));
        }
        let shown = shown.join("\n");
        assert!(!shown.contains(CANARY), "{file}: {shown}");
        assert!(shown.contains("srv") && shown.contains("h.example"), "names stay: {file}");
    }
    for broken in [
        format!("mode = \"{CANARY}\""),
        format!("answer_bytes = \"{CANARY}\""),
        format!("[upstream.a]\ncommand = \"x\"\nenv = \"{CANARY}\""),
        format!("[upstream.a]\ncommand = \"x\"\nargs = [\"{CANARY}${{\"]"),
        format!("[upstream.a]\nurl = \"{CANARY}\""),
        format!("[http]\nbind = \"{CANARY}\""),
        format!("[timeouts]\ncall = \"{CANARY}\""),
        format!("a = \"{CANARY}"),
        format!("a = {CANARY}"),
        format!("a = \"{CANARY}\"\na = \"{CANARY}\""),
        format!("[[grant]]\nprincipal = \"x\"\nscope = \"{CANARY}\""),
        format!("[[grant]]\nprincipal = \"x\"\ntools = [\"{CANARY}\"]"),
    ] {
        let none = |_: &Path| panic!("nothing is imported");
        let error = Loaded::parse(Path::new("f.toml"), &broken, &Context::default(), &none);
        let error = error.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(CANARY), "{error}");
    }
}
