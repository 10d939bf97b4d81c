use std::io;
use std::path::{Path, PathBuf};

use super::{Context, Loaded, path_from, read_text};
use crate::config::ConfigError;
use crate::limits::CONFIG_BYTES_MAX;

/// Reads `oncue.toml` in `/c`, with these other files there.
fn load(text: &str, files: &[(&str, &str)]) -> Loaded {
    let read = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| ConfigError::Unreadable {
            file: path.display().to_string(),
            source: io::ErrorKind::NotFound.into(),
        })
    };
    let context = Context { home: Some(PathBuf::from("/h")), cwd: None };
    Loaded::parse(Path::new("/c/oncue.toml"), text, &context, &read).unwrap()
}

fn ids(loaded: &Loaded) -> Vec<&str> {
    loaded.settings.upstreams.iter().map(|upstream| upstream.id.as_str()).collect()
}

fn aside(loaded: &Loaded) -> Vec<String> {
    loaded.set_aside.iter().map(|aside| format!("{}: {}", aside.name, aside.fault)).collect()
}

#[test]
fn imported_servers_join_and_the_own_ones_keep_their_names() {
    let loaded = load(
        "[import]\nfiles = [\"~/x.json\", \".mcp.json\"]\n[upstream.a]\ncommand = \"own\"\n",
        &[
            ("/h/x.json", r#"{"mcpServers": {"a": {"command": "other"}, "b": {"command": "b"}}}"#),
            ("/c/.mcp.json", r#"{"mcpServers": {"b": {"command": "b"}, "c": {"command": "c"}}}"#),
        ],
    );
    assert_eq!(ids(&loaded), ["a", "b", "c"]);
    assert_eq!(
        aside(&loaded),
        ["a: /h/x.json:1:17: its name is taken by /c/oncue.toml:3:11; rename one of the two"]
    );
    let files: Vec<_> = loaded.files.iter().map(|file| file.to_str().unwrap()).collect();
    assert_eq!(files, ["/c/oncue.toml", "/h/x.json", "/c/.mcp.json"]);
}

// case: C50
#[test]
fn a_bad_import_stops_nothing_else() {
    let loaded = load(
        "[import]\nfiles = [\"none.json\", \"broken.json\", \"other.toml\", \"good.json\"]\n",
        &[
            ("/c/broken.json", "{\"mcpServers\": {\"a\": }"),
            ("/c/other.toml", "mode = \"search\""),
            ("/c/good.json", r#"{"mcpServers": {"a": {"command": "a"}}}"#),
        ],
    );
    assert_eq!(ids(&loaded), ["a"]);
    let places: Vec<String> = aside(&loaded)
        .iter()
        .map(|text| text.split(": ").take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        places,
        [
            "/c/none.json /c/oncue.toml:1:1",
            "/c/broken.json /c/broken.json:1:22",
            "/c/other.toml /c/other.toml:1:1"
        ]
    );
}

#[test]
fn a_file_of_a_client_serves_as_it_is() {
    let none = |_: &Path| panic!("nothing is imported");
    let of = |file, text| Loaded::parse(Path::new(file), text, &Context::default(), &none);
    let loaded = of("/p/.mcp.json", r#"{"mcpServers": {"a": {"command": "a"}}}"#).unwrap();
    assert_eq!(ids(&loaded), ["a"]);
    let loaded = of("/p/config.toml", "[mcp_servers.a]\ncommand = \"a\"").unwrap();
    assert_eq!(ids(&loaded), ["a"]);
    assert!(of("/p/.mcp.json", "{").is_err() && of("/p/x.toml", "x = ").is_err());
}

#[test]
fn a_file_is_read_up_to_its_bound() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        std::fs::File::create(&path).unwrap().set_len(bytes).unwrap();
        read_text(&path)
    };
    assert!(of("below", CONFIG_BYTES_MAX - 1).is_ok());
    assert!(of("at", CONFIG_BYTES_MAX).is_ok());
    assert!(matches!(of("above", CONFIG_BYTES_MAX + 1), Err(ConfigError::Large { .. })));
    let none = read_text(&folder.path().join("none"));
    assert!(matches!(none, Err(ConfigError::Unreadable { .. })));
}

#[test]
fn paths_begin_where_the_file_is() {
    let of = |text| path_from(Path::new("/c"), Some(Path::new("/h")), text);
    assert_eq!(of("a"), Path::new("/c/a"));
    assert_eq!(of("/a"), Path::new("/a"));
    assert_eq!(of("~/a"), Path::new("/h/a"));
}
