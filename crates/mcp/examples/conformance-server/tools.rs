//! Tools that answer by themselves.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use oncue_mcp::server::{Change, Context};
use oncue_mcp::{Members, Notification, RpcError};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::content::{audio, image, resource, result, says, text};
use crate::service::Fixture;

/// Between two things that a tool tells while it works.
const PAUSE: Duration = Duration::from_millis(50);

impl Fixture {
    pub(crate) async fn call(
        &self,
        params: &Members,
        context: &Context,
    ) -> Result<Value, RpcError> {
        let name: String = params.read("name").unwrap_or_default();
        Ok(match &*name {
            "test_simple_text" => says("This is a simple text response for testing."),
            "test_image_content" => result(&[image()]),
            "test_audio_content" => result(&[audio()]),
            "test_embedded_resource" => {
                let words = "This is an embedded resource content.";
                result(&[resource("test://embedded-resource", "text/plain", words)])
            }
            "test_multiple_content_types" => {
                let data = r#"{"test":"data","value":123}"#;
                let inner = resource("test://mixed-content-resource", "application/json", data);
                result(&[text("Multiple content types test:"), image(), inner])
            }
            "test_error_handling" => {
                let words = "This tool intentionally returns an error for testing";
                json!({ "content": [text(words)], "isError": true })
            }
            "test_tool_with_logging" => {
                let steps =
                    ["Tool execution started", "Tool processing data", "Tool execution completed"];
                for (step, words) in steps.iter().enumerate() {
                    if step > 0 {
                        sleep(PAUSE).await;
                    }
                    self.logs.tell("info", words, params, context).await;
                }
                says("Logged three times")
            }
            "test_logging_tool" => {
                self.logs.tell("info", "The tool was called", params, context).await;
                says("Logged once")
            }
            "test_tool_with_progress" => {
                progress(context).await;
                says("Went all the way")
            }
            "test_trigger_tool_change" => self.changed(Change::Tools, &self.has_another_tool),
            "test_trigger_prompt_change" => self.changed(Change::Prompts, &self.has_another_prompt),
            "json_schema_2020_12_tool" | "test_custom_header" => {
                says(params.get("arguments").map_or("{}", |raw| raw.get()))
            }
            name => match self.call_asking(name, params, context).await? {
                Some(result) => result,
                None => return Err(RpcError::invalid_params(format!("Unknown tool: {name}"))),
            },
        })
    }

    fn changed(&self, change: Change, has_another: &AtomicBool) -> Value {
        has_another.fetch_not(Relaxed);
        // Nobody may listen.
        let _ = self.changes.send(change);
        says("Changed")
    }
}

async fn progress(context: &Context) {
    for (step, progress) in [0, 50, 100].into_iter().enumerate() {
        if step > 0 {
            sleep(PAUSE).await;
        }
        let Some(token) = &context.progress_token else { continue };
        let mut params = Members::new();
        params.put("progressToken", token.clone());
        // Numbers always are JSON.
        let _ = params.set("progress", &progress);
        let _ = params.set("total", &100);
        context.tell(Notification::new("notifications/progress", params.to_raw().ok())).await;
    }
}
