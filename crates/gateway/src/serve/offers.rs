//! Resources and prompts of all upstreams, and whose each is.
//!
//! A name or an address keeps its form where only one upstream has it, since what reads it may know it from elsewhere.

use std::collections::HashMap;

use oncue_mcp::{Members, Raw};
use oncue_tools::NameRules;
use serde_json::value::RawValue;

use crate::catalog::Known;
use crate::config::UpstreamId;

/// What stands in front of an address that several upstreams have.
const SCHEME: &str = "oncue://upstream/";

/// One upstream's part, in the order of the settings.
pub(super) struct Part<'k> {
    pub(super) id: &'k UpstreamId,
    pub(super) known: &'k Known,
    pub(super) is_namespaced: bool,
}

/// Returns the resources of all parts, each under an address of its own.
pub(super) fn resources(parts: &[Part<'_>]) -> Vec<Raw> {
    let mut taken: HashMap<String, &UpstreamId> = HashMap::new();
    let mut all = Vec::new();
    for part in parts {
        for entry in &part.known.resources {
            let Ok(mut members) = Members::of(Some(entry)) else { continue };
            let Some(uri) = members.read::<String>("uri") else { continue };
            match taken.get(&uri) {
                None => {
                    taken.insert(uri, part.id);
                    all.push(entry.clone());
                }
                Some(owner) if *owner == part.id => {}
                Some(_) => {
                    let own = address(part.id, &uri);
                    if members.set("uri", &own).is_ok() {
                        all.extend(members.to_raw());
                    }
                }
            }
        }
    }
    all
}

/// Returns the address of a resource that several upstreams have under the same one.
pub(super) fn address(id: &UpstreamId, uri: &str) -> String {
    format!("{SCHEME}{id}/{uri}")
}

/// Returns the templates of all parts.
pub(super) fn templates(parts: &[Part<'_>]) -> Vec<Raw> {
    parts.iter().flat_map(|part| part.known.templates.iter().cloned()).collect()
}

/// Returns the prompts of all parts, each under a name of its own.
pub(super) fn prompts(parts: &[Part<'_>], rules: NameRules) -> Vec<Raw> {
    let mut all = Vec::new();
    for part in parts {
        for entry in &part.known.prompts {
            let Ok(mut members) = Members::of(Some(entry)) else { continue };
            let Some(name) = members.read::<String>("name") else { continue };
            if members.set("name", &exposed(part, &name, rules)).is_ok() {
                all.extend(members.to_raw());
            }
        }
    }
    all
}

/// Returns whose prompt `name` is, and what its upstream calls it.
pub(super) fn prompt<'k>(
    parts: &[Part<'k>],
    name: &str,
    rules: NameRules,
) -> Option<(&'k UpstreamId, String)> {
    for part in parts {
        for entry in &part.known.prompts {
            let own: Option<String> = Members::of(Some(entry)).ok().and_then(|it| it.read("name"));
            if let Some(own) = own.filter(|own| exposed(part, own, rules) == name) {
                return Some((part.id, own));
            }
        }
    }
    None
}

fn exposed(part: &Part<'_>, name: &str, rules: NameRules) -> String {
    match part.is_namespaced {
        true => rules.name(part.id.as_str(), name),
        false => name.to_owned(),
    }
}

/// Returns who may have the resource at `uri`, the likeliest first, each with the address that it knows.
pub(super) fn owners<'k>(parts: &[Part<'k>], uri: &str) -> Vec<(&'k UpstreamId, String)> {
    if let Some(rest) = uri.strip_prefix(SCHEME) {
        let owner = parts.iter().find_map(|part| {
            let own = rest.strip_prefix(part.id.as_str())?.strip_prefix('/')?;
            Some((part.id, own.to_owned()))
        });
        return owner.into_iter().collect();
    }
    let text = |entry: &RawValue, name: &str| -> Option<String> {
        Members::of(Some(entry)).ok()?.read(name)
    };
    let lists = |part: &&Part<'_>| {
        part.known.resources.iter().any(|entry| text(entry, "uri").as_deref() == Some(uri))
    };
    if let Some(part) = parts.iter().find(lists) {
        return vec![(part.id, uri.to_owned())];
    }
    let fits = |part: &&Part<'_>| {
        part.known.templates.iter().any(|entry| {
            text(entry, "uriTemplate").is_some_and(|template| may_be_of(&template, uri))
        })
    };
    let by_template = parts.iter().filter(fits);
    let can = |part: &&Part<'_>| {
        Members::of(Some(&part.known.capabilities)).is_ok_and(|it| it.get("resources").is_some())
    };
    // Servers have resources that they do not list.
    let others = parts.iter().filter(|part| !fits(part)).filter(can);
    by_template.chain(others).map(|part| (part.id, uri.to_owned())).collect()
}

