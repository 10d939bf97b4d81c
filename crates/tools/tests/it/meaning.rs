//! A catalog that finds by what is meant.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use oncue_search::{Row as VectorRow, passage};
use oncue_tools::{
    BoxFuture, Catalog, EmbedError, Embedder, Grants, NoStore, OpenTools, Options, Tuning,
    VectorStore,
};

use crate::support::hidden;

/// Knows money from weather; counts the texts that it is given.
#[derive(Default)]
struct Small {
    given: AtomicUsize,
    is_away: bool,
}

impl Small {
    fn vector(text: &str) -> Vec<f32> {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let side = |is: bool| if is { 1.0 } else { 0.05 };
        vec![side(has(&["refund", "money"])), side(has(&["forecast", "rain"]))]
    }
}

impl Embedder for Small {
    fn model(&self) -> &str {
        "small"
    }

    fn width(&self) -> usize {
        2
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            if self.is_away {
                return Err(EmbedError { model: "small".into(), reason: "it sleeps".into() });
            }
            self.given.fetch_add(texts.len(), Ordering::Relaxed);
            Ok(texts.iter().map(|text| Self::vector(text)).collect())
        })
    }
}

fn catalog(embedder: Arc<Small>) -> Catalog {
    let catalog = Catalog::with_options(Options { embedder: Some(embedder), ..Options::default() });
    catalog.replace("shop", vec![hidden("refund", ""), hidden("invoice", "")]).unwrap();
    catalog.replace("sky", vec![hidden("forecast", "")]).unwrap();
    catalog
}

async fn found(catalog: &Catalog, query: &str) -> Vec<String> {
    let grants = Grants::all();
    let tools = OpenTools::new(catalog, &grants);
    let meaning = tools.meaning(query).await;
    let found = tools.find(oncue_search::Asked::from(query).meaning(meaning.as_ref()), 1);
    found.tools.iter().map(|entry| entry.row().name().to_owned()).collect()
}

#[tokio::test]
async fn a_tool_is_found_by_what_it_means_once_a_model_has_told() {
    let small = Arc::new(Small::default());
    let catalog = catalog(Arc::clone(&small));
    assert_eq!(found(&catalog, "my money back").await, [""; 0]);
    let mut steps = Vec::new();
    let asked = catalog.embed(&NoStore, &mut |done, all| steps.push((done, all))).await.unwrap();
    assert_eq!((asked, steps), (3, vec![(2, 3), (3, 3)]));
    assert_eq!(catalog.snapshot().embedded(), 3);
    assert_eq!(found(&catalog, "my money back").await, ["refund"]);
    assert_eq!(found(&catalog, "will it rain").await, ["forecast"]);
    // Nothing is told twice, and of a source that is replaced everything anew.
    assert_eq!(catalog.embed(&NoStore, &mut |_, _| {}).await, Ok(0));
    catalog.replace("sky", vec![hidden("forecast", ""), hidden("tide", "")]).unwrap();
    assert_eq!(catalog.snapshot().embedded(), 2);
    assert_eq!(catalog.embed(&NoStore, &mut |_, _| {}).await, Ok(2));
}

#[tokio::test]
async fn a_tool_is_found_by_what_it_has_served() {
    let mut tuning = Tuning::new("small", 2);
    for (tool, request) in [("refund", "rain"), ("invoice", "money")] {
        (0..20).for_each(|_| tuning.learn("shop", tool, &Small::vector(request), 1.0));
    }
    let tuned = |tuning: Option<Tuning>| {
        let embedder: Option<Arc<dyn Embedder>> = Some(Arc::new(Small::default()));
        let tuning = tuning.map(Arc::new);
        let catalog = Catalog::with_options(Options { embedder, tuning, ..Options::default() });
        catalog.replace("shop", vec![hidden("refund", ""), hidden("invoice", "")]).unwrap();
        catalog
    };
    // An invoice, of which the model knows nothing, is closer to rain than a refund is.
    for (tuning, first) in [(None, "invoice"), (Some(tuning), "refund")] {
        let catalog = tuned(tuning);
        catalog.embed(&NoStore, &mut |_, _| {}).await.unwrap();
        assert_eq!(found(&catalog, "will it rain").await, [first]);
    }
}

#[tokio::test]
async fn words_rank_alone_while_the_model_is_away() {
    let catalog = catalog(Arc::new(Small { is_away: true, ..Small::default() }));
    let error = catalog.embed(&NoStore, &mut |_, _| {}).await.unwrap_err();
    assert_eq!(error.to_string(), "the embedding model `small` gave no vectors: it sleeps");
    assert_eq!(found(&catalog, "refund").await, ["refund"]);
}

/// Remembers everything.
#[derive(Default)]
struct All(Mutex<std::collections::HashMap<String, VectorRow>>);

impl VectorStore for All {
    fn get(&self, model: &str, text: &str) -> Option<VectorRow> {
        assert_eq!(model, "small");
        self.0.lock().unwrap().get(text).cloned()
    }

    fn put(&self, _: &str, text: &str, row: &VectorRow) {
        self.0.lock().unwrap().insert(text.to_owned(), row.clone());
    }
}

#[tokio::test]
async fn a_text_that_is_remembered_is_not_given_to_the_model_again() {
    let store = All::default();
    let first = Arc::new(Small::default());
    catalog(first).embed(&store, &mut |_, _| {}).await.unwrap();
    let second = Arc::new(Small::default());
    let again = catalog(Arc::clone(&second));
    assert_eq!(again.embed(&store, &mut |_, _| {}).await, Ok(0));
    assert_eq!(second.given.load(Ordering::Relaxed), 0);
    assert_eq!(found(&again, "my money back").await, ["refund"]);
    let snapshot = again.snapshot();
    let entry = snapshot.tool("shop", "refund").unwrap();
    assert!(store.0.lock().unwrap().contains_key(&passage(entry.definition().document())));
}

#[tokio::test]
async fn what_is_told_of_a_source_that_has_changed_meanwhile_is_not_taken() {
    /// Replaces a source while it is asked about it.
    struct Meddling(Mutex<Option<Arc<Catalog>>>);
    impl VectorStore for Meddling {
        fn get(&self, _: &str, _: &str) -> Option<VectorRow> {
            None
        }
        fn put(&self, _: &str, _: &str, _: &VectorRow) {
            if let Some(catalog) = self.0.lock().unwrap().take() {
                catalog.replace("shop", vec![hidden("a", ""), hidden("b", "")]).unwrap();
            }
        }
    }
    let catalog = Arc::new(catalog(Arc::new(Small::default())));
    let store = Meddling(Mutex::new(Some(Arc::clone(&catalog))));
    assert_eq!(catalog.embed(&store, &mut |_, _| {}).await, Ok(3));
    // The two of the old version are gone, the one of the other source is told.
    assert_eq!(catalog.snapshot().embedded(), 1);
}
