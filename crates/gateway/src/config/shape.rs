//! What commands, addresses, headers and variables must look like, whatever form names them.

use std::collections::BTreeMap;

use super::Template;
use super::tree::{Fields, Read, Value, text};
use super::upstream::UrlParts;

impl Template {
    /// Says whether the text is an address, as far as that can be said before variables are known.
    pub(crate) fn is_http_address(&self) -> bool {
        let text = self.exposed(|_| "x".to_owned());
        // A variable in front may hold scheme and host.
        let begins_with_one = self.exposed(|_| "\u{0}".to_owned()).starts_with('\u{0}');
        begins_with_one || UrlParts::of(&text).is_some()
    }
}

/// Returns the command if it can be one.
pub(crate) fn command(fields: &Fields<'_>, key: &str, command: Template) -> Read<Template> {
    let is_blank = command.exposed(|_| "x".to_owned()).trim().is_empty();
    match is_blank {
        false => Ok(command),
        true => Err(fields.fault(key, "must not be empty", "it is the program to run")),
    }
}

/// Returns the address if it can be one.
pub(crate) fn url(fields: &Fields<'_>, key: &str, url: Template) -> Read<Template> {
    match url.is_http_address() {
        true => Ok(url),
        false => Err(fields.fault(
            key,
            "is no address of a server",
            "it begins with http:// or https://, then comes the host",
        )),
    }
}

/// Returns the variables that a table sets. Numbers and booleans are taken as they are written, and `null` for not setting any.
pub(crate) fn env(
    fields: &Fields<'_>,
    key: &str,
    read: impl Fn(&str) -> Read<Template>,
) -> Read<BTreeMap<String, Template>> {
    let mut env = BTreeMap::new();
    for entry in fields.table(key)?.unwrap_or_default() {
        let name = format!("{}.{}", fields.name(key), entry.key);
        if entry.key.is_empty() || entry.key.contains(['=', '\0']) {
            return Err(fields.fault(key, "has a name that no variable can have", ""));
        }
        let template = match &entry.node.value {
            Value::Null => continue,
            Value::Bool(truth) => Template::literal(&truth.to_string()),
            Value::Number(number) => Template::literal(&number.to_string()),
            _ => read(text(&entry.node, &name)?)?,
        };
        if template.exposed(|_| String::new()).contains('\0') {
            return Err(fields.fault(key, "has a value that no variable can have", ""));
        }
        env.insert(entry.key.clone(), template);
    }
    Ok(env)
}

/// Returns the headers of a table, in its order.
pub(crate) fn headers(
    fields: &Fields<'_>,
    key: &str,
    read: impl Fn(&str) -> Read<Template>,
) -> Read<Vec<(String, Template)>> {
    let mut headers = Vec::new();
    for entry in fields.table(key)?.unwrap_or_default() {
        let name = format!("{}.{}", fields.name(key), entry.key);
        if !is_header_name(&entry.key) {
            return Err(fields.fault(key, "has a name that no header can have", ""));
        }
        let template = read(text(&entry.node, &name)?)?;
        if template.exposed(|_| String::new()).contains(['\r', '\n', '\0']) {
            return Err(fields.fault(key, "has a value that no header can have", ""));
        }
        set_header(&mut headers, &entry.key, template);
    }
    Ok(headers)
}

/// Sets a header; names do not differ by case, and what is set later holds.
pub(crate) fn set_header(headers: &mut Vec<(String, Template)>, name: &str, template: Template) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    headers.push((name.to_owned(), template));
}

fn is_header_name(name: &str) -> bool {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(is_token)
}
