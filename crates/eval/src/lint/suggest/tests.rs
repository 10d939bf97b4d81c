use std::path::Path;
use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::Document;
use oncue_tools::{BoxFuture, EmbedError, Embedder, NoStore};
use serde_json::value::RawValue;

use super::words::words;
use super::{Origin, Proposal, suggest};
use crate::retrieval::Dataset;

fn tool(name: &'static str, description: &'static str) -> Arc<Document> {
    Arc::new(Document::new(Row::discoverable(name, description)))
}

fn proposed(tools: &[Arc<Document>], embedder: Option<&dyn Embedder>) -> Vec<Vec<Proposal>> {
    let tools: Vec<(&str, &Arc<Document>)> = tools.iter().map(|tool| ("media", tool)).collect();
    suggest(&tools, embedder, &NoStore, &mut |_| {})
}

fn told(proposals: &[Vec<Proposal>]) -> Vec<Vec<&str>> {
    proposals.iter().map(|of| of.iter().map(|proposal| &*proposal.keyword).collect()).collect()
}

#[test]
fn a_list_knows_what_people_say_for_the_words_of_a_name() {
    let found =
        proposed(&[tool("getImage", "Gets it"), tool("list-invoices", "All of them")], None);
    assert_eq!(told(&found), [vec!["picture", "photo", "photograph"], vec!["bill"]]);
    let first = &found[0][0];
    assert_eq!((first.origin, &*first.stands_for, first.in_name), (Origin::List, "image", true));
    assert_eq!(first.to_string(), "people say it for `image` in its name");
}

#[test]
fn a_word_that_any_tool_says_is_proposed_for_none() {
    let tools = [tool("getImage", "Gets it"), tool("takePhoto", "Makes a Picture")];
    assert_eq!(told(&proposed(&tools, None)), [["photograph"], ["photograph"]]);
}

#[test]
fn what_nobody_searches_for_lacks_no_words() {
    let inline = Arc::new(Document::new(Row::inline("getImage", "Gets it")));
    assert_eq!(told(&proposed(&[inline], None)), [[""; 0]]);
    assert!(proposed(&[], None).is_empty());
}

/// A model that knows two words and what tools of one of them mean.
struct Two;

impl Two {
    fn vector(text: &str) -> Vec<f32> {
        match text {
            // Their cosine is 0.9, as 0.9² + 0.436² is 1.
            "image" => vec![1.0, 0.0, 0.0],
            "portrait" => vec![0.9, 0.436, 0.0],
            passage if passage.contains("Image") => vec![1.0, 0.0, 0.0],
            // Similar to nothing.
            _ => vec![0.0; 3],
        }
    }
}

impl Embedder for Two {
    fn model(&self) -> &str {
        "two"
    }

    fn width(&self) -> usize {
        3
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { Ok(texts.iter().map(|text| Self::vector(text)).collect()) })
    }

    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        Some(texts.iter().map(|text| Self::vector(text)).collect())
    }
}

#[test]
fn a_model_adds_words_and_holds_those_of_the_list_against_the_tool() {
    let schema = r#"{"properties": {"style": {"enum": ["portrait"]}}}"#;
    let schema = RawValue::from_string(schema.to_owned()).unwrap();
    let row = Row::discoverable("drawImage", "Makes it");
    let tools = [
        tool("getImage", "Gets it"),
        tool("list-invoices", "All of them"),
        Arc::new(Document::new(row).with_schema(schema)),
    ];
    let found = proposed(&tools, Some(&Two));
    // The model takes `photo` and `bill` for nothing that these tools are about.
    assert_eq!(told(&found), [vec!["portrait"], vec![], vec!["portrait"]]);
    let (plain, in_schema) = (&found[0][0], &found[2][0]);
    assert!((plain.closeness.unwrap() - 0.9).abs() < 0.005);
    assert_eq!((plain.origin, in_schema.origin), (Origin::Meaning, Origin::Schema));
    assert_eq!(plain.to_string(), "means about the same as `image` in its name (0.90)");
    assert_eq!(
        in_schema.to_string(),
        "its parameter `style` says it, means about the same as `image` in its name (0.90)"
    );
    let backwards: Vec<Arc<Document>> = tools.iter().rev().cloned().collect();
    let turned: Vec<Vec<Proposal>> = found.into_iter().rev().collect();
    assert_eq!(proposed(&backwards, Some(&Two)), turned, "the order of tools makes no difference");
}

#[test]
fn no_request_in_the_words_of_real_tools_meets_a_proposed_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/siblings");
    let set = Dataset::load(&folder, "dev").unwrap();
    let tools: Vec<(&str, &Arc<Document>)> =
        set.tools.iter().map(|tool| (tool.source.as_str(), &tool.document)).collect();
    let found = suggest(&tools, None, &NoStore, &mut |_| {});
    let said: Vec<String> = tools
        .iter()
        .flat_map(|(_, tool)| words(&format!("{} {}", tool.row.name(), tool.row.description())))
        .map(|word| word.stem)
        .collect();
    assert!(found.iter().flatten().count() > 20);
    for proposals in &found {
        assert!(proposals.len() <= 3);
        for proposal in proposals {
            assert!(!said.contains(&words(&proposal.keyword)[0].stem), "{proposal:?}");
        }
    }
}
