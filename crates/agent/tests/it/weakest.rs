//! The weakest model: it sees what is in its list and nothing else, and never searches.
//!
//! The founding document names two of its failures; which tools are inline follows from them.

use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Call, Item, Part};
use oncue_agent::{Agent, Listen, Model, ModelError, Outcome, Profile, Reply, Request};
use oncue_decl::{Row, Visibility};
use oncue_tools::{BoxFuture, CallId, Grants, NoArguments, Tool, tool};

use crate::support::{catalog, outcome, reply, silent};

/// Calls, one after the other, the tools of its habits that are in its list; what it does not see does not exist for it.
struct Weakest {
    /// What comes to its mind, most fitting first, until one has been done.
    habits: &'static [&'static str],
}

impl Model for Weakest {
    fn name(&self) -> &str {
        "weakest"
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        _: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let has_called = request.items.iter().any(|item| matches!(item, Item::Results { .. }));
        let mut listed = request.tools.inline.iter().chain(&request.tools.found);
        let mut habits = self.habits.iter().filter(|_| !has_called);
        let next = habits.find(|habit| listed.clone().any(|tool| tool.exposed() == **habit));
        let part = match next {
            Some(name) => Part::Call(Call {
                id: CallId::new("only"),
                name: (*name).to_owned(),
                arguments: "{}".to_owned(),
            }),
            None => Part::Text { text: "This is what I know.".to_owned() },
        };
        assert!(listed.any(|tool| request.tools.is_search(tool.exposed())), "it could search");
        Box::pin(std::future::ready(Ok(reply(vec![part]))))
    }
}

/// A row, and whether the split puts it into the list.
fn row(visibility: Visibility, name: &'static str, description: &'static str) -> Row {
    silent(match visibility {
        Visibility::Inline => Row::inline(name, description),
        Visibility::Discoverable => Row::discoverable(name, description),
    })
}

/// Runs one turn and returns the tools that ran, in order.
async fn ran(
    rows: Vec<Row>,
    habits: &'static [&'static str],
    preload: usize,
    words: &str,
) -> Vec<String> {
    let ran: Arc<Mutex<Vec<String>>> = Arc::default();
    let noting = |row: Row| -> Arc<dyn Tool> {
        let (ran, name) = (Arc::clone(&ran), row.name().to_owned());
        Arc::new(tool(row, async move |_, _: NoArguments| {
            ran.lock().unwrap().push(name.clone());
            Ok("")
        }))
    };
    let catalog = catalog(rows.into_iter().map(noting).collect());
    let profile = Profile { preload, ..Profile::DEFAULT };
    let agent = Agent::new(Arc::new(Weakest { habits }), catalog, Grants::all()).unwrap();
    let ended = outcome(&agent.with_profile(profile), words).await;
    assert!(matches!(ended, Outcome::Answered { .. }));
    ran.lock().unwrap().clone()
}

/// The rule of the split: says whether the words of a user name the tool, by a word of its name or of its keywords.
fn is_named(words: &str, row: &Row) -> bool {
    let mut known = String::new();
    for sign in row.name().chars() {
        known.extend(sign.is_uppercase().then_some(' ').into_iter().chain(sign.to_lowercase()));
    }
    row.keywords().iter().for_each(|word| known.extend([" ", &word.to_lowercase()]));
    let words = words.to_lowercase();
    let mut said = words.split(|sign: char| !sign.is_alphanumeric());
    said.any(|said| known.split(' ').any(|known| known == said && !said.is_empty()))
}

/// Returns where the split puts a tool that these words ask for.
fn split(words: &str, row: &Row) -> Visibility {
    if is_named(words, row) { Visibility::Discoverable } else { Visibility::Inline }
}

const ATTACHED: &str = "What does the attached file say about refunds?";
const READ_ATTACHMENT: (&str, &str) =
    ("readAttachment", "Reads the file that the user has attached");
const LAST_MONTH: &str = "show last month's orders";
const FILTER: (&str, &str) = ("setFilter", "Keeps the rows of the open table that meet conditions");

// founding: B1, B10
#[test]
fn the_split_follows_from_the_users_own_words() {
    use Visibility::{Discoverable, Inline};
    let keyed = |name: &'static str, words: &[&'static str]| {
        Row::inline(name, "").with_keywords(words.iter().copied())
    };
    for (words, row, expected) in [
        ("Export this as CSV", keyed("startExport", &["csv"]), Discoverable),
        ("make a csv of it", keyed("startExport", &["csv"]), Discoverable),
        ("how big is the index?", keyed("indexStats", &["statistics"]), Discoverable),
        (ATTACHED, keyed(READ_ATTACHMENT.0, &[]), Inline),
        (LAST_MONTH, keyed(FILTER.0, &["condition"]), Inline),
    ] {
        assert_eq!(split(words, &row), expected, "{words}: {}", row.name());
    }
}

// founding: B10
#[tokio::test]
async fn asked_about_an_attached_file_the_weakest_model_reads_the_file() {
    const HABITS: &[&str] = &["readAttachment", "listTabs"];
    let rows = |visibility| {
        vec![
            row(Visibility::Inline, "listTabs", "Lists the tabs that are open"),
            row(visibility, READ_ATTACHMENT.0, READ_ATTACHMENT.1),
            row(Visibility::Discoverable, "startExport", "Writes a table to a file as CSV"),
        ]
    };
    // Hidden, it goes through the open tabs instead: this is the failure.
    assert_eq!(ran(rows(Visibility::Discoverable), HABITS, 0, ATTACHED).await, ["listTabs"]);
    // Where the split puts it, it is the first thing that runs.
    let right = split(ATTACHED, &Row::inline(READ_ATTACHMENT.0, ""));
    assert_eq!(ran(rows(right), HABITS, 0, ATTACHED).await, ["readAttachment"]);
    // So it is where the user's own words are searched for beforehand.
    let preloaded = ran(rows(Visibility::Discoverable), HABITS, 5, ATTACHED).await;
    assert_eq!(preloaded, ["readAttachment"]);
}

// founding: B10
#[tokio::test]
async fn words_that_never_name_a_filter_still_lead_to_it() {
    const HABITS: &[&str] = &["setFilter", "showRows"];
    let rows = |visibility| {
        vec![
            row(Visibility::Inline, "showRows", "Shows the rows of the open table"),
            row(visibility, FILTER.0, FILTER.1),
            row(Visibility::Discoverable, "startExport", "Writes a table to a file as CSV"),
        ]
    };
    let right = split(LAST_MONTH, &Row::inline(FILTER.0, ""));
    for preload in [0, 5] {
        // Hidden, it is not thought of, and the user's words do not lead to it either.
        let hidden = ran(rows(Visibility::Discoverable), HABITS, preload, LAST_MONTH).await;
        assert_eq!(hidden, ["showRows"], "preload {preload}");
        // Where the split puts it, it needs no search of anybody's.
        assert_eq!(ran(rows(right), HABITS, preload, LAST_MONTH).await, ["setFilter"]);
    }
}
