//! Words that never decide which tool fits: articles, pronouns, prepositions, auxiliaries and the courtesies of a request.
//!
//! Each list is folded (no case, no accents) and sorted, so that a look-up is a binary search among the words of one first letter.
//! Every word of every tool is looked up, so this is a good part of what building an index costs.

/// Says whether `word` (folded) decides nothing in any of the languages whose words are known.
///
/// Words of other languages are listed only where no English word that means something is spelled the same.
pub(crate) fn is_stop_word(word: &str) -> bool {
    ENGLISH.contains(word) || OTHERS.contains(word)
}

/// A list of words and where in it those of each first letter begin.
struct Words {
    words: &'static [&'static str],
    starts: [u16; LETTERS + 1],
    /// The length of the longest word, in bytes.
    longest: usize,
}

const LETTERS: usize = 26;

impl Words {
    const fn new(words: &'static [&'static str]) -> Self {
        let (mut starts, mut longest, mut at) = ([0; LETTERS + 1], 0, 0);
        while at < words.len() {
            let word = words[at].as_bytes();
            if word.len() > longest {
                longest = word.len();
            }
            // Counted one place later, so that adding them up gives where each letter begins.
            starts[(word[0] - b'a') as usize + 1] += 1;
            at += 1;
        }
        let mut letter = 0;
        while letter < LETTERS {
            starts[letter + 1] += starts[letter];
            letter += 1;
        }
        Self { words, starts, longest }
    }

    fn contains(&self, word: &str) -> bool {
        let Some(first) = word.bytes().next().filter(u8::is_ascii_lowercase) else { return false };
        if word.len() > self.longest {
            return false;
        }
        let letter = usize::from(first - b'a');
        let (from, to) = (self.starts.get(letter), self.starts.get(letter + 1));
        let (Some(&from), Some(&to)) = (from, to) else { return false };
        let alike = self.words.get(usize::from(from)..usize::from(to)).unwrap_or_default();
        alike.binary_search(&word).is_ok()
    }
}

static ENGLISH: Words = Words::new(&[
    "a", "about", "above", "actually", "after", "again", "all", "also", "am", "an", "and",
    "another", "any", "anyone", "anything", "are", "arent", "as", "assist", "at", "be", "because",
    "been", "before", "being", "between", "both", "but", "by", "can", "cannot", "cant", "could",
    "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "dont", "down", "during", "each",
    "either", "else", "etc", "ever", "few", "for", "from", "further", "give", "go", "going", "had",
    "has", "have", "having", "he", "hello", "help", "her", "here", "hers", "hey", "hi", "him",
    "his", "how", "i", "if", "im", "in", "into", "is", "isnt", "it", "its", "itself", "ive",
    "just", "kindly", "know", "let", "lets", "made", "make", "many", "may", "me", "might", "mine",
    "more", "most", "much", "must", "my", "myself", "need", "needed", "needs", "no", "nor", "not",
    "now", "of", "off", "ok", "okay", "on", "once", "one", "only", "onto", "or", "other", "our",
    "ours", "out", "over", "own", "per", "please", "provide", "really", "same", "see", "shall",
    "she", "should", "so", "some", "somebody", "someone", "something", "such", "sure", "tell",
    "than", "thank", "thanks", "that", "thats", "the", "their", "theirs", "them", "then", "there",
    "theres", "these", "they", "this", "those", "through", "to", "too", "under", "until", "up",
    "upon", "us", "use", "used", "using", "very", "via", "want", "wants", "was", "we", "well",
    "were", "what", "whats", "when", "where", "whether", "which", "while", "who", "whom", "whose",
    "why", "will", "wish", "with", "within", "without", "would", "yes", "you", "your", "youre",
    "yours",
]);

static OTHERS: Words = Words::new(&[
    "alle", "aus", "avec", "bei", "bin", "bitte", "cette", "como", "con", "cual", "dans", "das",
    "dass", "de", "deine", "del", "dem", "den", "der", "des", "diese", "dieser", "dieses", "donde",
    "du", "ein", "eine", "einem", "einen", "einer", "eines", "el", "ella", "elle", "ellos", "en",
    "es", "est", "esta", "este", "esto", "et", "eu", "fur", "gli", "habe", "haben", "hay", "ich",
    "ihr", "ihre", "ist", "je", "kann", "kannst", "la", "las", "le", "les", "lo", "los", "mein",
    "meine", "meinem", "meinen", "meiner", "mi", "mir", "mis", "mit", "moi", "mon", "nach", "nao",
    "nicht", "nous", "oder", "ou", "para", "pero", "por", "pour", "puedes", "que", "quel",
    "quelle", "qui", "quiero", "sein", "seine", "sich", "sie", "sind", "sobre", "sont", "su",
    "sur", "sus", "tu", "uber", "um", "una", "und", "une", "uns", "unsere", "vom", "von", "vous",
    "wenn", "werden", "wie", "wir", "wird", "wo", "yo", "zu", "zum", "zur",
]);

#[cfg(test)]
mod tests {
    use super::{ENGLISH, OTHERS, is_stop_word};

    #[test]
    fn the_lists_are_sorted_so_that_a_binary_search_finds_every_word() {
        for list in [&ENGLISH, &OTHERS] {
            assert!(list.words.is_sorted());
            assert!(list.words.iter().all(|word| is_stop_word(word)));
        }
    }

    #[test]
    fn a_word_is_one_of_the_list_or_none_whatever_it_begins_with() {
        let lists = [ENGLISH.words, OTHERS.words].concat();
        let near = lists.iter().flat_map(|word| [&word[1..], *word, &word[..word.len() - 1]]);
        for word in near.chain(["", "é", "Ü", "über", "{", "`", "0", "the ", "anythings"]) {
            assert_eq!(is_stop_word(word), lists.contains(&word), "{word}");
        }
    }

    #[test]
    fn words_that_name_what_a_tool_does_are_no_stop_words() {
        for word in ["get", "list", "find", "search", "theme", "time", "new", "set", "show", "open"]
        {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
