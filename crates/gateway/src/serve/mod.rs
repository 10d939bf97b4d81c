//! What clients are served: one list, one search, one way to call, whatever is behind.
//!
//! | file | holds |
//! |---|---|
//! | `gateway` | [`Gateway`]: upstreams, catalog and clients under one roof |
//! | `service` | which method goes where |
//! | `listen` | connections of clients over HTTP |
//! | `list` | what a client sees of the tools, by its mode |
//! | `search` | the search tool and the calling tool |
//! | `answer` | what a search tells |
//! | `call` | the path of one call |
//! | `record` | what is recorded of a call |
//! | `forward` | a request of a client, brought to an upstream in whichever era that speaks |
//! | `exchange` | one request at an upstream while it runs |
//! | `ask` | questions of upstreams, brought to the client behind the call |
//! | `parking` | calls that wait for a client to come back with answers |
//! | `seal` | what a client carries from one round of a call to the next |
//! | `tasks` | tasks of upstreams, and whose each is |
//! | `offers` | resources and prompts of all upstreams, and whose each is |
//! | `results` | what clients can be expected to read |
//! | `kept` | results that are longer than a model should read |
//! | `gone` | tools that were there and are not any more |
//! | `tokens` | about how many tokens lists of tools cost ([`ListTokens`]) |
//! | `searchable` | what has changed, made searchable ahead of a search |
//! | `sessions` | sessions whose list grows |
//! | `watches` | resources that clients of the newer era listen to |
//! | `repeats` | searches that were made a moment ago |
//! | `requests` | searches that have led to a call
//! | `keeper` | keeps the catalog true and idle upstreams down |
//! | `pace` | how often an upstream's lists are read |
//! | `modes` | which mode suits which client |
//! | `wording` | what the gateway says of itself |

mod answer;
mod ask;
mod call;
mod exchange;
mod forward;
mod gateway;
mod gone;
mod keeper;
mod kept;
mod list;
mod listen;
mod modes;
mod offers;
mod pace;
mod parking;
mod record;
mod repeats;
mod requests;
mod results;
mod seal;
mod search;
mod searchable;
mod service;
mod sessions;
mod tasks;
mod tokens;
mod watches;
mod wording;

pub use answer::{Names, text as answer_text};
pub use gateway::{Gateway, GrantsOf, Local, Meanings, UpstreamStatus};
pub use listen::{Bounds, listen};
pub use modes::{ClientRow, client};
pub use tokens::ListTokens;
