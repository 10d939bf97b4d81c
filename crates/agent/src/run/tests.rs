//! The machine alone: what it says next, and that it can be stored at any point.

use std::sync::Arc;
use std::time::Duration;

use oncue_decl::{Row, Tier};
use oncue_tools::{
    Activation, Approval, CallId, Catalog, Content, ErrorKind, Grants, Identity, Meter,
    NoArguments, PlainTools, Registry, ToolSearch, tool,
};

use super::*;
use crate::conversation::{Author, Call, CallResult, Loaded, Part};
use crate::{Finish, ModelError, ModelErrorKind, Reply};

fn call(id: &str, name: &str, arguments: &str) -> Part {
    Part::Call(Call { id: CallId::new(id), name: name.to_owned(), arguments: arguments.to_owned() })
}

fn text(text: &str) -> Part {
    Part::Text { text: text.to_owned() }
}

fn reply(parts: Vec<Part>) -> Reply {
    let usage = Usage { uncached: 10, output: 5, ..Usage::default() };
    Reply { parts, usage, ..Reply::default() }
}

fn result(id: &str, name: &str) -> Ended {
    Ended::Result(CallResult {
        id: CallId::new(id),
        name: name.to_owned(),
        content: vec![Content::Text("done".to_owned())],
        error: None,
        loaded: Vec::new(),
    })
}

fn failure(id: &str, name: &str, kind: ErrorKind) -> Ended {
    match result(id, name) {
        Ended::Result(result) => Ended::Result(CallResult { error: Some(kind), ..result }),
        asked => asked,
    }
}

/// A turn over tools that are all seen, and what it has used.
struct Turn {
    run: Run,
    tools: PlainTools,
    meter: Meter,
}

impl Turn {
    fn begin(rules: Rules) -> Self {
        let input = vec![Content::Text("show the orders".to_owned())];
        let row = Row::inline("read", "Reads").with_tier(Tier::Silent);
        let read = tool(row, async |_, _: NoArguments| Ok(""));
        Self {
            run: Run::begin(Conversation::default(), input, rules),
            tools: PlainTools::new(vec![Arc::new(read)], &Grants::all()),
            meter: Meter::default(),
        }
    }

    fn reply(&mut self, parts: Vec<Part>) {
        self.run.on_reply(reply(parts), &self.tools, &self.meter);
    }

    fn ended(&mut self, ended: Vec<Ended>) {
        self.run.on_ended(ended, &self.meter);
    }

    /// Returns what comes next in few words, after the turn was stored and taken up again.
    fn next(&mut self) -> String {
        let stored = serde_json::to_string(&self.run).unwrap();
        self.run = serde_json::from_str(&stored).unwrap();
        match self.run.next() {
            Next::Pause(pause) => format!("pause {} ms", pause.as_millis()),
            Next::Model { step, choice: Choice::Among(names) } => {
                format!("model {step} among {}", names.join(","))
            }
            Next::Model { step, .. } => format!("model {step}"),
            Next::Calls(ready) => {
                let ids: Vec<&str> = ready.iter().map(|ready| ready.call.id.as_str()).collect();
                format!("calls {}", ids.join(","))
            }
            Next::Person(questions) => {
                let ids: Vec<&str> = questions.iter().map(|asked| asked.id.as_str()).collect();
                format!("person {}", ids.join(","))
            }
            Next::Finish(outcome) => format!("finish: {outcome}"),
        }
    }
}

