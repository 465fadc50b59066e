//! A path within the folder, as it is written: its parts, none of which leads upwards. Opens nothing.

use std::path::Path;

use super::fault::Fault;

/// In bytes; Linux takes no longer path.
const LONGEST: usize = 4095;
const LONGEST_PART: usize = 255;
const MOST_PARTS: usize = 64;

/// A path that begins at the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Within {
    parts: Vec<String>,
}

impl Within {
    /// What a brain wrote. A whole path counts where it begins with the folder's own.
    pub(crate) fn parse(written: &str, root: &Path) -> Result<Self, Fault> {
        let text = written.trim();
        if text.len() > LONGEST || text.contains('\0') {
            return Err(Fault::argument(
                "path",
                "this is no path; write one such as notes/plan.txt",
            ));
        }
        let outside = || Fault::Outside(text.to_owned());
        let root = root.to_str().unwrap_or_default().trim_end_matches('/');
        let within = match text.strip_prefix(root).filter(|_| !root.is_empty()) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
            _ if text.starts_with('/') => return Err(outside()),
            _ => text,
        };
        let parts = within.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        if parts.iter().any(|part| part == "..") {
            return Err(outside());
        }
        if parts.len() > MOST_PARTS || parts.iter().any(|part| part.len() > LONGEST_PART) {
            return Err(Fault::argument(
                "path",
                "it is too long; write one such as notes/plan.txt",
            ));
        }
        Ok(Self { parts })
    }

    /// Its parts from the folder on; none for the folder itself.
    pub(crate) fn parts(&self) -> &[String] {
        &self.parts
    }
}

/// As it is opened and shown.
impl std::fmt::Display for Within {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(".");
        }
        f.write_str(&self.parts.join("/"))
    }
}
