//! What the settings change about the tools of an upstream.

use std::collections::BTreeMap;

use oncue_decl::Tier;
use oncue_tools::Glob;

/// What is changed about the tools of one upstream. Tools go by their exact names there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolOverrides {
    /// The tools that there are; absent: all, empty: none.
    pub only: Option<Vec<Glob>>,
    /// Tools that there are not, whatever `only` says.
    pub hidden: Vec<Glob>,
    /// Tools that are listed from the start.
    pub pinned: Vec<Glob>,
    /// What is changed about single tools.
    pub tools: BTreeMap<String, ToolOverride>,
}

/// What is changed about one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolOverride {
    /// Another name for it outside; the upstream is called by its own.
    pub rename: Option<String>,
    /// Another description.
    pub description: Option<String>,
    /// The words that people use for it.
    pub keywords: Vec<String>,
    /// How its calls are authorized.
    pub tier: Option<Tier>,
}

impl ToolOverrides {
    /// Says whether the settings leave the tool out.
    ///
    /// ```
    /// use oncue_gateway::config::ToolOverrides;
    /// use oncue_tools::Glob;
    ///
    /// let tools = ToolOverrides { hidden: vec![Glob::new("delete_*")], ..ToolOverrides::default() };
    /// assert!(tools.hides("delete_repo") && !tools.hides("list_repos"));
    /// ```
    #[must_use]
    pub fn hides(&self, tool: &str) -> bool {
        let is_in = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(tool));
        is_in(&self.hidden) || self.only.as_deref().is_some_and(|only| !is_in(only))
    }

    /// Says whether the tool is listed from the start.
    #[must_use]
    pub fn pins(&self, tool: &str) -> bool {
        self.pinned.iter().any(|glob| glob.matches(tool))
    }
}