#[test]
fn a_turn_goes_from_model_to_calls_to_model_to_answer() {
    let mut turn = Turn::begin(Rules::default());
    assert_eq!(turn.next(), "model 1");
    turn.reply(vec![call("a", "read", "{}"), call("b", "read", "{}")]);
    assert_eq!(turn.next(), "calls a,b");
    turn.ended(vec![result("b", "read"), result("a", "read")]);
    assert_eq!(turn.next(), "model 2");
    turn.reply(vec![text("three orders")]);
    assert_eq!(turn.next(), "finish: three orders");
    assert_eq!(turn.run.usage().total(), 30);
    let [Item::User { .. }, Item::Reply(_), Item::Results { results }, Item::Reply(_)] =
        turn.run.conversation().items.as_slice()
    else {
        panic!("{:?}", turn.run.conversation())
    };
    let ids: Vec<&str> = results.iter().map(|result| result.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"], "results are in call order");
}

// case: C22
#[test]
fn nothing_is_asked_about_once_and_then_is_no_success() {
    let search = Some("ToolSearch".to_owned());
    let mut turn = Turn::begin(Rules { search, ..Rules::default() });
    turn.reply(vec![text("  ")]);
    assert_eq!(turn.next(), "model 2");
    let Some(Item::Note { text: note }) = turn.run.conversation().items.last() else {
        panic!("a note")
    };
    assert!(note.contains("call ToolSearch"), "{note}");
    turn.reply(vec![Part::Reasoning { text: "hm".to_owned() }]);
    assert_eq!(turn.next(), "finish: the model ended with nothing");
    assert!(!matches!(turn.run.next(), Next::Finish(outcome) if outcome.is_success()));
}

#[test]
fn a_person_is_asked_after_the_other_calls_have_run() {
    let mut turn = Turn::begin(Rules::default());
    turn.reply(vec![call("a", "drop", r#"{"n":1}"#), call("b", "read", "{}")]);
    let question = Question {
        id: CallId::new("a"),
        tool: Identity::own("drop"),
        name: "drop".to_owned(),
        arguments: r#"{"n":1}"#.to_owned(),
        reason: "it is gated".to_owned(),
        description: "Drops a table".to_owned(),
    };
    turn.ended(vec![Ended::Question(question.clone()), result("b", "read")]);
    assert_eq!(turn.next(), "person a");
    assert!(!turn.run.on_answer(&CallId::new("b"), Approval::Agreed), "b is not asked about");
    assert!(turn.run.on_answer(&CallId::new("a"), Approval::Later));
    assert_eq!(turn.next(), "person a");
    assert!(turn.run.on_answer(&CallId::new("a"), Approval::Agreed));
    assert_eq!(turn.next(), "calls a");
    let Next::Calls(ready) = turn.run.next() else { panic!("calls") };
    assert_eq!(ready[0].answers, [(question, Approval::Agreed)]);
    turn.ended(vec![result("a", "drop")]);
    assert_eq!(turn.next(), "model 2");
}

#[test]
fn each_limit_has_its_name() {
    let limits = TurnLimits { steps: 1, ..TurnLimits::default() };
    let mut turn = Turn::begin(Rules { limits, ..Rules::default() });
    turn.reply(vec![call("a", "read", "{}")]);
    turn.ended(vec![result("a", "read")]);
    assert_eq!(turn.next(), "finish: the turn used up its steps");

    let limits = TurnLimits { tokens: 16, ..TurnLimits::default() };
    let mut turn = Turn::begin(Rules { limits, ..Rules::default() });
    turn.reply(vec![call("a", "read", "{}")]);
    turn.meter.add_tokens(1);
    turn.ended(vec![result("a", "read")]);
    assert_eq!(turn.next(), "finish: the turn used up its tokens");

    let limits = TurnLimits { calls: 1, ..TurnLimits::default() };
    let mut turn = Turn::begin(Rules { limits, ..Rules::default() });
    turn.reply(vec![call("a", "read", "{}"), call("b", "read", "{}")]);
    assert_eq!(turn.next(), "calls a");
    turn.ended(vec![result("a", "read")]);
    assert_eq!(turn.next(), "finish: the turn used up its tool calls");
    let Some(Item::Results { results }) = turn.run.conversation().items.last() else {
        panic!("results")
    };
    assert_eq!(results[1].error, Some(ErrorKind::Budget));

    let limits = TurnLimits { time: Duration::from_secs(3), ..TurnLimits::default() };
    let mut turn = Turn::begin(Rules { limits, ..Rules::default() });
    turn.run.on_time(Duration::from_secs(2));
    assert_eq!(turn.next(), "model 1");
    turn.run.on_time(Duration::from_secs(3));
    assert_eq!(turn.next(), "finish: the turn used up its time");
}

#[test]
fn a_failing_model_is_asked_again_with_pauses_and_then_given_up() {
    let mut turn = Turn::begin(Rules::default());
    let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let mut seen = Vec::new();
    for _ in 0..5 {
        turn.run.on_model_error(&busy);
        seen.push(turn.next());
        turn.run.on_pause();
    }
    assert_eq!(
        seen,
        [
            "pause 500 ms",
            "pause 1000 ms",
            "pause 2000 ms",
            "pause 4000 ms",
            "finish: overloaded: busy"
        ]
    );
    let mut turn = Turn::begin(Rules::default());
    turn.run.on_model_error(&ModelError::new(ModelErrorKind::ContextFull, "too long"));
    assert_eq!(turn.next(), "finish: the conversation is longer than the model's context");
}

// case: C17
#[test]
fn the_same_failing_call_is_not_run_a_third_time() {
    let mut turn = Turn::begin(Rules::default());
    for (id, next) in [("a", "calls a"), ("b", "calls b")] {
        turn.reply(vec![call(id, "ask", r#"{"question":"x"}"#)]);
        assert_eq!(turn.next(), next);
        turn.ended(vec![failure(id, "ask", ErrorKind::Arguments)]);
    }
    turn.reply(vec![call("c", "ask", r#"{"question":"x"}"#)]);
    assert_eq!(turn.next(), "model 4", "it is answered without being run");
    let Some(Item::Results { results }) = turn.run.conversation().items.last() else {
        panic!("results")
    };
    assert_eq!(results[0].error, Some(ErrorKind::Budget));
    assert_eq!(results[0].content[1], Content::Text("done".to_owned()), "with why it failed");
    // With other arguments it is another call.
    turn.reply(vec![call("d", "ask", r#"{"questions":["x"]}"#)]);
    assert_eq!(turn.next(), "calls d");
    turn.ended(vec![result("d", "ask")]);
    // A success may have changed the world.
    turn.reply(vec![call("e", "ask", r#"{"question":"x"}"#)]);
    assert_eq!(turn.next(), "calls e");
}

#[test]
fn ids_are_made_unique_and_then_the_reply_is_not_replayed_verbatim() {
    let mut turn = Turn::begin(Rules::default());
    let raw = Some(crate::conversation::Raw { wire: "w".to_owned(), value: 1.into() });
    let parts = vec![call("a", "read", "{}"), call("a", "read", "{}"), call("", "read", "{}")];
    let reply = Reply { raw: raw.clone(), ..reply(parts) };
    turn.run.on_reply(reply.clone(), &turn.tools, &turn.meter);
    assert_eq!(turn.next(), "calls a,call_1,call_2");
    let Some(Item::Reply(said)) = turn.run.conversation().items.last() else { panic!("a reply") };
    assert_eq!(said.raw, None);

    let mut turn = Turn::begin(Rules::default());
    let reply = Reply { parts: vec![call("a", "read", "{}")], ..reply };
    turn.run.on_reply(reply, &turn.tools, &turn.meter);
    let Some(Item::Reply(said)) = turn.run.conversation().items.last() else { panic!("a reply") };
    assert_eq!(said.raw, raw);
}

#[test]
fn what_was_running_when_the_turn_is_stopped_is_answered() {
    let mut turn = Turn::begin(Rules::default());
    turn.reply(vec![call("a", "read", "{}"), call("b", "read", "{}")]);
    turn.run.stop(Outcome::Cancelled);
    assert_eq!(turn.next(), "finish: called off");
    let Some(Item::Results { results }) = turn.run.conversation().items.last() else {
        panic!("results")
    };
    assert_eq!(results.len(), 2);
    turn.run.stop(Outcome::EmptyFinish);
    assert_eq!(turn.next(), "finish: called off", "what has ended stays so");
}

#[test]
fn other_ends_of_a_reply() {
    let ends = [
        (Finish::Length, "the answer reached its longest allowed length and is cut off"),
        (Finish::Refused, "the model refused"),
        (Finish::ContextFull, "the conversation is longer than the model's context"),
    ];
    for (finish, expected) in ends {
        let mut turn = Turn::begin(Rules::default());
        let reply = Reply { finish, ..reply(vec![text("I"), call("a", "read", "{}")]) };
        let parts = if finish == Finish::Length { vec![text("I")] } else { reply.parts };
        turn.run.on_reply(Reply { parts, finish, ..Reply::default() }, &turn.tools, &turn.meter);
        assert_eq!(turn.next(), format!("finish: {expected}"));
    }
    let mut turn = Turn::begin(Rules::default());
    let paused = Reply { finish: Finish::Paused, ..reply(vec![text("wait")]) };
    turn.run.on_reply(paused, &turn.tools, &turn.meter);
    assert_eq!(turn.next(), "model 2");
}

fn loaded(name: &str) -> Loaded {
    Loaded {
        tool: Identity::own(name.to_owned()),
        name: name.to_owned(),
        description: String::new(),
        parameters: None,
    }
}

fn found(id: &str, names: &[&str]) -> Ended {
    match result(id, "ToolSearch") {
        Ended::Result(result) => Ended::Result(CallResult {
            loaded: names.iter().map(|name| loaded(name)).collect(),
            ..result
        }),
        asked => asked,
    }
}

fn searching(profile: Profile) -> Rules {
    let search = Some("ToolSearch".to_owned());
    Rules { profile, search, can_narrow: true, ..Rules::default() }
}

#[test]
fn a_preload_searches_for_the_users_words_and_is_recorded() {
    let profile = Profile { preload: 3, ..Profile::DEFAULT };
    let mut turn = Turn::begin(searching(profile));
    assert_eq!(turn.next(), "calls search_1");
    let Next::Calls(ready) = turn.run.next() else { panic!("calls") };
    assert_eq!(ready[0].call.arguments, r#"{"query":"show the orders","max_results":3}"#);
    turn.ended(vec![found("search_1", &["listOrders"])]);
    assert_eq!(turn.next(), "model 1", "what was preloaded narrows nothing");
    let [Item::User { .. }, Item::Reply(said), Item::Results { .. }] =
        turn.run.conversation().items.as_slice()
    else {
        panic!("{:?}", turn.run.conversation())
    };
    assert_eq!(said.by, Author::Loop);
}

#[test]
fn words_of_a_user_are_no_grammar() {
    let words = |text: &str| words(&[Content::Text(text.to_owned())]);
    assert_eq!(words("select: the best"), "the best");
    assert_eq!(words("+1 for orders"), "1 for orders");
    assert_eq!(words("note: read it"), "note: read it");
    assert_eq!(words(&"ä".repeat(2_000)).len(), 1_000);
}

#[test]
fn the_step_after_a_search_may_be_held_to_what_was_found() {
    let profile = Profile { narrows: true, ..Profile::DEFAULT };
    let mut turn = Turn::begin(searching(profile));
    turn.reply(vec![call("a", "ToolSearch", r#"{"query":"x"}"#)]);
    turn.ended(vec![found("a", &["one", "two"])]);
    assert_eq!(turn.next(), "model 2 among one,two");
    let catalog = Catalog::new();
    let one = Row::inline("one", "Does it").with_tier(Tier::Silent);
    catalog.register(Arc::new(tool(one, async |_, _: NoArguments| Ok("")))).unwrap();
    let (grants, activation) = (Grants::all(), Activation::turn());
    let registry = Registry::new(&catalog, &activation, &grants);
    turn.run.on_reply(reply(vec![call("b", "one", "{}")]), &registry, &turn.meter);
    turn.ended(vec![result("b", "one")]);
    assert_eq!(turn.next(), "model 3", "for one step only");
    turn.reply(vec![call("c", "ToolSearch", r#"{"query":"y"}"#), call("d", "read", "{}")]);
    turn.ended(vec![found("c", &["three"]), result("d", "read")]);
    assert_eq!(turn.next(), "model 4", "and not where it did something else beside");
}

#[test]
fn the_step_after_a_name_that_no_tool_has_may_be_held_to_what_may_have_been_meant() {
    let catalog = Catalog::new();
    let row = |name: &'static str| Row::inline(name, "Does it").with_tier(Tier::Silent);
    for name in ["read", "write", "listOrders"] {
        catalog.register(Arc::new(tool(row(name), async |_, _: NoArguments| Ok("")))).unwrap();
    }
    let (grants, activation) = (Grants::all(), Activation::turn());
    let registry = Registry::new(&catalog, &activation, &grants);
    let unknown = |id: &str, name: &str| match result(id, name) {
        Ended::Result(result) => {
            Ended::Result(CallResult { error: Some(ErrorKind::UnknownTool), ..result })
        }
        asked => asked,
    };

    let narrows = Profile { preload: 3, narrows: true, ..Profile::DEFAULT };
    let mut turn = Turn::begin(searching(narrows));
    turn.ended(vec![found("search_1", &["read", "write"])]);
    turn.run.on_reply(reply(vec![call("a", "listOrder", "{}")]), &registry, &turn.meter);
    turn.ended(vec![unknown("a", "listOrder")]);
    assert_eq!(turn.next(), "model 2 among listOrders,read,write", "what is near, what was found");
    let calls = vec![call("b", "listOrder", "{}"), call("c", "read", "{}")];
    turn.run.on_reply(reply(calls), &registry, &turn.meter);
    turn.ended(vec![unknown("b", "listOrder"), result("c", "read")]);
    assert_eq!(turn.next(), "model 3", "one call of the step was right");

    let mut turn = Turn::begin(searching(Profile { narrows: false, ..narrows }));
    turn.ended(vec![found("search_1", &["read"])]);
    turn.run.on_reply(reply(vec![call("a", "listOrder", "{}")]), &registry, &turn.meter);
    turn.ended(vec![unknown("a", "listOrder")]);
    assert_eq!(turn.next(), "model 2");
}

#[test]
fn a_call_that_is_only_named_is_asked_for_once_where_the_profile_says_so() {
    let catalog = Catalog::new();
    let row = |name: &'static str| Row::inline(name, "Does it").with_tier(Tier::Silent);
    for name in ["readTable", "list_tabs", "d_1", "d_2", "d_3", "d_4"] {
        catalog.register(Arc::new(tool(row(name), async |_, _: NoArguments| Ok("")))).unwrap();
    }
    let (grants, activation) = (Grants::all(), Activation::turn());
    let registry = Registry::new(&catalog, &activation, &grants);
    let says = |turn: &mut Turn, text: &str| {
        let parts = vec![Part::Text { text: text.to_owned() }];
        turn.run.on_reply(Reply { parts, ..Reply::default() }, &registry, &turn.meter);
        turn.next()
    };
    let insists = Profile { insists: true, preload: 3, ..Profile::DEFAULT };
    let begin = |rules: Rules, names: &[&str]| {
        let has_preload = rules.profile.preload > 0;
        let mut turn = Turn::begin(rules);
        if has_preload {
            turn.ended(vec![found("search_1", names)]);
        }
        turn
    };
    let named = "You can use the `readTable` function, or list_tabs.";

    let mut turn = begin(searching(insists), &["d_1"]);
    assert_eq!(says(&mut turn, named), "model 2 among readTable,list_tabs");
    let Some(Item::Note { text }) = turn.run.conversation().items.last() else { panic!("a note") };
    assert_eq!(
        text,
        "Nothing was called. Call 'readTable' or 'list_tabs' now if it does what the user asked."
    );
    assert!(says(&mut turn, named).starts_with("finish"), "once");

    let mut turn = begin(searching(insists), &[]);
    assert!(says(&mut turn, named).starts_with("finish"), "words may be all that is wanted");

    let mut turn = begin(Rules { can_narrow: false, ..searching(insists) }, &["d_1"]);
    assert_eq!(says(&mut turn, named), "model 2", "it can at least be asked");

    for (profile, text) in [
        (Profile::DEFAULT, named),
        (insists, "There are d_1, d_2, d_3 and d_4."),
        (insists, "Hello!"),
    ] {
        let mut turn = begin(searching(profile), &["d_1"]);
        assert!(says(&mut turn, text).starts_with("finish"), "{text}");
    }

    let mut turn = begin(searching(insists), &["d_1"]);
    turn.run.on_reply(reply(vec![call("a", "readTable", "{}")]), &registry, &turn.meter);
    turn.ended(vec![result("a", "readTable")]);
    assert!(
        says(&mut turn, "I used `readTable`.").starts_with("finish"),
        "it has called something"
    );
}

#[test]
fn a_hidden_tool_that_is_called_by_name_is_recovered_where_the_profile_says_so() {
    let catalog = Catalog::new();
    catalog.register(Arc::new(ToolSearch::new())).unwrap();
    let row = |name: &'static str| Row::discoverable(name, "Does it").with_tier(Tier::Silent);
    for name in ["hidden", "secret"] {
        catalog.register(Arc::new(tool(row(name), async |_, _: NoArguments| Ok("")))).unwrap();
    }
    let grants = Grants::all().with_denied([oncue_tools::ToolPattern::named("secret")]);
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    let calls =
        || reply(vec![call("a", "hidden", "{}"), call("b", "secret", "{}"), call("c", "no", "{}")]);

    let mut turn = Turn::begin(searching(Profile::DEFAULT));
    turn.run.on_reply(calls(), &registry, &turn.meter);
    assert_eq!(turn.next(), "calls a,b,c");

    let profile = Profile { recovers: true, ..Profile::DEFAULT };
    let mut turn = Turn::begin(searching(profile));
    turn.run.on_reply(calls(), &registry, &turn.meter);
    assert_eq!(turn.next(), "calls search_2");
    let Next::Calls(ready) = turn.run.next() else { panic!("calls") };
    assert_eq!(ready[0].call.arguments, r#"{"query":"select:hidden"}"#);
    turn.ended(vec![found("search_2", &["hidden"])]);
    assert_eq!(turn.next(), "calls a,b,c");
    let [Item::User { .. }, Item::Reply(first), Item::Results { .. }, Item::Reply(second)] =
        turn.run.conversation().items.as_slice()
    else {
        panic!("{:?}", turn.run.conversation())
    };
    assert_eq!((first.by, second.by), (Author::Loop, Author::Model));
}

#[test]
fn what_a_host_cuts_apart_is_mended() {
    let mut turn = Turn::begin(Rules::default());
    turn.reply(vec![call("a", "read", "{}")]);
    turn.ended(vec![result("a", "read")]);
    let items = turn.run.conversation().items.clone();
    let [user, said, results] = items.as_slice() else { panic!("three items") };
    let summary = Item::Summary { text: "before".to_owned() };
    let cases = [
        (vec![summary.clone(), results.clone()], vec![summary.clone()]),
        (vec![summary.clone(), said.clone()], vec![summary]),
        (vec![said.clone(), user.clone(), results.clone()], vec![user.clone()]),
        (items.clone(), items.clone()),
    ];
    for (cut, mended) in cases {
        turn.run.on_compaction(cut);
        assert_eq!(turn.run.conversation().items, mended);
    }
}
