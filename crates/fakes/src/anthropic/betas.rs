//! The names of unfinished features that a request may ask for, and what they open.

/// Every name that the Messages API knows, whether or not it changes anything here.
const KNOWN: [&str; 40] = [
    "advanced-tool-use-2025-11-20",
    "advisor-tool-2026-03-01",
    "agent-memory-2026-07-22",
    "cache-diagnosis-2026-04-07",
    "code-execution-2025-05-22",
    "compact-2026-01-12",
    "compact-2026-09-04",
    "computer-use-2024-10-22",
    "computer-use-2025-01-24",
    "computer-use-2025-11-24",
    "context-1m-2025-08-07",
    "context-management-2025-06-27",
    "dev-full-thinking-2025-05-14",
    "extended-cache-ttl-2025-04-11",
    "fallback-credit-2026-06-01",
    "fallback-credit-2026-07-01",
    "fast-mode-2026-02-01",
    "files-api-2025-04-14",
    "fine-grained-tool-streaming-2025-05-14",
    INLINE_TOOLS,
    "interleaved-thinking-2025-05-14",
    "mcp-client-2025-04-04",
    "mcp-client-2025-11-20",
    "mcp-client-2026-09-15",
    "message-threads-2026-08-12",
    "mid-conversation-output-config-2026-07-01",
    "mid-conversation-system-clear-at-2026-08-21",
    TOOL_CHANGES,
    "model-context-window-exceeded-2025-08-26",
    "output-128k-2025-02-19",
    "output-300k-2026-03-24",
    "pdfs-2024-09-25",
    "prompt-caching-2024-07-31",
    "server-side-fallback-2026-06-01",
    "server-side-fallback-2026-07-01",
    "skills-2025-10-02",
    "structured-outputs-2025-11-13",
    "task-budgets-2026-03-13",
    "thinking-binding-controls-2026-08-01",
    "token-efficient-tools-2025-02-19",
];

/// Opens changes of tools by reference.
const TOOL_CHANGES: &str = "mid-conversation-tool-changes-2026-07-01";

/// Opens changes of tools by reference and by value.
const INLINE_TOOLS: &str = "inline-tools-2026-09-15";

/// What the names of one request open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Betas {
    /// Messages may add and remove tools that are declared.
    pub(super) tool_changes: bool,
    /// Messages may define tools.
    pub(super) inline_tools: bool,
}

impl Betas {
    /// Reads the names; the error is one that nobody knows.
    pub(super) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, String> {
        let mut betas = Self::default();
        for name in names.into_iter().map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                TOOL_CHANGES => betas.tool_changes = true,
                INLINE_TOOLS => {
                    betas.tool_changes = true;
                    betas.inline_tools = true;
                }
                known if KNOWN.contains(&known) => {}
                unknown => return Err(unknown.to_owned()),
            }
        }
        Ok(betas)
    }
}

#[cfg(test)]
mod tests {
    use super::Betas;

    #[test]
    fn a_beta_opens_what_belongs_to_it() {
        let open = |tool_changes, inline_tools| Ok(Betas { tool_changes, inline_tools });
        let check = |names: &[&str], expected: Result<Betas, String>| {
            assert_eq!(Betas::of(names.iter().copied()), expected, "{names:?}");
        };
        check(&[], open(false, false));
        check(&["skills-2025-10-02", ""], open(false, false));
        check(&["mid-conversation-tool-changes-2026-07-01"], open(true, false));
        check(&[" inline-tools-2026-09-15"], open(true, true));
        check(&["inline-tools-2026-09-16"], Err("inline-tools-2026-09-16".to_owned()));
    }
}
