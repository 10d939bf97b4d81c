//! The servers of several clients as one list, and as a file of settings. It lives as long as the import.

mod render;

use std::path::{Path, PathBuf};

pub use render::{Secrets, SecretsFound};

use super::ClientFile;
use crate::config::{
    ConfigError, Context, Foreign, Form, Note, Place, SetAside, Surroundings, Transport, Upstream,
    UpstreamId, starts_gateway,
};
use crate::limits::UPSTREAM_ID_CHARS_MAX;

/// A file to import from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its form; absent where its name and content tell.
    pub form: Option<Form>,
}

impl From<ClientFile> for ImportFile {
    fn from(file: ClientFile) -> Self {
        Self { path: file.path, form: Some(file.client.form()) }
    }
}

/// The servers of several files, each once.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The servers, in the order of the files.
    pub upstreams: Vec<Imported>,
    /// Servers that go by another name now, since theirs was taken.
    pub renamed: Vec<Renamed>,
    /// Servers and files that cannot be used as they stand.
    pub set_aside: Vec<SetAside>,
    /// What the files say and is not used.
    pub notes: Vec<Note>,
}

/// A server with all the places that name it.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The server, as the first place says.
    pub upstream: Upstream,
    /// The other places where the same server stands.
    pub also: Vec<Place>,
}

/// A server that goes by another name now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Where it stands.
    pub place: Place,
    /// Its name there.
    pub from: UpstreamId,
    /// Its name now.
    pub to: UpstreamId,
}

impl Import {
    /// Reads the files of clients, with `read` for their texts, and merges their servers.
    ///
    /// A server that stands in several files is taken once; of different servers with one name, the later ones get a number behind theirs.
    /// An entry that leads to this gateway is left out.
    #[must_use]
    pub fn of(
        files: &[ImportFile],
        context: &Context,
        surroundings: &Surroundings,
        read: &dyn Fn(&Path) -> Result<String, ConfigError>,
    ) -> Self {
        let mut import = Self::default();
        for file in files {
            let foreign = read(&file.path).map_err(|error| {
                let what = match std::error::Error::source(&error) {
                    Some(cause) => format!("{error}: {cause}"),
                    None => error.to_string(),
                };
                crate::config::Fault::new(&Place::start(&file.path), what, "")
            });
            let foreign = foreign.and_then(|text| match file.form {
                Some(form) => Foreign::read(form, &file.path, &text, context),
                None => Foreign::of_client(&file.path, &text, context),
            });
            match foreign {
                Ok(foreign) => import.join(foreign, surroundings),
                Err(fault) => {
                    import
                        .set_aside
                        .push(SetAside { name: file.path.display().to_string(), fault });
                }
            }
        }
        import
    }

    fn join(&mut self, foreign: Foreign, surroundings: &Surroundings) {
        self.set_aside.extend(foreign.set_aside);
        self.notes.extend(foreign.notes);
        for mut upstream in foreign.upstreams {
            let place = upstream.origin.place.clone();
            if matches!(&upstream.transport, Transport::Stdio(stdio) if starts_gateway(stdio, surroundings))
            {
                let what = format!("`{}` is this gateway and left out", upstream.id);
                self.notes.push(Note { place, what });
                continue;
            }
            let same = self.upstreams.iter_mut().find(|known| is_same(&known.upstream, &upstream));
            if let Some(known) = same {
                known.also.push(place);
                continue;
            }
            if let Some(to) = self.free_name(&upstream.id) {
                self.renamed.push(Renamed { place, from: upstream.id.clone(), to: to.clone() });
                upstream.id = to;
            }
            self.upstreams.push(Imported { upstream, also: Vec::new() });
        }
    }

    /// Returns a name with a number behind it where the name is taken.
    fn free_name(&self, id: &UpstreamId) -> Option<UpstreamId> {
        let is_taken =
            |name: &UpstreamId| self.upstreams.iter().any(|known| known.upstream.id == *name);
        if !is_taken(id) {
            return None;
        }
        let numbered = (2..=self.upstreams.len() + 2).filter_map(|number| {
            let ending = format!("-{number}");
            let room = UPSTREAM_ID_CHARS_MAX.saturating_sub(ending.len());
            let head: String = id.as_str().chars().take(room).collect();
            UpstreamId::parse(&format!("{}{ending}", head.trim_end())).ok()
        });
        numbered.into_iter().find(|name| !is_taken(name))
    }
}

/// Says whether two entries are one server: reached in the same way, with the same credentials. Where a client would start it counts if it says so.
fn is_same(left: &Upstream, right: &Upstream) -> bool {
    left.transport == right.transport
}

#[cfg(test)]
mod tests;
