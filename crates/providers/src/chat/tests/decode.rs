//! What whole answers mean.

use oncue_agent::conversation::Part;
use oncue_agent::{Disclosure, Finish, ModelErrorKind, Reply, Usage};
use serde_json::{Value, json};

use super::super::Chat;
use super::{endpoint, names, replied};
use crate::samples::{call, text};
use crate::wire::Wire;

fn decode(answer: Value) -> Result<Reply, ModelErrorKind> {
    let wire = Chat::new(endpoint(Disclosure::Append));
    wire.decode(answer, &names()).map_err(|error| error.kind)
}

/// Holds the reply to a message against its parts and its end.
#[expect(clippy::needless_pass_by_value, reason = "literals read better without a sign")]
fn check(message: Value, reason: &str, parts: Vec<Part>, finish: Finish) {
    let answer = json!({"choices": [{"message": message, "finish_reason": reason}]});
    let expected = replied(message.clone(), parts, finish, Usage::default());
    assert_eq!(decode(answer), Ok(expected), "{message}");
}

#[test]
fn text_thoughts_and_calls_are_parts() {
    check(
        json!({"role": "assistant", "content": "Hello.", "refusal": null}),
        "stop",
        vec![text("Hello.")],
        Finish::Done,
    );
    check(
        json!({"role": "assistant", "content": "I read.", "reasoning_content": "Hm.", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "readTable", "arguments": "{\"table\":\"a\"}"}},
            {"id": "c2", "type": "function", "function": {"name": "nobody", "arguments": ""}},
        ]}),
        "tool_calls",
        vec![
            Part::Reasoning { text: "Hm.".to_owned() },
            text("I read."),
            call("c1", "readTable", r#"{"table":"a"}"#),
            call("c2", "nobody", ""),
        ],
        Finish::Done,
    );
}

#[test]
fn the_end_of_a_reply_has_a_reason() {
    let said = || json!({"content": "a"});
    for (reason, finish) in [
        ("stop", Finish::Done),
        ("tool_calls", Finish::Done),
        ("function_call", Finish::Done),
        ("eos", Finish::Done),
        ("length", Finish::Length),
        ("content_filter", Finish::Refused),
    ] {
        check(said(), reason, vec![text("a")], finish);
    }
    let refusal = json!({"content": null, "refusal": "I will not."});
    check(refusal, "stop", vec![text("I will not.")], Finish::Refused);
    for (reason, kind) in [
        ("insufficient_system_resource", ModelErrorKind::Overloaded),
        ("error", ModelErrorKind::Interrupted),
    ] {
        let answer = json!({"choices": [{"message": said(), "finish_reason": reason}]});
        assert_eq!(decode(answer), Err(kind), "{reason}");
    }
}

#[test]
fn what_was_read_from_a_cache_is_counted_once() {
    let used = |usage: Value, more: Value| {
        let mut answer = json!({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": usage});
        answer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let usage = decode(answer).unwrap().usage;
        (usage.uncached, usage.cache_read, usage.cache_write, usage.output)
    };
    let none = || json!({});
    assert_eq!(used(json!(null), none()), (0, 0, 0, 0));
    assert_eq!(
        used(json!({"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}), none()),
        (100, 0, 0, 7)
    );
    assert_eq!(
        used(
            json!({"prompt_tokens": 2000, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 1536, "cache_write_tokens": 400}}),
            none()
        ),
        (64, 1536, 400, 7)
    );
    // DeepSeek, Moonshot, llama.cpp.
    assert_eq!(
        used(
            json!({"prompt_tokens": 100, "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36}),
            none()
        ),
        (36, 64, 0, 0)
    );
    assert_eq!(used(json!({"prompt_tokens": 100, "cached_tokens": 64}), none()), (36, 64, 0, 0));
    assert_eq!(
        used(json!({"prompt_tokens": 100}), json!({"timings": {"cache_n": 90, "prompt_n": 10}})),
        (10, 90, 0, 0)
    );
    // More than the prompt cannot have been read.
    assert_eq!(used(json!({"prompt_tokens": 10, "cached_tokens": 64}), none()), (0, 10, 0, 0));
}

#[test]
fn what_is_no_completion_is_malformed() {
    for answer in [
        json!({}),
        json!({"choices": []}),
        json!({"choices": [{}]}),
        json!([]),
        json!({"choices": [{"message": null}]}),
    ] {
        assert_eq!(decode(answer.clone()), Err(ModelErrorKind::Malformed), "{answer}");
    }
}

#[test]
fn an_error_with_a_good_status_is_an_error() {
    for (answer, kind) in [
        (json!({"error": {"message": "no", "code": 429}}), ModelErrorKind::RateLimited),
        (json!({"error": "model is loading"}), ModelErrorKind::Unavailable),
        (
            json!({"object": "error", "message": "no", "type": "BadRequestError", "code": 400}),
            ModelErrorKind::InvalidRequest,
        ),
    ] {
        assert_eq!(decode(answer.clone()), Err(kind), "{answer}");
    }
}
