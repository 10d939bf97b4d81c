//! A command with places for arguments. Each place is one element of the command or a part of one; no shell takes part.

use serde_json::{Map, Value};

use super::file::RowFault;
use super::row::{Argument, Dash};

/// What ends the options of a command.
const END_OF_OPTIONS: &str = "--";

/// The arguments of a program, with places for those of a call.
#[derive(Debug)]
pub(super) struct Template {
    groups: Vec<Vec<Element>>,
    refuses_dashes: bool,
}

/// One element of a command.
#[derive(Debug, PartialEq, Eq)]
struct Element(Vec<Piece>);

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Place(String),
}

/// Why a command cannot be made of the arguments of a call; the model reads it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    /// A text would be read as an option.
    #[error(
        "'{0}' begins with '-' and would be read as an option: send it without, or in another form"
    )]
    Dash(String),
    /// No program can be given such a text.
    #[error("'{0}' has a character with code 0: send it without")]
    Nul(String),
}

impl Template {
    /// Reads the elements behind the program; `names` are the parameters that there are.
    pub(super) fn new(
        arguments: &[Argument],
        dash: Dash,
        names: &[String],
    ) -> Result<Self, RowFault> {
        let groups: Vec<Vec<Element>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::One(text) => vec![Element::read(text)],
                Argument::Together(texts) => texts.iter().map(|text| Element::read(text)).collect(),
            })
            .collect();
        let template = Self { groups, refuses_dashes: dash == Dash::Refuse };
        let is_known = |place: &&str| names.iter().any(|name| name == place);
        let unknown = template.places().find(|place| !is_known(place)).map(str::to_owned);
        match unknown {
            None => Ok(template),
            Some(unknown) => Err(RowFault::new(
                format!("`{{{unknown}}}` in `command` names no parameter"),
                match names {
                    [] => format!("declare it: parameters = {{ {unknown} = \"string\" }}"),
                    names => format!(
                        "declare it under `parameters`, use one of {}, or write `{{{{{unknown}}}}}` for the text itself",
                        names.join(", ")
                    ),
                },
            )),
        }
    }

    /// Iterates over the parameters that have a place.
    pub(super) fn places(&self) -> impl Iterator<Item = &str> {
        let pieces = self.groups.iter().flatten().flat_map(|element| &element.0);
        pieces.filter_map(|piece| match piece {
            Piece::Place(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// Returns the elements with the arguments of a call in their places.
    ///
    /// Elements that belong together are left out together where one of them has a place whose argument was not sent.
    pub(super) fn fill(&self, arguments: &Map<String, Value>) -> Result<Vec<String>, Unfit> {
        let sent = |place: &str| arguments.get(place).filter(|value| !value.is_null());
        let mut filled = Vec::new();
        let mut takes_options = self.refuses_dashes;
        for group in &self.groups {
            let is_whole = group.iter().flat_map(|element| &element.0).all(|piece| match piece {
                Piece::Place(name) => sent(name).is_some(),
                Piece::Text(_) => true,
            });
            for element in group.iter().filter(|_| is_whole) {
                takes_options &= !element.is_end_of_options();
                element.fill(arguments, takes_options, &mut filled)?;
            }
        }
        Ok(filled)
    }
}

impl Element {
    /// Reads `{name}` as a place, `{{name}}` as the text `{name}`, and everything else as it stands.
    fn read(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            let (before, behind) = rest.split_at(at);
            plain.push_str(before);
            if let Some((name, after)) = enclosed(behind, "{{", "}}") {
                plain.push_str(&format!("{{{name}}}"));
                rest = after;
            } else if let Some((name, after)) = enclosed(behind, "{", "}") {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Place(name.to_owned()));
                rest = after;
            } else {
                plain.push('{');
                rest = behind.get(1..).unwrap_or_default();
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Self(pieces)
    }

    fn is_end_of_options(&self) -> bool {
        matches!(self.0.as_slice(), [Piece::Text(text)] if text == END_OF_OPTIONS)
    }

    fn fill(
        &self,
        arguments: &Map<String, Value>,
        takes_options: bool,
        filled: &mut Vec<String>,
    ) -> Result<(), Unfit> {
        if let [Piece::Place(name)] = self.0.as_slice() {
            let value = arguments.get(name).unwrap_or(&Value::Null);
            // A list in a place of its own is as many elements.
            let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for value in values {
                if takes_options && is_option(value) {
                    return Err(Unfit::Dash(name.clone()));
                }
                filled.push(text_of(name, value)?);
            }
            return Ok(());
        }
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Place(name) => {
                    let value = arguments.get(name).unwrap_or(&Value::Null);
                    if text.is_empty() && takes_options && is_option(value) {
                        return Err(Unfit::Dash(name.clone()));
                    }
                    text.push_str(&text_of(name, value)?);
                }
            }
        }
        filled.push(text);
        Ok(())
    }
}

/// Returns what stands between `open` and `close` at the beginning of `text`, where it is a name, and what is behind.
fn enclosed<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, &'t str)> {
    let (name, after) = text.strip_prefix(open)?.split_once(close)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, after))
}

