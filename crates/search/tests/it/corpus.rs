//! Runs the cases of `corpus/*.toml`; `corpus/README.md` says how they are written.

#![expect(clippy::disallowed_methods, reason = "the cases are files")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::{Admit, Document, Index, Ranker, Settings, search};
use serde::Deserialize;
use serde_json::value::RawValue;

/// How many hits are asked for where a case does not say.
const MAX: usize = 5;

/// Most tools of a case that asks for every order of registration: 5! = 120 orders.
const PERMUTED_MAX: usize = 5;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    set: Vec<Set>,
    case: Vec<Case>,
}

/// Tools under a name, written out or made by a pattern.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    id: String,
    #[serde(default)]
    server: String,
    #[serde(default)]
    tools: Vec<Tool>,
    pattern: Option<Pattern>,
}

/// One tool for each pair of a word from `one` and a word from `two`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    name: String,
    description: String,
    one: String,
    #[serde(default = "nothing")]
    two: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    name: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    keywords: Vec<String>,
    /// Parameter names with their descriptions.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    #[serde(default)]
    server: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The cases and requirements that it stands for.
    #[serde(default, rename = "for")]
    _for: Vec<String>,
    rankers: Vec<String>,
    /// Rankers that get it wrong today, each with the reason; it is an error if one gets it right.
    #[serde(default)]
    wrong: BTreeMap<String, String>,
    #[serde(default)]
    sets: Vec<String>,
    #[serde(default)]
    tools: Vec<Tool>,
    queries: Vec<String>,
    #[serde(default = "max")]
    max: usize,
    #[serde(default)]
    expect: Expect,
    /// Whether the answer must be the same for every order of registration.
    #[serde(default)]
    any_order: bool,
}

/// What must hold of the hits; every part that is there.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    first: Option<String>,
    /// These are the first hits, in this order.
    #[serde(default)]
    top: Vec<String>,
    /// These are among the hits, in this order, others between them or not.
    #[serde(default)]
    order: Vec<String>,
    /// These are among the hits.
    #[serde(default)]
    present: Vec<String>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    empty: bool,
}

fn nothing() -> String {
    "-".to_owned()
}

fn max() -> usize {
    MAX
}

fn ranker(name: &str) -> Option<Box<dyn Ranker>> {
    match name {
        "keyword" => Some(Box::new(Keyword)),
        "bm25f" => Some(Box::new(Bm25f::default())),
        _ => None,
    }
}

