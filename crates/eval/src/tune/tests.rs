//! What requests teach, over words as their meaning.

use futures_util::FutureExt;
use oncue_search::Settings;
use oncue_search::rank::Hybrid;
use oncue_tools::{BoxFuture, EmbedError, Embedder, NoStore};

use super::folds::{FOLDS, folds};
use super::{HeldOut, Needs, held_out, meanings, taught};
use crate::retrieval::{Bench, Dataset};

/// Knows of colours: each has a direction, and tools of other names have one of their own.
struct Colours;

const COLOURS: [&str; 4] = ["red", "green", "blue", "grey"];

impl Embedder for Colours {
    fn model(&self) -> &str {
        "colours"
    }

    fn width(&self) -> usize {
        COLOURS.len()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(std::future::ready(Ok(self.embed_now(texts).unwrap_or_default())))
    }

    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        let one = |text: &&str| {
            COLOURS.iter().map(|colour| f32::from(u8::from(text.contains(colour)))).collect()
        };
        Some(texts.iter().map(one).collect())
    }
}

fn queries(lines: &[(&str, &str, &str)]) -> Dataset {
    let tools = r#"{"id": "a", "name": "alpha", "description": "grey", "server": "s"}
{"id": "b", "name": "beta", "description": "grey", "server": "s"}"#;
    let line = |(id, text, tool): &(&str, &str, &str)| {
        let src =
            id.split_once('.').map_or(String::new(), |(src, _)| format!(r#""src": "{src}","#));
        format!(
            r#"{{"id": "{id}", "query": "{text}", {src} "relevant": ["{tool}"], "lang": "en"}}"#
        )
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    Dataset::parse("d", "dev", tools, &lines.join("\n")).unwrap()
}

#[test]
fn a_request_teaches_the_tools_that_have_served_it() {
    let dataset = queries(&[("1", "red", "a"), ("2", "blue", "a"), ("3", "green", "b")]);
    let meanings = meanings(&dataset, &Colours, &mut |_| {}).now_or_never().unwrap().unwrap();
    let tuning = taught(&dataset, &meanings, &Colours, &|at| at < 2);
    let lesson = tuning.lesson("s", "alpha").unwrap();
    assert_eq!((lesson.requests, &*lesson.mean), (2.0, &[0.5, 0.0, 0.5, 0.0][..]));
    assert_eq!(tuning.lesson("s", "beta"), None);
}

#[test]
fn requests_that_have_to_do_with_each_other_are_in_one_part() {
    let many: Vec<(String, String)> =
        (0..100).map(|n| (format!("{n}"), format!("request {n}"))).collect();
    let mut lines: Vec<(&str, &str, &str)> =
        many.iter().map(|(id, text)| (id.as_str(), text.as_str(), "a")).collect();
    // A part of the first, and the same words as the second and the third.
    lines.extend([("0.1", "other words", "b"), ("x", "Request  1", "b"), ("y", "request 2", "a")]);
    let folds = folds(&queries(&lines).queries);
    assert_eq!(folds[100..], [folds[0], folds[1], folds[2]]);
    for fold in 0..FOLDS {
        assert_eq!(folds[..100].iter().filter(|&&one| one == fold).count(), 20);
    }
}

#[test]
fn what_others_teach_serves_requests_that_were_not_seen() {
    // `alpha` is asked for in red and `beta` in blue, of which neither's text says anything.
    let texts: Vec<(String, String, &str)> = (0..40)
        .map(|n| match n % 2 {
            0 => (format!("{n}"), format!("red {n}"), "a"),
            _ => (format!("{n}"), format!("blue {n}"), "b"),
        })
        .collect();
    let lines: Vec<(&str, &str, &str)> =
        texts.iter().map(|(id, text, tool)| (id.as_str(), text.as_str(), *tool)).collect();
    let dataset = queries(&lines);
    let meanings = meanings(&dataset, &Colours, &mut |_| {}).now_or_never().unwrap().unwrap();
    let bench =
        Bench::new(&dataset, Settings::default()).with_meaning(&Colours, &NoStore, &mut |_| {});
    let mut asked = 0;
    let found =
        held_out(&dataset, &bench, &meanings, &Colours, &Hybrid::default(), &mut || asked += 1);
    assert_eq!((asked, found.requests), (40, 40));
    assert_eq!((found.before, found.after), (0.0, 1.0));
    assert_eq!(found.taught, Needs { all: 40, before: 0, after: 40 });
    assert_eq!(found.untaught, Needs::default());
    assert!(found.is_gain());
    assert!(!HeldOut { requests: 12, ..found.clone() }.is_gain(), "too few to say");
    assert!(!HeldOut { gain_ci95: [-0.01, 0.2], ..found }.is_gain());
}
