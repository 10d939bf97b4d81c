//! What is kept of long results, and for whom.

use std::time::Duration;

use serde_json::Value;

use super::*;

const MINE: Origin<'_> = Origin { principal: "a", upstream: "u", has_calling_tool: true };

fn result(content: &Value) -> Raw {
    to_raw_value(&json!({ "content": content, "structuredContent": { "a": 1 } })).expect("JSON")
}

fn texts(result: &RawValue) -> Vec<String> {
    let result: Value = serde_json::from_str(result.get()).expect("JSON");
    assert_eq!(result["structuredContent"], json!({ "a": 1 }));
    let blocks = result["content"].as_array().expect("blocks").iter();
    blocks.map(|it| it["text"].as_str().unwrap_or("-").to_owned()).collect()
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text, "annotations": { "priority": 1 } })
}

/// Returns the address in the notice of a shortened result.
fn address(result: &RawValue) -> String {
    let result: Value = serde_json::from_str(result.get()).expect("JSON");
    let blocks = result["content"].as_array().expect("blocks");
    let link = blocks.last().expect("a link");
    assert_eq!(link["type"], "resource_link");
    link["uri"].as_str().expect("an address").to_owned()
}

#[test]
fn a_result_is_whole_up_to_the_bound_and_cut_behind_it() {
    let kept = Kept::default();
    let shorten = |length: usize| {
        let whole = result(&json!([text(&"x".repeat(length))]));
        let shorter = kept.shorten(whole.clone(), 100, MINE);
        (shorter.get() == whole.get()).then_some(()).ok_or(shorter)
    };
    assert!(shorten(99).is_ok());
    assert!(shorten(100).is_ok());
    let cut = shorten(101).expect_err("it is cut");
    let texts = texts(&cut);
    assert_eq!(texts[0], "x".repeat(100));
    assert!(texts[1].starts_with("[These are the first 100 of 101 bytes."), "{}", texts[1]);
    let uri = address(&cut);
    assert!(texts[1].contains(&format!("call call_tool(name='{uri}/2') or read")), "{}", texts[1]);
    let read = |uri: &str| kept.read(uri, "a", |_| true);
    assert_eq!(read(&uri).as_deref(), Some("x".repeat(101).as_str()));
    assert_eq!(read(&format!("{uri}/2")).as_deref(), Some("x"));
    assert_eq!((read(&format!("{uri}/0")), read(&format!("{uri}/3"))), (None, None));
}

#[test]
fn several_blocks_are_cut_where_their_texts_are_too_long_together() {
    let kept = Kept::default();
    // The first two are 5 and 6 bytes long, and the second of them ends in the middle of a letter.
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let blocks = json!([text("abcde"), image, text("ffffé"), text("behind")]);
    let cut = kept.shorten(result(&blocks), 10, MINE);
    let texts = texts(&cut);
    assert_eq!(texts[..3], ["abcde", "-", "ffff"]);
    assert!(texts[3].contains("of 19 bytes") && texts.len() == 5, "{texts:?}");
    let uri = address(&cut);
    let read = |number: usize| kept.read(&format!("{uri}/{number}"), "a", |_| true);
    // The letter of two bytes does not fit into the first piece of ten, `abcde\nffff`.
    assert_eq!(read(1).as_deref(), Some("abcde\nffff"));
    assert_eq!(read(2).as_deref(), Some("é\nbehind"));
    assert_eq!(read(3), None);
}

#[test]
fn nobody_else_reads_it_and_nobody_who_may_not_reach_its_upstream_any_more() {
    let kept = Kept::default();
    let uri = address(&kept.shorten(result(&json!([text(&"x".repeat(20))])), 10, MINE));
    assert!(kept.read(&uri, "a", |upstream| upstream == "u").is_some());
    assert_eq!(kept.read(&uri, "b", |_| true), None);
    assert_eq!(kept.read(&uri, "a", |_| false), None);
    assert_eq!(kept.read("oncue://result/", "a", |_| true), None);
}

#[tokio::test(start_paused = true)]
async fn it_is_kept_for_an_hour_and_gives_way_to_newer_ones_of_the_same_principal() {
    let kept = Kept::default();
    let size = KEPT_BYTES_PER_PRINCIPAL_MAX / 2;
    let put = |principal: &str| {
        let origin = Origin { principal, ..MINE };
        address(&kept.shorten(result(&json!([text(&"x".repeat(size))])), 10, origin))
    };
    let is_there = |uri: &str, principal: &str| kept.read(uri, principal, |_| true).is_some();
    let (first, other) = (put("a"), put("b"));
    let second = put("a");
    assert!(is_there(&first, "a") && is_there(&second, "a"));
    let third = put("a");
    assert!(!is_there(&first, "a") && is_there(&second, "a") && is_there(&third, "a"));
    assert!(is_there(&other, "b"), "others keep what they have");
    tokio::time::sleep(KEPT_TIME_MAX - Duration::from_secs(1)).await;
    assert!(is_there(&third, "a"));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!is_there(&third, "a"));
}

#[test]
fn what_is_too_long_to_be_kept_is_not_cut() {
    let kept = Kept::default();
    let whole = result(&json!([text(&"x".repeat(KEPT_BYTES_PER_PRINCIPAL_MAX + 1))]));
    assert_eq!(kept.shorten(whole.clone(), 10, MINE).get().len(), whole.get().len());
}
