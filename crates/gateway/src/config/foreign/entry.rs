//! One server of a JSON file, whichever client wrote it.

use oncue_tools::Glob;

use super::{Note, Origin};
use crate::config::shape;
use crate::config::tree::{Entry, Fields, Read};
use crate::config::{
    Fault, Folders, Http, HttpKind, Stdio, Template, Timeouts, ToolOverrides, Transport, Upstream,
    UpstreamId,
};

/// Seconds of a millisecond, the unit of times in these files.
const MILLISECOND: f64 = 0.001;

pub(super) fn read(
    entry: &Entry,
    id: UpstreamId,
    origin: Origin,
    folders: &Folders<'_>,
    notes: &mut Vec<Note>,
) -> Read<Upstream> {
    let fields = Fields::new(&entry.node, &entry.key)?;
    let transport = transport(&fields, &origin, folders)?;
    let call = fields.time_in("timeout", MILLISECOND)?;
    let is_enabled =
        fields.truth("enabled")?.unwrap_or(true) && !fields.truth("disabled")?.unwrap_or_default();
    let globs = |key| {
        let texts = fields.texts(key)?;
        Ok(texts.map(|texts| texts.into_iter().map(Glob::new).collect::<Vec<_>>()))
    };
    let hidden = [globs("excludeTools")?, globs("disabledTools")?];
    let tools = ToolOverrides {
        only: globs("includeTools")?,
        hidden: hidden.into_iter().flatten().flatten().collect(),
        ..ToolOverrides::default()
    };
    let description = fields.text("description")?.map(str::to_owned);
    note_unused(&fields, &origin, notes);
    Ok(Upstream {
        id,
        transport,
        is_enabled,
        is_namespaced: true,
        description,
        tools,
        timeouts: Timeouts { call, ..Timeouts::default() },
        origin,
    })
}

/// How a server is reached, as its `type` says.
enum Kind {
    Stdio,
    Http(HttpKind),
}

fn kind(fields: &Fields<'_>) -> Read<Option<Kind>> {
    let key = if fields.get("type").is_some() { "type" } else { "transport" };
    // Where both stand, `type` tells process from server and `transport` the protocol.
    let both = fields.get("type").is_some() && fields.text("transport")? == Some("sse");
    let Some(text) = fields.text(key)? else { return Ok(None) };
    match text {
        _ if both => Ok(Some(Kind::Http(HttpKind::Sse))),
        "stdio" | "local" => Ok(Some(Kind::Stdio)),
        "http" | "streamable-http" | "streamableHttp" | "streamable_http" => {
            Ok(Some(Kind::Http(HttpKind::Streamable)))
        }
        "remote" => Ok(Some(Kind::Http(HttpKind::Auto))),
        "sse" => Ok(Some(Kind::Http(HttpKind::Sse))),
        _ => Err(fields.fault(key, "is none of `stdio`, `http` and `sse`", "")),
    }
}

fn transport(fields: &Fields<'_>, origin: &Origin, folders: &Folders<'_>) -> Read<Transport> {
    let read = |key: &str, text: &str| {
        Template::parse(text, origin.form.syntax(), folders).map_err(|fault| {
            fields.fault(key, &fault.to_string(), "write the value, or a variable")
        })
    };
    let addresses = ["httpUrl", "serverUrl", "url"];
    let address = addresses.into_iter().find(|key| fields.get(key).is_some());
    match (kind(fields)?, fields.text("command")?, address) {
        (Some(Kind::Stdio) | None, Some(command), None) | (Some(Kind::Stdio), Some(command), _) => {
            stdio(fields, command, origin, read)
        }
        (Some(Kind::Http(kind)), _, Some(key)) => http(fields, key, kind, read),
        (None, None, Some("httpUrl")) => http(fields, "httpUrl", HttpKind::Streamable, read),
        (None, None, Some(key)) => http(fields, key, HttpKind::Auto, read),
        (None, Some(_), Some(key)) => Err(fields.fault(
            key,
            "stands beside `command`",
            "say by `type` which of the two it is, or take one away",
        )),
        (Some(Kind::Stdio), None, _) => Err(missing(fields, "`command`")),
        (Some(Kind::Http(_)), _, None) => Err(missing(fields, "`url`")),
        (None, None, None) => Err(missing(fields, "`command` or `url`")),
    }
}

fn missing(fields: &Fields<'_>, what: &str) -> Fault {
    Fault::new(&fields.node().place, format!("it has no {what}"), "")
}

fn stdio(
    fields: &Fields<'_>,
    command: &str,
    origin: &Origin,
    read: impl Fn(&str, &str) -> Read<Template>,
) -> Read<Transport> {
    let args = fields.texts("args")?.unwrap_or_default();
    let cwd = fields.text("cwd")?.map(|text| {
        // A relative folder is one of the project, as it is for the client.
        let is_plain = !text.starts_with(['/', '$', '~']) && !text.contains(':');
        match (&origin.project, is_plain) {
            (Some(project), true) => read("cwd", &project.join(text).to_string_lossy()),
            _ => read("cwd", text),
        }
    });
    Ok(Transport::Stdio(Stdio {
        command: shape::command(fields, "command", read("command", command)?)?,
        args: args.into_iter().map(|text| read("args", text)).collect::<Read<_>>()?,
        env: shape::env(fields, "env", |text| read("env", text))?,
        inherit: Vec::new(),
        cwd: cwd.transpose()?,
    }))
}

fn http(
    fields: &Fields<'_>,
    key: &str,
    kind: HttpKind,
    read: impl Fn(&str, &str) -> Read<Template>,
) -> Read<Transport> {
    let address = fields.text(key)?.unwrap_or_default();
    Ok(Transport::Http(Http {
        url: shape::url(fields, key, read(key, address)?)?,
        headers: shape::headers(fields, "headers", |text| read("headers", text))?,
        kind,
    }))
}

/// Notes every key that the form's row does not list. Keys of other forms are read all the same, since such files are copied around.
pub(super) fn note_unused(fields: &Fields<'_>, origin: &Origin, notes: &mut Vec<Note>) {
    let is_used = |key: &str| super::FORMS.iter().any(|row| row.keys.contains(&key));
    for entry in fields.entries().iter().filter(|entry| !is_used(&entry.key)) {
        let what =
            format!("`{}` is not used (in a file of {})", fields.name(&entry.key), origin.form);
        notes.push(Note { place: entry.place.clone(), what });
    }
}
