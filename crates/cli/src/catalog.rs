//! The catalog that a command works on: every tool of the given files under one index. It lives as long as the command.

mod input;
mod meaning;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_search::{Admit, Candidates, Document, Hit, Index, Settings};
use oncue_tools::Definition;
use oncue_tools::ingest::{self, Listing};
use serde::Serialize;

pub(crate) use self::input::Input;
use crate::args::CatalogArgs;
use crate::command::{Behind, is_settings};
use crate::embedded;
use crate::failure::Failure;
use crate::limits::SET_ASIDE_SHOWN;
use crate::text::{counted, printable};

/// Every tool of the given files.
pub(crate) struct Catalog {
    /// The index over all of them.
    pub(crate) index: Index,
    /// The definitions by source, in the order in which the index holds them.
    definitions: BTreeMap<String, Vec<Definition>>,
    /// What was not taken in.
    pub(crate) set_aside: Vec<SetAside>,
}

/// Something that was not taken in: a tool, or a file of a folder.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SetAside {
    /// The file.
    pub(crate) file: String,
    /// The place in the file; empty for the whole file.
    pub(crate) place: String,
    /// The tool's name, as far as it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Why.
    pub(crate) reason: String,
}

impl Catalog {
    /// Reads what `args` name, or the embedded catalog, and says on `err` what was set aside.
    pub(crate) fn open(args: &CatalogArgs, err: &mut dyn Write) -> Result<Self, Failure> {
        Self::read(&args.catalog, args.verbose, err)
    }

    /// Reads `paths`, or the embedded catalog where there are none, and says on `err` what was set aside.
    pub(crate) fn read(
        paths: &[PathBuf],
        verbose: bool,
        err: &mut dyn Write,
    ) -> Result<Self, Failure> {
        let (settings, files): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.iter().cloned().partition(|path| is_of_gateway(path));
        let catalog = match paths {
            [] => Self::embedded()?,
            _ => {
                let mut gathering = Gathering::default();
                for file in settings {
                    gathering.take_servers(&file, err)?;
                }
                for input in input::inputs(&files)? {
                    gathering.take(input)?;
                }
                gathering.finish(built)?
            }
        };
        catalog.report_set_aside(verbose, err);
        Ok(catalog)
    }

    /// Returns how many tools there are.
    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns every tool, as a ranker may see them.
    pub(crate) fn candidates(&self) -> Candidates<'_> {
        self.index.candidates(Admit::All)
    }

    /// Iterates over the tools with the ids of their sources.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.definitions
            .iter()
            .flat_map(|(source, tools)| tools.iter().map(move |tool| (source.as_str(), tool)))
    }

    /// Returns why a tool that is called `name` was set aside, if one was.
    pub(crate) fn set_aside_named(&self, name: &str) -> Option<&SetAside> {
        self.set_aside.iter().find(|aside| aside.name.as_deref() == Some(name))
    }

    /// Returns the definition of a hit.
    pub(crate) fn definition(&self, hit: &Hit<'_>) -> Option<&Definition> {
        self.definitions.get(hit.source)?.get(usize::try_from(hit.position).ok()?)
    }

    /// The embedded catalog, with an index built from its texts rather than read.
    pub(crate) fn rebuilt() -> Result<Self, Failure> {
        Gathering::embedded()?.finish(built)
    }

    fn embedded() -> Result<Self, Failure> {
        Gathering::embedded()?.finish(embedded::index)
    }

    /// One line for a few; all with `verbose`.
    fn report_set_aside(&self, verbose: bool, err: &mut dyn Write) {
        if self.set_aside.is_empty() {
            return;
        }
        let shown = if verbose { usize::MAX } else { SET_ASIDE_SHOWN };
        let texts: Vec<String> =
            self.set_aside.iter().take(shown).map(|aside| printable(&aside.to_string())).collect();
        let count = counted(self.set_aside.len(), "item");
        // A warning that cannot be written is no reason to withhold the answer.
        let _ = if verbose {
            writeln!(err, "warning: {count} set aside:\n  {}", texts.join("\n  "))
        } else if self.set_aside.len() > texts.len() {
            writeln!(
                err,
                "warning: {count} set aside: {}; … (all with `--verbose`)",
                texts.join("; ")
            )
        } else {
            writeln!(err, "warning: {count} set aside: {}", texts.join("; "))
        };
    }
}

