//! The address of a file on the model hub, as people write it: `hf:OWNER/REPO/FOLDER/FILE.gguf@REVISION`. Asks no server.

use std::fmt;
use std::str::FromStr;

/// The beginning of every address.
const SCHEME: &str = "hf:";

/// The revision where none is named.
const MAIN: &str = "main";

/// Names on the hub have at most 96 letters; with a folder it is a little more.
const LONGEST: usize = 512;

/// A repository on the hub, a revision of it, and a file in it if one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HubAddress {
    /// It is written `OWNER/REPO`.
    pub(super) repository: String,
    /// The path of the file within it; absent where only the repository is named.
    pub(super) file: Option<String>,
    /// It is a branch, a tag or a commit.
    pub(super) revision: String,
}

/// An address that names nothing on the hub.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "understand the address '{0}': it is hf:OWNER/REPO/FILE.gguf, with @REVISION behind it if it is not the newest one"
)]
pub struct AddressError(pub(super) String);

impl HubAddress {
    /// Tells whether a person means an address and no name.
    pub(super) fn is_meant(text: &str) -> bool {
        text.starts_with(SCHEME)
    }

    /// The path on the hub and its mirrors at which a file of the repository is.
    pub(super) fn path_of(&self, file: &str) -> String {
        self.path_at(&self.revision, file)
    }

    pub(super) fn path_at(&self, revision: &str, file: &str) -> String {
        // A revision such as refs/pr/1 is one part of the path.
        let revision = revision.replace('/', "%2F");
        format!("{}/resolve/{revision}/{file}", self.repository)
    }

    /// The path of the hub's list of files.
    pub(super) fn tree(&self) -> String {
        let revision = self.revision.replace('/', "%2F");
        format!("api/models/{}/tree/{revision}?recursive=true", self.repository)
    }

    /// The address of a file of the same repository and revision.
    pub(super) fn with_file(&self, file: &str) -> Self {
        Self {
            file: Some(file.to_owned()),
            ..self.clone()
        }
    }
}

impl FromStr for HubAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let address = text.strip_prefix(SCHEME).and_then(read);
        address.ok_or_else(|| AddressError(text.chars().take(LONGEST).collect()))
    }
}

fn read(address: &str) -> Option<HubAddress> {
    if address.len() > LONGEST {
        return None;
    }
    let (path, revision) = address.split_once('@').unwrap_or((address, MAIN));
    let mut parts = path.split('/');
    let (owner, repository) = (parts.next()?, parts.next()?);
    let file: Vec<&str> = parts.collect();
    let all = [owner, repository].into_iter().chain(file.iter().copied());
    let is_sound = all.chain(revision.split('/')).all(is_name);
    is_sound.then(|| HubAddress {
        repository: format!("{owner}/{repository}"),
        file: (!file.is_empty()).then(|| file.join("/")),
        revision: revision.to_owned(),
    })
}

/// Tells whether this can be a part of a path, here and on the hub, without meaning anything else.
fn is_name(part: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte);
    !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_plain)
}

impl fmt::Display for HubAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.repository)?;
        if let Some(file) = &self.file {
            write!(f, "/{file}")?;
        }
        if self.revision != MAIN {
            write!(f, "@{}", self.revision)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_written_alike() {
        for text in [
            "hf:Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0.gguf",
            "hf:Qwen/Qwen3-0.6B-GGUF",
            "hf:owner/repo/Q4/model.gguf@refs/pr/1",
        ] {
            let address: HubAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), text);
        }
        let address: HubAddress = "hf:owner/repo/Q4/m.gguf@refs/pr/1".parse().unwrap();
        assert_eq!(
            address.path_of("Q4/m.gguf"),
            "owner/repo/resolve/refs%2Fpr%2F1/Q4/m.gguf"
        );
        assert_eq!(
            address.tree(),
            "api/models/owner/repo/tree/refs%2Fpr%2F1?recursive=true"
        );
    }

    #[test]
    fn what_leads_elsewhere_is_no_address() {
        for text in [
            "owner/repo/m.gguf",
            "hf:",
            "hf:owner",
            "hf:owner/",
            "hf:owner/../m.gguf",
            "hf:owner/repo//m.gguf",
            "hf:owner/repo/.m.gguf",
            "hf:owner/repo/m.gguf?a=b",
            "hf:owner/repo/m.gguf#a",
            "hf:owner/repo/m%2Fn.gguf",
            "hf:owner/repo/m.gguf@",
            "hf:owner/repo/m.gguf@a@b",
            "hf:http://owner/repo",
            &format!("hf:owner/{}", "r".repeat(LONGEST)),
        ] {
            assert!(text.parse::<HubAddress>().is_err(), "{text}");
        }
    }
}