/// Says whether an address may be one of a template (RFC 6570): what stands before, between and behind its variables comes in order.
fn may_be_of(template: &str, uri: &str) -> bool {
    let mut rest = uri;
    let mut pieces = template.split('{');
    let first = pieces.next().unwrap_or_default();
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    for piece in pieces {
        let literal = piece.split_once('}').map_or("", |(_, literal)| literal);
        match rest.find(literal) {
            Some(at) => rest = rest.get(at + literal.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use oncue_mcp::{Era, empty};
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    fn known(resources: &[&str], templates: &[&str], prompts: &[&str]) -> Known {
        let of = |key: &str, texts: &[&str]| {
            texts.iter().map(|text| to_raw_value(&json!({ key: text })).expect("JSON")).collect()
        };
        Known {
            fingerprint: String::new(),
            read_ms: 0,
            era: Era::Sessions,
            name: None,
            version: None,
            instructions: None,
            capabilities: empty(),
            tools: Vec::new(),
            resources: of("uri", resources),
            templates: of("uriTemplate", templates),
            prompts: of("name", prompts),
            incomplete: None,
            forgotten: None,
        }
    }

    fn texts(entries: &[Raw], key: &str) -> Vec<String> {
        let text =
            |entry: &Raw| Members::of(Some(entry)).expect("an object").read(key).expect("text");
        entries.iter().map(text).collect()
    }

    #[test]
    fn an_address_that_two_have_leads_to_each_of_them() {
        let (a, b) =
            (UpstreamId::parse("a").expect("an id"), UpstreamId::parse("b").expect("an id"));
        let (left, right) = (
            known(&["file:///x", "file:///l"], &[], &[]),
            known(&["file:///x"], &["db://{table}/rows"], &[]),
        );
        let part = |id, known| Part { id, known, is_namespaced: true };
        let parts = [part(&a, &left), part(&b, &right)];
        assert_eq!(
            texts(&resources(&parts), "uri"),
            ["file:///x", "file:///l", "oncue://upstream/b/file:///x"]
        );
        assert_eq!(owners(&parts, "file:///x"), [(&a, "file:///x".to_owned())]);
        assert_eq!(owners(&parts, "oncue://upstream/b/file:///x"), [(&b, "file:///x".to_owned())]);
        assert_eq!(owners(&parts, "db://users/rows"), [(&b, "db://users/rows".to_owned())]);
        assert_eq!(owners(&parts, "db://users/columns"), []);
    }

    #[test]
    fn prompts_have_the_names_of_their_servers_in_front_unless_told_otherwise() {
        let (a, b) =
            (UpstreamId::parse("a").expect("an id"), UpstreamId::parse("b").expect("an id"));
        let (left, right) = (known(&[], &[], &["review"]), known(&[], &[], &["review"]));
        let parts = [
            Part { id: &a, known: &left, is_namespaced: true },
            Part { id: &b, known: &right, is_namespaced: false },
        ];
        let rules = NameRules::DEFAULT;
        assert_eq!(texts(&prompts(&parts, rules), "name"), ["a__review", "review"]);
        assert_eq!(prompt(&parts, "a__review", rules), Some((&a, "review".to_owned())));
        assert_eq!(prompt(&parts, "review", rules), Some((&b, "review".to_owned())));
        assert_eq!(prompt(&parts, "b__review", rules), None);
    }
}
