//! A longer conversation begins as the shorter one did, and a strict server takes every request.

use oncue_agent::Disclosure::{Append, ByReference};
use oncue_agent::cache::{Breakpoints, CacheRules, PrefixCache};
use oncue_agent::conversation::Item;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::{converse::Converse, invoke::Invoke};
use super::endpoint;
use crate::conversations::{conversation, of_any_server, steps};
use crate::samples::Asked;
use crate::wire::Wire;

/// A cache that keeps every prefix that the vendor would keep if none were too short.
const RULES: CacheRules = CacheRules {
    breakpoints: Breakpoints::Explicit { count_max: 4, look_back_blocks: 20 },
    prefix_tokens_min: 1,
    write_price: 1.25,
    read_price: 0.1,
};

const CLAUDE: &str = "us.anthropic.claude-opus-5-v1:0";

/// Sends every request to a strict fake; where the model has marks, nothing that was kept may be lost.
fn check(
    wire: &impl Wire,
    fake: &impl oncue_fakes::Wire,
    items: &[Item],
    requests: &[usize],
    has_marks: bool,
) -> Result<(), TestCaseError> {
    let mut caches = [PrefixCache::new(RULES), PrefixCache::new(RULES)];
    for &count in requests {
        let asked = Asked { found: vec!["startExport"], ..Asked::new(items[..count].to_vec()) };
        let encoded = asked.with(|request| wire.encode(request).unwrap());
        let asked = oncue_fakes::Asked {
            path: wire.path(false),
            headers: vec![
                ("authorization".to_owned(), "Bearer k".to_owned()),
                ("content-type".to_owned(), "application/json".to_owned()),
            ],
            body: serde_json::from_slice(&encoded.body).unwrap(),
            ..oncue_fakes::Asked::default()
        };
        prop_assert_eq!(fake.check(&asked), Ok(()), "{}", asked.body);
        if has_marks {
            prop_assert_eq!(caches[0].send(&fake.prompt(&asked)).missed, 0, "{}", asked.body);
            prop_assert_eq!(caches[1].send(&encoded.prompt).missed, 0, "{}", asked.body);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 50,
        rng_seed: RngSeed::Fixed(13),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_strict_server_takes_every_request(steps in steps()) {
        let (items, requests) = conversation(&of_any_server(steps));
        let converse = oncue_fakes::Bedrock::default();
        let claude = Converse::new(endpoint(CLAUDE).with_disclosure(Append).with_cache_rules(RULES));
        check(&claude, &converse, &items, &requests, true)?;
        let other = Converse::new(endpoint("mistral.mistral-large-2407-v1:0"));
        check(&other, &converse, &items, &requests, false)?;
        let invoke = Invoke::new(endpoint(CLAUDE).with_disclosure(ByReference));
        check(&invoke, &oncue_fakes::BedrockInvoke::default(), &items, &requests, true)?;
    }
}
