use std::collections::HashMap;

use oncue_agent::Disclosure;

use super::{Endpoint, SetupError};
use crate::Protocol;

fn parse(text: &str, environment: &[(&str, &str)]) -> Result<Endpoint, SetupError> {
    let environment: HashMap<&str, &str> = environment.iter().copied().collect();
    Endpoint::parse(text, |name| environment.get(name).map(|&value| value.to_owned()))
}

const KEYS: [(&str, &str); 4] = [
    ("ANTHROPIC_API_KEY", "sk-ant"),
    ("OPENAI_API_KEY", "sk-oai"),
    ("GEMINI_API_KEY", "AIza"),
    ("OPENROUTER_API_KEY", "sk-or"),
];

#[test]
fn names_of_endpoints_are_read() {
    use Protocol::{Bedrock, Chat, Gemini, Messages, Responses};
    let cases = [
        ("anthropic:claude-opus-5", Messages, "https://api.anthropic.com", "claude-opus-5"),
        ("openai:gpt-5.4", Responses, "https://api.openai.com/v1", "gpt-5.4"),
        ("openai-chat:gpt-4.1", Chat, "https://api.openai.com/v1", "gpt-4.1"),
        (
            "gemini:gemini-3-pro",
            Gemini,
            "https://generativelanguage.googleapis.com/v1beta",
            "gemini-3-pro",
        ),
        ("bedrock:us.anthropic.claude-x-v1:0", Bedrock, "", "us.anthropic.claude-x-v1:0"),
        ("ollama:qwen3:8b", Chat, "http://127.0.0.1:11434/v1", "qwen3:8b"),
        ("openrouter:a/b:free", Chat, "https://openrouter.ai/api/v1", "a/b:free"),
        ("http://127.0.0.1:8080/v1#qwen", Chat, "http://127.0.0.1:8080/v1", "qwen"),
        ("https://a.example/v1/#x/y", Chat, "https://a.example/v1", "x/y"),
        ("chat:m@k:1@http://127.0.0.1/v1", Chat, "http://127.0.0.1/v1", "m@k:1"),
        ("messages:m@https://a.example", Messages, "https://a.example", "m"),
        ("anthropic:m@2025@https://a.example", Messages, "https://a.example", "m@2025"),
        (" ollama:m ", Chat, "http://127.0.0.1:11434/v1", "m"),
    ];
    for (text, protocol, base_url, model) in cases {
        let endpoint = parse(text, &KEYS).unwrap();
        let read = (endpoint.protocol, endpoint.base_url.as_str(), endpoint.model.as_str());
        assert_eq!(read, (protocol, base_url, model), "{text}");
    }
}

#[test]
fn what_cannot_be_read_says_what_to_write() {
    let forms = "write VENDOR:MODEL, PROTOCOL:MODEL@URL or URL#MODEL, such as anthropic:claude-opus-5 or http://127.0.0.1:8080/v1#qwen";
    let cases = [
        ("", format!("`` names no model: {forms}")),
        ("gpt-5", format!("`gpt-5` names no model: {forms}")),
        ("ollama:", format!("`ollama:` names no model: {forms}")),
        ("http://a.example/v1", format!("`http://a.example/v1` names no model: {forms}")),
        ("chat:m", format!("`chat:m` names no model: {forms}")),
        ("chat:@http://a.example", format!("`chat:@http://a.example` names no model: {forms}")),
        (
            "nobody:m",
            "no vendor is called `nobody`: use one of anthropic, openai, openai-chat, gemini, bedrock, ollama, openrouter, or PROTOCOL:MODEL@URL for any other server".to_owned(),
        ),
        (
            "openrouter:m",
            "there is no key: set the environment variable OPENROUTER_API_KEY".to_owned(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text, &[]).unwrap_err().to_string(), expected, "{text:?}");
    }
    let error = parse("openai:m", &[("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "a.example")]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "`a.example` is no address: it begins with http:// or https://"
    );
}

#[test]
fn keys_go_to_whom_they_belong() {
    let key = |text: &str, environment: &[(&str, &str)]| {
        parse(text, environment).unwrap().key.map(|key| key.expose().to_owned())
    };
    let all = [&KEYS[..], &[("ONCUE_API_KEY", "sk-own")]].concat();
    assert_eq!(key("anthropic:m", &all).as_deref(), Some("sk-ant"));
    assert_eq!(key("ollama:m", &all), None);
    assert_eq!(key("chat:m@https://a.example", &all).as_deref(), Some("sk-own"));
    assert_eq!(key("chat:m@https://a.example", &KEYS), None);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, "sk-file\n").unwrap();
    let path = path.to_str().unwrap();
    let from_file = [("ANTHROPIC_API_KEY_FILE", path)];
    assert_eq!(key("anthropic:m", &from_file).as_deref(), Some("sk-file"));
    let both = [("ANTHROPIC_API_KEY_FILE", path), ("ANTHROPIC_API_KEY", "sk-ant")];
    assert_eq!(key("anthropic:m", &both).as_deref(), Some("sk-ant"));
}

#[test]
fn another_address_is_not_believed_to_be_the_vendor() {
    let at = |text: &str, environment: &[(&str, &str)]| {
        let endpoint = parse(text, &[&KEYS[..], environment].concat()).unwrap();
        (endpoint.disclosure(), endpoint.facts().prices.is_some())
    };
    let model = "anthropic:claude-opus-5";
    assert_eq!(at(model, &[]), (Disclosure::ByReference, true));
    let elsewhere = (Disclosure::Append, false);
    assert_eq!(at("anthropic:claude-opus-5@https://a.example", &[]), elsewhere);
    assert_eq!(at(model, &[("ANTHROPIC_BASE_URL", "https://a.example")]), elsewhere);
    let own = [("ANTHROPIC_BASE_URL", "https://api.anthropic.com/")];
    assert_eq!(at(model, &own), (Disclosure::ByReference, true));
    let told = parse(model, &KEYS)
        .unwrap()
        .with_base_url("https://a.example")
        .with_disclosure(Disclosure::ByReference);
    assert_eq!(told.disclosure(), Disclosure::ByReference);
}

#[test]
fn the_longest_reply_is_the_shorter_of_two() {
    let endpoint = parse("ollama:m", &[]).unwrap();
    assert_eq!((endpoint.output_tokens(None), endpoint.output_tokens(Some(9))), (None, Some(9)));
    let endpoint = endpoint.with_output_tokens_max(5);
    assert_eq!(endpoint.output_tokens(None), Some(5));
    assert_eq!(
        (endpoint.output_tokens(Some(9)), endpoint.output_tokens(Some(2))),
        (Some(5), Some(2))
    );
}
