//! From an endpoint to the client that speaks its protocol.

use std::sync::Arc;

use oncue_agent::Model;

use super::{Endpoint, SetupError};
use crate::anthropic::{Anthropic, Host};
use crate::chat::Chat;
use crate::gemini::Gemini;
use crate::http::Client;
use crate::models::Protocol;
use crate::responses::Responses;

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
            Protocol::Responses => {
                let wire = Responses::new(self.clone());
                Ok(Arc::new(Client::new(self, wire)?))
            }
            Protocol::Gemini => {
                let wire = Gemini::new(self.clone());
                Ok(Arc::new(Client::new(self, wire)?))
            }
            #[cfg(feature = "bedrock")]
            Protocol::Bedrock => crate::bedrock::open(self),
            #[cfg(not(feature = "bedrock"))]
            Protocol::Bedrock => {
                Err(SetupError::LeftOut { protocol: "AWS Bedrock", feature: "bedrock" })
            }
        }
    }
}
