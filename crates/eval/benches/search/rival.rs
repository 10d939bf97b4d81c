//! tantivy on the same tools and queries: four boosted fields, one writer, its own English analysis.

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    Language, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer, TokenStream,
};
use tantivy::{Index, IndexReader, TantivyDocument, Term};

use crate::Load;
use crate::timing::{Times, once};

const BOOSTS: [f32; 4] = [2.0, 2.0, 0.7, 0.3];
const WRITER_BYTES: usize = 200_000_000;

pub(crate) fn measure(load: &Load) {
    let (index, fields) = empty();
    let mut writer = index.writer_with_num_threads(1, WRITER_BYTES).expect("a writer in memory");
    for tool in load.sources.iter().flat_map(|(_, tools)| tools) {
        writer.add_document(document(&fields, tool)).expect("a document is added");
    }
    writer.commit().expect("documents are committed");
    let reader = index.reader().expect("a reader");
    let ask = |query: &String| answer(&index, &reader, &fields, query);
    println!("  tantivy search    {}", Times::of(&load.queries, ask));
    let tool = &load.sources[0].1[0];
    let ((), added) = once(|| {
        writer.add_document(document(&fields, tool)).expect("a document is added");
        writer.commit().expect("it is committed");
        reader.reload().expect("the reader reloads");
    });
    println!("  tantivy adds one  {added:>9.1} (this thread; its writer thread comes on top)");
}

fn empty() -> (Index, [Field; 4]) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("english")
        .set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let fields = ["name", "keywords", "description", "parameters"]
        .map(|name| schema.add_text_field(name, options.clone()));
    let index = Index::create_in_ram(schema.build());
    index.tokenizers().register("english", analyzer());
    (index, fields)
}

fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(Stemmer::new(Language::English))
        .build()
}

fn document(fields: &[Field; 4], tool: &oncue_search::Document) -> TantivyDocument {
    let mut parameters = String::new();
    if let Some(schema) = &tool.schema {
        oncue_search::schema::each_part(schema.get(), &mut |_, text| {
            parameters.push_str(text);
            parameters.push(' ');
        });
    }
    let keywords: Vec<&str> = tool.row.keywords().iter().collect();
    let mut document = TantivyDocument::default();
    document.add_text(fields[0], tool.row.name().replace('_', " "));
    document.add_text(fields[1], keywords.join(" "));
    document.add_text(fields[2], tool.row.description());
    document.add_text(fields[3], parameters);
    document
}

fn answer(index: &Index, reader: &IndexReader, fields: &[Field; 4], query: &str) {
    let mut analyzer = index.tokenizers().get("english").expect("it was registered");
    let mut terms: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    let mut tokens = analyzer.token_stream(query);
    while tokens.advance() {
        for (field, boost) in fields.iter().zip(BOOSTS) {
            let term = Term::from_field_text(*field, &tokens.token().text);
            let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
            terms.push((Occur::Should, Box::new(BoostQuery::new(Box::new(query), boost))));
        }
    }
    let top = TopDocs::with_limit(5).order_by_score();
    reader.searcher().search(&BooleanQuery::new(terms), &top).expect("a search in memory");
}
