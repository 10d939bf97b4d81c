//! Scripts that write no spaces between words, and Korean, which writes particles onto its words.
//!
//! No dictionary is used: runs become overlapping pairs of characters, after grammatical endings are taken off.

use std::borrow::Cow;

/// Calls `sink` for each pair of neighbouring characters of `run`; a run of one character is its own term.
pub(crate) fn pairs(run: &str, sink: &mut dyn FnMut(&str)) {
    let mut previous = None;
    for (at, c) in run.char_indices() {
        if let Some(start) = previous {
            sink(run.get(start..at + c.len_utf8()).unwrap_or_default());
        }
        previous = Some(at);
    }
    if previous == Some(0) {
        sink(run);
    }
}

/// Returns a Korean word without the particle or verbal ending that it carries; empty where it is nothing else.
pub(crate) fn korean_stem(word: &str) -> Cow<'_, str> {
    match without_polite_ending(word) {
        Some(open) => Cow::Owned(without_endings(&open).to_owned()),
        None => Cow::Borrowed(without_endings(word)),
    }
}

/// `빌립니다` is `빌리` with the final consonant ㅂ and `니다`: returns `빌리`.
fn without_polite_ending(word: &str) -> Option<String> {
    const FIRST_SYLLABLE: u32 = 0xac00;
    /// Final consonants a syllable can have, none included (Unicode Standard, section 3.12).
    const FINALS: u32 = 28;
    const FINAL_B: u32 = 17;
    let rest = word.strip_suffix("니다").or_else(|| word.strip_suffix("니까"))?;
    let last = rest.chars().next_back()?;
    let open = (u32::from(last).checked_sub(FIRST_SYLLABLE)? % FINALS == FINAL_B)
        .then(|| char::from_u32(u32::from(last) - FINAL_B))??;
    // 습니다 is an ending of its own.
    let head = rest.strip_suffix(last).filter(|_| last != '습')?;
    Some(format!("{head}{open}"))
}

fn without_endings(word: &str) -> &str {
    let mut stem = word;
    // An ending may follow another: 파일에서는 = 파일 + 에서 + 는.
    for _ in 0..3 {
        let Some(shorter) = KOREAN_ENDINGS.iter().find_map(|(ending, rest_min)| {
            let rest = stem.strip_suffix(ending)?;
            (rest.chars().count() >= *rest_min).then_some(rest)
        }) else {
            break;
        };
        stem = shorter;
    }
    if KOREAN_STOP_WORDS.contains(&stem) { "" } else { stem }
}