fn corpus() -> Vec<(PathBuf, File)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: PathBuf| {
        let file = toml::from_str(&fs::read_to_string(&path).unwrap());
        (path.clone(), file.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    paths.into_iter().map(read).collect()
}

impl Set {
    fn tools(&self) -> Vec<Tool> {
        let mut tools = self.tools.clone();
        if let Some(Pattern { name, description, one, two }) = &self.pattern {
            for first in one.split_whitespace() {
                for second in two.split_whitespace() {
                    let fill = |text: &str| text.replace("{1}", first).replace("{2}", second);
                    tools.push(Tool {
                        name: fill(name),
                        description: fill(description),
                        title: String::new(),
                        keywords: Vec::new(),
                        parameters: BTreeMap::new(),
                        server: String::new(),
                    });
                }
            }
        }
        for tool in tools.iter_mut().filter(|tool| tool.server.is_empty()) {
            tool.server.clone_from(&self.server);
        }
        tools
    }
}

impl Tool {
    fn document(&self) -> Arc<Document> {
        let row = Row::discoverable(self.name.clone(), self.description.clone())
            .with_title(self.title.clone())
            .with_keywords(self.keywords.clone());
        let properties: BTreeMap<&String, serde_json::Value> = self
            .parameters
            .iter()
            .map(|(name, text)| (name, serde_json::json!({ "description": text })))
            .collect();
        let schema = serde_json::json!({ "type": "object", "properties": properties });
        Arc::new(Document::new(row).with_schema(RawValue::from_string(schema.to_string()).unwrap()))
    }
}

impl Case {
    fn tools(&self, sets: &[Set]) -> Vec<Tool> {
        let named = |id: &String| {
            let set = sets.iter().find(|set| set.id == *id);
            set.unwrap_or_else(|| panic!("no set `{id}`")).tools()
        };
        self.sets.iter().flat_map(named).chain(self.tools.iter().cloned()).collect()
    }

    /// Returns what is wrong with the hits of one ranker; nothing where all is as expected.
    fn faults(&self, tools: &[Tool], ranker: &dyn Ranker) -> Vec<String> {
        let orders = if self.any_order { permutations(tools) } else { vec![tools.to_vec()] };
        let mut faults = Vec::new();
        for query in &self.queries {
            let answers: Vec<Vec<String>> =
                orders.iter().map(|tools| answer(tools, query, ranker, self.max)).collect();
            let first = &answers[0];
            let mut wrong = self.expect.faults(first);
            if answers.iter().any(|answer| answer != first) {
                wrong.push("the answer depends on the order of registration".to_owned());
            }
            faults.extend(wrong.iter().map(|fault| format!("`{query}`: {fault}; got {first:?}")));
        }
        faults
    }
}

impl Expect {
    fn faults(&self, hits: &[String]) -> Vec<String> {
        let mut faults = Vec::new();
        let place = |name: &String| hits.iter().position(|hit| hit == name);
        if let Some(first) = self.first.as_ref().filter(|first| hits.first() != Some(first)) {
            faults.push(format!("`{first}` should be rank 1"));
        }
        if !hits.starts_with(&self.top) {
            faults.push(format!("should begin with {:?}", self.top));
        }
        for name in self.present.iter().chain(&self.order).filter(|name| place(name).is_none()) {
            faults.push(format!("`{name}` should be there"));
        }
        if !self.order.iter().map(place).is_sorted() {
            faults.push(format!("should have the order {:?}", self.order));
        }
        for name in self.absent.iter().filter(|name| place(name).is_some()) {
            faults.push(format!("`{name}` should not be there"));
        }
        if self.empty && !hits.is_empty() {
            faults.push("should be empty".to_owned());
        }
        faults
    }

    fn says_nothing(&self) -> bool {
        let lists = [&self.top, &self.order, &self.present, &self.absent];
        self.first.is_none() && !self.empty && lists.iter().all(|list| list.is_empty())
    }
}

/// The names of the hits, each with its server where it has one.
fn answer(tools: &[Tool], query: &str, ranker: &dyn Ranker, max: usize) -> Vec<String> {
    let mut sources: BTreeMap<&str, Vec<Arc<Document>>> = BTreeMap::new();
    for tool in tools {
        sources.entry(&tool.server).or_default().push(tool.document());
    }
    let index = Index::build(
        Settings::default(),
        sources.into_iter().map(|(id, documents)| (Arc::from(id), documents)),
    );
    let candidates = index.candidates(Admit::All);
    let name = |source: &str, name: &str| match source {
        "" => name.to_owned(),
        source => format!("{source}/{name}"),
    };
    search(query, &candidates, ranker, max)
        .iter()
        .map(|hit| name(hit.source, hit.document.row.name()))
        .collect()
}

fn permutations(tools: &[Tool]) -> Vec<Vec<Tool>> {
    assert!(tools.len() <= PERMUTED_MAX, "too many orders of {} tools", tools.len());
    let Some((last, rest)) = tools.split_last() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in permutations(rest) {
        for at in 0..=order.len() {
            let mut order = order.clone();
            order.insert(at, last.clone());
            all.push(order);
        }
    }
    all
}

// case: C01, C02, C04, C05, C07, C08, C10
// founding: B2
#[test]
fn every_corpus_case_holds_for_the_rankers_it_binds() {
    let mut report = String::new();
    let mut runs = 0;
    for (path, file) in corpus() {
        let file_name = path.file_name().unwrap().to_string_lossy();
        for case in &file.case {
            let tools = case.tools(&file.set);
            for name in &case.rankers {
                let ranker = ranker(name)
                    .unwrap_or_else(|| panic!("{file_name}: `{}`: no ranker `{name}`", case.name));
                let faults = case.faults(&tools, ranker.as_ref());
                runs += 1;
                match (case.wrong.get(name), faults.is_empty()) {
                    (None, true) | (Some(_), false) => {}
                    (Some(_), true) => {
                        writeln!(report, "{file_name}: {}: {name} is right now", case.name)
                            .unwrap();
                    }
                    (None, false) => {
                        writeln!(report, "{file_name}: {}: {name}", case.name).unwrap();
                        faults.iter().for_each(|fault| writeln!(report, "    {fault}").unwrap());
                    }
                }
            }
        }
    }
    assert!(runs > 0);
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn every_corpus_case_says_something_about_tools_that_exist() {
    let mut names = std::collections::BTreeSet::new();
    for (path, file) in corpus() {
        let path = path.display();
        for case in &file.case {
            assert!(names.insert(case.name.clone()), "{path}: two cases `{}`", case.name);
            assert!(!case.rankers.is_empty(), "{path}: `{}` binds no ranker", case.name);
            assert!(!case.queries.is_empty(), "{path}: `{}` asks nothing", case.name);
            assert!(!case.expect.says_nothing(), "{path}: `{}` expects nothing", case.name);
            let bound = |name: &String| case.rankers.contains(name);
            assert!(case.wrong.keys().all(bound), "{path}: `{}`: wrong but not bound", case.name);
            let known: Vec<String> = case
                .tools(&file.set)
                .iter()
                .map(|tool| match tool.server.as_str() {
                    "" => tool.name.clone(),
                    server => format!("{server}/{}", tool.name),
                })
                .collect();
            let Expect { first, top, order, present, absent, .. } = &case.expect;
            for name in first.iter().chain(top).chain(order).chain(present).chain(absent) {
                assert!(known.contains(name), "{path}: `{}` names no tool `{name}`", case.name);
            }
        }
    }
}
