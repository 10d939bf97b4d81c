//! What the models of the Messages API differ in, by the beginning of their names.
//!
//! The shortest prefixes that are cached are those of the vendor's documentation; where its pages disagree, the longer one stands here.

/// What a model takes and refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ModelRow {
    /// The beginning of its name.
    prefix: &'static str,
    /// Shortest prefix that is cached, in tokens.
    pub(crate) prefix_tokens_min: u64,
    /// Whether messages of the role `system` may stand in the conversation, and with them changes of tools.
    pub(crate) takes_system_messages: bool,
    /// Whether a call may be demanded.
    pub(crate) takes_forced_choice: bool,
    /// Whether a reply may be begun in the assistant's place.
    pub(crate) takes_prefill: bool,
    /// Whether thoughts are set by a budget and sampling by a temperature, as in older models.
    pub(crate) takes_budget: bool,
}

const fn row(prefix: &'static str, prefix_tokens_min: u64) -> ModelRow {
    ModelRow {
        prefix,
        prefix_tokens_min,
        takes_system_messages: false,
        takes_forced_choice: true,
        takes_prefill: false,
        takes_budget: false,
    }
}

impl ModelRow {
    const fn with_system_messages(self) -> Self {
        Self { takes_system_messages: true, ..self }
    }

    const fn without_forced_choice(self) -> Self {
        Self { takes_forced_choice: false, ..self }
    }

    const fn with_budget(self) -> Self {
        Self { takes_budget: true, ..self }
    }

    const fn with_prefill(self) -> Self {
        Self { takes_prefill: true, ..self }
    }
}

/// The first row that fits counts; the last one is for models that nobody has described.
const MODELS: [ModelRow; 14] = [
    row("claude-fable-5", 512).with_system_messages().without_forced_choice(),
    row("claude-mythos-5", 512).with_system_messages().without_forced_choice(),
    row("claude-opus-5-5", 512).with_system_messages().without_forced_choice(),
    row("claude-opus-5", 512).with_system_messages(),
    row("claude-sonnet-5-5", 1_024).with_system_messages().without_forced_choice(),
    row("claude-sonnet-5", 1_024),
    row("claude-opus-4-8", 4_096).with_system_messages(),
    row("claude-opus-4-7", 4_096),
    row("claude-opus-4-6", 4_096).with_budget(),
    row("claude-opus-4", 4_096).with_budget().with_prefill(),
    row("claude-sonnet-4-6", 1_024).with_budget(),
    row("claude-sonnet-4", 1_024).with_budget().with_prefill(),
    row("claude-haiku-4", 4_096).with_budget().with_prefill(),
    *UNKNOWN,
];

/// The row of a model that nobody has described.
pub(crate) const UNKNOWN: &ModelRow = &row("claude-", 4_096);

/// Returns what is known of a model; `None` where the vendor has no such model.
pub(crate) fn model(name: &str) -> Option<&'static ModelRow> {
    MODELS.iter().find(|row| name.starts_with(row.prefix))
}

#[cfg(test)]
mod tests {
    use super::model;

    #[test]
    fn the_longest_beginning_counts() {
        let check = |name: &str, prefix: Option<&str>| {
            assert_eq!(model(name).map(|row| row.prefix), prefix, "{name}");
        };
        check("claude-opus-5-5-20260922", Some("claude-opus-5-5"));
        check("claude-opus-5", Some("claude-opus-5"));
        check("claude-sonnet-4-5", Some("claude-sonnet-4"));
        check("claude-new-9", Some("claude-"));
        check("gpt-5", None);
    }
}
