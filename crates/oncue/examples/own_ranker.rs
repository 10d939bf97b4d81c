//! A ranker of one's own: tools that were used often come first among those that fit.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use oncue::search::rank::Bm25f;
use oncue::search::{Asked, Candidates, Explanation, Hit, Ranker};
use oncue::{Catalog, NoArguments, Options, Row, ToolSearch, tool};

/// Orders what the default ranker finds by how often it was used.
struct Habit {
    fits: Bm25f,
    uses: HashMap<&'static str, u32>,
}

impl Ranker for Habit {
    fn name(&self) -> &'static str {
        "habit"
    }

    fn rank<'a>(&self, text: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let mut hits = self.fits.rank(text, candidates, candidates.len());
        // The sort is stable, so tools of equal use stay in the order in which they fit.
        hits.sort_by_key(|hit| Reverse(self.uses.get(hit.document.row.name())));
        hits.truncate(max);
        hits
    }

    fn explain(&self, text: Asked<'_>, candidates: &Candidates<'_>, hit: &Hit<'_>) -> Explanation {
        self.fits.explain(text, candidates, hit)
    }
}

fn main() -> Result<(), oncue::CatalogError> {
    let names = |ranker: Arc<dyn Ranker>| -> Result<Vec<String>, oncue::CatalogError> {
        let catalog = Catalog::with_options(Options { ranker, ..Options::default() });
        catalog.register(Arc::new(ToolSearch::new()))?;
        for (name, what) in [
            ("export_csv", "Exports a table as a csv file"),
            ("export_pdf", "Exports a table as a pdf file"),
            ("send_mail", "Sends a message"),
        ] {
            let row = Row::discoverable(name, what).with_keywords([name]);
            catalog.register(Arc::new(tool(row, async |_, _: NoArguments| Ok("done"))))?;
        }
        let found = catalog.search("table as csv file", 5);
        Ok(found.iter().map(|entry| entry.exposed().to_owned()).collect())
    };
    let plain = names(Arc::new(Bm25f::default()))?;
    let uses = HashMap::from([("export_pdf", 9), ("send_mail", 99)]);
    let habit = names(Arc::new(Habit { fits: Bm25f::default(), uses }))?;
    println!("bm25f: {plain:?}\nhabit: {habit:?}");
    assert_eq!(plain, ["export_csv", "export_pdf"]);
    assert_eq!(habit, ["export_pdf", "export_csv"]);
    Ok(())
}
