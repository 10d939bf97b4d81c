//! What a run showed, read from what it left. Pure.

use serde_json::Value;

use super::rows::By;
use super::run::{ANSWER, Ran, TOOL};

/// What a run showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The name that the client gives itself.
    pub(super) name: Option<String>,
    /// The revision of the protocol that it speaks.
    pub(super) speaks: Option<String>,
    /// The gateway's tools that the model saw at first, as the client names them.
    pub(super) shown: Vec<String>,
    /// How many bytes of the request they are.
    pub(super) bytes: Option<u64>,
    /// How many of the gateway's instructions' characters the model was told.
    pub(super) told: Option<u64>,
    /// Requests to the model until the tool had been called.
    pub(super) requests: Option<usize>,
    /// Requests from the search to the call; `None` where nothing was searched.
    pub(super) from_search: Option<usize>,
    /// How the tool was called.
    pub(super) by: Option<By>,
    /// The client's name of what was called.
    pub(super) called: Option<String>,
    /// After how many further requests a found tool was in the list; `None` where it never was.
    pub(super) joined: Option<usize>,
    /// Whether the client ended by telling what the tool had said.
    pub(super) tells: bool,
    /// What went wrong beside the plan.
    pub(super) faults: Vec<String>,
}

/// Reads what a client before a model left.
pub(super) fn of_model(ran: &Ran) -> Seen {
    let steps: Vec<&Value> = ran.asked.iter().filter(|line| line["kind"] == "step").collect();
    let mut seen = Seen { tells: ran.output.contains(ANSWER), ..opening(&ran.passed) };
    let first = steps.first().copied().unwrap_or(&Value::Null);
    let ours: Vec<&Value> = list(&first["tools"]).iter().filter(is_ours).collect();
    seen.bytes = Some(ours.iter().filter_map(|tool| tool["bytes"].as_u64()).sum());
    seen.shown = ours.iter().filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect();
    seen.told = first["instructed"].as_u64();
    let answered = |at: usize| {
        let results = steps.get(at + 1).map(|next| list(&next["results"])).unwrap_or_default();
        results.last().and_then(Value::as_str).is_some_and(|text| text.contains(ANSWER))
    };
    let called = (0..steps.len()).find(|&at| answered(at));
    let searches =
        |step: &&Value| matches!(step["step"].as_str(), Some("search" | "load" | "script"));
    // The gateway's own search counts where there is one.
    let of_gateway = steps.iter().position(|step| step["step"] == "search");
    let searched = of_gateway.or_else(|| steps.iter().position(searches));
    seen.requests = called.map(|at| at + 1);
    seen.from_search = called.zip(searched).map(|(called, searched)| called - searched.min(called));
    let calling = called.and_then(|at| steps.get(at));
    seen.by = calling.and_then(|step| way(step));
    let name = |step: &&Value| step["said"]["call"]["name"].as_str().map(str::to_owned);
    seen.called = calling.and_then(name);
    seen.joined = of_gateway.and_then(|searched| {
        let lists = |step: &&Value| list(&step["tools"]).iter().any(is_tool);
        steps.iter().skip(searched + 1).position(lists).map(|after| after + 1)
    });
    let odd = ran.asked.iter().filter(|line| line["kind"] == "fault");
    seen.faults = odd.map(|line| format!("what plays the model: {line}")).collect();
    seen
}

/// Reads what a program on a library left.
pub(super) fn of_program(ran: &Ran) -> Seen {
    let told: Value = ran
        .output
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_default();
    let steps = list(&told["steps"]);
    let said = |step: &Value| step["result"].as_str().is_some_and(|text| text.contains(ANSWER));
    let called = steps.iter().position(said);
    let searched = steps.iter().position(|step| step["step"] == "search");
    let own = opening(&ran.passed);
    let listed = |step: &Value| step["listed"] == true;
    Seen {
        speaks: told["speaks"].as_str().map(str::to_owned).or(own.speaks),
        name: own.name,
        shown: list(&told["shown"]).iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect(),
        requests: called.map(|at| at + 1),
        from_search: called.zip(searched).map(|(called, searched)| called - searched.min(called)),
        by: called.and_then(|at| steps.get(at)).map(|step| match step["called"] == TOOL {
            true => By::Itself,
            false => By::CallTool,
        }),
        joined: searched.and_then(|searched| {
            steps.iter().skip(searched + 1).position(listed).map(|after| after + 1)
        }),
        tells: called.is_some(),
        ..Seen::default()
    }
}

