//! `oncue eval answers`: what the answer to a search costs the model that reads it.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use oncue_eval::answers::{Form, Sizes, catalog, measure, rivals};
use oncue_gateway::serve::{Names, answer_text};

use super::folders::{load, nothing};
use crate::args::Answers;
use crate::catalog::Catalog;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::grouped;

const HEADINGS: [&str; 8] =
    ["form", "answers", "bytes, median", "p99", "longest", "tokens, median", "p99", "longest"];

/// Hits that a search asks for unless told otherwise.
const HITS: usize = 5;

pub(in crate::command) fn answers(
    args: &Answers,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut present = Vec::new();
    let mut queries = Vec::new();
    for folder in &args.folders {
        if let Some(dataset) = load(folder, &args.split, &mut present, err)? {
            queries.extend(dataset.queries.into_iter().map(|query| query.text));
        }
    }
    if queries.is_empty() {
        return Err(nothing(&args.split, &present));
    }
    let tools = Catalog::open(&args.catalog, err)?;
    let tools = catalog(tools.definitions()).map_err(Failure::input)?;
    let names = Names { search: "search_tools", call: "call_tool" };
    let budget = args.answer_bytes;
    let ours = Form {
        name: "oncue, 5",
        hits: HITS,
        write: Box::new(move |found| answer_text(found, budget, names)),
    };
    let forms: Vec<Form<'_>> = std::iter::once(ours).chain(rivals()).collect();
    let bar = ProgressBar::new(queries.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let sizes = measure(&tools, &queries, &forms, &mut || bar.inc(1));
    bar.finish_and_clear();
    print(args, &sizes, out)?;
    Ok(Exit::Ok)
}

fn print(args: &Answers, sizes: &[Sizes], out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        return sizes.iter().try_for_each(|sizes| write_json(out, sizes));
    }
    let mut table = Table::new(&HEADINGS, 1);
    for sizes in sizes {
        let mut row = vec![sizes.form.to_owned(), grouped(sizes.answers)];
        for spread in [sizes.bytes, sizes.tokens] {
            row.extend([spread.median, spread.p99, spread.max].map(grouped));
        }
        table.push(row);
    }
    let text = if args.markdown { table.markdown() } else { table.plain() };
    out.write_all(text.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use oncue_gateway::limits::{ANSWER_BYTES_DEFAULT, ANSWER_BYTES_MIN};
    use oncue_tools::{Grants, OpenTools};
    use serde_json::Value;

    use super::*;

    /// What a client reads of a tool in an answer, in either of its forms.
    fn told<'a>(answer: &'a Value, name: &str) -> &'a Value {
        let tools = ["tools", "more"].iter().filter_map(|part| answer[part].as_array()).flatten();
        tools.into_iter().find(|tool| tool["name"] == name).expect("every hit is told")
    }

    /// Returns the names of the arguments that what a client reads says a call must have.
    fn required(told: &Value) -> Vec<String> {
        if let Some(short) = told["required"].as_object() {
            return short.keys().cloned().collect();
        }
        let names = told["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
    }

    #[test]
    fn no_required_argument_is_ever_hidden() {
        let read = Catalog::read(&[], false, &mut Vec::new()).expect("the embedded catalog");
        let tools = catalog(read.definitions()).expect("they stand together");
        let grants = Grants::all();
        let open = OpenTools::new(&tools, &grants);
        let all: Vec<_> = open.all().cloned().collect();
        assert!(all.len() > 2_000, "{} tools", all.len());
        let names = Names { search: "s", call: "c" };
        let mut forms = [0, 0];
        // Each tool comes first once, where it is whole, and second once, where it is short if it is longer than the budget.
        for (tool, next) in all.iter().zip(all.iter().cycle().skip(1)) {
            for (pair, budget) in
                [([next, tool], ANSWER_BYTES_MIN), ([tool, next], ANSWER_BYTES_DEFAULT)]
            {
                let query = format!("select:{},{}", pair[0].exposed(), pair[1].exposed());
                let answer = answer_text(&open.find(&query, 5), budget, names);
                let answer: Value = serde_json::from_str(&answer).expect("JSON");
                let told = told(&answer, tool.exposed());
                let raw = tool.definition().raw().expect("a definition");
                let raw: Value = serde_json::from_str(raw.get()).expect("JSON");
                let mut expected: Vec<String> = raw["inputSchema"]["required"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|name| name.as_str().expect("a name").to_owned())
                    .collect();
                let mut shown = required(told);
                expected.sort();
                shown.sort();
                expected.dedup();
                shown.dedup();
                assert_eq!(shown, expected, "{}", tool.exposed());
                forms[usize::from(told.get("inputSchema").is_some())] += 1;
            }
        }
        assert!(forms.iter().all(|&count| count > all.len() / 4), "both forms are met: {forms:?}");
    }
}
