//! Tools that a reply names and does not call: a small model says what one could call, and the user wanted it done.

use oncue_tools::ToolSet;

use super::Run;
use crate::conversation::{Author, Item, Said};
use crate::limits::NAMED_TOOLS_MAX;

impl Run {
    /// Says whether the model is to be asked for the call that its `text` only names, and if so notes which tools those are.
    pub(super) fn insists(&mut self, text: &str, tools: &dyn ToolSet) -> bool {
        if !self.rules.profile.insists || self.has_insisted || self.has_called() {
            return false;
        }
        // Where a search with the user's words found nothing, words may be all that is wanted.
        if self.found().next().is_none() {
            return false;
        }
        let visible = tools.visible();
        let visible = visible.iter().map(|entry| entry.exposed());
        let named: Vec<String> = visible
            .filter(|name| !self.is_search(name) && names(text, name))
            .map(str::to_owned)
            .collect();
        // A text that names many tools tells what there is.
        let is_meant = !named.is_empty() && named.len() <= NAMED_TOOLS_MAX;
        if is_meant {
            self.narrowed = named;
        }
        is_meant
    }

    /// Asks for the call that was only named.
    pub(super) fn insist(&mut self, said: Said) {
        self.has_insisted = true;
        self.push_said(said);
        let names = self.narrowed.join("' or '");
        let text =
            format!("Nothing was called. Call '{names}' now if it does what the user asked.");
        self.conversation.items.push(Item::Note { text });
        if !self.rules.can_narrow {
            self.narrowed.clear();
        }
        self.ask_model();
    }

    /// Says whether the model has called anything since the user spoke last.
    fn has_called(&self) -> bool {
        let items = self.conversation.items.iter().rev();
        let since = items.take_while(|item| !matches!(item, Item::User { .. }));
        since.into_iter().any(|item| match item {
            Item::Reply(said) => said.by == Author::Model && said.calls().next().is_some(),
            _ => false,
        })
    }
}

/// Says whether `text` names the tool: as a word of its own that is no plain word, or between marks.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_plain = name.chars().all(|c| c.is_lowercase());
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|text| text.chars().next());
        let is_word = !before.is_some_and(is_part) && !after.is_some_and(is_part);
        let is_marked = before == after && matches!(before, Some('`' | '"' | '\'' | '*'));
        is_word && (is_marked || !is_plain)
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_tool_is_named_by_a_word_of_its_own() {
        assert!(names("Use the `readTable` function", "readTable"));
        assert!(names("call get_tag.", "get_tag"));
        assert!(names("call \"scan\" now", "scan"));
        assert!(!names("a scan of the table", "scan"), "a plain word");
        assert!(!names("reads get_tags", "get_tag"));
        assert!(!names("re_get_tag", "get_tag"));
        assert!(!names("`scan now`", "scan"));
        assert!(names("**scan**", "scan"));
        assert!(!names("", "scan"));
    }
}
