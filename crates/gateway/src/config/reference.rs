//! The keys of `oncue.toml` and the forms of clients as Markdown, made of the tables that the readers use.

use super::Syntax;
use super::foreign::FORMS;
use super::native::TABLES;

/// Returns the tables of the documentation: every table of `oncue.toml` with its keys, and every form of a client with what is read of it.
#[must_use]
pub fn reference() -> String {
    let mut text = String::new();
    for table in TABLES {
        text.push_str(&format!(
            "### {}\n\n| key | default | means |\n|---|---|---|\n",
            table.title
        ));
        for key in table.keys {
            let default = match key.default {
                "" => String::new(),
                default => format!("`{default}`"),
            };
            text.push_str(&format!("| `{}` | {default} | {} |\n", key.name, key.means));
        }
        text.push('\n');
    }
    text.push_str("### Files of clients\n\n| client | files | servers under | variables | what is read of a server |\n|---|---|---|---|---|\n");
    for row in FORMS {
        let code = |words: &[&str]| {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        };
        let variables = match row.syntax {
            Syntax::Literal => "none",
            Syntax::Native => "`${NAME}`",
            Syntax::Braces => {
                "`${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`, folders"
            }
            Syntax::Dollar => "the same, `$NAME`",
        };
        text.push_str(&format!(
            "| {} | {} | `{}` | {variables} | {} |\n",
            row.title,
            code(row.files),
            row.servers,
            code(row.keys)
        ));
    }
    text
}
