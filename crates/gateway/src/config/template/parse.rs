//! Reading a text for the variables that it names. Each form of settings has its own signs for them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Part, Reference, Template};
use crate::limits::SHOWN_NAME_CHARS_MAX;

/// How a form of settings names variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Not at all: every text stands for itself.
    Literal,
    /// `${NAME}` and `${NAME:-default}`; `$$` stands for `$`; anything else in `${…}` is a fault.
    Native,
    /// The same without `$$`, and `${env:NAME}`, `${input:id}`, `${workspaceFolder}` and their like; what is not closed stands for itself.
    Braces,
    /// The same, and `$NAME`, which stands for itself where the variable is not set.
    Dollar,
}

/// What a text may refer to beyond variables.
#[derive(Clone, Copy, Default)]
pub(crate) struct Folders<'f> {
    pub(crate) home: Option<&'f Path>,
    pub(crate) project: Option<&'f Path>,
    /// The questions of an editor by id, with their default answers.
    pub(crate) inputs: Option<&'f BTreeMap<String, Option<String>>>,
}

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TemplateFault {
    #[error("has a `${{` without its `}}`")]
    Open,
    #[error("has a `${{…}}` that is no name of a variable")]
    Name,
    #[error("has a variable inside a `${{…}}`")]
    Nested,
    #[error("refers to `${{{0}}}`, which only the client itself can resolve")]
    Foreign(String),
    #[error("refers to `${{input:{0}}}`, which the file does not declare")]
    Input(String),
}

impl Template {
    /// Returns the template that `text` spells.
    pub(crate) fn parse(
        text: &str,
        syntax: Syntax,
        folders: &Folders<'_>,
    ) -> Result<Self, TemplateFault> {
        let mut reader = Reader { syntax, folders, parts: Vec::new(), text: String::new() };
        if syntax == Syntax::Literal {
            return Ok(Self::literal(text));
        }
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, from) = rest.split_at(at);
            reader.text.push_str(before);
            rest = reader.sign(from)?;
        }
        reader.text.push_str(rest);
        Ok(reader.finish())
    }
}

struct Reader<'r> {
    syntax: Syntax,
    folders: &'r Folders<'r>,
    parts: Vec<Part>,
    /// What has been read since the last variable.
    text: String,
}

impl Reader<'_> {
    /// Reads what begins with `$` and returns what is behind it.
    fn sign<'t>(&mut self, from: &'t str) -> Result<&'t str, TemplateFault> {
        if let (Syntax::Native, Some(rest)) = (self.syntax, from.strip_prefix("$$")) {
            self.text.push('$');
            return Ok(rest);
        }
        if let Some(inside) = from.strip_prefix("${") {
            return match inside.split_once('}') {
                Some((name, rest)) => self.braced(name).map(|()| rest),
                None if self.syntax == Syntax::Native => Err(TemplateFault::Open),
                None => {
                    self.text.push_str(from);
                    Ok("")
                }
            };
        }
        let behind = from.strip_prefix('$').unwrap_or(from);
        let name: &str = behind
            .split_once(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(behind, |(name, _)| name);
        if self.syntax == Syntax::Dollar && is_variable(name) {
            let default = Some(format!("${name}").into());
            self.refer(Reference { default, ..Reference::new(name) });
            return Ok(behind.strip_prefix(name).unwrap_or_default());
        }
        self.text.push('$');
        Ok(behind)
    }

    fn braced(&mut self, inside: &str) -> Result<(), TemplateFault> {
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        if inside.contains("${") {
            return Err(TemplateFault::Nested);
        }
        let is_native = self.syntax == Syntax::Native;
        let name = if is_native { name } else { name.strip_prefix("env:").unwrap_or(name) };
        // Editors have names that no shell would take, of which each is answered here or refused.
        if !is_native && let Some(known) = self.predefined(name)? {
            self.text.push_str(&known);
            return Ok(());
        }
        if let (false, Some(id)) = (is_native, name.strip_prefix("input:")) {
            return self.input(id);
        }
        if !is_variable(name) {
            let is_shown = name.chars().count() <= SHOWN_NAME_CHARS_MAX
                && name.split_once(':').is_some_and(|(kind, _)| is_variable(kind));
            let kind = name.split(':').next().unwrap_or_default();
            return Err(match is_shown {
                true => TemplateFault::Foreign(format!("{kind}:…")),
                false => TemplateFault::Name,
            });
        }
        self.refer(Reference { default: default.map(Into::into), ..Reference::new(name) });
        Ok(())
    }

    /// Returns what a name of an editor stands for; `None` where it is no such name.
    fn predefined(&self, name: &str) -> Result<Option<String>, TemplateFault> {
        let folder = match name {
            "userHome" => self.folders.home,
            "workspaceFolder" | "workspaceRoot" | "workspaceFolderBasename" | "cwd" => {
                self.folders.project
            }
            "pathSeparator" | "/" => return Ok(Some(std::path::MAIN_SEPARATOR.to_string())),
            _ => return Ok(None),
        };
        let folder = match name {
            "workspaceFolderBasename" => folder.and_then(Path::file_name),
            _ => folder.map(Path::as_os_str),
        };
        let known = folder.map(|folder| folder.to_string_lossy().into_owned());
        known.map(Some).ok_or_else(|| TemplateFault::Foreign(name.to_owned()))
    }

    /// Reads a question of an editor: nobody is asked here, a variable answers.
    fn input(&mut self, id: &str) -> Result<(), TemplateFault> {
        let declared = self.folders.inputs.and_then(|inputs| inputs.get(id));
        let Some(default) = declared else {
            let shown: String = id.chars().take(SHOWN_NAME_CHARS_MAX).collect();
            return Err(TemplateFault::Input(shown));
        };
        self.refer(Reference {
            variable: variable_of(id),
            input: Some(id.to_owned()),
            default: default.as_deref().map(Into::into),
        });
        Ok(())
    }

    fn refer(&mut self, reference: Reference) {
        self.flush();
        self.parts.push(Part::Reference(reference));
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text).into()));
        }
    }

    fn finish(mut self) -> Template {
        self.flush();
        if self.parts.is_empty() {
            return Template::literal("");
        }
        Template { parts: self.parts }
    }
}

/// Returns the variable that answers a question: its id in capitals, with `_` for what no variable may have.
fn variable_of(id: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = id.chars().map(letter).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Says whether a shell would take the name for a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
