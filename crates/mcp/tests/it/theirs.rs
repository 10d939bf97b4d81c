//! A server and a client of the protocol's own library for Rust.

use std::sync::Mutex;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    ContentBlock, ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, ErrorData, RoleClient, RoleServer, ServerHandler};

/// A client that answers questions and notes progress.
#[derive(Default)]
pub(crate) struct TheirClient {
    pub(crate) progress: Mutex<Vec<f64>>,
}

impl ClientHandler for TheirClient {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("theirs", "1"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept)
            .with_content(serde_json::json!({ "size": 7 })))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.lock().expect("no panic").push(params.progress);
    }
}

/// A server with two tools, of which one is never listed.
#[derive(Clone)]
pub(crate) struct TheirServer;

impl ServerHandler for TheirServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("their-server", "2"))
            .with_instructions("Use it well.")
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = || {
            std::sync::Arc::new(serde_json::Map::from_iter([("type".to_owned(), "object".into())]))
        };
        let page = request.and_then(|request| request.cursor);
        let (name, next) = match page.as_deref() {
            None => ("first", Some(String::new())),
            Some("") => ("second", Some("2".to_owned())),
            Some(_) => ("third", None),
        };
        let mut result =
            ListToolsResult::with_all_items(vec![Tool::new(name, "Does it", schema())]);
        result.next_cursor = next;
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "echo" => {
                let text = serde_json::to_string(&request.arguments).expect("JSON");
                Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
            }
            "wait" => {
                context.ct.cancelled().await;
                Err(ErrorData::internal_error("called off", None))
            }
            _ => Err(ErrorData::invalid_params("unknown tool", None)),
        }
    }
}
