//! What a turn costs.

use oncue_agent::Usage;
use oncue_agent::cache::CacheRules;
use oncue_providers::{Facts, Prices};
use serde::{Deserialize, Serialize};

/// Tokens that prices are of.
const MILLION: f64 = 1_000_000.0;

/// Price of a token that a cache reads, in prices of an uncached one, where the vendor's is not known: what most vendors ask.
const READ_USUAL: f64 = 0.1;

/// Price of a token that is written to a cache, likewise.
const WRITE_USUAL: f64 = 1.25;

/// What tokens cost, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rates {
    /// What tokens cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prices: Option<Prices>,
    /// What the vendor's cache does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cache: Option<CacheRules>,
}

/// What a turn cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cost {
    /// In US dollars.
    Usd(f64),
    /// Of the prompts alone, in uncached tokens: the prices are not known.
    InputTokens(u64),
}

impl Rates {
    /// What is known of an endpoint.
    pub(crate) fn of(facts: &Facts) -> Self {
        Self { prices: facts.prices, cache: facts.cache }
    }

    /// Returns what `usage` costs.
    pub(crate) fn cost(&self, usage: Usage) -> Cost {
        let read = self.cache.map_or(READ_USUAL, |cache| cache.read_price);
        let write = self.cache.map_or(WRITE_USUAL, |cache| cache.write_price);
        let prompt = usage.uncached as f64
            + usage.cache_read as f64 * read
            + usage.cache_write as f64 * write;
        match self.prices {
            Some(prices) => {
                Cost::Usd((prompt * prices.input + usage.output as f64 * prices.output) / MILLION)
            }
            None => Cost::InputTokens(prompt.round() as u64),
        }
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usd(usd) if *usd >= 1.0 => write!(f, "${usd:.2}"),
            Self::Usd(usd) => write!(f, "${usd:.4}"),
            Self::InputTokens(tokens) => {
                let tokens = usize::try_from(*tokens).unwrap_or(usize::MAX);
                write!(f, "prompts worth {} uncached", crate::text::grouped(tokens))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use oncue_agent::Usage;
    use oncue_agent::cache::{Breakpoints, CacheRules};
    use oncue_providers::Prices;

    use super::{Cost, Rates};

    const USAGE: Usage =
        Usage { uncached: 1_000, cache_read: 20_000, cache_write: 4_000, output: 500 };

    #[test]
    fn known_prices_make_money() {
        let cache = CacheRules {
            breakpoints: Breakpoints::Automatic,
            prefix_tokens_min: 0,
            write_price: 1.0,
            read_price: 0.05,
        };
        let prices = Some(Prices { input: 4.0, output: 20.0 });
        // 1,000 + 20,000 × 0.05 + 4,000 = 6,000 at 4 $ and 500 at 20 $ a million.
        let cost = Rates { prices, cache: Some(cache) }.cost(USAGE);
        assert_eq!(cost.to_string(), "$0.0340");
        assert_eq!(Cost::Usd(12.345).to_string(), "$12.35");
    }

    #[test]
    fn unknown_prices_make_input_tokens() {
        // 1,000 + 2,000 + 5,000.
        assert_eq!(Rates::default().cost(USAGE), Cost::InputTokens(8_000));
        assert_eq!(Cost::InputTokens(8_000).to_string(), "prompts worth 8,000 uncached");
    }
}
