//! The forms in which clients keep their servers, read as they are. They are lenient: one bad server is set aside while its siblings live.

mod entry;
mod form;
mod toml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use form::FORMS;
pub use form::Form;

use super::tree::{Entry, Node, Value, parse_json, parse_toml};
use super::{Context, Fault, Folders, Origin, Place, Upstream, UpstreamId};
use crate::limits::UPSTREAMS_MAX;

/// What a file of a client says.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// Its form.
    pub form: Form,
    /// Its servers, in its order.
    pub upstreams: Vec<Upstream>,
    /// Servers that cannot be used as they stand.
    pub set_aside: Vec<SetAside>,
    /// What the file says and is not used.
    pub notes: Vec<Note>,
}

/// A server that cannot be used as it stands, while its siblings can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Its name in the file.
    pub name: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Something that a file says and that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub what: String,
}

impl Foreign {
    /// Reads a text of the given form.
    ///
    /// # Errors
    ///
    /// The text is no TOML or JSON, or holds no table of servers where it must.
    pub fn read(form: Form, file: &Path, text: &str, context: &Context) -> Result<Self, Fault> {
        let tree = parse(file, text)?;
        Self::of_tree(form, file, &tree, context)
    }

    /// Reads a text whose form is told by its name and content.
    ///
    /// # Errors
    ///
    /// The same, or the form cannot be told.
    pub(crate) fn detect(file: &Path, text: &str, context: &Context) -> Result<Self, Fault> {
        let tree = parse(file, text)?;
        let form = Form::of(file, &tree).ok_or_else(|| {
            let what = "it holds no servers: there is neither `mcpServers` nor `servers` nor `mcp_servers`";
            Fault::new(&tree.place, what, "docs/config.md lists the forms that are read")
        })?;
        Self::of_tree(form, file, &tree, context)
    }

    /// Reads a text of any client, whose form is told by its name and content.
    ///
    /// # Errors
    ///
    /// The same, or the text is in the native form.
    pub(crate) fn of_client(file: &Path, text: &str, context: &Context) -> Result<Self, Fault> {
        let read = Self::detect(file, text, context)?;
        match read.form {
            Form::Native => {
                let what = "a file in the native form cannot be imported";
                Err(Fault::new(&Place::start(file), what, "move its upstreams by hand"))
            }
            _ => Ok(read),
        }
    }

    fn of_tree(form: Form, file: &Path, tree: &Node, context: &Context) -> Result<Self, Fault> {
        let project = project_of(file, context.home.as_deref());
        let mut read =
            Self { form, upstreams: Vec::new(), set_aside: Vec::new(), notes: Vec::new() };
        let inputs = inputs(tree);
        let folders = Folders {
            home: context.home.as_deref(),
            project: project.as_deref().or(context.cwd.as_deref()),
            inputs: Some(&inputs),
        };
        for servers in form.servers(tree, context)? {
            for (at, entry) in servers.iter().enumerate() {
                let again = servers.iter().skip(at + 1).find(|later| later.key == entry.key);
                match again {
                    Some(again) => read.notes.push(Note {
                        place: entry.place.clone(),
                        what: format!(
                            "`{}` stands here again in line {}, which holds",
                            entry.key, again.place.line
                        ),
                    }),
                    None => read.server(entry, project.as_ref(), &folders),
                }
            }
        }
        if form == Form::Gemini {
            read.choose(tree);
        }
        Ok(read)
    }

    fn server(&mut self, entry: &Entry, project: Option<&PathBuf>, folders: &Folders<'_>) {
        let origin =
            Origin { place: entry.place.clone(), form: self.form, project: project.cloned() };
        let id = UpstreamId::parse(&entry.key).map_err(|fault| {
            Fault::new(&entry.place, format!("its name cannot be used: {fault}"), "")
        });
        if self.upstreams.iter().any(|upstream| upstream.id.as_str() == entry.key) {
            // The client looks at the project's servers first.
            let what = format!("`{}` stands above too, which holds", entry.key);
            self.notes.push(Note { place: entry.place.clone(), what });
            return;
        }
        let many = self.upstreams.len() >= UPSTREAMS_MAX;
        let read = id.and_then(|id| match many {
            true => {
                let what = format!("there are more than {UPSTREAMS_MAX} upstreams");
                Err(Fault::new(&entry.place, what, ""))
            }
            false => match self.form {
                Form::Codex => toml::read(entry, id, origin, &mut self.notes),
                _ => entry::read(entry, id, origin, folders, &mut self.notes),
            },
        });
        match read {
            Ok(upstream) => self.upstreams.push(upstream),
            Err(fault) => self.set_aside.push(SetAside { name: entry.key.clone(), fault }),
        }
    }

    /// Switches servers off that the file allows or excludes by name.
    fn choose(&mut self, tree: &Node) {
        let listed = |key: &str| match tree.get("mcp").and_then(|mcp| mcp.get(key)) {
            Some(Node { value: Value::List(nodes), .. }) => Some(nodes.as_slice()),
            _ => None,
        };
        let names = |nodes: &[Node], id: &UpstreamId| {
            nodes.iter().any(|node| matches!(&node.value, Value::Text(name) if name == id.as_str()))
        };
        let (allowed, excluded) = (listed("allowed"), listed("excluded"));
        for upstream in &mut self.upstreams {
            let is_allowed = allowed.is_none_or(|nodes| names(nodes, &upstream.id));
            let is_excluded = excluded.is_some_and(|nodes| names(nodes, &upstream.id));
            upstream.is_enabled &= is_allowed && !is_excluded;
        }
    }
}

/// Returns the tree of a text, as TOML or JSON by the name of its file.
fn parse(file: &Path, text: &str) -> Result<Node, Fault> {
    match file.extension().is_some_and(|extension| extension == "toml") {
        true => parse_toml(file, text),
        false => parse_json(file, text),
    }
}

/// Returns the folder of the project that a file belongs to; `None` where it is a user's own.
pub(crate) fn project_of(file: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let folder = file.parent()?;
    if file.ends_with(".mcp.json") {
        return Some(folder.to_owned()).filter(|folder| folder != Path::new(""));
    }
    // Clients keep a project's file in a folder of their own, as they keep the user's in one of the home.
    let own = FORMS.iter().flat_map(|row| row.files).filter(|file| file.starts_with('.'));
    let mut own = own.filter_map(|file| file.split_once('/')).map(|(folder, _)| folder);
    let is_of_project = own.any(|own| folder.ends_with(own));
    let project = folder.parent().filter(|_| is_of_project)?;
    (Some(project) != home && project != Path::new("")).then(|| project.to_owned())
}

/// Returns the questions that a file of an editor asks, with their default answers.
fn inputs(tree: &Node) -> BTreeMap<String, Option<String>> {
    let text = |node: &Node, key: &str| match node.get(key).map(|node| &node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let Some(Node { value: Value::List(inputs), .. }) =
        tree.get("inputs").or_else(|| tree.get("mcp")?.get("inputs"))
    else {
        return BTreeMap::new();
    };
    inputs.iter().filter_map(|input| Some((text(input, "id")?, text(input, "default")))).collect()
}

#[cfg(test)]
mod tests;
