//! Verbs that tools and people use for one another, and words that almost any tool could say.
//!
//! Both lists were written from general knowledge of English and of interfaces, not taken from any data set.

/// Returns the names of the groups of verbs that the verb with the stem `stem` belongs to.
///
/// A tool that says one verb of a group is often asked for with another, so each group is a term of its own.
/// The names begin with a character that no other term has.
pub(crate) fn groups(stem: &str) -> &'static [&'static str] {
    let found = VERBS.binary_search_by_key(&stem, |&(verb, _)| verb);
    found.ok().and_then(|at| VERBS.get(at)).map_or(&[], |&(_, groups)| groups)
}

/// Says whether the word with the stem `stem` is one that almost any tool could say.
pub(crate) fn is_generic(stem: &str) -> bool {
    GENERIC.binary_search(&stem).is_ok()
}

/// Stems of verbs with the groups they belong to, ascending.
const VERBS: &[(&str, &[&str])] = &[
    ("abort", &["~stop"]),
    ("access", &["~get"]),
    ("add", &["~create"]),
    ("adjust", &["~update"]),
    ("alter", &["~update"]),
    ("analys", &["~analyze"]),
    ("analyz", &["~analyze"]),
    ("assess", &["~analyze"]),
    ("begin", &["~run"]),
    ("book", &["~book"]),
    ("brows", &["~list"]),
    ("build", &["~create"]),
    ("buy", &["~buy"]),
    ("calcul", &["~compute"]),
    ("cancel", &["~stop"]),
    ("chang", &["~update", "~convert"]),
    ("check", &["~get", "~verify"]),
    ("clear", &["~delete"]),
    ("close", &["~stop"]),
    ("compar", &["~compare"]),
    ("comput", &["~compute"]),
    ("confirm", &["~verify"]),
    ("contrast", &["~compare"]),
    ("convert", &["~convert"]),
    ("creat", &["~create"]),
    ("delet", &["~delete"]),
    ("deliv", &["~send"]),
    ("describ", &["~describe"]),
    ("detail", &["~describe"]),
    ("determin", &["~compute"]),
    ("diff", &["~compare"]),
    ("discard", &["~delete"]),
    ("discov", &["~find"]),
    ("dispatch", &["~send"]),
    ("display", &["~get"]),
    ("download", &["~download"]),
    ("drop", &["~delete"]),
    ("edit", &["~update"]),
    ("end", &["~stop"]),
    ("enumer", &["~list"]),
    ("eras", &["~delete"]),
    ("estim", &["~compute"]),
    ("evalu", &["~compute", "~analyze"]),
    ("examin", &["~analyze"]),
    ("execut", &["~run"]),
    ("explain", &["~describe"]),
    ("export", &["~download"]),
    ("fetch", &["~get"]),
    ("find", &["~find", "~compute"]),
    ("generat", &["~create"]),
    ("get", &["~get", "~list", "~find"]),
    ("halt", &["~stop"]),
    ("insert", &["~create"]),
    ("inspect", &["~analyze"]),
    ("invok", &["~run"]),
    ("kill", &["~stop"]),
    ("launch", &["~run"]),
    ("list", &["~list"]),
    ("locat", &["~find"]),
    ("look", &["~get", "~find"]),
    ("make", &["~create"]),
    ("modifi", &["~update"]),
    ("new", &["~create"]),
    ("obtain", &["~get"]),
    ("open", &["~create"]),
    ("order", &["~buy"]),
    ("patch", &["~update"]),
    ("post", &["~send"]),
    ("propos", &["~recommend"]),
    ("publish", &["~send"]),
    ("purchas", &["~buy"]),
    ("queri", &["~find"]),
    ("read", &["~get"]),
    ("recommend", &["~recommend"]),
    ("regist", &["~create"]),
    ("remov", &["~delete"]),
    ("replac", &["~update"]),
    ("reserv", &["~book"]),
    ("retriev", &["~get"]),
    ("review", &["~analyze"]),
    ("run", &["~run"]),
    ("save", &["~download"]),
    ("schedul", &["~book"]),
    ("search", &["~find"]),
    ("see", &["~get"]),
    ("seek", &["~find"]),
    ("send", &["~send"]),
    ("set", &["~update"]),
    ("show", &["~get", "~list"]),
    ("solv", &["~compute"]),
    ("start", &["~run"]),
    ("stop", &["~stop"]),
    ("submit", &["~send"]),
    ("suggest", &["~recommend"]),
    ("summar", &["~describe"]),
    ("termin", &["~stop"]),
    ("transform", &["~convert"]),
    ("translat", &["~convert"]),
    ("trigger", &["~run"]),
    ("updat", &["~update"]),
    ("valid", &["~verify"]),
    ("verifi", &["~verify"]),
    ("view", &["~get", "~list"]),
];

/// Stems of generic words, ascending.
const GENERIC: &[&str] = &[
    "access", "add", "all", "assign", "attach", "cancel", "chang", "check", "close", "copi",
    "creat", "data", "delet", "detail", "disabl", "display", "edit", "enabl", "execut", "fetch",
    "find", "get", "info", "inform", "insert", "list", "look", "make", "manag", "modifi", "move",
    "new", "obtain", "open", "post", "queri", "read", "remov", "renam", "retriev", "run", "search",
    "see", "send", "set", "share", "show", "start", "stop", "submit", "tri", "updat", "use",
    "view", "write",
];

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::{GENERIC, VERBS, groups, is_generic};

    /// The groups as words; the table holds their stems.
    const GROUPS: &[&str] = &[
        "get retrieve fetch read show view display check look obtain see access",
        "list enumerate show get browse view",
        "find search query locate discover seek look get",
        "create add make new open insert register build generate",
        "update edit modify change set patch replace adjust alter",
        "delete remove drop erase clear discard",
        "send post publish submit deliver dispatch",
        "run execute start launch invoke trigger begin",
        "stop cancel kill terminate halt abort end close",
        "compute calculate determine evaluate find estimate solve",
        "convert transform translate change",
        "buy purchase order",
        "book reserve schedule",
        "download save export",
        "compare diff contrast",
        "analyze analyse examine inspect assess evaluate review",
        "describe explain summarize detail",
        "verify validate check confirm",
        "recommend suggest propose",
    ];

    const GENERIC_WORDS: &str = "get retrieve fetch read show view display check look see access \
        obtain list find search query create add make insert update edit change modify set delete \
        remove send post run execute start open use try assign attach move copy \
        rename share close cancel stop submit write enable disable manage new all data info information detail";

    #[test]
    fn the_table_holds_the_stems_of_the_groups_and_nothing_else() {
        let mut rows = 0;
        for group in GROUPS {
            let name = format!("~{}", group.split(' ').next().unwrap());
            for verb in group.split(' ') {
                let stem = Language::English.stem(verb);
                assert!(groups(&stem).contains(&&*name), "{verb} in {name}");
            }
            rows += VERBS.iter().filter(|(_, groups)| groups.contains(&&*name)).count();
        }
        assert_eq!(rows, VERBS.iter().map(|(_, groups)| groups.len()).sum::<usize>());
        assert!(VERBS.is_sorted_by_key(|&(stem, _)| stem));
    }

    #[test]
    fn generic_words_are_known_by_their_stems() {
        assert!(GENERIC.is_sorted());
        assert!(
            GENERIC_WORDS.split_whitespace().all(|word| is_generic(&Language::English.stem(word)))
        );
        assert!(!is_generic("mail") && !is_generic("time") && !is_generic("translat"));
    }
}
