//! A document with marked sections, of which each is replaced as a whole.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// What becomes of tables in documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tables {
    /// They are written anew.
    Write,
    /// They must say what was seen.
    Compare,
}

/// A document in memory, until it is written.
pub(crate) struct Document {
    path: PathBuf,
    /// As it was read.
    before: String,
    text: String,
}

impl Document {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("failed to read `{}`", path.display()))?;
        Ok(Self { path: path.to_owned(), before: text.clone(), text })
    }

    /// Replaces what stands between the marks of `section`.
    pub(crate) fn put(&mut self, section: &str, content: &str) -> Result<()> {
        let path = self.path.display();
        self.text = replaced(&self.text, section, content)
            .with_context(|| format!("`{path}` has no marks of the section `{section}`"))?;
        Ok(())
    }

    /// Writes the document, or says whether it is as it should be; `command` is what writes it.
    pub(crate) fn finish(&self, tables: Tables, command: &str) -> Result<bool> {
        match tables {
            Tables::Write => self.write().map(|()| true),
            Tables::Compare => {
                let changed = self.before.lines().zip(self.text.lines()).find(|(a, b)| a != b);
                if let Some((before, now)) = changed {
                    let path = self.path.display();
                    eprintln!(
                        "`{path}` is out of date (`{command}` writes it):\n- {before}\n+ {now}"
                    );
                }
                Ok(self.text == self.before)
            }
        }
    }

    pub(crate) fn write(&self) -> Result<()> {
        fs::write(&self.path, &self.text)
            .with_context(|| format!("failed to write `{}`", self.path.display()))?;
        println!("wrote {}", self.path.display());
        Ok(())
    }
}

fn replaced(text: &str, section: &str, content: &str) -> Option<String> {
    let begin = format!("<!-- figures: {section} -->\n");
    let end = format!("<!-- end: {section} -->");
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    let content = content.trim_matches('\n');
    Some(format!("{before}{begin}\n{content}\n\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn a_section_is_replaced_between_its_marks() {
        let text = "a\n<!-- figures: x -->\nold\n<!-- end: x -->\nb\n";
        let once = replaced(text, "x", "\nnew\n");
        let expected = "a\n<!-- figures: x -->\n\nnew\n\n<!-- end: x -->\nb\n";
        assert_eq!(once.as_deref(), Some(expected));
        assert_eq!(replaced(expected, "x", "new").as_deref(), Some(expected));
        assert_eq!(replaced(text, "y", "new"), None);
    }
}
