use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::scan;
use super::{Ending, read};
use crate::limits::{LENIENT_CALLS_MAX, LENIENT_TEXT_BYTES_MAX, LENIENT_WORK_PER_BYTE_MAX};

const READ: &str = r#"{"name": "read", "arguments": {"path": "a"}}"#;

/// Holds the reading of `text` against calls (name and arguments) and the text that is left. Only `read` is known.
fn check(text: &str, calls: &[(&str, &str)], left: &str) {
    check_ending(text, Ending::Whole, calls, left);
}

fn check_ending(text: &str, ending: Ending, calls: &[(&str, &str)], left: &str) {
    let reading = read(text, ending, |name| name == "read");
    let found: Vec<(&str, &str)> =
        reading.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!((found.as_slice(), reading.text.as_str()), (calls, left), "{text}");
}

#[test]
fn a_model_that_repeats_itself_means_one_call() {
    let one = [("read", r#"{"path":"a"}"#)];
    check(&format!("{READ}\n{READ}\n{READ}"), &one, "");
    let other = r#"{"name": "read", "arguments": {"path": "b"}}"#;
    let two = [("read", r#"{"path":"a"}"#), ("read", r#"{"path":"b"}"#)];
    check(&format!("{READ}\n{other}\n{READ}"), &two, "");
    // It is stopped in the middle of one more.
    let made_up = READ.replace("read", "made_up");
    let cut = format!("{made_up}\n{made_up}\n{{\"name\": \"made_up\", \"argu");
    check_ending(&cut, Ending::CutOff, &[("made_up", r#"{"path":"a"}"#)], "");
    check_ending(
        "{\"name\": \"made_up\", \"argu",
        Ending::CutOff,
        &[],
        "{\"name\": \"made_up\", \"argu",
    );
    let prose = format!("{made_up}\nand then {{\"name\"");
    check_ending(&prose, Ending::CutOff, &[], &prose);
}

#[test]
fn tags_fences_and_bare_json_are_calls() {
    let one = [("read", r#"{"path":"a"}"#)];
    for text in [
        READ.to_owned(),
        format!("  {READ}\n"),
        format!("[{READ}]"),
        format!("```json\n{READ}\n```"),
        format!("```\n{READ}\n```\n"),
        format!("``` {READ}"),
        format!("```tool_call\n{READ}```"),
        format!("<tool_call>\n{READ}\n</tool_call>"),
        format!("<tool_call>{READ}"),
        format!("<tool_call>\n```json\n{READ}\n```\n</tool_call>"),
        format!("<tools>{READ}</tools>"),
        format!("[TOOL_CALLS] [{READ}]"),
        format!("<|python_tag|>{READ}"),
        format!("{READ}}}"),
    ] {
        check(&text, &one, "");
    }
}

#[test]
fn several_calls_keep_their_order() {
    let call = |name: &str| format!(r#"{{"name":"{name}","arguments":{{}}}}"#);
    let (a, b) = (call("a"), call("b"));
    let two = [("a", "{}"), ("b", "{}")];
    for text in [
        format!("{a}\n{b}"),
        format!("{a}{b}"),
        format!("{a}, {b};"),
        format!("[{a}, {b}]"),
        format!("```json\n{a}\n{b}\n```"),
        format!("```json\n{a}\n```\n\n```json\n{b}\n```"),
        format!("<tool_call>{a}</tool_call>\n<tool_call>{b}</tool_call>"),
        format!("<tool_call>{a}\n{b}</tool_call>"),
        format!("<tool_calls>[{a},{b}]</tool_calls>"),
        format!(r#"{{"tool_calls":[{a},{b}]}}"#),
    ] {
        check(&text, &two, "");
    }
}

#[test]
fn prose_makes_calls_of_known_tools_only() {
    let one = [("read", r#"{"path":"a"}"#)];
    let other = READ.replace("read", "other");
    check(&format!("I read it now: {READ} See you."), &one, "I read it now:  See you.");
    check(&format!("I read it now:\n```json\n{READ}\n```"), &one, "I read it now:");
    for text in [
        format!("Such a call is {other}."),
        format!("Such a call is\n```json\n{other}\n```"),
        format!("{other} is such a call"),
        format!("```json\n{other}\n``` is such a call"),
    ] {
        check(&text, &[], &text);
    }
    // Tags say what they hold, whatever the name.
    check(
        &format!("Wait. <tool_call>{other}</tool_call>"),
        &[("other", r#"{"path":"a"}"#)],
        "Wait.",
    );
}

#[test]
fn what_is_no_call_stays_text() {
    for text in [
        "",
        " \n",
        "Hello.",
        r#"{"name": "Bob"}"#,
        r#"{"name": "Bob", "arguments": {"a": 1}, "age": 3}"#,
        r#"{"users": [{"name": "read", "arguments": {}}]}"#,
        r#"{"name": "read", "description": "Reads a file", "parameters": {"path": "a"}}"#,
        r#"{"name": "read", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}"#,
        r#"The tool {"name": "read"} is there."#,
        "```python\nprint({\"name\": \"read\", \"arguments\": {}})\n```",
        "```json\n{\"rows\": 3}\n```",
        r#"<think>{"name": "read", "arguments": {}}</think>It is there."#,
        r#"<think>{"name": "read", "arguments": {}}"#,
        "<tool_call>read the file</tool_call>",
        "<tool_call>",
        "a < b, `c`, [d] and {e}",
        "한국어 {",
    ] {
        check(text, &[], text);
    }
}

#[test]
fn a_known_name_may_lack_arguments_and_have_more_keys_where_it_stands_alone() {
    check(r#"{"name": "read"}"#, &[("read", "{}")], "");
    check(r#"{"thought": "look", "name": "read", "arguments": {}}"#, &[("read", "{}")], "");
    check(r#"<tool_call>{"name": "other"}</tool_call>"#, &[("other", "{}")], "");
}

#[test]
fn thoughts_are_kept_as_text() {
    let text = format!("<think>Which one? {READ}</think>\n{READ}");
    check(&text, &[("read", r#"{"path":"a"}"#)], &format!("<think>Which one? {READ}</think>"));
}

#[test]
fn forgotten_brackets_are_added_at_an_end_only() {
    let open = &READ[..READ.len() - 1];
    let one = [("read", r#"{"path":"a"}"#)];
    check(open, &one, "");
    check(&READ[..READ.len() - 2], &one, "");
    check(&format!("```json\n{open}\n```"), &one, "");
    check(&format!("<tool_call>\n{open}\n</tool_call>"), &one, "");
    check(&format!("{open} and so on"), &[], &format!("{open} and so on"));
    check(&READ[..READ.len() - 3], &[], &READ[..READ.len() - 3]);
    // A reply that was cut off may have lost more than brackets.
    check_ending(open, Ending::CutOff, &[], open);
    check_ending(&format!("<tool_call>{open}"), Ending::CutOff, &[], &format!("<tool_call>{open}"));
    check_ending(&format!("{READ}\n{READ}"), Ending::CutOff, &one, "");
}

#[test]
fn fences_within_arguments_do_not_end_the_call() {
    let text =
        "```json\n{\"name\": \"read\", \"arguments\": {\"path\": \"```sh\\nls\\n```\"}}\n```";
    check(text, &[("read", r#"{"path":"```sh\nls\n```"}"#)], "");
}

#[test]
fn a_beginning_tells_whether_to_wait() {
    for text in ["", " \n", "{", "[1", "<", "<tool", "<tool_call>x", "`", "```json", "[TOOL_C"] {
        assert!(super::may_be_calls(text), "{text:?}");
    }
    for text in ["A", "<think>", "<b>", "`x`", "한", "- {"] {
        assert!(!super::may_be_calls(text), "{text:?}");
    }
}

#[test]
fn calls_and_bytes_are_bounded() {
    let many: String =
        (0..=LENIENT_CALLS_MAX).map(|at| READ.replace("\"a\"", &format!("\"{at}\""))).collect();
    assert_eq!(read(&many, Ending::Whole, |_| true).calls.len(), LENIENT_CALLS_MAX);
    let long = format!("{READ}{}", " ".repeat(LENIENT_TEXT_BYTES_MAX));
    assert_eq!(read(&long, Ending::Whole, |_| true).calls, []);
}

#[test]
fn work_is_linear_in_bad_cases() {
    let cases = [
        "{\"a\":[".repeat(2_000),
        "[".repeat(10_000),
        "[\"".repeat(5_000),
        "```json\n{\"a".repeat(1_000),
        format!("<tool_call>{READ}").repeat(500),
        "<tool_call>[1,".repeat(1_000),
        "{\"name\":\"x\",\"arguments\":{}} ".repeat(500) + "{",
    ];
    for text in cases {
        let bound = (LENIENT_WORK_PER_BYTE_MAX + 1) * text.len();
        assert!(scan::work(&text, Ending::Whole) <= bound, "{}", &text[..20]);
    }
}

/// Fragments of which most bad texts consist.
fn fragments() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just("[".to_owned()),
        Just("]".to_owned()),
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just(":".to_owned()),
        Just(",".to_owned()),
        Just("\\".to_owned()),
        Just("\\u12".to_owned()),
        Just("```".to_owned()),
        Just("json\n".to_owned()),
        Just("<tool_call>".to_owned()),
        Just("</tool_call>".to_owned()),
        Just("<think>".to_owned()),
        Just("</think>".to_owned()),
        Just("[TOOL_CALLS]".to_owned()),
        Just("\"name\":\"read\"".to_owned()),
        Just("\"arguments\":".to_owned()),
        Just("\"properties\":{".to_owned()),
        Just(READ.to_owned()),
        Just("True".to_owned()),
        Just("-1.5e3".to_owned()),
        Just("한".to_owned()),
        "\\PC{0,4}",
    ];
    prop::collection::vec(fragment, 0..40).prop_map(|fragments| fragments.concat())
}

fn arguments() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        "[\\n\\t\"'`{}\\\\<]{0,8}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    // `properties` alone would be an echo of a schema.
    prop::collection::vec(("[a-o]{1,6}", value), 0..5)
        .prop_map(|members| members.into_iter().collect())
}

proptest! {
    #[test]
    fn any_text_has_a_reading(text in fragments(), whole in any::<bool>(), known in any::<bool>()) {
        let ending = if whole { Ending::Whole } else { Ending::CutOff };
        let reading = read(&text, ending, |_| known);
        prop_assert!(reading.text.len() <= text.len());
        if reading.calls.is_empty() {
            prop_assert_eq!(&reading.text, &text);
        }
        for call in &reading.calls {
            prop_assert!(!call.name.is_empty() && !call.arguments.is_empty());
        }
        let bound = (LENIENT_WORK_PER_BYTE_MAX + 1) * text.len();
        prop_assert!(scan::work(&text, ending) <= bound);
        let pieces = scan::pieces(&text, ending);
        let mut end = 0;
        for piece in &pieces {
            prop_assert_eq!(piece.range.start, end, "a gap");
            end = piece.range.end;
        }
        prop_assert_eq!(end, text.len());
    }

    #[test]
    fn a_call_in_any_form_is_read_back(
        name in "[a-zA-Z_][a-zA-Z0-9_-]{0,20}", arguments in arguments(), form in 0..7, wrap in 0..6
    ) {
        let object = Value::Object(arguments);
        let text = object.to_string();
        let call = match form {
            0 => json!({"name": name, "arguments": object}),
            1 => json!({"name": name, "parameters": object}),
            2 => json!({"name": name, "arguments": text}),
            3 => json!({"name": name, "arguments": Value::from(text).to_string()}),
            4 => json!({"type": "function", "id": "x", "function": {"name": name, "arguments": text}}),
            5 => json!({"name": format!("functions.{name}"), "arguments": object}),
            _ => json!({"name": name, "parameters": {"type": "object", "properties": object}}),
        };
        let echoes_schemas = form == 6
            && object.as_object().unwrap().values().any(|value| {
                let words = ["type", "enum"];
                value.as_object().is_some_and(|o| words.iter().any(|word| o.contains_key(*word)))
            });
        prop_assume!(!echoes_schemas);
        let call = call.to_string();
        let text = match wrap {
            0 => call,
            1 => format!("```json\n{call}\n```"),
            2 => format!("<tool_call>\n{call}\n</tool_call>"),
            3 => format!("[{call}]"),
            4 => format!("```\n{}", &call[..call.len() - 1]),
            _ => format!("<tool_call>{}</tool_call>", &call[..call.len() - 1]),
        };
        let reading = read(&text, Ending::Whole, |_| false);
        prop_assert_eq!(reading.calls.len(), 1, "{}", text);
        prop_assert_eq!(&reading.calls[0].name, &name);
        let read: Value = serde_json::from_str(&reading.calls[0].arguments).unwrap();
        prop_assert_eq!(read, object, "{}", text);
        prop_assert_eq!(reading.text, "");
    }
}
