//! The upstreams of the file.

use super::keys::UPSTREAM;
use super::overrides::overrides;
use super::{Faults, Here, named, settings};
use crate::config::foreign::Form;
use crate::config::shape;
use crate::config::tree::{Entry, Fields, Read};
use crate::config::{
    Fault, Folders, Http, HttpKind, Origin, Stdio, Syntax, Template, Transport, Upstream,
    UpstreamId,
};
use crate::limits::UPSTREAMS_MAX;

/// Every protocol over HTTP with the name that settings give it.
const KINDS: [(&str, HttpKind); 3] =
    [("auto", HttpKind::Auto), ("streamable", HttpKind::Streamable), ("sse", HttpKind::Sse)];

pub(super) fn read(file: Fields<'_>, here: Here<'_>, faults: &mut Faults) -> Vec<Upstream> {
    let entries = faults.take(file.table("upstream"));
    if entries.is_some_and(|entries| entries.len() > UPSTREAMS_MAX) {
        let what = format!("has more than {UPSTREAMS_MAX} upstreams");
        faults.0.push(file.fault("upstream", &what, ""));
        return Vec::new();
    }
    let mut upstreams = Vec::new();
    faults.each(entries, |faults, entry| upstreams.extend(one(entry, here, faults)));
    upstreams
}

fn one(entry: &Entry, here: Here<'_>, faults: &mut Faults) -> Option<Upstream> {
    let path = format!("upstream.{}", entry.key);
    let id = UpstreamId::parse(&entry.key).map_err(|fault| {
        Fault::new(&entry.place, format!("an upstream cannot be called that: {fault}"), "")
    });
    let id = faults.take(id.map(Some));
    let fields = faults.fields(&entry.node, &path, &UPSTREAM)?;
    let transport = faults.take(transport(&fields, entry, here).map(Some));
    let timeouts = settings::timeouts(fields.get("timeouts"), &format!("{path}.timeouts"), faults);
    let upstream = Upstream {
        id: id?,
        origin: Origin { place: entry.place.clone(), form: Form::Native, project: None },
        is_enabled: faults.take(fields.truth("enabled")).unwrap_or(true),
        is_namespaced: faults.take(fields.truth("namespaced")).unwrap_or(true),
        description: faults.take(fields.text("description")).map(str::to_owned),
        tools: overrides(&fields, faults),
        timeouts,
        transport: transport?,
    };
    Some(upstream)
}

fn transport(fields: &Fields<'_>, entry: &Entry, here: Here<'_>) -> Read<Transport> {
    const STDIO: [&str; 4] = ["args", "env", "inherit", "cwd"];
    const HTTP: [&str; 2] = ["headers", "transport"];
    let misplaced = |keys: &[&str], with: &str| {
        let found = keys.iter().find(|key| fields.get(key).is_some());
        found.map(|key| fields.fault(key, &format!("means nothing beside `{with}`"), ""))
    };
    match (fields.text("command")?, fields.text("url")?) {
        (Some(command), None) => {
            misplaced(&HTTP, "command").map_or_else(|| stdio(fields, command, here), Err)
        }
        (None, Some(url)) => misplaced(&STDIO, "url").map_or_else(|| http(fields, url), Err),
        (Some(_), Some(_)) => {
            Err(fields.fault("url", "stands beside `command`", "an upstream has one of the two"))
        }
        (None, None) => Err(Fault::new(
            &entry.place,
            format!("`upstream.{}` has neither `command` nor `url`", entry.key),
            "give it the program to run or the address to reach",
        )),
    }
}

fn stdio(fields: &Fields<'_>, command: &str, here: Here<'_>) -> Read<Transport> {
    let args = fields.texts("args")?.unwrap_or_default();
    let args = args.into_iter().map(|text| read_template(fields, "args", text));
    let cwd = match fields.text("cwd")? {
        None => None,
        // A variable may hold any path; what is written out begins at the file's folder.
        Some(text) if text.starts_with('$') => Some(read_template(fields, "cwd", text)?),
        Some(text) => {
            let path = here.path(text);
            Some(read_template(fields, "cwd", &path.to_string_lossy())?)
        }
    };
    let inherit = fields.texts("inherit")?.unwrap_or_default();
    Ok(Transport::Stdio(Stdio {
        command: shape::command(fields, "command", read_template(fields, "command", command)?)?,
        args: args.collect::<Read<_>>()?,
        env: shape::env(fields, "env", |text| read_template(fields, "env", text))?,
        inherit: inherit.into_iter().map(str::to_owned).collect(),
        cwd,
    }))
}

fn http(fields: &Fields<'_>, url: &str) -> Read<Transport> {
    Ok(Transport::Http(Http {
        url: shape::url(fields, "url", read_template(fields, "url", url)?)?,
        headers: shape::headers(fields, "headers", |text| read_template(fields, "headers", text))?,
        kind: named(*fields, "transport", &KINDS)?.unwrap_or_default(),
    }))
}

/// Returns the template of a text under `key`.
pub(super) fn read_template(fields: &Fields<'_>, key: &str, text: &str) -> Read<Template> {
    Template::parse(text, Syntax::Native, &Folders::default()).map_err(|fault| {
        let hint = "variables are `${NAME}` or `${NAME:-default}`, and `$$` stands for `$`";
        fields.fault(key, &fault.to_string(), hint)
    })
}
