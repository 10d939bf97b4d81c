//! What requests have taught of tools: where the meaning of a tool leans.

use std::collections::BTreeMap;
use std::sync::Arc;

use oncue_search::{Document, Row, Vectors};

/// What any number of requests would weigh beside a tool's own text.
const WEIGHT: f64 = 2.0;

/// The requests that weigh half of that.
const HALF: f64 = 2.0;

/// How much is left out of what all requests have in common. With nothing left out tools without requests fall behind, since any request is like a request; with all of it, what is wanted often counts for nothing.
const COMMON: f64 = 0.5;

/// For each tool the mean of what requests meant that it has served.
///
/// The text of a tool says what its author thought of it, requests say what people want of it.
/// The vector of a tool becomes `text + w · (mean − all / 2)`, with `w = 2 n / (n + 2)` for n requests, so that a few say little and many do not drown the text, and `all` the mean of the requests of all tools; the mean of requests that have little in common is short and says less.
/// That documents move towards the queries that they answer is Brauen's *Document Vector Modification* (in Salton, ed.: *The SMART Retrieval System*, 1971).
///
/// A tool without requests stays as it is. Vectors of another model are left alone.
///
/// ```
/// use oncue_tools::Tuning;
///
/// let mut tuning = Tuning::new("tiny", 2);
/// tuning.learn("shop", "refund_payment", &[0.0, 2.0], 1.0);
/// let lesson = tuning.lesson("shop", "refund_payment").expect("it has served one");
/// assert_eq!((lesson.requests, &*lesson.mean), (1.0, &[0.0, 1.0][..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    model: Arc<str>,
    width: usize,
    /// By source, then by name.
    lessons: BTreeMap<String, BTreeMap<String, Lesson>>,
    /// What all requests have taught together.
    all: Lesson,
}

/// What requests have taught of one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// How many requests it has served; one that several tools served together counts in parts.
    pub requests: f64,
    /// The mean of their vectors, each of length 1.
    pub mean: Box<[f32]>,
}

impl Tuning {
    /// Nothing learnt yet, for vectors of `width` numbers that `model` makes.
    #[must_use]
    pub fn new(model: impl Into<Arc<str>>, width: usize) -> Self {
        let all = Lesson::nothing(width);
        Self { model: model.into(), width, lessons: BTreeMap::new(), all }
    }

    /// Learns that a tool has served a request, or a `share` of it from 0 to 1 where others served it too.
    ///
    /// `request` is what the request means, of any length; one of another width, or without a direction, teaches nothing.
    pub fn learn(&mut self, source: &str, tool: &str, request: &[f32], share: f64) {
        let length = length(request);
        if request.len() != self.width || !length.is_normal() || !(share > 0.0 && share <= 1.0) {
            return;
        }
        let mean = request.iter().map(|&number| (f64::from(number) / length) as f32).collect();
        self.add(source, tool, &Lesson { requests: share, mean });
    }

    /// Adds what was learnt elsewhere; a lesson of another width, or of no requests, teaches nothing.
    pub fn add(&mut self, source: &str, tool: &str, lesson: &Lesson) {
        if lesson.mean.len() != self.width || !lesson.requests.is_normal() || lesson.requests < 0.0
        {
            return;
        }
        let tools = self.lessons.entry(source.to_owned()).or_default();
        tools.entry(tool.to_owned()).or_insert_with(|| Lesson::nothing(self.width)).add(lesson);
        self.all.add(lesson);
    }

    /// Returns the model whose vectors it knows.
    #[must_use]
    pub const fn model(&self) -> &Arc<str> {
        &self.model
    }

    /// Returns the numbers of a vector.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns what was learnt of a tool.
    #[must_use]
    pub fn lesson(&self, source: &str, tool: &str) -> Option<&Lesson> {
        self.lessons.get(source)?.get(tool)
    }

    /// Iterates over what was learnt, as source, name and lesson, in order.
    pub fn lessons(&self) -> impl Iterator<Item = (&str, &str, &Lesson)> {
        self.lessons.iter().flat_map(|(source, tools)| {
            tools.iter().map(move |(tool, lesson)| (source.as_str(), tool.as_str(), lesson))
        })
    }

    /// Returns the vectors of the tools of `source`, each leaning to what it has served.
    #[must_use]
    pub fn leaning(&self, source: &str, tools: &[Arc<Document>], vectors: Vectors) -> Vectors {
        let Some(lessons) = self.lessons.get(source) else { return vectors };
        if *vectors.model() != self.model || vectors.width() != self.width {
            return vectors;
        }
        let rows = tools.iter().enumerate().map(|(at, tool)| {
            let row = vectors.row(at).unwrap_or_else(|| Row::of(&[]));
            lessons
                .get(tool.row.name())
                .map_or_else(|| row.clone(), |lesson| self.leant(&row, lesson))
        });
        Vectors::new(Arc::clone(&self.model), &rows.collect::<Vec<_>>())
    }

