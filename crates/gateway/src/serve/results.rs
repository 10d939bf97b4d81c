//! Results of upstreams, held against what clients can be expected to read. Pure.

use oncue_mcp::{Members, Raw};
use serde_json::value::RawValue;

use crate::limits::{RESULT_BLOCKS_MAX, RESULT_DEPTH_MAX, RESULT_NODES_MAX};

/// Says what is wrong with a result, if anything is.
pub(super) fn fault(result: &RawValue) -> Option<String> {
    let text = result.get();
    if !text.starts_with('{') {
        return Some("it is no object".to_owned());
    }
    let (depth, nodes) = extent(text.as_bytes());
    if depth > RESULT_DEPTH_MAX {
        return Some(format!("it nests {depth} deep, and {RESULT_DEPTH_MAX} is the most"));
    }
    if nodes > RESULT_NODES_MAX {
        return Some(format!("it has {nodes} values, and {RESULT_NODES_MAX} are the most"));
    }
    let members = Members::of(Some(result)).ok()?;
    let blocks: Vec<Raw> = members.read("content").unwrap_or_default();
    (blocks.len() > RESULT_BLOCKS_MAX).then(|| {
        format!("it has {} blocks of content, and {RESULT_BLOCKS_MAX} are the most", blocks.len())
    })
}

/// Returns how deep JSON nests and about how many values it has: one more than its commas and opening brackets.
fn extent(json: &[u8]) -> (usize, usize) {
    let (mut depth, mut deepest, mut nodes) = (0_usize, 0, 1);
    let (mut is_text, mut is_escaped) = (false, false);
    for &byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
                nodes += 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => nodes += 1,
            _ => {}
        }
    }
    (deepest, nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: String) -> Raw {
        RawValue::from_string(text).expect("JSON")
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| {
            raw(format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1)))
        };
        assert_eq!(fault(&nested(RESULT_DEPTH_MAX - 1)), None);
        assert_eq!(fault(&nested(RESULT_DEPTH_MAX)), None);
        assert!(fault(&nested(RESULT_DEPTH_MAX + 1)).is_some_and(|why| why.contains("65 deep")));
    }

    #[test]
    fn values_are_bounded() {
        // The object, the list, and one more than the commas between the numbers.
        let listed = |nodes: usize| raw(format!("{{\"a\":[{}0]}}", "0,".repeat(nodes - 3)));
        assert_eq!(fault(&listed(RESULT_NODES_MAX - 1)), None);
        assert_eq!(fault(&listed(RESULT_NODES_MAX)), None);
        assert!(fault(&listed(RESULT_NODES_MAX + 1)).is_some());
    }

    #[test]
    fn blocks_are_bounded() {
        let blocks = |count: usize| {
            let block = r#"{"type":"text","text":"[{,"}"#;
            raw(format!("{{\"content\":[{}]}}", vec![block; count].join(",")))
        };
        assert_eq!(fault(&blocks(RESULT_BLOCKS_MAX - 1)), None);
        assert_eq!(fault(&blocks(RESULT_BLOCKS_MAX)), None);
        assert!(fault(&blocks(RESULT_BLOCKS_MAX + 1)).is_some());
    }

    #[test]
    fn what_stands_in_texts_is_no_structure() {
        assert_eq!(extent(br#"{"a":"[[[\"[,,,","b":[1,{}]}"#), (3, 6));
        assert!(fault(&raw("[1]".to_owned())).is_some());
    }
}
