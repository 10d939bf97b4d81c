//! One server of Codex, the client whose settings are TOML.

use oncue_tools::Glob;

use super::entry::note_unused;
use super::{Note, Origin};
use crate::config::is_variable;
use crate::config::shape;
use crate::config::tree::{Entry, Fields, Node, Read, Value, wrong_kind};
use crate::config::{
    Fault, Http, HttpKind, Stdio, Template, Timeouts, ToolOverrides, Transport, Upstream,
    UpstreamId,
};

pub(super) fn read(
    entry: &Entry,
    id: UpstreamId,
    origin: Origin,
    notes: &mut Vec<Note>,
) -> Read<Upstream> {
    let path = format!("mcp_servers.{}", entry.key);
    let fields = Fields::new(&entry.node, &path)?;
    if fields.get("bearer_token").is_some() {
        let hint = "name a variable by `bearer_token_env_var`";
        return Err(fields.fault("bearer_token", "is refused by the client itself", hint));
    }
    let transport = match (fields.text("command")?, fields.text("url")?) {
        (Some(command), None) => stdio(&fields, command, &origin)?,
        (None, Some(url)) => http(&fields, url)?,
        (Some(_), Some(_)) => {
            return Err(fields.fault("url", "stands beside `command`", "take one of them away"));
        }
        (None, None) => {
            return Err(Fault::new(&entry.place, "it has neither `command` nor `url`", ""));
        }
    };
    let globs = |key| {
        let texts = fields.texts(key)?;
        Ok(texts.map(|texts| texts.into_iter().map(Glob::new).collect::<Vec<_>>()))
    };
    let start = fields.time_in("startup_timeout_sec", 1.0)?;
    let upstream = Upstream {
        id,
        transport,
        is_enabled: fields.truth("enabled")?.unwrap_or(true),
        is_namespaced: true,
        description: None,
        tools: ToolOverrides {
            only: globs("enabled_tools")?,
            hidden: globs("disabled_tools")?.unwrap_or_default(),
            ..ToolOverrides::default()
        },
        timeouts: Timeouts {
            call: fields.time_in("tool_timeout_sec", 1.0)?,
            start: match start {
                None => fields.time_in("startup_timeout_ms", 0.001)?,
                start => start,
            },
            ..Timeouts::default()
        },
        origin,
    };
    note_unused(&fields, &upstream.origin, notes);
    Ok(upstream)
}

/// Takes a text as it stands: this client names no variables within texts.
#[expect(clippy::unnecessary_wraps, reason = "readers of texts may fail elsewhere")]
fn literal(text: &str) -> Read<Template> {
    Ok(Template::literal(text))
}

fn stdio(fields: &Fields<'_>, command: &str, origin: &Origin) -> Read<Transport> {
    let args = fields.texts("args")?.unwrap_or_default();
    let cwd = fields.text("cwd")?.map(|text| match &origin.project {
        Some(project) => Template::literal(&project.join(text).to_string_lossy()),
        None => Template::literal(text),
    });
    let inherit = fields.list("env_vars")?.unwrap_or_default();
    Ok(Transport::Stdio(Stdio {
        command: shape::command(fields, "command", Template::literal(command))?,
        args: args.into_iter().map(Template::literal).collect(),
        env: shape::env(fields, "env", literal)?,
        inherit: inherit.iter().map(|node| inherited(fields, node)).collect::<Read<_>>()?,
        cwd,
    }))
}

/// Returns the name of a variable that is handed on: a text, or a table with a `name`.
fn inherited(fields: &Fields<'_>, node: &Node) -> Read<String> {
    let named = if node.table().is_some() { node.get("name") } else { Some(node) };
    match named.map(|node| &node.value) {
        Some(Value::Text(name)) => Ok(name.clone()),
        _ => Err(wrong_kind(node, &fields.name("env_vars"), "a list of names")),
    }
}

fn http(fields: &Fields<'_>, url: &str) -> Read<Transport> {
    let mut headers = shape::headers(fields, "http_headers", literal)?;
    let named = shape::headers(fields, "env_http_headers", |name| {
        variable(fields, "env_http_headers", name)
    })?;
    for (name, template) in named {
        shape::set_header(&mut headers, &name, template);
    }
    if let Some(name) = fields.text("bearer_token_env_var")? {
        let token = variable(fields, "bearer_token_env_var", name)?.after("Bearer ");
        shape::set_header(&mut headers, "Authorization", token);
    }
    Ok(Transport::Http(Http {
        url: shape::url(fields, "url", Template::literal(url))?,
        headers,
        kind: HttpKind::Streamable,
    }))
}

/// Returns the variable of this name, if a variable can have it.
fn variable(fields: &Fields<'_>, key: &str, name: &str) -> Read<Template> {
    match is_variable(name) {
        true => Ok(Template::variable(name)),
        false => {
            Err(fields.fault(key, "is no name of a variable", "it names one, and holds no value"))
        }
    }
}
