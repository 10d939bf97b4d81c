//! The lists of tools, resources and prompts.

use serde_json::{Value, json};

/// Tools that take no arguments, with what they do.
const PLAIN: [(&str, &str); 23] = [
    ("test_simple_text", "Returns a text"),
    ("test_image_content", "Returns an image"),
    ("test_audio_content", "Returns a sound"),
    ("test_embedded_resource", "Returns a resource"),
    ("test_multiple_content_types", "Returns a text, an image and a resource"),
    ("test_tool_with_logging", "Tells three messages"),
    ("test_logging_tool", "Tells one message"),
    ("test_tool_with_progress", "Tells progress"),
    ("test_error_handling", "Returns an error"),
    ("test_elicitation_sep1034_defaults", "Asks with a form that has defaults"),
    ("test_elicitation_sep1330_enums", "Asks with a form that has choices"),
    ("test_streaming_elicitation", "Asks for a name"),
    ("test_missing_capability", "Needs a client that can sample"),
    ("test_trigger_tool_change", "Tells that the tools have changed"),
    ("test_trigger_prompt_change", "Tells that the prompts have changed"),
    ("test_input_required_result_elicitation", "Asks for a name"),
    ("test_input_required_result_sampling", "Asks the client's model"),
    ("test_input_required_result_list_roots", "Asks for the client's roots"),
    ("test_input_required_result_request_state", "Asks, and wants its state back"),
    ("test_input_required_result_multiple_inputs", "Asks for three things at once"),
    ("test_input_required_result_multi_round", "Asks twice"),
    ("test_input_required_result_tampered_state", "Asks, and refuses a state that is not its own"),
    ("test_input_required_result_capabilities", "Asks what the client can be asked"),
];

/// Returns the tools, with the one that comes and goes or without it.
pub(crate) fn tools(has_another: bool) -> Vec<Value> {
    let plain = PLAIN.iter().map(|(name, about)| {
        json!({ "name": name, "description": about, "inputSchema": { "type": "object", "properties": {} } })
    });
    let text = |name: &str, argument: &str, about: &str| {
        json!({ "name": name, "description": about, "inputSchema": {
            "type": "object", "properties": { argument: { "type": "string" } }, "required": [argument] } })
    };
    let mut tools: Vec<Value> = plain.collect();
    tools.push(text("test_sampling", "prompt", "Asks the client's model"));
    tools.push(text("test_elicitation", "message", "Asks for a name and an address"));
    tools.push(with_whole_vocabulary());
    tools.push(json!({
        "name": "test_custom_header",
        "description": "Takes an argument that is said in a header too",
        "inputSchema": {
            "type": "object",
            "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
            "required": ["region"],
        },
    }));
    if has_another {
        tools.push(json!({ "name": "test_another_tool", "description": "Comes and goes", "inputSchema": { "type": "object" } }));
    }
    tools
}

/// The tool whose schema has what JSON Schema 2020-12 has (SEP-1613, SEP-2106).
fn with_whole_vocabulary() -> Value {
    json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": { "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            }},
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
                "contactMethod": { "type": "string", "enum": ["phone", "email"] },
                "phone": { "type": "string" },
                "email": { "type": "string" },
            },
            "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
            "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
            "additionalProperties": false,
        },
    })
}

/// Returns the resources.
pub(crate) fn resources() -> Vec<Value> {
    vec![
        json!({ "uri": "test://static-text", "name": "Static text", "mimeType": "text/plain" }),
        json!({ "uri": "test://static-binary", "name": "Static picture", "mimeType": "image/png" }),
        json!({ "uri": "test://watched-resource", "name": "Watched text", "mimeType": "text/plain" }),
    ]
}

/// Returns the resources that have a gap in their address.
pub(crate) fn templates() -> Vec<Value> {
    vec![json!({
        "uriTemplate": "test://template/{id}/data", "name": "Data by its id", "mimeType": "application/json",
    })]
}

/// Returns the prompts, with the one that comes and goes or without it.
pub(crate) fn prompts(has_another: bool) -> Vec<Value> {
    let needed = |names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| json!({ "name": name, "required": true })).collect()
    };
    let mut prompts = vec![
        json!({ "name": "test_simple_prompt", "description": "Says one thing" }),
        json!({ "name": "test_prompt_with_arguments", "description": "Says its arguments", "arguments": needed(&["arg1", "arg2"]) }),
        json!({ "name": "test_prompt_with_embedded_resource", "description": "Holds a resource", "arguments": needed(&["resourceUri"]) }),
        json!({ "name": "test_prompt_with_image", "description": "Holds an image" }),
        json!({ "name": "test_input_required_result_prompt", "description": "Asks first" }),
    ];
    if has_another {
        prompts.push(json!({ "name": "test_another_prompt", "description": "Comes and goes" }));
    }
    prompts
}
