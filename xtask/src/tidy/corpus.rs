//! Every case of the corpus says which rankers it binds.

use super::Finding;
use crate::tree::File;

/// A case without rankers binds nobody and would pass unseen.
pub(super) fn cases_name_their_rankers(files: &[File]) -> Vec<Finding> {
    let is_corpus = |file: &&File| file.path.starts_with("corpus/") && file.path.ends_with(".toml");
    files.iter().filter(is_corpus).flat_map(of_file).collect()
}

fn of_file(file: &File) -> Vec<Finding> {
    let table = match file.text.parse::<toml::Table>() {
        Ok(table) => table,
        Err(error) => return vec![Finding::new(file, 0, format!("not TOML: {error}"))],
    };
    let names_rankers = |table: &toml::Table| {
        let rankers = table.get("rankers").and_then(toml::Value::as_array);
        rankers.is_some_and(|all| !all.is_empty() && all.iter().all(toml::Value::is_str))
    };
    let Some(cases) = table.get("case").and_then(toml::Value::as_array) else {
        return vec![Finding::new(file, 0, "no `[[case]]`")];
    };
    if names_rankers(&table) {
        return Vec::new();
    }
    cases
        .iter()
        .enumerate()
        .filter(|(_, case)| !case.as_table().is_some_and(names_rankers))
        .map(|(at, _)| Finding::new(file, 0, format!("case {}: `rankers` names none", at + 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::cases_name_their_rankers;
    use crate::tree::File;

    fn found(text: &str) -> Vec<String> {
        let files = [File::new("corpus/a.toml", text)];
        cases_name_their_rankers(&files).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn a_case_that_binds_no_ranker_is_found() {
        let good = "[[case]]\nquery = \"a\"\nrankers = [\"keyword\"]\n";
        assert_eq!(found(good), Vec::<String>::new());
        assert_eq!(
            found(&format!("rankers = [\"bm25f\"]\n{}", "[[case]]\nquery = \"b\"\n")),
            Vec::<String>::new()
        );
        let bad = format!("{good}[[case]]\nquery = \"b\"\n[[case]]\nrankers = []\n");
        assert_eq!(found(&bad), ["case 2: `rankers` names none", "case 3: `rankers` names none"]);
        assert_eq!(found("x = 1\n"), ["no `[[case]]`"]);
        assert_eq!(found("x = \n").len(), 1);
    }
}