/// Reads how a client began.
fn opening(passed: &[Value]) -> Seen {
    let of_client = |line: &&Value| line["who"] == "client";
    let messages = || passed.iter().filter(of_client).map(|line| &line["message"]);
    let begins = messages().find(|message| message["method"] == "initialize");
    let meta = |message: &Value, key: &str| {
        message["params"]["_meta"][format!("io.modelcontextprotocol/{key}")].clone()
    };
    let (name, speaks) = match begins {
        Some(message) => {
            let id = &message["id"];
            let answer =
                passed.iter().find(|line| line["who"] == "gateway" && line["message"]["id"] == *id);
            let version = answer.map(|line| &line["message"]["result"]["protocolVersion"]);
            (message["params"]["clientInfo"]["name"].clone(), version.cloned())
        }
        None => {
            let list = messages().find(|message| message["method"] == "tools/list");
            let list = list.unwrap_or(&Value::Null);
            (meta(list, "clientInfo")["name"].clone(), Some(meta(list, "protocolVersion")))
        }
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Seen { name: text(&name), speaks: speaks.as_ref().and_then(text), ..Seen::default() }
}

/// How a step of the model calls a tool.
fn way(step: &Value) -> Option<By> {
    let name = step["said"]["call"]["name"].as_str()?;
    Some(match step["step"].as_str()? {
        "script" => By::Script,
        _ if name.ends_with("call_tool") => By::CallTool,
        _ => By::Itself,
    })
}

/// Says whether a tool that the model sees is one of the gateway's.
fn is_ours(tool: &&Value) -> bool {
    tool["name"].as_str().is_some_and(|name| name.starts_with("mcp_") && name.contains("oncue"))
}

/// Says whether it is the tool that is looked for.
fn is_tool(tool: &Value) -> bool {
    let plain = |text: &str| text.replace('-', "_");
    tool["name"].as_str().is_some_and(|name| plain(name).ends_with(&plain(TOOL)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::rows::By;
    use super::super::run::{ANSWER, Ran};
    use super::{Seen, of_model, of_program};
    use serde_json::{Value, json};

    fn step(step: &str, tools: &[&str], said: &str, results: &[&str]) -> Value {
        let tools: Vec<Value> =
            tools.iter().map(|name| json!({ "name": name, "bytes": 10 })).collect();
        json!({ "kind": "step", "step": step, "tools": tools, "results": results, "instructed": 7, "said": { "call": { "name": said } } })
    }

    fn ran(asked: Vec<Value>, passed: Vec<Value>, output: &str) -> Ran {
        Ran { ending: None, output: output.to_owned(), errors: String::new(), asked, passed }
    }

    #[test]
    fn a_late_list_is_told_from_one_in_time() {
        let (search, call) = ("mcp__oncue__search_tools", "mcp__oncue__call_tool");
        let found = "mcp__oncue__everything__get_sum";
        let late = ran(
            vec![
                json!({ "kind": "aside" }),
                step("search", &["Bash", search, call], search, &[]),
                step("tool", &["Bash", search, call], call, &["found"]),
                step("tool", &["Bash", search, call, found], found, &["found", ANSWER]),
                step("tell", &[], "", &["found", ANSWER, ANSWER]),
            ],
            Vec::new(),
            ANSWER,
        );
        let seen = of_model(&late);
        assert_eq!(seen.shown, [search, call]);
        assert_eq!((seen.bytes, seen.told), (Some(20), Some(7)));
        assert_eq!((seen.requests, seen.from_search, seen.joined), (Some(2), Some(1), Some(2)));
        assert_eq!((seen.by, seen.called.as_deref()), (Some(By::CallTool), Some(call)));
        assert!(seen.tells);
    }

    #[test]
    fn what_is_never_called_is_not_counted() {
        let seen = of_model(&ran(vec![step("search", &[], "", &[])], Vec::new(), "no"));
        let nothing = Seen { bytes: Some(0), told: Some(7), ..Seen::default() };
        assert_eq!(seen, nothing);
    }

    #[test]
    fn a_client_is_known_by_how_it_begins() {
        let line = |who: &str, message: Value| json!({ "who": who, "message": message });
        let sessions = vec![
            line(
                "client",
                json!({ "id": 0, "method": "initialize", "params": { "clientInfo": { "name": "a" } } }),
            ),
            line("gateway", json!({ "id": 0, "result": { "protocolVersion": "2025-06-18" } })),
        ];
        let seen = of_model(&ran(Vec::new(), sessions, ""));
        assert_eq!((seen.name.as_deref(), seen.speaks.as_deref()), (Some("a"), Some("2025-06-18")));
        let meta = json!({ "io.modelcontextprotocol/clientInfo": { "name": "b" }, "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
        let stateless = vec![line(
            "client",
            json!({ "id": 1, "method": "tools/list", "params": { "_meta": meta } }),
        )];
        let seen = of_model(&ran(Vec::new(), stateless, ""));
        assert_eq!((seen.name.as_deref(), seen.speaks.as_deref()), (Some("b"), Some("2026-07-28")));
    }

    #[test]
    fn a_program_tells_its_steps_itself() {
        let told = json!({ "speaks": "2025-11-25", "shown": ["search_tools"], "steps": [
            { "step": "search", "called": "search_tools", "listed": false, "result": "" },
            { "step": "tool", "called": "everything__get-sum", "listed": true, "result": ANSWER },
        ] });
        let seen = of_program(&ran(Vec::new(), Vec::new(), &told.to_string()));
        assert_eq!((seen.requests, seen.from_search, seen.joined), (Some(2), Some(1), Some(1)));
        assert_eq!((seen.by, seen.tells), (Some(By::Itself), true));
    }
}
