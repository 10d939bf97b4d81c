//! Tools that propose: they put up a button for the user instead of acting.

use std::sync::Arc;

use oncue_decl::{Row, Tier};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::excerpt::echo;
use crate::{Arguments, BoxFuture, CallContext, Definition, Identity, Output, Tool, ToolError};

/// A button that the user may click; only then the call behind it is made, by the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chip {
    /// What stands on it.
    pub label: String,
    /// The tool that acts.
    pub tool: Identity,
    /// The text of its arguments.
    pub arguments: String,
}

/// Returns the tool that proposes what `acting` does: it takes the same arguments, checks them, and puts up a [`Chip`].
///
/// The row is its own, since its name and its description must tell the two apart; it disturbs nobody and runs without asking.
///
/// ```
/// use std::sync::Arc;
///
/// use oncue_decl::{Pair, PairRole, Row, Tier};
/// use oncue_tools::{NoArguments, Tool, propose, tool};
///
/// let open = tool(Row::inline("openTable", "Opens a table"), async |_, _: NoArguments| Ok("open"));
/// let row = Row::inline("proposeOpenTable", "Offers the user a button that opens a table");
/// let proposing = propose(row, Arc::new(open));
/// assert_eq!(proposing.definition().row().tier(), Tier::Silent);
/// assert_eq!(
///     proposing.definition().row().pair(),
///     Some(&Pair::new(PairRole::Propose, "openTable"))
/// );
/// ```
#[must_use]
pub fn propose(row: Row, acting: Arc<dyn Tool>) -> impl Tool {
    let partner = acting.definition().name().to_owned();
    let row = row
        .with_tier(Tier::Silent)
        .with_pair(oncue_decl::Pair::new(oncue_decl::PairRole::Propose, partner));
    let parameters = acting.definition().parameters().map(RawValue::to_owned);
    Proposing { definition: Definition::new(row, parameters), acting }
}

struct Proposing {
    definition: Definition,
    acting: Arc<dyn Tool>,
}

impl Tool for Proposing {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn objection(&self, arguments: &Arguments) -> Option<ToolError> {
        self.acting.objection(arguments)
    }

    fn call<'a>(
        &'a self,
        _ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        let row = self.acting.definition().row();
        let title = if row.title().is_empty() { row.name() } else { row.title() };
        let arguments = arguments.raw().get().to_owned();
        let label = match arguments.as_str() {
            "{}" => title.to_owned(),
            arguments => format!("{title} {}", echo(arguments)),
        };
        let text = format!(
            "The user sees a button: {label}. Nothing was done yet; it is done when the user clicks. Do not call {} for it.",
            row.name()
        );
        let chip = Chip { label, tool: Identity::own(row.name().to_owned()), arguments };
        Box::pin(std::future::ready(Ok(Output::from(text).with_chip(chip))))
    }
}
