use std::collections::BTreeSet;

use oncue_tools::NameRules;

use oncue_agent::Disclosure::{self, Append, ByReference, ClientSearch};
use oncue_agent::cache::Breakpoints;

use super::Vendor;

#[test]
fn every_row_can_be_read_and_is_there_once() {
    let ids: BTreeSet<&str> = Vendor::all().iter().map(|vendor| vendor.id.as_str()).collect();
    assert_eq!(ids.len(), Vendor::all().len());
    for vendor in Vendor::all() {
        assert_ne!(vendor.protocol.name_rules(), NameRules::DEFAULT, "{}", vendor.id);
        let url = vendor.base_url.as_deref();
        assert!(url.is_none_or(|url| url.starts_with("http") && !url.ends_with('/')), "{url:?}");
        let patterns: BTreeSet<&str> =
            vendor.models.iter().map(|row| row.pattern.as_str()).collect();
        assert_eq!(patterns.len(), vendor.models.len(), "{}", vendor.id);
    }
}

#[test]
fn each_fact_comes_from_the_first_row_that_states_it() {
    let vendor: Vendor = toml::from_str(
        r#"
        id = "v"
        protocol = "chat"
        [[model]]
        pattern = "big-*"
        context-tokens = 100
        [[model]]
        pattern = "*"
        context-tokens = 10
        can-narrow = true
        "#,
    )
    .unwrap();
    let known = |model| {
        let facts = vendor.facts(model);
        (facts.context_tokens, facts.can_narrow, facts.disclosure)
    };
    assert_eq!(known("big-1"), (Some(100), Some(true), None));
    assert_eq!(known("small"), (Some(10), Some(true), None));
}

#[test]
fn a_row_with_an_unknown_field_is_refused() {
    let row = "id = \"v\"\nprotocol = \"chat\"\n[[model]]\npattern = \"*\"\ncontext = 1\n";
    assert!(toml::from_str::<Vendor>(row).is_err());
}

#[test]
fn found_tools_are_shown_as_each_model_can() {
    let check = |vendor: &str, model: &str, expected: Disclosure| {
        let facts = Vendor::of(vendor).unwrap().facts(model);
        assert_eq!(facts.disclosure.unwrap_or_default(), expected, "{vendor}:{model}");
    };
    check("anthropic", "claude-opus-5-5", ByReference);
    check("anthropic", "claude-fable-5-1", ByReference);
    check("anthropic", "claude-haiku-4-5-20251001", ByReference);
    check("anthropic", "claude-3-5-haiku-20241022", Append);
    check("openai", "gpt-5.4", ClientSearch);
    check("openai", "gpt-6.1-sol", ClientSearch);
    check("openai", "gpt-5.2", Append);
    check("openai-chat", "gpt-5.4", Append);
    check("bedrock", "eu.anthropic.claude-opus-4-6-v1", ByReference);
    check("bedrock", "amazon.nova-pro-v1:0", Append);
    check("ollama", "claude-opus-5", Append);
}

#[test]
fn caches_cost_what_their_vendors_say() {
    let check = |vendor: &str, model: &str, prefix: u64, write: f64, read: f64| {
        let cache = Vendor::of(vendor).unwrap().facts(model).cache.unwrap();
        assert_eq!(
            (cache.prefix_tokens_min, cache.write_price, cache.read_price),
            (prefix, write, read)
        );
        let is_automatic = cache.breakpoints == Breakpoints::Automatic;
        assert_eq!(is_automatic, vendor != "anthropic");
    };
    check("anthropic", "claude-opus-5", 512, 1.25, 0.1);
    check("anthropic", "claude-fable-5-1", 512, 1.25, 0.025);
    check("anthropic", "claude-haiku-4-5", 4_096, 1.25, 0.1);
    check("openai", "gpt-5.4-mini", 1_024, 1.0, 0.1);
    check("openai", "gpt-5.6", 1_024, 1.25, 0.1);
    check("openai-chat", "gpt-4.1", 1_024, 1.0, 0.25);
}
