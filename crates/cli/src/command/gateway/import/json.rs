//! What an import has found, for a program.

use std::io::Write;
use std::path::Path;

use oncue_gateway::clients::{Imported, Renamed, SecretsFound};
use oncue_gateway::config::{Note, SetAside};
use serde::Serialize;

use super::{Report, Source, State, Target};
use crate::command::gateway::check::transport;
use crate::command::gateway::place::PlaceJson;
use crate::command::{JSON_VERSION, write_json};
use crate::failure::Failure;

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    /// Where the settings go.
    file: Option<&'a Path>,
    written: bool,
    backup: Option<&'a Path>,
    sources: Vec<SourceJson<'a>>,
    upstreams: Vec<UpstreamJson<'a>>,
    renamed: Vec<RenamedJson<'a>>,
    set_aside: Vec<SetAsideJson<'a>>,
    notes: Vec<NoteJson<'a>>,
    secrets: Vec<SecretJson<'a>>,
}

#[derive(Serialize)]
struct SourceJson<'a> {
    file: &'a Path,
    client: Option<&'static str>,
    scope: Option<&'static str>,
    servers: usize,
}

#[derive(Serialize)]
struct UpstreamJson<'a> {
    id: &'a str,
    transport: &'static str,
    target: String,
    enabled: bool,
    /// Where it stands, the place that was taken first.
    places: Vec<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct RenamedJson<'a> {
    place: PlaceJson<'a>,
    from: &'a str,
    to: &'a str,
}

#[derive(Serialize)]
struct SetAsideJson<'a> {
    name: &'a str,
    place: PlaceJson<'a>,
    what: &'a str,
    hint: &'a str,
}

#[derive(Serialize)]
struct NoteJson<'a> {
    place: PlaceJson<'a>,
    what: &'a str,
}

#[derive(Serialize)]
struct SecretJson<'a> {
    upstream: &'a str,
    place: PlaceJson<'a>,
    what: &'a str,
    /// What stands for it; absent where it is written out.
    variable: Option<&'a str>,
}

pub(super) fn write_answer(report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let import = &report.import;
    let file = match &report.target {
        Target::File(path) => Some(path.as_path()),
        Target::StandardOutput => None,
    };
    let (written, backup) = match &report.state {
        State::Written(backup) => (true, backup.as_deref()),
        State::Planned | State::Same => (false, None),
    };
    let answer = Answer {
        version: JSON_VERSION,
        file,
        written,
        backup,
        sources: report.sources.iter().map(|file| source(file, report)).collect(),
        upstreams: import.upstreams.iter().map(upstream).collect(),
        renamed: import.renamed.iter().map(renamed).collect(),
        set_aside: import.set_aside.iter().map(set_aside).collect(),
        notes: import.notes.iter().map(note).collect(),
        secrets: report.secrets.iter().map(secret).collect(),
    };
    write_json(out, &answer)
}

fn source<'a>(source: &'a Source, report: &Report) -> SourceJson<'a> {
    SourceJson {
        file: &source.path,
        client: source.known.map(|(client, _)| client.id()),
        scope: source.known.map(|(_, scope)| scope.word()),
        servers: report.count(&source.path),
    }
}

fn upstream(imported: &Imported) -> UpstreamJson<'_> {
    let Imported { upstream, also } = imported;
    UpstreamJson {
        id: upstream.id.as_str(),
        transport: transport(&upstream.transport),
        target: upstream.transport.to_string(),
        enabled: upstream.is_enabled,
        places: std::iter::once(&upstream.origin.place).chain(also).map(PlaceJson::from).collect(),
    }
}

fn renamed(renamed: &Renamed) -> RenamedJson<'_> {
    let Renamed { place, from, to } = renamed;
    RenamedJson { place: place.into(), from: from.as_str(), to: to.as_str() }
}

fn set_aside(aside: &SetAside) -> SetAsideJson<'_> {
    let fault = &aside.fault;
    SetAsideJson {
        name: &aside.name,
        place: (&fault.place).into(),
        what: &fault.what,
        hint: &fault.hint,
    }
}

fn note(note: &Note) -> NoteJson<'_> {
    NoteJson { place: (&note.place).into(), what: &note.what }
}

fn secret(found: &SecretsFound) -> SecretJson<'_> {
    let SecretsFound { upstream, place, what, variable } = found;
    SecretJson {
        upstream: upstream.as_str(),
        place: place.into(),
        what,
        variable: variable.as_deref(),
    }
}
