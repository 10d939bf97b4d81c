//! Made-up tools of realistic size: about 65 index terms each, words drawn from 200,000 by Zipf's law with exponent 0.95.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::Document;
use serde_json::value::RawValue;

const WORDS: usize = 200_000;
const EXPONENT: f64 = 0.95;
/// Tools of one server.
pub(crate) const SERVER_TOOLS: usize = 50;

/// A source of random numbers (SplitMix64, Steele, Lea, Flood 2014), so that every run draws the same.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Draws words.
pub(crate) struct Vocabulary {
    cumulative: Vec<f64>,
}

impl Vocabulary {
    pub(crate) fn new() -> Self {
        let mut sum = 0.0;
        let weights = (1..=WORDS).map(|rank| {
            sum += (rank as f64).powf(-EXPONENT);
            sum
        });
        Self { cumulative: weights.collect() }
    }

    pub(crate) fn word(&self, random: &mut Random) -> String {
        let total = self.cumulative.last().copied().unwrap_or(1.0);
        let drawn = random.unit() * total;
        spelled(self.cumulative.partition_point(|&sum| sum < drawn))
    }

    pub(crate) fn words(&self, count: usize, random: &mut Random) -> String {
        (0..count).map(|_| self.word(random)).collect::<Vec<_>>().join(" ")
    }
}

/// A pronounceable word for each rank: syllables are the digits of the rank.
fn spelled(mut rank: usize) -> String {
    const CONSONANTS: &[u8] = b"bdfgklmnprtvz";
    const VOWELS: &[u8] = b"aeiou";
    let mut word = String::new();
    loop {
        word.push(char::from(CONSONANTS[rank % CONSONANTS.len()]));
        rank /= CONSONANTS.len();
        word.push(char::from(VOWELS[rank % VOWELS.len()]));
        rank /= VOWELS.len();
        if rank == 0 {
            word.push('x');
            return word;
        }
    }
}

/// One tool.
pub(crate) fn tool(vocabulary: &Vocabulary, random: &mut Random) -> Arc<Document> {
    let name = vocabulary.words(3, random).replace(' ', "_");
    let row = Row::discoverable(name, vocabulary.words(30, random))
        .with_keywords([vocabulary.words(4, random)]);
    let properties: Vec<String> = (0..4)
        .map(|_| {
            let (name, does) = (vocabulary.word(random), vocabulary.words(6, random));
            format!("\"{name}\":{{\"type\":\"string\",\"description\":\"{does}\"}}")
        })
        .collect();
    let schema = format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", properties.join(","));
    let schema = RawValue::from_string(schema).expect("the text was just written as JSON");
    Arc::new(Document::new(row).with_schema(schema))
}

/// Servers of [`SERVER_TOOLS`] tools, `tools` in all.
pub(crate) fn servers(
    vocabulary: &Vocabulary,
    random: &mut Random,
    tools: usize,
) -> Vec<(Arc<str>, Vec<Arc<Document>>)> {
    (0..tools.div_ceil(SERVER_TOOLS))
        .map(|server| {
            let count = SERVER_TOOLS.min(tools - server * SERVER_TOOLS);
            let id = Arc::from(format!("server{server}"));
            (id, (0..count).map(|_| tool(vocabulary, random)).collect())
        })
        .collect()
}

/// Queries of 4 to 8 words, drawn as the words of tools are.
pub(crate) fn queries(vocabulary: &Vocabulary, random: &mut Random, count: usize) -> Vec<String> {
    (0..count).map(|_| vocabulary.words(4 + random.below(5), random)).collect()
}