    fn leant(&self, row: &Row, lesson: &Lesson) -> Row {
        let weight = WEIGHT * lesson.requests / (lesson.requests + HALF);
        let means = lesson.mean.iter().zip(&self.all.mean);
        let numbers = row.bytes.iter().zip(means).map(|(&byte, (&mean, &all))| {
            let text = f64::from(byte) * f64::from(row.scale);
            (text + weight * (f64::from(mean) - COMMON * f64::from(all))) as f32
        });
        Row::of(&numbers.collect::<Vec<f32>>())
    }
}

impl Lesson {
    fn nothing(width: usize) -> Self {
        Self { requests: 0.0, mean: vec![0.0; width].into() }
    }

    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        let step = other.requests / self.requests;
        for (mean, &number) in self.mean.iter_mut().zip(&other.mean) {
            *mean += ((f64::from(number) - f64::from(*mean)) * step) as f32;
        }
    }
}

fn length(vector: &[f32]) -> f64 {
    vector.iter().map(|&number| f64::from(number).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oncue_decl::Row as Declared;
    use oncue_search::{Document, Row, Vectors};

    use super::Tuning;

    fn documents(names: &[&str]) -> Vec<Arc<Document>> {
        let document = |name: &&str| Document {
            row: Declared::discoverable((*name).to_owned(), ""),
            schema: None,
        };
        names.iter().map(document).map(Arc::new).collect()
    }

    /// Returns the vector of a tool in numbers, after bytes.
    fn numbers(vectors: &Vectors, at: usize) -> Vec<f32> {
        let row = vectors.row(at).unwrap();
        row.bytes.iter().map(|&byte| f32::from(byte) * row.scale).collect()
    }

    fn near(left: &[f32], right: &[f32]) {
        assert!(
            left.iter().zip(right).all(|(left, right)| (left - right).abs() < 0.01),
            "{left:?}"
        );
    }

    #[test]
    fn a_tool_leans_to_what_it_has_served() {
        let mut tuning = Tuning::new("m", 2);
        tuning.learn("s", "b", &[0.0, 5.0], 1.0);
        tuning.learn("s", "b", &[0.0, 0.1], 1.0);
        let vectors = Vectors::new("m", &[Row::of(&[1.0, 0.0]), Row::of(&[1.0, 0.0])]);
        let tools = documents(&["a", "b"]);
        let leaning = tuning.leaning("s", &tools, vectors.clone());
        near(&numbers(&leaning, 0), &[1.0, 0.0]);
        // w = 2 · 2 / (2 + 2) = 1, and all requests are its own: (1, 0) + 1 · ((0, 1) − (0, 1) / 2), brought to length 1.
        near(&numbers(&leaning, 1), &[0.894, 0.447]);
        assert_eq!(tuning.leaning("other", &tools, vectors.clone()), vectors);
        let others = Vectors::new("n", &[Row::of(&[1.0, 0.0]), Row::of(&[1.0, 0.0])]);
        assert_eq!(tuning.leaning("s", &tools, others.clone()), others);
    }

    #[test]
    fn what_all_requests_have_in_common_counts_half() {
        let mut tuning = Tuning::new("m", 2);
        tuning.learn("s", "a", &[0.0, 1.0], 1.0);
        tuning.learn("s", "b", &[1.0, 0.0], 1.0);
        let vectors = Vectors::new("m", &[Row::of(&[1.0, 0.0])]);
        // w = 2 · 1 / (1 + 2) = 2/3: (1, 0) + 2/3 · ((0, 1) − (1/2, 1/2) / 2) = (5/6, 1/2).
        near(&numbers(&tuning.leaning("s", &documents(&["a"]), vectors), 0), &[0.857, 0.514]);
    }

    #[test]
    fn requests_that_have_nothing_in_common_say_little() {
        let mut tuning = Tuning::new("m", 2);
        tuning.learn("s", "a", &[0.0, 1.0], 1.0);
        tuning.learn("s", "a", &[0.0, -1.0], 1.0);
        let vectors = Vectors::new("m", &[Row::of(&[1.0, 0.0])]);
        near(&numbers(&tuning.leaning("s", &documents(&["a"]), vectors), 0), &[1.0, 0.0]);
    }

    #[test]
    fn shares_count_as_parts_of_a_request() {
        let mut tuning = Tuning::new("m", 2);
        tuning.learn("s", "a", &[1.0, 0.0], 0.5);
        tuning.learn("s", "a", &[0.0, 1.0], 0.5);
        tuning.learn("s", "a", &[0.0, 1.0], 1.0);
        let lesson = tuning.lesson("s", "a").unwrap();
        assert_eq!(lesson.requests, 2.0);
        // Half a request to the right, one and a half upwards.
        near(&lesson.mean, &[0.25, 0.75]);
    }

    #[test]
    fn what_has_no_direction_teaches_nothing() {
        let mut tuning = Tuning::new("m", 2);
        for (request, share) in [
            (&[0.0, 0.0][..], 1.0),
            (&[f32::NAN, 1.0], 1.0),
            (&[f32::INFINITY, 1.0], 1.0),
            (&[1.0], 1.0),
            (&[1.0, 0.0], 0.0),
            (&[1.0, 0.0], f64::NAN),
        ] {
            tuning.learn("s", "a", request, share);
        }
        assert_eq!(tuning.lessons().count(), 0);
    }
}
