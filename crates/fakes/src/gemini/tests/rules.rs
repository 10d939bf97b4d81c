//! Each rule over the fields of a request: what breaks it is refused, its smallest legal neighbour accepted.

use serde_json::{Value, json};

use super::{accepts, asked, body, breaks, refuses};
use crate::{Gemini, Refusal, Wire};

#[test]
fn a_key_comes_in_the_header_or_the_query() {
    let check = |header: Option<&str>, query: &str| {
        let mut request = asked(body(json!({})));
        request.headers =
            header.map(|key| ("x-goog-api-key".to_owned(), key.to_owned())).into_iter().collect();
        request.query = query.to_owned();
        Gemini::new().check(&request).map_err(|refusal| (refusal.status, refusal.kind))
    };
    assert_eq!(check(Some("fake"), ""), Ok(()));
    assert_eq!(check(None, "key=fake"), Ok(()));
    assert_eq!(check(None, "alt=sse&key=fake"), Ok(()));
    let denied = Err((403, "PERMISSION_DENIED".to_owned()));
    for (header, query) in [(None, ""), (Some(""), ""), (None, "key="), (None, "monkey=fake")] {
        assert_eq!(check(header, query), denied, "{header:?} {query}");
    }
}

#[test]
fn paths_name_the_model_and_the_way() {
    let gemini = Gemini::new();
    for (path, serves, streams) in [
        ("/v1beta/models/gemini-3-pro:generateContent", true, false),
        ("/v1beta/models/gemini-3-pro:streamGenerateContent", true, true),
        ("/v1beta/models/gemini-3-pro:countTokens", false, false),
        ("/v1/messages", false, false),
    ] {
        let mut request = asked(body(json!({})));
        request.path = path.to_owned();
        assert_eq!((gemini.serves(path), gemini.streams(&request)), (serves, streams), "{path}");
    }
    let mut request = asked(body(json!({})));
    request.path = "/v1beta/models/gemini-3-pro:streamGenerateContent".to_owned();
    assert_eq!(gemini.check(&request), Ok(()));
    request.query.clear();
    assert_eq!(
        gemini.check(&request).unwrap_err().message,
        "the fake streams with `alt=sse` alone"
    );
}

#[test]
fn unknown_fields_are_refused_at_every_level() {
    for (fields, path, key) in [
        (json!({ "temperature": 1 }), "", "temperature"),
        (json!({ "generationConfig": { "maxTokens": 1 } }), "generation_config", "maxTokens"),
        (
            json!({ "generationConfig": { "thinkingConfig": { "effort": "low" } } }),
            "generation_config.thinking_config",
            "effort",
        ),
        (json!({ "toolConfig": { "mode": "NONE" } }), "tool_config", "mode"),
        (json!({ "tools": [{ "functions": [] }] }), "tools[0]", "functions"),
        (
            json!({ "tools": [{ "functionDeclarations": [{ "name": "f", "strict": true }] }] }),
            "tools[0].function_declarations[0]",
            "strict",
        ),
        (
            json!({ "contents": [{ "role": "user", "parts": [{ "text": "x" }], "name": "n" }] }),
            "contents[0]",
            "name",
        ),
        (
            json!({ "contents": [{ "role": "user", "parts": [{ "text": "x", "type": "text" }] }] }),
            "contents[0].parts[0]",
            "type",
        ),
    ] {
        let at = if path.is_empty() { String::new() } else { format!(" at '{path}'") };
        let message = format!(
            "Invalid JSON payload received. Unknown name \"{key}\"{at}: Cannot find field."
        );
        refuses(fields, &message);
    }
    accepts(json!({
        "system_instruction": { "parts": [{ "text": "Be brief." }] },
        "generation_config": { "max_output_tokens": 10 },
    }));
    accepts(json!({
        "systemInstruction": { "parts": [{ "text": "Be brief." }] },
        "generationConfig": { "temperature": 0.5, "maxOutputTokens": 10, "thinkingConfig": { "includeThoughts": true } },
    }));
}

#[test]
fn a_violation_names_its_field() {
    let refusal = super::check(json!({ "generationConfig": { "topP": "wide" } })).unwrap_err();
    let error = Gemini::new().error(&refusal, 1);
    let message = "Invalid value at 'generation_config.top_p' (TYPE_FLOAT), \"wide\"";
    assert_eq!(
        error,
        json!({ "error": {
        "code": 400,
        "message": message,
        "status": "INVALID_ARGUMENT",
        "details": [{
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [{ "field": "generation_config.top_p", "description": message }],
        }],
    } })
    );
}

fn tools(names: &[&str]) -> Value {
    let declared: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    json!([{ "functionDeclarations": declared }])
}

#[test]
fn names_of_functions_begin_well_and_are_not_long() {
    for name in ["f", "_f", "mcp.read:all-2", &"x".repeat(128)] {
        accepts(json!({ "tools": tools(&[name]) }));
    }
    for name in ["", "2f", "-f", "a b", "läs", &"x".repeat(129)] {
        breaks(
            json!({ "tools": tools(&[name]) }),
            "tools[0].function_declarations[0].name",
            "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.",
        );
    }
    refuses(json!({ "tools": tools(&["f", "g", "f"]) }), "Duplicate function declaration found: f");
    breaks(
        json!({ "tools": [{}] }),
        "tools[0].tool_type",
        "required one_of 'tool_type' must have one initialized field",
    );
}

#[test]
fn a_choice_names_functions_that_are_declared_and_is_binding() {
    let with = |mode: &str, allowed: Value| {
        let calling = json!({ "mode": mode, "allowedFunctionNames": allowed });
        json!({ "tools": tools(&["f", "g"]), "toolConfig": { "functionCallingConfig": calling } })
    };
    let path = "tool_config.function_calling_config.allowed_function_names";
    for mode in ["AUTO", "NONE", "ANY", "VALIDATED"] {
        accepts(with(mode, json!([])));
    }
    for mode in ["ANY", "VALIDATED"] {
        accepts(with(mode, json!(["g"])));
    }
    for mode in ["AUTO", "NONE"] {
        breaks(
            with(mode, json!(["g"])),
            path,
            "only allowed when the function calling mode is ANY.",
        );
    }
    breaks(with("ANY", json!(["g", "h"])), &format!("{path}[1]"), "function is not declared.");
    refuses(
        with("any", json!([])),
        "Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), \"any\"",
    );
    refuses(
        json!({ "toolConfig": { "functionCallingConfig": { "mode": "AUTO" } } }),
        "Function calling config is set without function_declarations.",
    );
}

#[test]
fn caches_that_clients_make_are_not_there() {
    let refusal = super::check(json!({ "cachedContent": "cachedContents/1" })).unwrap_err();
    let denied =
        Refusal::new(403, "PERMISSION_DENIED", "CachedContent not found (or permission denied)");
    assert_eq!(refusal, denied);
}