impl std::fmt::Display for SetAside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if !self.place.is_empty() {
            write!(f, " {}", self.place)?;
        }
        if let Some(name) = &self.name {
            write!(f, " `{name}`")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// A catalog in the making.
#[derive(Default)]
struct Gathering {
    definitions: BTreeMap<String, Vec<Definition>>,
    known: HashSet<(String, String)>,
    set_aside: Vec<SetAside>,
    /// The first file of a folder that is no catalog; an error if nothing else was read.
    unread: Option<Failure>,
}

impl Gathering {
    fn embedded() -> Result<Self, Failure> {
        let mut gathering = Self::default();
        gathering.merge("embedded catalog", embedded::listing().map_err(Failure::input)?);
        Ok(gathering)
    }

    fn take(&mut self, input: Input) -> Result<(), Failure> {
        let Input { file, origin, from_folder, bytes } = input;
        let failure = match bytes.map(|bytes| ingest::read(&bytes, &origin)) {
            Ok(Ok(listing)) => {
                self.merge(&file, listing);
                return Ok(());
            }
            Ok(Err(error)) => Failure::input(
                anyhow::Error::new(error).context(format!("failed to read catalog `{file}`")),
            )
            .hint(format!(
                "a catalog is a `tools/list` result or one tool a line; see what is in it: head -c 300 '{file}'"
            )),
            Err(failure) => failure,
        };
        if !from_folder {
            return Err(failure);
        }
        let reason = failure.error.root_cause().to_string();
        self.set_aside.push(SetAside { file, place: String::new(), name: None, reason });
        self.unread.get_or_insert(failure);
        Ok(())
    }

    /// Takes what the servers in settings of a gateway offer; what is not known yet is asked of them.
    fn take_servers(&mut self, file: &Path, err: &mut dyn Write) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let sources = runtime.map_err(Failure::input)?.block_on(async {
            let behind = Behind::open(file, err).await?;
            let sources = behind.definitions();
            behind.close().await;
            Ok::<_, Failure>(sources)
        })?;
        for (source, definitions) in sources {
            for definition in definitions {
                self.known.insert((source.clone(), definition.name().to_owned()));
                self.definitions.entry(source.clone()).or_default().push(definition);
            }
        }
        Ok(())
    }

    fn merge(&mut self, file: &str, listing: Listing) {
        for aside in listing.set_aside {
            self.set_aside.push(SetAside {
                file: file.to_owned(),
                place: aside.place.to_string(),
                name: aside.name,
                reason: aside.reason.to_string(),
            });
        }
        for source in listing.sources {
            for tool in source.tools {
                let name = tool.definition.name().to_owned();
                if self.known.insert((source.id.clone(), name.clone())) {
                    self.definitions.entry(source.id.clone()).or_default().push(tool.definition);
                } else {
                    let reason = format!("`{}` has a tool of this name already", source.id);
                    let place = tool.place.to_string();
                    self.set_aside.push(SetAside {
                        file: file.to_owned(),
                        place,
                        name: Some(name),
                        reason,
                    });
                }
            }
        }
    }

    /// Completes the catalog with the index that `index` brings for it.
    fn finish(self, index: impl FnOnce(&Documents<'_>) -> Index) -> Result<Catalog, Failure> {
        if self.definitions.is_empty() {
            return Err(self.unread.unwrap_or_else(|| nothing_read(&self.set_aside)));
        }
        let documents = |source: &str| {
            let tools = self.definitions.get(source)?;
            Some(tools.iter().map(|tool| Arc::clone(tool.document())).collect())
        };
        let sources = self.definitions.keys().map(String::as_str).collect();
        let index = index(&Documents { sources, of: &documents });
        Ok(Catalog { index, definitions: self.definitions, set_aside: self.set_aside })
    }
}

/// What an index is made of.
pub(crate) struct Documents<'d> {
    /// The ids of the sources, in order.
    pub(crate) sources: Vec<&'d str>,
    /// Returns the tools of a source, in order.
    pub(crate) of: &'d dyn Fn(&str) -> Option<Vec<Arc<Document>>>,
}

/// Returns an index built from the texts of `documents`.
pub(crate) fn built(documents: &Documents<'_>) -> Index {
    documents.sources.iter().fold(Index::new(Settings::default()), |index, source| {
        index.replaced(source, (documents.of)(source).unwrap_or_default())
    })
}

/// Says whether a path names settings of a gateway.
fn is_of_gateway(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| is_settings(path, &text))
}

fn nothing_read(set_aside: &[SetAside]) -> Failure {
    let error = match set_aside.first() {
        Some(first) => {
            anyhow::anyhow!("no tool could be read; the first of {}: {first}", set_aside.len())
        }
        None => anyhow::anyhow!("the catalog lists no tools"),
    };
    Failure::input(error).hint("leave out `--catalog` to use the embedded catalog")
}
