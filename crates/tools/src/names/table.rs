//! The names of a set of tools for one reader, both ways. Lives as long as its maker needs it; built whole, never changed.

use std::collections::{BTreeMap, BTreeSet};

use super::{Identity, NameRules};

/// Two tools for which the rules give one name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{left} and {right} both come out as `{name}`: rename one of them, or give one source another id"
)]
pub struct Collision {
    /// The name that both would have.
    pub name: String,
    /// The tool that comes first in the order of identities.
    pub left: Identity,
    /// The other one.
    pub right: Identity,
}

/// Which name stands for which tool, for one reader.
///
/// ```
/// use oncue_tools::{Identity, NameRules, NameTable};
///
/// let tools = [Identity::new("github", "create_issue"), Identity::own("readTable")];
/// let (table, collisions) = NameTable::new(NameRules::DEFAULT, tools.clone());
/// assert_eq!(table.tool("github__create_issue"), Some(&tools[0]));
/// assert_eq!(table.name(&tools[1]), Some("readTable"));
/// assert_eq!(collisions, []);
/// ```
#[derive(Clone, Debug)]
pub struct NameTable {
    by_name: BTreeMap<String, Identity>,
    by_tool: BTreeMap<Identity, String>,
}

impl NameTable {
    /// Returns the table of `tools`, whatever their order, and the collisions among them.
    ///
    /// Tools that collide are left out, all of them, so that a name never reaches the wrong one.
    #[must_use]
    pub fn new(
        rules: NameRules,
        tools: impl IntoIterator<Item = Identity>,
    ) -> (Self, Vec<Collision>) {
        let mut by_name: BTreeMap<String, Vec<Identity>> = BTreeMap::new();
        for tool in tools.into_iter().collect::<BTreeSet<_>>() {
            by_name.entry(rules.name_of(&tool)).or_default().push(tool);
        }
        let mut table = Self { by_name: BTreeMap::new(), by_tool: BTreeMap::new() };
        let mut collisions = Vec::new();
        for (name, tools) in by_name {
            match tools.as_slice() {
                [tool] => table.insert(name, tool.clone()),
                tools => collisions.extend(tools.windows(2).filter_map(|pair| match pair {
                    [left, right] => Some(Collision {
                        name: name.clone(),
                        left: left.clone(),
                        right: right.clone(),
                    }),
                    _ => None,
                })),
            }
        }
        (table, collisions)
    }

    fn insert(&mut self, name: String, tool: Identity) {
        self.by_tool.insert(tool.clone(), name.clone());
        self.by_name.insert(name, tool);
    }

    /// Returns the tool that `name` stands for.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Identity> {
        self.by_name.get(name)
    }

    /// Returns the name that stands for `tool`.
    #[must_use]
    pub fn name(&self, tool: &Identity) -> Option<&str> {
        self.by_tool.get(tool).map(String::as_str)
    }
}
