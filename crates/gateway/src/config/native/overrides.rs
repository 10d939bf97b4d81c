//! What the file changes about the tools of an upstream.

use std::collections::BTreeMap;

use oncue_decl::Tier;
use oncue_tools::Glob;

use super::keys::TOOL;
use super::{Faults, named};
use crate::config::tree::{Fields, Read};
use crate::config::{ToolOverride, ToolOverrides};
use crate::limits::{KEYWORD_CHARS_MAX, KEYWORDS_BYTES_MAX, KEYWORDS_MAX};

/// Every tier that a tool of an upstream may be given, with its name.
const TIERS: [(&str, Tier); 2] = [("silent", Tier::Silent), ("gated", Tier::Gated)];

/// Returns what the table of an upstream says about its tools.
pub(super) fn overrides(fields: &Fields<'_>, faults: &mut Faults) -> ToolOverrides {
    let mut globs = |key| {
        let texts = faults.take(fields.texts(key));
        texts.map(|texts| texts.into_iter().map(Glob::new).collect::<Vec<_>>())
    };
    let (only, hidden, pinned) = (globs("only"), globs("hidden"), globs("pinned"));
    let mut tools = BTreeMap::new();
    let entries = faults.take(fields.table("tool"));
    faults.each(entries, |faults, entry| {
        let path = fields.name(&format!("tool.{}", entry.key));
        let Some(tool) = faults.fields(&entry.node, &path, &TOOL) else { return };
        let keywords = faults.take(keywords(&tool));
        let rename = tool.text("rename").and_then(|name| match name {
            Some("") => Err(tool.fault("rename", "must not be empty", "")),
            name => Ok(name),
        });
        let changed = ToolOverride {
            rename: faults.take(rename).map(str::to_owned),
            description: faults.take(tool.text("description")).map(str::to_owned),
            keywords,
            tier: faults.take(named(tool, "tier", &TIERS)),
        };
        if changed.rename.is_some()
            && tools.values().any(|other: &ToolOverride| other.rename == changed.rename)
        {
            faults.0.push(tool.fault("rename", "is the new name of another tool too", ""));
        }
        tools.insert(entry.key.clone(), changed);
    });
    ToolOverrides {
        only,
        hidden: hidden.unwrap_or_default(),
        pinned: pinned.unwrap_or_default(),
        tools,
    }
}

/// Returns the words that people use for a tool. They are what a search reads, so none of them may be cut or lost without a word.
fn keywords(tool: &Fields<'_>) -> Read<Vec<String>> {
    let words = tool.texts("keywords")?.unwrap_or_default();
    let fault = |what: &str, hint: &str| Err(tool.fault("keywords", what, hint));
    if words.len() > KEYWORDS_MAX {
        return fault(&format!("has more than {KEYWORDS_MAX} words"), "keep those that people say");
    }
    let mut keywords: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let word = word.trim();
        if word.is_empty() {
            return fault("has an empty word", "write what people say for the tool");
        }
        if word.chars().any(char::is_control) {
            return fault("has a word with a control character", "write it in one line");
        }
        if word.chars().count() > KEYWORD_CHARS_MAX {
            let what = format!("has a word of more than {KEYWORD_CHARS_MAX} characters");
            return fault(&what, "a keyword is a word or two; longer text is a description");
        }
        if keywords.iter().any(|known| known.to_lowercase() == word.to_lowercase()) {
            return fault(&format!("has `{word}` twice"), "");
        }
        keywords.push(word.to_owned());
    }
    if keywords.iter().map(String::len).sum::<usize>() > KEYWORDS_BYTES_MAX {
        let what = format!("has more than {KEYWORDS_BYTES_MAX} bytes of words");
        return fault(&what, "a search reads no more of them");
    }
    Ok(keywords)
}
