//! A tool from an async closure: the arguments are a type, the schema follows from it.

use std::collections::HashMap;
use std::sync::Arc;

use oncue::{Grants, PlainTools, Requested, Row, Step, Tier, Tool, ToolError, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Weather {
    /// The city, in English.
    city: String,
    unit: Option<Unit>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Kelvin,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // What a closure captures is cloned for each call, so larger things stand behind an `Arc`.
    let stations = Arc::new(HashMap::from([("Seoul", 21), ("Oslo", 9)]));
    let row = Row::inline("weather", "Tells the temperature in a city").with_tier(Tier::Silent);
    let weather = tool(row, async move |_, args: Weather| {
        let celsius = stations.get(args.city.as_str()).ok_or_else(|| {
            ToolError::new(format!(
                "No station in '{}'. Call weather with Seoul or Oslo.",
                args.city
            ))
        })?;
        Ok(match args.unit {
            Some(Unit::Kelvin) => format!("{} K", celsius + 273),
            Some(Unit::Celsius) | None => format!("{celsius} °C"),
        })
    });
    println!("{}", weather.definition().parameters().map_or("no schema", |schema| schema.get()));

    let tools = PlainTools::new(vec![Arc::new(weather)], &Grants::local());
    let calls = vec![
        Requested::new("1", "weather", r#"{"city": "Seoul", "unit": "kelvin"}"#),
        Requested::new("2", "weather", r#"{"city": "Paris"}"#),
        Requested::new("3", "weather", r#"{"city": "Oslo", "unit": "fahrenheit"}"#),
    ];
    let finished = Step::new(&tools).run(calls).await;
    let texts = finished.into_iter().map(|done| match done.outcome {
        Ok(output) => format!("{:?}", output.content),
        Err(error) => error.to_string(),
    });
    let texts: Vec<String> = texts.collect();
    println!("{}", texts.join("\n"));
    assert_eq!(texts[0], r#"[Text("294 K")]"#);
    assert_eq!(texts[1], "No station in 'Paris'. Call weather with Seoul or Oslo.");
    assert!(texts[2].starts_with("Arguments of 'weather' do not fit: 'unit'"));
}
