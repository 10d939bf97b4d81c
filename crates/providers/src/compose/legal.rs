//! Names and ids that a vendor takes, for what other vendors and models made up. A function of the text alone, so that a call and its result agree.

use std::borrow::Cow;

use oncue_tools::{CallId, NameRules};

use crate::Names;

/// Returns what a tool is called on the wire; a model may have called what was never offered.
pub(crate) fn legal_name(names: &Names, rules: NameRules, exposed: &str) -> String {
    let wire = names.wire(exposed);
    match rules.admits(wire) {
        true => wire.to_owned(),
        false => rules.name("", wire),
    }
}

/// Returns the id of a call in at most so many characters.
pub(crate) fn legal_id(id: &CallId, rules: NameRules, chars_max: usize) -> Cow<'_, str> {
    match id.as_str() {
        text if text.chars().count() <= chars_max && !text.is_empty() => Cow::Borrowed(text),
        text => Cow::Owned(rules.with_chars_max(chars_max).name("", text)),
    }
}
