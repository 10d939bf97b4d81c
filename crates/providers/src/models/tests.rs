use std::collections::BTreeSet;

use oncue_tools::NameRules;

use super::Vendor;

#[test]
fn every_row_can_be_read_and_is_there_once() {
    let ids: BTreeSet<&str> = Vendor::all().iter().map(|vendor| vendor.id.as_str()).collect();
    assert_eq!(ids.len(), Vendor::all().len());
    for vendor in Vendor::all() {
        assert!(NameRules::of(&vendor.names).is_some(), "{}: {}", vendor.id, vendor.names);
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
        names = "openai"
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
    let row = "id = \"v\"\nprotocol = \"chat\"\nnames = \"openai\"\n[[model]]\npattern = \"*\"\ncontext = 1\n";
    assert!(toml::from_str::<Vendor>(row).is_err());
}
