//! The cache against figures worked out by hand from the vendors' rules.

use super::{Block, Breakpoints, CacheRules, CacheUse, MissReason, PrefixCache, Prompt, Tier};

const EXPLICIT: CacheRules = CacheRules {
    breakpoints: Breakpoints::Explicit { count_max: 4, look_back_blocks: 20 },
    prefix_tokens_min: 1_000,
    write_price: 1.25,
    read_price: 0.1,
};

const AUTOMATIC: CacheRules =
    CacheRules { breakpoints: Breakpoints::Automatic, write_price: 1.0, ..EXPLICIT };

fn tools(text: &str, tokens: u64) -> Block {
    Block::new(Tier::Tools, text.as_bytes(), tokens)
}

fn message(number: usize) -> Block {
    Block::new(Tier::Messages, format!("message {number}").as_bytes(), 10)
}

fn sent(cache: &mut PrefixCache, blocks: Vec<Block>) -> CacheUse {
    cache.send(&Prompt::new("m", blocks))
}

#[test]
fn a_prefix_that_is_too_short_is_not_kept() {
    let mut cache = PrefixCache::new(EXPLICIT);
    let blocks = || vec![tools("a", 999).cut(), message(0)];
    for _ in 0..2 {
        let used = sent(&mut cache, blocks());
        assert_eq!((used.read, used.written, used.uncached), (0, 0, 1_009));
    }
}

#[test]
fn the_longest_kept_prefix_within_twenty_blocks_is_read() {
    let conversation = |messages: usize| -> Vec<Block> {
        let mut blocks = vec![tools("a", 2_000).cut()];
        blocks.extend((0..messages).map(message));
        let last = blocks.pop().unwrap();
        blocks.push(last.cut());
        blocks
    };
    let mut cache = PrefixCache::new(EXPLICIT);
    let first = sent(&mut cache, conversation(5));
    assert_eq!((first.read, first.written, first.uncached), (0, 2_050, 0));
    // Twenty blocks further on the end of the first conversation is still in sight.
    let near = sent(&mut cache, conversation(25));
    assert_eq!((near.read, near.written), (2_050, 200));
    // One more than twenty is out of sight, and what is read ends behind the tools.
    let far = sent(&mut cache, conversation(46));
    assert_eq!((far.read, far.written), (2_000, 460));
}

#[test]
fn a_longer_list_of_tools_loses_what_was_kept_once() {
    let mut cache = PrefixCache::new(AUTOMATIC);
    sent(&mut cache, vec![tools("a", 2_000), message(0)]);
    let grown = sent(&mut cache, vec![tools("a", 2_000), tools("b", 50), message(0), message(1)]);
    // The tools before the new one are still a prefix; the conversation behind it is not.
    assert_eq!((grown.read, grown.written), (2_000, 70));
    assert_eq!((grown.miss, grown.missed), (Some(MissReason::ToolsChanged), 10));
    let next = sent(
        &mut cache,
        vec![tools("a", 2_000), tools("b", 50), message(0), message(1), message(2)],
    );
    assert_eq!((next.read, next.written, next.miss), (2_070, 10, None));
}

#[test]
fn the_reason_names_the_first_tier_that_differs() {
    let blocks = |tool: &str, system: &str, said: usize| {
        let system = Block::new(Tier::System, system.as_bytes(), 500);
        vec![tools(tool, 2_000), system, message(said), message(1).cut()]
    };
    let reason = |model: &str, then: Vec<Block>| {
        let mut cache = PrefixCache::new(EXPLICIT);
        sent(&mut cache, blocks("a", "s", 0));
        cache.send(&Prompt::new(model, then)).miss
    };
    assert_eq!(reason("m", blocks("a", "s", 0)), None);
    assert_eq!(reason("n", blocks("a", "s", 0)), Some(MissReason::ModelChanged));
    assert_eq!(reason("m", blocks("b", "t", 5)), Some(MissReason::ToolsChanged));
    assert_eq!(reason("m", blocks("a", "t", 5)), Some(MissReason::SystemChanged));
    assert_eq!(reason("m", blocks("a", "s", 5)), Some(MissReason::MessagesChanged));
}

#[test]
fn the_price_weighs_each_count() {
    let used = CacheUse { read: 1_000, written: 100, uncached: 10, miss: None, missed: 0 };
    // 10 + 1.25 · 100 + 0.1 · 1,000
    assert!((used.price(&EXPLICIT) - 235.0).abs() < 1e-9);
}
