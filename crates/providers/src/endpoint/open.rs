//! From an endpoint to the client that speaks its protocol.

use std::sync::Arc;

use oncue_agent::Model;

use super::{Endpoint, SetupError};
use crate::anthropic::{Anthropic, Host};
use crate::chat::Chat;
use crate::http::Client;
use crate::models::Protocol;

impl Endpoint {
    /// Returns the model behind the endpoint. Nothing is sent before it is asked.
    ///
    /// # Errors
    ///
    /// The address or a header is none, the system has no certificates, or the protocol was left out when the program was built.
    pub fn open(self) -> Result<Arc<dyn Model>, SetupError> {
        match self.protocol {
            Protocol::Messages => {
                let wire = Anthropic::new(self.clone(), Host::Anthropic);
                Ok(Arc::new(Client::new(self, wire)?))
            }
            Protocol::Chat => {
                let wire = Chat::new(self.clone());
                Ok(Arc::new(Client::new(self, wire)?))
            }
            Protocol::Responses | Protocol::Gemini => {
                Err(SetupError::LeftOut { protocol: "this protocol", feature: "" })
            }
            Protocol::Bedrock => {
                Err(SetupError::LeftOut { protocol: "AWS Bedrock", feature: "bedrock" })
            }
        }
    }
}
