//! What a model can do, read off its name. A name that says nothing can do everything.

use oncue_agent::cache::{Breakpoints, CacheRules};

use crate::limits::OPENAI_PREFIX_TOKENS_MIN;

/// A generation of models, such as 5.6.
type Generation = (u32, u32);

/// The first generation with client tool search, by OpenAI's documentation; some older ones were seen to take it.
const TOOL_SEARCH: Generation = (5, 4);

/// The first generation whose usage tells what was written to the cache, and bills it.
const CACHE_WRITES: Generation = (5, 6);

/// The first generation that thinks before it answers, unless told not to.
const REASONING: Generation = (5, 0);

fn generation(model: &str) -> Option<Generation> {
    let number = model.strip_prefix("gpt-")?;
    let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
    let number = number.get(..end)?;
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn is_o_series(model: &str) -> bool {
    let digits = model.strip_prefix('o').unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Says whether the model takes the tool `tool_search`.
pub(crate) fn knows_tool_search(model: &str) -> bool {
    match generation(model) {
        Some(generation) => generation >= TOOL_SEARCH && !model.contains("-nano"),
        None => !is_o_series(model),
    }
}

/// Says whether the model thinks, where it was told to think this much.
pub(crate) fn reasons(model: &str, effort: Option<&str>) -> bool {
    let can = generation(model).is_some_and(|generation| generation >= REASONING);
    (can || is_o_series(model)) && effort != Some("none")
}

/// Says whether the model has no thoughts to tell about.
pub(crate) fn never_reasons(model: &str) -> bool {
    generation(model).is_some_and(|generation| generation < REASONING)
}

/// Says whether usage tells what was written to the cache.
pub(crate) fn tells_cache_writes(model: &str) -> bool {
    generation(model).is_none_or(|generation| generation >= CACHE_WRITES) && !is_o_series(model)
}

/// Returns the rules of the cache that every model has without being asked.
pub(crate) fn cache_rules(model: &str) -> CacheRules {
    let write_price = if tells_cache_writes(model) { 1.25 } else { 1.0 };
    let read_price = match generation(model) {
        Some((major, _)) if major < 5 => 0.5,
        _ => 0.1,
    };
    CacheRules {
        breakpoints: Breakpoints::Automatic,
        prefix_tokens_min: OPENAI_PREFIX_TOKENS_MIN,
        write_price,
        read_price,
    }
}

#[cfg(test)]
mod tests {
    use super::{cache_rules, knows_tool_search, never_reasons, reasons, tells_cache_writes};

    #[test]
    fn tool_search_begins_with_generation_5_4() {
        let yes = ["gpt-5.4", "gpt-5.4-mini", "gpt-5.6-terra", "gpt-6-luna", "something"];
        assert!(yes.into_iter().all(knows_tool_search));
        let no = ["gpt-5.3", "gpt-5", "gpt-5-mini", "gpt-4.1", "gpt-4o", "o4-mini", "gpt-5.4-nano"];
        assert!(!no.into_iter().any(knows_tool_search));
    }

    #[test]
    fn effort_none_is_no_thought() {
        assert!(reasons("gpt-5.6", None) && reasons("o3", Some("low")));
        assert!(!reasons("gpt-5.6", Some("none")) && !reasons("gpt-4.1", None));
        assert!(!reasons("qwen", None));
        assert!(never_reasons("gpt-4o") && !never_reasons("gpt-5") && !never_reasons("qwen"));
    }

    #[test]
    fn writes_cost_more_from_5_6_on() {
        assert!(tells_cache_writes("gpt-5.6-sol") && !tells_cache_writes("gpt-5.5"));
        assert_eq!(cache_rules("gpt-5.6-sol").write_price, 1.25);
        assert_eq!(cache_rules("gpt-5.5").write_price, 1.0);
        assert_eq!(cache_rules("gpt-4o").read_price, 0.5);
    }
}
