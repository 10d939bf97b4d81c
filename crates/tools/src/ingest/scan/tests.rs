use proptest::prelude::*;
use serde_json::Value;

use super::{Broken, Extent, blank_end, elements, extent, members, value_end};

#[test]
fn a_value_ends_where_its_text_ends() {
    let cases: [(&str, Result<usize, usize>); 14] = [
        ("1", Ok(1)),
        ("-1.5e3,", Ok(6)),
        ("true]", Ok(4)),
        (r#""a\"]" x"#, Ok(6)),
        (r#""\\" "#, Ok(4)),
        ("[]", Ok(2)),
        (r#"{"a":[1,{"b":"}"}]} rest"#, Ok(19)),
        ("[1,", Err(3)),
        ("[}", Err(1)),
        (r#"{"a"]"#, Err(4)),
        (r#""open"#, Err(0)),
        (r#""open\"#, Err(0)),
        ("", Err(0)),
        (",", Err(0)),
    ];
    for (text, expected) in cases {
        assert_eq!(value_end(text.as_bytes(), 0).map_err(|broken| broken.at), expected, "{text}");
    }
}

#[test]
fn a_million_brackets_are_scanned_without_recursion() {
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    assert_eq!(value_end(deep.as_bytes(), 0), Ok(2_000_000));
    assert_eq!(extent(deep.as_bytes()).depth, 1_000_000);
    assert!(value_end(&deep.as_bytes()[..1_500_000], 0).is_err());
}

#[test]
fn members_come_with_raw_keys_and_values_until_the_first_fault() {
    fn check(text: &str, expected: &[(&str, &str)], fault: Option<usize>) {
        let mut seen = Vec::new();
        let mut broken = None;
        for member in members(text.as_bytes(), 0) {
            match member {
                Ok(member) => {
                    let key = std::str::from_utf8(member.key).unwrap();
                    seen.push((key, &text[member.value]));
                }
                Err(Broken { at, .. }) => broken = Some(at),
            }
        }
        assert_eq!((&seen[..], broken), (expected, fault), "{text}");
    }
    check("{}", &[], None);
    check(r#"{ "a" : 1 , "b\"" : [2, 3] }"#, &[("a", "1"), (r#"b\""#, "[2, 3]")], None);
    check(r#"{"a":1 "b":2}"#, &[("a", "1")], Some(7));
    check(r#"{"a":1,}"#, &[("a", "1")], Some(7));
    check(r#"{a:1}"#, &[], Some(1));
    check(r#"{"a" 1}"#, &[], Some(5));
    check(r#"{"a":}"#, &[], Some(5));
}

#[test]
fn elements_come_with_their_spans_until_the_first_fault() {
    fn check(text: &str, expected: &[&str], fault: Option<usize>) {
        let mut seen = Vec::new();
        let mut broken = None;
        for element in elements(text.as_bytes(), 0) {
            match element {
                Ok(span) => seen.push(&text[span]),
                Err(Broken { at, .. }) => broken = Some(at),
            }
        }
        assert_eq!((&seen[..], broken), (expected, fault), "{text}");
    }
    check("[]", &[], None);
    check(r#"[ {"a":[]} , "x,y",3 ]"#, &[r#"{"a":[]}"#, r#""x,y""#, "3"], None);
    check("[1 2]", &["1"], Some(3));
    check("[,1]", &[], Some(1));
}

#[test]
fn an_extent_counts_what_a_reader_would_count() {
    let cases = [
        ("1", Extent { depth: 0, objects: 0, enum_values: 0 }),
        ("{}", Extent { depth: 1, objects: 1, enum_values: 0 }),
        (r#"{"enum":[]}"#, Extent { depth: 2, objects: 1, enum_values: 0 }),
        (r#"{"enum":[1,"a,b",null]}"#, Extent { depth: 2, objects: 1, enum_values: 3 }),
        (r#"{"enum":[[1,2],{"enum":[3]}]}"#, Extent { depth: 4, objects: 2, enum_values: 3 }),
        (
            r#"{"enum":{"enum":"enum"},"x":["enum",1]}"#,
            Extent { depth: 2, objects: 2, enum_values: 0 },
        ),
        (r#"[{"enum":[1]},{"enum" : [1, 2]}]"#, Extent { depth: 3, objects: 2, enum_values: 3 }),
    ];
    for (text, expected) in cases {
        assert_eq!(extent(text.as_bytes()), expected, "{text}");
    }
}

/// The same counts, by recursion over the parsed value.
fn naive(value: &Value, is_enum: bool) -> Extent {
    let mut sum = Extent::default();
    let mut add = |child: Extent| {
        sum.depth = sum.depth.max(child.depth);
        sum.objects += child.objects;
        sum.enum_values += child.enum_values;
    };
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| add(naive(value, key == "enum")));
            sum.objects += 1;
            sum.depth += 1;
        }
        Value::Array(list) => {
            list.iter().for_each(|value| add(naive(value, false)));
            sum.depth += 1;
            sum.enum_values += if is_enum { list.len() } else { 0 };
        }
        _ => {}
    }
    sum
}

fn json() -> impl Strategy<Value = Value> {
    let key = prop_oneof!["enum", "[a-z\"\\\\{}\\[\\],: ]{0,4}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        key.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn an_extent_equals_the_recursive_count(value in json(), is_pretty: bool) {
        let text = if is_pretty { format!("{value:#}") } else { value.to_string() };
        prop_assert_eq!(extent(text.as_bytes()), naive(&value, false));
        prop_assert_eq!(value_end(text.as_bytes(), 0), Ok(text.len()));
    }

    #[test]
    fn scanning_is_total(text in "[\\[\\]{}\",:\\\\ a0\n]{0,40}", at in 0usize..50) {
        let bytes = text.as_bytes();
        prop_assert!(blank_end(bytes, at) >= at);
        if let Ok(end) = value_end(bytes, at) {
            prop_assert!(at < end && end <= bytes.len() + 1);
        }
        let _ = (extent(bytes), members(bytes, at).count(), elements(bytes, at).count());
    }
}
