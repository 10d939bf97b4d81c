//! A tool from a struct that holds what it works on, with results of several pieces.

use std::sync::{Arc, Mutex, PoisonError};

use oncue::{
    CallContext, Content, Grants, Output, PlainTools, Requested, Row, Step, Tier, ToolError,
    TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// A drawing that grows call by call.
struct Canvas {
    points: Mutex<Vec<(u8, u8)>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Point {
    /// Pixels from the left.
    #[schemars(range(max = 15))]
    x: u8,
    /// Pixels from the top.
    #[schemars(range(max = 15))]
    y: u8,
}

impl TypedTool for Canvas {
    type Args = Point;

    fn row(&self) -> Row {
        Row::inline("drawPoint", "Draws a point and shows the drawing").with_tier(Tier::Silent)
    }

    async fn call(&self, _: &CallContext<'_>, point: Point) -> Result<Output, ToolError> {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        points.push((point.x, point.y));
        let picture = points.iter().flat_map(|(x, y)| [*x, *y]).collect::<Vec<u8>>();
        let shown = Content::image("image/x-points", picture);
        Ok(Output::json(&*points)?.and(shown).and(format!("{} points", points.len())))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let canvas = Canvas { points: Mutex::default() }.into_tool();
    let tools = PlainTools::new(vec![Arc::new(canvas)], &Grants::local());
    let calls = vec![
        Requested::new("1", "drawPoint", r#"{"x": 1, "y": 2}"#),
        Requested::new("2", "drawPoint", r#"{"x": 99, "y": 2}"#),
    ];
    let finished = Step::new(&tools).run(calls).await;
    for piece in finished[0].outcome.iter().flat_map(|output| &output.content) {
        println!("{piece:?}");
    }
    assert_eq!(finished[0].outcome.as_ref().map(|output| output.content.len()).ok(), Some(3));
    let refused = finished[1].outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
    println!("{refused}");
    assert!(refused.contains("'x' must be at most 15"));
}
