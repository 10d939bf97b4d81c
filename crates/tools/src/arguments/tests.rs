use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &str) {
    let fault = Arguments::parse(text).expect_err(text);
    assert_eq!(fault.to_string(), expected, "{text}");
}

// case: C65
#[test]
fn what_is_no_object_is_refused_with_its_fix() {
    check(
        r#"{"a":"#,
        "the JSON breaks off after 5 bytes; send the whole object, with every string and bracket closed",
    );
    check(
        r#"{"a": "x"#,
        "the JSON breaks off after 8 bytes; send the whole object, with every string and bracket closed",
    );
    check("[1]", "they are a list, not an object; send one object with a key per argument");
    check("\"str\"", "they are a string, not an object; send one object with a key per argument");
    check(
        r#"{"a": NaN}"#,
        "they are not JSON: expected value at line 1 column 7, near `NaN}`; JSON has no NaN and no Infinity: send a number or null",
    );
    check(
        "{\"a\": 1,\n 'b': 2}",
        "they are not JSON: key must be a string at line 2 column 2, near `'b': 2}`; send one JSON object",
    );
    check(
        r#"{"a": 1} {"b": 2}"#,
        "they are not JSON: trailing characters at line 1 column 10, near `{\"b\": 2}`; send one JSON object",
    );
    check(r#"{"a": 1, "a": 2}"#, "the key `a` appears twice in one object; send it once");
    check(
        r#"{"a": [{"deep": 1, "b": {}, "d\u0065ep": 2}]}"#,
        "the key `deep` appears twice in one object; send it once",
    );
    check(
        &format!(r#"{{"a": "{}"}}"#, "x".repeat(5_000_000)),
        "they are 5000009 bytes long, and at most 4000000 are read; send less, or in several calls",
    );
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(Arguments::parse(&deep).is_err());
}

#[test]
fn nothing_and_null_mean_no_arguments() {
    for text in ["", "  \n", "null", " null ", "{}"] {
        let arguments = Arguments::parse(text).expect(text);
        assert_eq!((arguments.object().len(), arguments.raw().get()), (0, "{}"), "{text:?}");
    }
}

// case: C31
#[test]
fn the_text_stays_byte_for_byte() {
    let text = r#"{"z":null,"a":12345678901234567890123, "n": 1.50, "k":"\ud55c국","e":1E2}"#;
    let arguments = Arguments::parse(&format!("\n {text}\t")).expect("legal");
    assert_eq!(arguments.raw().get(), text);
    let keys: Vec<_> = arguments.object().keys().collect();
    assert_eq!(keys, ["z", "a", "n", "k", "e"]);

    #[derive(serde::Deserialize)]
    struct Wide {
        a: u128,
        k: String,
    }
    let wide: Wide = arguments.read().expect("the text holds what 64 bits do not");
    assert_eq!((wide.a, wide.k.as_str()), (12_345_678_901_234_567_890_123, "한국"));
}

proptest! {
    #[test]
    fn any_text_is_arguments_or_a_short_fault(text in "\\PC{0,60}") {
        if let Err(fault) = Arguments::parse(&text) {
            prop_assert!(fault.to_string().chars().count() < 250);
        }
    }
}
