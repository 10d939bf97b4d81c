//! Where the references of a schema lead, within it. Lives as long as the look at one schema.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// The places of a schema that its references may name; what lies outside is never fetched.
///
/// ```
/// use oncue_search::schema::Targets;
/// use serde_json::json;
///
/// let schema = json!({"$defs": {"a place": {"$anchor": "place", "type": "string"}}});
/// let targets = Targets::new(&schema);
/// let place = &schema["$defs"]["a place"];
/// assert_eq!(targets.of("#/$defs/a%20place"), [place]);
/// assert_eq!(targets.of("#place"), [place]);
/// assert_eq!(targets.of("#/$defs/gone"), [&json!(null); 0]);
/// assert_eq!(targets.of("https://example.com/schema"), [&json!(null); 0]);
/// ```
#[derive(Debug)]
pub struct Targets<'s> {
    root: &'s Value,
    anchors: HashMap<&'s str, Vec<&'s Value>>,
}

impl<'s> Targets<'s> {
    /// The targets within the schema `root`, all of which is looked at once.
    #[must_use]
    pub fn new(root: &'s Value) -> Self {
        Self { root, anchors: anchors(root) }
    }

    /// Returns what `reference` leads to: one place, or none where it leads nowhere or outside.
    ///
    /// A fragment is a percent-encoded JSON pointer (RFC 6901, section 6) or the name of an anchor (JSON Schema 2020-12 Core, section 8.2.2).
    /// An anchor that several places have, against the specification, leads to all of them, whichever an engine takes.
    #[must_use]
    pub fn of(&self, reference: &str) -> Vec<&'s Value> {
        let Some(fragment) = reference.strip_prefix('#') else { return Vec::new() };
        let Ok(fragment) = percent_decode_str(fragment).decode_utf8() else { return Vec::new() };
        if fragment.is_empty() || fragment.starts_with('/') {
            return self.root.pointer(&fragment).into_iter().collect();
        }
        self.anchors.get(&*fragment).cloned().unwrap_or_default()
    }
}

/// Returns what stands beside each anchor, wherever in the schema that is.
fn anchors(root: &Value) -> HashMap<&str, Vec<&Value>> {
    let mut anchors: HashMap<&str, Vec<&Value>> = HashMap::new();
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                for name in ["$anchor", "$dynamicAnchor"] {
                    if let Some(Value::String(name)) = members.get(name) {
                        anchors.entry(name).or_default().push(value);
                    }
                }
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    anchors
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Targets;

    #[test]
    fn a_fragment_is_a_pointer_or_an_anchor() {
        let schema = json!({
            "$anchor": "top",
            "$defs": {
                "a b": 1, "c%d": 2, "e/f": 3, "g~h": 4, "한": 5, "": 6,
                "list": [7, {"$dynamicAnchor": "late", "x": 8}],
                "twice": {"$anchor": "twice", "x": 9},
                "again": {"$anchor": "twice", "x": 10},
            },
        });
        let targets = Targets::new(&schema);
        let numbered = |reference: &str| -> Vec<i64> {
            let number = |value: &serde_json::Value| value.as_i64().or(value["x"].as_i64());
            let mut found: Vec<_> = targets.of(reference).into_iter().filter_map(number).collect();
            found.sort_unstable();
            found
        };
        // The forms are those of RFC 6901, sections 5 and 6.
        let cases: [(&str, &[i64]); 15] = [
            ("#/$defs/a%20b", &[1]),
            ("#/%24defs/a b", &[1]),
            ("#/$defs/c%25d", &[2]),
            ("#/$defs/c%d", &[2]),
            ("#/$defs/e~1f", &[3]),
            ("#/$defs/e%2Ff", &[]),
            ("#/$defs/g~0h", &[4]),
            ("#/$defs/%ED%95%9C", &[5]),
            ("#/$defs/%FF", &[]),
            ("#/$defs/", &[6]),
            ("#/$defs/list/0", &[7]),
            ("#late", &[8]),
            ("#twice", &[9, 10]),
            ("#gone", &[]),
            ("late", &[]),
        ];
        for (reference, expected) in cases {
            assert_eq!(numbered(reference), expected, "{reference}");
        }
        assert_eq!(targets.of("#"), [&schema]);
        assert_eq!(targets.of("#top"), [&schema]);
    }
}
