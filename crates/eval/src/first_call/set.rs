//! Catalogs with inline and hidden tools, and requests that say which of them is right.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use oncue_decl::{Row, Tier};
use oncue_tools::Definition;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Catalogs and the requests over them.
#[derive(Clone, Debug)]
pub struct RequestSet {
    /// The catalogs by name.
    pub catalogs: BTreeMap<String, CatalogFile>,
    /// The requests in the order of the file.
    pub requests: Vec<LabelledRequest>,
}

/// One catalog.
#[derive(Clone, Debug)]
pub struct CatalogFile {
    /// Its name.
    pub name: String,
    /// Its tools in order, the search tool excepted.
    pub tools: Vec<Definition>,
}

/// What kind of tool a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One that must be found.
    Hidden,
    /// One that the model sees.
    Inline,
    /// None.
    None,
}

/// One request of a person.
#[derive(Clone, Debug, Deserialize)]
pub struct LabelledRequest {
    /// Names it.
    pub id: String,
    /// Whose tools the model is shown.
    pub catalog: String,
    /// What kind of tool it needs.
    pub kind: Kind,
    /// `dev` to choose settings on, `test` to report on.
    pub part: String,
    /// Every tool that does what is asked.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Tools that are a sensible first call and do not do what is asked.
    #[serde(default)]
    pub lookups: Vec<String>,
    /// What the person says, by language.
    pub text: BTreeMap<String, String>,
}

/// Why a set cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read `{}`: {why}", path.display())]
pub struct SetError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

#[derive(Deserialize)]
struct Written {
    catalog: String,
    tools: Vec<WrittenTool>,
}

#[derive(Deserialize)]
struct WrittenTool {
    visibility: String,
    #[serde(default)]
    search: bool,
    #[serde(default)]
    keywords: Vec<String>,
    definition: WrittenDefinition,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenDefinition {
    name: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    description: String,
    input_schema: Option<Box<RawValue>>,
}

impl RequestSet {
    /// Reads `catalogs/*.json` and `requests.jsonl` of a folder.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or a request names a catalog or a tool that is not there.
    pub fn read(folder: &Path) -> Result<Self, SetError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |why: String| SetError { path, why }
        };
        let listed = folder.join("catalogs");
        let files = fs::read_dir(&listed).map_err(|error| at(&listed)(error.to_string()))?;
        let mut paths: Vec<PathBuf> =
            files.filter_map(Result::ok).map(|file| file.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let mut catalogs = BTreeMap::new();
        for path in paths {
            let catalog = read(&path).map_err(at(&path))?;
            catalogs.insert(catalog.name.clone(), catalog);
        }
        let path = folder.join("requests.jsonl");
        let text = fs::read_to_string(&path).map_err(|error| at(&path)(error.to_string()))?;
        let mut requests = Vec::new();
        for (line, json) in text.lines().enumerate().filter(|(_, json)| !json.trim().is_empty()) {
            let request: LabelledRequest = serde_json::from_str(json)
                .map_err(|error| at(&path)(format!("line {}: {error}", line + 1)))?;
            check(&request, &catalogs)
                .map_err(|why| at(&path)(format!("line {}: {why}", line + 1)))?;
            requests.push(request);
        }
        Ok(Self { catalogs, requests })
    }
}

fn read(path: &Path) -> Result<CatalogFile, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let written: Written = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut tools = Vec::new();
    for tool in written.tools.into_iter().filter(|tool| !tool.search) {
        let WrittenDefinition { name, title, description, input_schema } = tool.definition;
        let row = match tool.visibility.as_str() {
            "inline" => Row::inline(name, description),
            "hidden" | "discoverable" => Row::discoverable(name, description),
            other => return Err(format!("`{name}` has the visibility `{other}`")),
        };
        let row = row.with_title(title).with_keywords(tool.keywords).with_tier(Tier::Silent);
        tools.push(Definition::new(row, input_schema));
    }
    Ok(CatalogFile { name: written.catalog, tools })
}

fn check(
    request: &LabelledRequest,
    catalogs: &BTreeMap<String, CatalogFile>,
) -> Result<(), String> {
    let catalog = catalogs
        .get(&request.catalog)
        .ok_or_else(|| format!("there is no catalog `{}`", request.catalog))?;
    for name in request.tools.iter().chain(&request.lookups) {
        let tool = catalog.tools.iter().find(|tool| tool.name() == name);
        let tool = tool.ok_or_else(|| format!("`{}` has no tool `{name}`", catalog.name))?;
        let is_lookup = request.lookups.contains(name);
        let fits = match request.kind {
            Kind::Hidden => is_lookup || !tool.row().is_inline(),
            Kind::Inline => is_lookup || tool.row().is_inline(),
            Kind::None => false,
        };
        if !fits {
            return Err(format!("`{name}` is not what a request of its kind needs"));
        }
    }
    if request.tools.is_empty() != (request.kind == Kind::None) {
        return Err("only requests of kind `none` need no tool".to_owned());
    }
    Ok(())
}
