use super::{Sort, analyze};

fn check(text: &str, expected: &[&str]) {
    let terms = analyze(text).terms.into_iter().filter(|term| term.sort != Sort::Verbs);
    let terms: Vec<String> = terms.map(|term| term.text).collect();
    assert_eq!(terms, expected, "{text:?}");
}

#[test]
fn identifiers_are_split_and_kept_whole() {
    check("read_file", &["read", "file", "readfile"]);
    check("read-file", &["read", "file", "readfile"]);
    check("readFile", &["read", "file", "readfile"]);
    check("ReadFILE", &["read", "file", "readfile"]);
    check("calendar.respondToEvent", &["calendar", "respond", "event", "calendarrespondtoevent"]);
    check("XMLHttpRequest", &["xml", "http", "request", "xmlhttprequest"]);
    check("getURLs", &["get", "url", "geturls"]);
    check("GET /users/{userId}", &["get", "user", "user", "id", "userid"]);
    check("base64", &["base", "64", "base64"]);
    check("s3", &["3", "s3"]);
    check("__init__", &["init"]);
    check("a__b", &["ab"]);
}

#[test]
fn words_are_folded_and_stemmed() {
    check("Connections", &["connect"]);
    check("RÉSUMÉS", &["resum"]);
    check("the user's files", &["user", "file"]);
    check("don't", &[]);
    check("ﬁles", &["file"]);
    check("ＦＵＬＬ　ｗｉｄｔｈ", &["full", "width"]);
    check("Straße", &["strass"]);
}

#[test]
fn scripts_without_spaces_become_pairs_without_grammar() {
    check("法令を調べて", &["法令", "調"]);
    check("日本の法令を検索します。", &["日本", "法令", "検索"]);
    check("データベース", &["デー", "ータ", "タベ", "ベー", "ース"]);
    check("查询天气", &["查询", "询天", "天气"]);
    check("파일을 찾습니다", &["파일", "찾"]);
    check("파일 찾기", &["파일", "찾기"]);
    check("서울에서 부산까지", &["서울", "부산"]);
    check("우산을 빌립니다", &["우산", "빌리"]);
    check("검색합니다", &["검색"]);
    check("PDF를 변환해줘", &["pdf", "변환"]);
    check("してください", &[]);
}

#[test]
fn any_text_can_be_analysed() {
    for text in ["", " ", "_", "-.-", "'", "a'", "\u{301}", "🙂🙂", "a\u{0}b", "İ", "ǅ", "\u{fdfa}"]
    {
        let analysis = analyze(text);
        assert!(analysis.terms.iter().all(|term| term.stretch < analysis.stretches.len()));
    }
}