/// Calls `sink` for each stretch of a hiragana run that is no grammatical morpheme.
///
/// Nouns and verb stems are mostly written in kanji or katakana; what is left in hiragana is mostly grammar, and no tool fits because of it.
pub(crate) fn hiragana_content(run: &str, sink: &mut dyn FnMut(&str)) {
    let mut rest = run;
    let mut content_start = run;
    let mut content_len = 0;
    while let Some(first) = rest.chars().next() {
        let morpheme = HIRAGANA_GRAMMAR.iter().find_map(|word| rest.strip_prefix(word));
        if let Some(tail) = morpheme {
            emit_content(content_start, content_len, sink);
            rest = tail;
            content_start = tail;
            content_len = 0;
        } else {
            content_len += first.len_utf8();
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    emit_content(content_start, content_len, sink);
}

/// A single kana that no morpheme covers is an inflection (okurigana), not a word.
fn emit_content(from: &str, len: usize, sink: &mut dyn FnMut(&str)) {
    let content = from.get(..len).unwrap_or_default();
    if content.chars().nth(1).is_some() {
        sink(content);
    }
}

/// Particles and verbal endings, longest first, each with the fewest syllables that must remain.
///
/// Endings of one syllable that also end many nouns (이, 가, 도, 로 …) must leave two.
const KOREAN_ENDINGS: &[(&str, usize)] = &[
    ("해주시겠어요", 0),
    ("해주실래요", 0),
    ("하고싶어요", 0),
    ("해주십시오", 0),
    ("하겠습니다", 0),
    ("할수있나요", 0),
    ("하였습니다", 0),
    ("해주세요", 0),
    ("하십시오", 0),
    ("했습니다", 0),
    ("됩니다", 0),
    ("합니다", 0),
    ("입니다", 1),
    ("습니다", 1),
    ("하세요", 0),
    ("해줄래", 0),
    ("해봐요", 0),
    ("하려면", 0),
    ("하려고", 0),
    ("하면서", 0),
    ("으려면", 1),
    ("에서는", 1),
    ("으로는", 1),
    ("에서의", 1),
    ("으로써", 1),
    ("으로서", 1),
    ("이라는", 1),
    ("이라고", 1),
    ("부터는", 1),
    ("까지의", 1),
    ("에게서", 1),
    ("주세요", 0),
    ("줄래요", 0),
    ("싶어요", 0),
    ("싶은데", 0),
    ("인가요", 1),
    ("나요", 1),
    ("까요", 1),
    ("어요", 1),
    ("아요", 1),
    ("예요", 1),
    ("이에요", 1),
    ("해줘", 0),
    ("해서", 0),
    ("하는", 0),
    ("하다", 0),
    ("하기", 0),
    ("하고", 0),
    ("하면", 0),
    ("하여", 0),
    ("해요", 0),
    ("했어", 0),
    ("되는", 0),
    ("되어", 0),
    ("된", 1),
    ("에서", 1),
    ("에게", 1),
    ("에는", 1),
    ("으로", 1),
    ("까지", 1),
    ("부터", 1),
    ("처럼", 1),
    ("보다", 1),
    ("마다", 1),
    ("이나", 1),
    ("이랑", 1),
    ("한테", 1),
    ("께서", 1),
    ("조차", 1),
    ("밖에", 1),
    ("라고", 1),
    ("라는", 1),
    ("이란", 1),
    ("들의", 1),
    ("들을", 1),
    ("들이", 1),
    ("하", 2),
    ("되", 2),
    ("을", 1),
    ("를", 1),
    ("은", 1),
    ("는", 1),
    ("의", 1),
    ("에", 1),
    ("이", 2),
    ("가", 2),
    ("와", 1),
    ("과", 2),
    ("도", 2),
    ("로", 2),
    ("만", 2),
    ("나", 2),
    ("랑", 2),
    ("께", 1),
    ("야", 2),
    ("할", 1),
    ("한", 2),
    ("해", 2),
    ("줘", 1),
    ("좀", 1),
];

/// Words that are grammar or courtesy only.
const KOREAN_STOP_WORDS: &[&str] = &[
    "그", "이", "저", "것", "거", "수", "등", "및", "좀", "제", "내", "나", "너", "우리", "있",
    "있는", "있어", "있나", "있을", "있다", "없", "없는", "하", "할", "한", "해", "되", "될", "위",
    "위한", "위해", "대한", "대해", "통해", "때", "더", "또", "또는", "그리고", "어떤", "어떻게",
    "무엇", "뭐", "뭔", "싶", "싶은", "싶습", "싶어", "원하", "주", "주어진", "을", "를", "은",
    "는", "가", "와", "과", "도", "로", "에", "의", "에서", "으로", "까지", "부터", "부탁",
    "부탁드려요", "부탁드립", "알려", "알려줘", "알려주", "알고", "보여", "보여줘", "보여주",
    "찾아", "주면", "줄", "줘", "필요", "필요한", "관련", "관련된",
];

/// Grammatical morphemes of Japanese in hiragana, longest first.
const HIRAGANA_GRAMMAR: &[&str] = &[
    "いただけますか", "してください", "くださいませ", "しましょう", "でしょうか", "いただく",
    "いただき", "ください", "ましょう", "でしょう", "について", "における", "によって", "としては",
    "ために", "ための", "できます", "できる", "しました", "ました", "します", "ません", "ますか",
    "ですか", "される", "された", "されて", "させる", "という", "ような", "ように", "ところ",
    "している", "して", "した", "する", "すべて", "ている", "ていた", "ておく", "られる", "たい",
    "です", "ます", "ない", "など", "から", "まで", "より", "だけ", "では", "には", "とは", "にて",
    "への", "での", "との", "からの", "これ", "それ", "あれ", "この", "その", "あの", "どの",
    "どれ", "ここ", "そこ", "こと", "もの", "ため", "よう", "とき", "ある", "あり", "いる", "いま",
    "おり", "なる", "なり", "れる", "また", "または", "および", "ほしい", "どう", "なに", "いい",
    "かな", "ね", "よ", "か", "が", "を", "に", "へ", "と", "で", "は", "の", "も", "や", "な",
    "だ", "し", "さ", "て", "た", "り", "る", "い", "う", "く", "れ", "ら", "む", "ば", "ん", "つ",
    "す", "め", "け", "き", "げ", "べ", "せ", "え", "み", "お", "ご",
];
