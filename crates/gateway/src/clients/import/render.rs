//! The servers of an import as a text in the native form.

use std::collections::BTreeSet;

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};

use super::{Import, Imported};
use crate::config::{
    Http, HttpKind, Place, Stdio, Template, Transport, Upstream, UpstreamId, secret_places,
};

/// What becomes of secrets that stand written out in the clients' files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// They stay written out.
    Keep,
    /// Those in variables and headers become `${NAME}`, for the person to set.
    Variables,
}

/// A secret that stands written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretsFound {
    /// Whose it is.
    pub upstream: UpstreamId,
    /// Where that stands.
    pub place: Place,
    /// What holds it, such as `env.TOKEN`.
    pub what: String,
    /// The variable that stands for it now; absent where it is still written out.
    pub variable: Option<String>,
}

impl Import {
    /// Returns the servers as a file in the native form, and the secrets that stood written out.
    ///
    /// The text may hold secrets: it is for the file that it goes to, and for nothing else.
    #[must_use]
    pub fn render(&self, secrets: Secrets) -> (String, Vec<SecretsFound>) {
        let mut upstreams = Table::new();
        upstreams.set_implicit(true);
        let mut found = Vec::new();
        // A variable that some server names already holds something else.
        let texts = self.upstreams.iter().flat_map(|imported| imported.upstream.templates());
        let named = texts.flat_map(|text| text.references());
        let mut taken: BTreeSet<String> = named.map(|named| named.variable().to_owned()).collect();
        for imported in &self.upstreams {
            let mut upstream = imported.upstream.clone();
            for what in secret_places(&upstream) {
                let variable = match secrets {
                    Secrets::Keep => None,
                    Secrets::Variables => by_variable(&mut upstream, &what, &mut taken),
                };
                found.push(SecretsFound {
                    upstream: upstream.id.clone(),
                    place: upstream.origin.place.clone(),
                    what,
                    variable,
                });
            }
            let mut table = table(&upstream);
            table.decor_mut().set_prefix(format!("\n{}", origin(imported)));
            upstreams.insert(upstream.id.as_str(), Item::Table(table));
        }
        let mut document = DocumentMut::new();
        document.insert("upstream", Item::Table(upstreams));
        let text = document.to_string();
        (text.strip_prefix('\n').map(str::to_owned).unwrap_or(text), found)
    }
}

/// Puts a variable in the place of a secret in a variable or a header, and returns its name; `None` where there can be none.
fn by_variable(
    upstream: &mut Upstream,
    what: &str,
    taken: &mut BTreeSet<String>,
) -> Option<String> {
    let (kind, name) = what.split_once('.')?;
    let place = match (&mut upstream.transport, kind) {
        (Transport::Stdio(stdio), "env") => stdio.env.get_mut(name)?,
        (Transport::Http(http), "headers") => {
            &mut http.headers.iter_mut().find(|(known, _)| known == name)?.1
        }
        _ => return None,
    };
    let variable = free_variable(upstream.id.as_str(), name, taken);
    let text = place.exposed(|_| String::new());
    let scheme = ["Bearer ", "Basic ", "token "];
    *place = match scheme.into_iter().find(|scheme| text.starts_with(scheme)) {
        Some(scheme) => Template::variable(&variable).after(scheme),
        None => Template::variable(&variable),
    };
    Some(variable)
}

/// Returns a variable for a place of an upstream that stands for no other: two servers may call different secrets alike.
fn free_variable(upstream: &str, name: &str, taken: &mut BTreeSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let plain: String = format!("{upstream}_{name}").chars().map(letter).collect();
    let plain = match plain.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{plain}"),
        false => plain,
    };
    let mut variable = plain.clone();
    for number in 2.. {
        if taken.insert(variable.clone()) {
            break;
        }
        variable = format!("{plain}_{number}");
    }
    variable
}

/// Returns the comment that says where a server is from.
fn origin(imported: &Imported) -> String {
    let of = |place: &Place| place.file.display().to_string().replace(char::is_control, " ");
    let first = of(&imported.upstream.origin.place);
    let more = imported.also.iter().map(|place| format!("# also in {}\n", of(place)));
    format!("# from {first}\n{}", more.collect::<String>())
}

fn table(upstream: &Upstream) -> Table {
    let mut table = Table::new();
    match &upstream.transport {
        Transport::Stdio(stdio) => {
            let project = upstream.origin.project.as_ref();
            let project = project.map(|project| Template::literal(&project.to_string_lossy()));
            process(&mut table, stdio, project);
        }
        Transport::Http(http) => server(&mut table, http),
    }
    if !upstream.is_enabled {
        table.insert("enabled", value(false));
    }
    if let Some(description) = &upstream.description {
        table.insert("description", value(description));
    }
    let globs = |globs: &[oncue_tools::Glob]| {
        value(globs.iter().map(oncue_tools::Glob::as_str).collect::<Array>())
    };
    if let Some(only) = &upstream.tools.only {
        table.insert("only", globs(only));
    }
    if !upstream.tools.hidden.is_empty() {
        table.insert("hidden", globs(&upstream.tools.hidden));
    }
    let times = [("call", upstream.timeouts.call), ("start", upstream.timeouts.start)];
    let times = times.into_iter().filter_map(|(key, time)| Some((key, time?)));
    let times: InlineTable = times
        .map(|(key, time)| (key, Value::from(humantime::format_duration(time).to_string())))
        .collect();
    if !times.is_empty() {
        table.insert("timeouts", value(times));
    }
    table
}

fn process(table: &mut Table, stdio: &Stdio, project: Option<Template>) {
    table.insert("command", value(stdio.command.written()));
    if !stdio.args.is_empty() {
        table.insert("args", value(stdio.args.iter().map(Template::written).collect::<Array>()));
    }
    if !stdio.env.is_empty() {
        let env = stdio.env.iter().map(|(name, text)| (name.as_str(), text.written()));
        table.insert("env", value(env.collect::<InlineTable>()));
    }
    if !stdio.inherit.is_empty() {
        table.insert("inherit", value(stdio.inherit.iter().collect::<Array>()));
    }
    if let Some(cwd) = stdio.cwd.clone().or(project) {
        table.insert("cwd", value(cwd.written()));
    }
}

fn server(table: &mut Table, http: &Http) {
    table.insert("url", value(http.url.written()));
    if !http.headers.is_empty() {
        let headers = http.headers.iter().map(|(name, text)| (name.as_str(), text.written()));
        table.insert("headers", value(headers.collect::<InlineTable>()));
    }
    match http.kind {
        HttpKind::Auto => {}
        HttpKind::Streamable => drop(table.insert("transport", value("streamable"))),
        HttpKind::Sse => drop(table.insert("transport", value("sse"))),
    }
}
