//! Words that never decide which tool fits: articles, pronouns, prepositions, auxiliaries and the courtesies of a request.
//!
//! Each list is folded (no case, no accents) and sorted, so that a look-up is a binary search.

/// Says whether `word` (folded) decides nothing in any of the languages whose words are known.
///
/// Words of other languages are listed only where no English word that means something is spelled the same.
pub(crate) fn is_stop_word(word: &str) -> bool {
    ENGLISH.binary_search(&word).is_ok() || OTHERS.binary_search(&word).is_ok()
}

const ENGLISH: &[&str] = &[
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
];

const OTHERS: &[&str] = &[
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
];

#[cfg(test)]
mod tests {
    use super::{ENGLISH, OTHERS, is_stop_word};

    #[test]
    fn the_lists_are_sorted_so_that_a_binary_search_finds_every_word() {
        for list in [ENGLISH, OTHERS] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|word| is_stop_word(word)));
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
