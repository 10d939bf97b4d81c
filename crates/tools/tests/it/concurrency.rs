//! Writers and readers at once, held against a model.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use oncue_tools::{Activation, Catalog, Grants, Registry, Snapshot, Tool, ToolSet};

use crate::support::{catalog_of, hidden, inline, search};

/// Threads that change the catalog, each its own source.
const WRITERS: usize = 4;

/// Threads that read.
const READERS: usize = 4;

/// Changes that each writer makes.
const CHANGES: usize = 150;

/// A generation of a source: its number is a word of every tool, and decides how many tools there are.
fn tools(source: &str, generation: usize) -> Vec<Arc<dyn Tool>> {
    let tool = |n| {
        let text = format!("common gen{generation} of {source}");
        if n == 0 { inline("head", &text) } else { hidden(&format!("tool{n}"), &text) }
    };
    (0..size(generation)).map(tool).collect()
}

fn size(generation: usize) -> usize {
    2 + generation % 5
}

/// Every fourth change removes the source, every other fourth one removes a single tool.
fn write(catalog: &Catalog, source: &str) {
    for generation in 0..CHANGES {
        match generation % 4 {
            3 => assert!(catalog.remove_source(source)),
            2 => {
                catalog.replace(source, tools(source, generation)).unwrap();
                assert!(catalog.remove(source, "head"));
            }
            _ => catalog.replace(source, tools(source, generation)).unwrap(),
        }
    }
}

/// What the model allows a source to be: a whole generation, or one without its head.
fn check_source(snapshot: &Snapshot, source: &str) {
    let entries = snapshot.tools_of(source);
    let Some(first) = entries.first() else { return };
    let text = first.row().description();
    assert!(entries.iter().all(|entry| entry.row().description() == text), "two generations");
    let word = text.split(' ').nth(1).unwrap();
    let generation: usize = word.trim_start_matches("gen").parse().unwrap();
    let headless = generation % 4 == 2 && first.identity().name() != "head";
    assert_eq!(entries.len() + usize::from(headless), size(generation), "a missing half");
    assert!(text.ends_with(source));

    // The index and the names tell the same story.
    let indexed = snapshot.index().documents(source);
    assert_eq!(indexed.len(), entries.len());
    for (document, entry) in indexed.iter().zip(entries) {
        assert!(Arc::ptr_eq(document, entry.definition().document()));
        let named = snapshot.find_by_name(entry.exposed()).unwrap();
        assert!(Arc::ptr_eq(&named, entry));
    }
    let found = snapshot.search(&format!("{word} {source}"), 1_000);
    assert!(
        found
            .iter()
            .filter(|entry| entry.source() == source)
            .all(|entry| { entries.iter().any(|known| Arc::ptr_eq(known, entry)) })
    );
}

fn read(catalog: &Catalog, sources: &[String], writing: &AtomicUsize) -> usize {
    let grants = Grants::all();
    let mut generation = 0;
    let mut rounds = 0;
    while writing.load(Ordering::Acquire) > 0 || rounds == 0 {
        let activation = Activation::turn();
        let registry = Registry::new(catalog, &activation, &grants);
        let snapshot = registry.snapshot();
        assert!(snapshot.generation() >= generation, "time runs backwards");
        generation = snapshot.generation();
        for source in sources {
            check_source(snapshot, source);
        }
        let shown = registry.visible();
        let answer = search(&registry, "common");
        for name in &answer.functions {
            assert!(registry.resolve(name).is_ok(), "found and not callable: {name}");
        }
        assert_eq!(registry.visible().len(), shown.len() + answer.functions.len());
        rounds += 1;
    }
    rounds
}

// founding: A21
#[test]
fn no_reader_sees_half_a_change() {
    let catalog = catalog_of(vec![inline("read", "Reads")]);
    let sources: Vec<String> = (0..WRITERS).map(|n| format!("source{n}")).collect();
    let writing = AtomicUsize::new(WRITERS);
    thread::scope(|scope| {
        for source in &sources {
            let (catalog, writing) = (&catalog, &writing);
            scope.spawn(move || {
                // Also told when the writer fails, so that readers end.
                let _done = Done(writing);
                write(catalog, source);
            });
        }
        let readers: Vec<_> =
            (0..READERS).map(|_| scope.spawn(|| read(&catalog, &sources, &writing))).collect();
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
    // The last generation is 149, and 149 % 4 is 1: a whole replacement by 2 + 149 % 5 tools.
    let last = catalog.snapshot();
    for source in &sources {
        check_source(&last, source);
        assert_eq!(last.tools_of(source).len(), 6);
        assert!(last.tools_of(source)[0].row().description().contains("gen149"));
    }
    assert_eq!(last.len(), 2 + WRITERS * 6);
    // Two for the program's own tools; 150 changes each, of which 37 take two steps.
    assert_eq!(last.generation(), (2 + WRITERS * (CHANGES + 37)) as u64);
}

struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

// founding: A21
#[test]
fn no_registration_is_lost_between_writers() {
    let catalog = Catalog::new();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let catalog = &catalog;
            scope.spawn(move || {
                for n in 0..20 {
                    catalog.register(hidden(&format!("t{writer}_{n}"), "")).unwrap();
                }
            });
        }
    });
    assert_eq!(catalog.snapshot().len(), WRITERS * 20);
    assert_eq!(catalog.snapshot().index().len(), WRITERS * 20);
}