/// Numbers that begin with `-` are numbers; the schema has seen to that.
fn is_option(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with('-'))
}

fn text_of(name: &str, value: &Value) -> Result<String, Unfit> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.contains('\0') {
        return Err(Unfit::Nul(name.to_owned()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Argument, Dash, Template};

    fn template(elements: Value, dash: Dash) -> Template {
        let elements: Vec<Argument> = serde_json::from_value(elements).unwrap();
        let names = ["path", "lines", "words", "flag"].map(str::to_owned);
        Template::new(&elements, dash, &names).unwrap()
    }

    fn filled(elements: Value, dash: Dash, arguments: &Value) -> Result<Vec<String>, String> {
        let filled = template(elements, dash).fill(arguments.as_object().unwrap());
        filled.map_err(|unfit| unfit.to_string())
    }

    fn check(elements: Value, arguments: &Value, expected: &[&str]) {
        let found = filled(elements, Dash::Refuse, arguments);
        assert_eq!(found, Ok(expected.iter().map(|&text| text.to_owned()).collect()));
    }

    #[test]
    fn an_argument_is_one_element_or_a_part_of_one() {
        check(
            json!(["-c", "{path}"]),
            &json!({"path": "a b; rm \"x\" $HOME"}),
            &["-c", "a b; rm \"x\" $HOME"],
        );
        check(json!(["--in={path}:{lines}"]), &json!({"path": "-x", "lines": 3}), &["--in=-x:3"]);
        check(json!(["{path}{lines}"]), &json!({"path": "", "lines": 1.5}), &["1.5"]);
        check(
            json!(["{flag}", "{path}"]),
            &json!({"flag": true, "path": {"a": [1]}}),
            &["true", r#"{"a":[1]}"#],
        );
        check(json!([""]), &json!({}), &[""]);
    }

    #[test]
    fn a_list_is_as_many_elements_where_it_stands_alone() {
        check(
            json!(["{words}", "{path}"]),
            &json!({"words": ["a", "b c"], "path": "p"}),
            &["a", "b c", "p"],
        );
        check(json!(["x{words}"]), &json!({"words": ["a", 1]}), &[r#"x["a",1]"#]);
        check(json!(["{words}"]), &json!({"words": []}), &[]);
    }

    #[test]
    fn what_was_not_sent_leaves_its_group_out() {
        let elements = || json!([["-n", "{lines}"], "--all={path}", "end"]);
        check(elements(), &json!({"lines": 2, "path": "p"}), &["-n", "2", "--all=p", "end"]);
        check(elements(), &json!({"path": null}), &["end"]);
    }

    #[test]
    fn braces_that_hold_no_name_are_text() {
        check(
            json!(["{a: .b}", "{}", "{", "{{path}}", "}{path}{"]),
            &json!({"path": "p"}),
            &["{a: .b}", "{}", "{", "{path}", "}p{"],
        );
        check(json!(["{{{path}}}"]), &json!({"path": "p"}), &["{{path}}"]);
    }

    #[test]
    fn a_text_that_would_be_an_option_is_refused() {
        let refused = |elements| {
            filled(
                elements,
                Dash::Refuse,
                &json!({"path": "-rf", "words": ["a", "-b"], "lines": -3}),
            )
        };
        let text = |name: &str| {
            Err(format!(
                "'{name}' begins with '-' and would be read as an option: send it without, or in another form"
            ))
        };
        assert_eq!(refused(json!(["{path}"])), text("path"));
        assert_eq!(refused(json!(["{path}.txt"])), text("path"));
        assert_eq!(refused(json!(["{words}"])), text("words"));
        assert_eq!(
            refused(json!(["{lines}", "--", "{path}"])),
            Ok(vec!["-3".into(), "--".into(), "-rf".into()])
        );
        let allowed = filled(json!(["{path}"]), Dash::Allow, &json!({"path": "-rf"}));
        assert_eq!(allowed, Ok(vec!["-rf".into()]));
    }

    #[test]
    fn a_character_of_code_0_is_refused() {
        let found = filled(json!(["a{path}"]), Dash::Refuse, &json!({"path": "x\0y"}));
        assert_eq!(found, Err("'path' has a character with code 0: send it without".to_owned()));
    }

    #[test]
    fn a_place_without_a_parameter_is_a_fault() {
        let elements: Vec<Argument> = serde_json::from_value(json!(["{pth}"])).unwrap();
        let fault = |names: &[String]| Template::new(&elements, Dash::Refuse, names).unwrap_err();
        let known = fault(&["path".to_owned()]);
        assert_eq!(known.what, "`{pth}` in `command` names no parameter");
        assert_eq!(
            known.hint,
            "declare it under `parameters`, use one of path, or write `{{pth}}` for the text itself"
        );
        assert_eq!(fault(&[]).hint, "declare it: parameters = { pth = \"string\" }");
    }
}
