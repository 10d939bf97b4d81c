//! Reading settings and what they import from disk. This is the one place of the settings that touches files.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::foreign::{Foreign, Form, Note, SetAside};
use super::{ConfigError, Fault, Place, Settings, native};
use crate::limits::{CONFIG_BYTES_MAX, UPSTREAMS_MAX};

/// Where settings are read: what `~` and a client's own folders stand for.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The folder that the program was started in.
    pub cwd: Option<PathBuf>,
}

/// Settings with all that was found while they were read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// Servers of imported files that cannot be used as they stand.
    pub set_aside: Vec<SetAside>,
    /// What imported files say and is not used.
    pub notes: Vec<Note>,
    /// Every file that took part, to be watched.
    pub files: Vec<PathBuf>,
}

impl Loaded {
    /// Reads the settings in a file, of whatever form, and the files that it imports.
    ///
    /// What is wrong in an imported file is set aside; what is wrong in the file itself is an error.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is wrong.
    pub fn read(file: &Path, context: &Context) -> Result<Self, ConfigError> {
        let text = read_text(file)?;
        Self::parse(file, &text, context, &|file| read_text(file))
    }

    /// Reads settings from a text, with `read` for the files that it imports.
    ///
    /// # Errors
    ///
    /// The text is wrong.
    pub fn parse(
        file: &Path,
        text: &str,
        context: &Context,
        read: &dyn Fn(&Path) -> Result<String, ConfigError>,
    ) -> Result<Self, ConfigError> {
        let is_toml = file.extension().is_some_and(|extension| extension == "toml");
        let is_native = is_toml && {
            // A file that is no TOML gets the fault of the native form.
            let tree = super::tree::parse_toml(file, text);
            tree.is_err() || tree.is_ok_and(|tree| Form::of(file, &tree) == Some(Form::Native))
        };
        let mut loaded = Self {
            settings: Settings::default(),
            set_aside: Vec::new(),
            notes: Vec::new(),
            files: vec![file.to_owned()],
        };
        if !is_native {
            loaded.join(Foreign::detect(file, text, context)?);
            return Ok(loaded);
        }
        let native = native::parse(file, text, context.home.as_deref())?;
        loaded.settings = native.settings;
        let folder = file.parent().unwrap_or(Path::new(""));
        for import in &native.imports {
            let path = path_from(folder, context.home.as_deref(), import);
            loaded.import(file, &path, context, read);
        }
        Ok(loaded)
    }

    fn import(
        &mut self,
        from: &Path,
        path: &Path,
        context: &Context,
        read: &dyn Fn(&Path) -> Result<String, ConfigError>,
    ) {
        self.files.push(path.to_owned());
        let aside = |fault| SetAside { name: path.display().to_string(), fault };
        let text = match read(path) {
            Ok(text) => text,
            Err(error) => {
                let what = format!("{error}{}", cause(&error));
                self.set_aside.push(aside(Fault::new(&Place::start(from), what, "")));
                return;
            }
        };
        match Foreign::of_client(path, &text, context) {
            Ok(foreign) => self.join(foreign),
            Err(fault) => self.set_aside.push(aside(fault)),
        }
    }

    /// Takes over the servers of a file; an id that is taken already keeps its first holder.
    fn join(&mut self, foreign: Foreign) {
        self.set_aside.extend(foreign.set_aside);
        self.notes.extend(foreign.notes);
        for upstream in foreign.upstreams {
            let place = &upstream.origin.place;
            let fault = match self.settings.upstream(&upstream.id) {
                Some(holder) if holder.transport == upstream.transport => continue,
                Some(holder) => {
                    let what = format!("its name is taken by {}", holder.origin.place);
                    Some(Fault::new(place, what, "rename one of the two"))
                }
                None if self.settings.upstreams.len() >= UPSTREAMS_MAX => {
                    let what = format!("there are more than {UPSTREAMS_MAX} upstreams");
                    Some(Fault::new(place, what, ""))
                }
                None => None,
            };
            match fault {
                Some(fault) => {
                    self.set_aside.push(SetAside { name: upstream.id.to_string(), fault });
                }
                None => self.settings.upstreams.push(upstream),
            }
        }
    }
}

fn cause(error: &ConfigError) -> String {
    std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default()
}

/// Returns the text of a file of settings.
///
/// # Errors
///
/// It cannot be read, is larger than [`CONFIG_BYTES_MAX`], or is no UTF-8.
pub fn read_text(file: &Path) -> Result<String, ConfigError> {
    let shown = || file.display().to_string();
    let mut text = String::new();
    let read =
        File::open(file).and_then(|open| open.take(CONFIG_BYTES_MAX + 1).read_to_string(&mut text));
    read.map_err(|source| ConfigError::Unreadable { file: shown(), source })?;
    match text.len() as u64 > CONFIG_BYTES_MAX {
        true => Err(ConfigError::Large { file: shown() }),
        false => Ok(text),
    }
}

/// Returns the path that a text of a file in `folder` spells.
pub(crate) fn path_from(folder: &Path, home: Option<&Path>, text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.join(text),
    }
}

#[cfg(test)]
mod tests;
