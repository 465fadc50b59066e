//! What a persona file may do with keys: from where it may take one, and to whom it may send it. A file of a stranger must
//! not be able to send away what else lies on this machine. Never reads a key.

use std::path::{Component, Path, PathBuf};

use loquat_brain::clear_text_host;
use loquat_settings::{Environment, Folders, Origin};

use super::keys::Keys;
use super::own_file::{OwnFile, owners_of};

/// The owner's word on which keys a persona file may use.
#[derive(Debug, Clone, Default)]
pub struct KeyPolicy {
    /// Folders whose files may be named.
    pub folders: Vec<PathBuf>,
    /// Hosts that may be sent a key in the clear.
    pub clear_text_hosts: Vec<String>,
}

impl KeyPolicy {
    /// Reads the policy from the settings.
    pub fn new(environment: &Environment, folders: &Folders, keys: &Keys) -> Self {
        let named = keys.folders.iter();
        let named = named.map(|folder| environment.expand_home(Path::new(folder)));
        let own = [&folders.config, &folders.credentials].into_iter().flatten();
        Self {
            folders: own
                .chain([&folders.system_config])
                .cloned()
                .chain(named)
                .collect(),
            clear_text_hosts: keys.clear_text_hosts.clone(),
        }
    }

    /// Tells why the persona at `origin` may not take a key from this file; nothing when it may.
    pub(super) fn refuses_file(&self, path: &Path, origin: &Origin) -> Option<String> {
        if self.folders.iter().any(|folder| is_within(path, folder)) {
            return None;
        }
        let beside = match origin {
            Origin::File { path: persona, .. } => beside(path, persona),
            _ => None,
        };
        if let Some(file) = beside {
            let why = file.refusal()?;
            return Some(format!("names {}, which is not used: {why}", path.display()));
        }
        Some(format!(
            "names {}, and persona files may take keys from their own folder, ~/.config/loquat, /etc/loquat and systemd's \
             credentials only; move it there, or name its folder in keys.folders of loquat.toml",
            path.display()
        ))
    }

    /// Tells why a key may not be sent to this address; nothing when it may.
    pub(super) fn refuses_address(&self, api_url: &str) -> Option<String> {
        let host = clear_text_host(api_url)?;
        if self
            .clear_text_hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(&host))
        {
            return None;
        }
        Some(format!(
            "is not sent, since anybody on the way to {host} could read it; use an https:// address, or add \"{host}\" to \
             keys.clear_text_hosts of loquat.toml"
        ))
    }
}

/// A file beside a persona, which the author of the persona may have put there: no link of a stranger leads to a key of the person.
fn beside(path: &Path, persona: &Path) -> Option<OwnFile> {
    let folder = persona.parent()?;
    let led = || Some((folder.canonicalize().ok()?, path.canonicalize().ok()?));
    let (folder, path) = if path.starts_with(folder) {
        (folder.to_owned(), path.to_owned())
    } else {
        led().filter(|(folder, path)| path.starts_with(folder))?
    };
    Some(OwnFile {
        beneath: path.strip_prefix(&folder).ok()?.to_owned(),
        folder,
        owners: owners_of(Some(persona)),
    })
}

/// Compares paths as they are written, and where links lead: a folder may be known by two names. A link in one of the
/// owner's folders is the owner's.
fn is_within(path: &Path, folder: &Path) -> bool {
    let goes_up = path
        .components()
        .any(|component| component == Component::ParentDir);
    let led = |path: &Path| std::fs::canonicalize(path).ok();
    let is_led = led(path)
        .zip(led(folder))
        .is_some_and(|(path, folder)| path.starts_with(folder));
    (!goes_up && path.starts_with(folder)) || is_led
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_from_the_owners_folders_only() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        for folder in ["config", "personas", "ssh"] {
            std::fs::create_dir(path(folder)).unwrap();
        }
        std::fs::write(path("ssh/id"), "secret").unwrap();
        std::os::unix::fs::symlink(path("ssh"), path("config/link")).unwrap();
        let policy = KeyPolicy {
            folders: vec![path("config")],
            ..KeyPolicy::default()
        };
        let origin = Origin::file(path("personas/stranger.json"));
        let refused = |name: &str| policy.refuses_file(&path(name), &origin).is_some();
        assert!(!refused("config/openai.key"));
        assert!(!refused("config/link/id"), "the owner has put it there");
        assert!(!refused("personas/openai.key"));
        std::fs::write(path("personas/stranger.json"), "{}").unwrap();
        std::fs::write(path("personas/own.key"), "secret").unwrap();
        assert!(!refused("personas/own.key"));
        std::os::unix::fs::symlink(path("ssh/id"), path("personas/linked")).unwrap();
        std::os::unix::fs::symlink(path("ssh"), path("personas/folder")).unwrap();
        std::fs::hard_link(path("ssh/id"), path("personas/hard")).unwrap();
        for brought in [
            "personas/linked",
            "personas/folder/id",
            "personas/hard",
            "personas/../ssh/id",
        ] {
            assert!(refused(brought), "{brought}");
        }
        for stranger in [
            "ssh/id",
            "config/../ssh/id",
            "configuration/key",
            "config/../gone",
        ] {
            assert!(refused(stranger), "{stranger}");
        }
        assert!(
            policy
                .refuses_file(&path("personas/k"), &Origin::Embedded("x"))
                .is_some()
        );
    }

    #[test]
    fn a_key_goes_over_a_net_in_the_clear_only_where_that_is_said() {
        let policy = KeyPolicy {
            clear_text_hosts: vec!["nas.lan".to_owned()],
            ..KeyPolicy::default()
        };
        for fine in [
            "https://api.example.org/v1",
            "http://127.0.0.1:8080/v1",
            "http://[::1]/v1",
            "http://localhost:11434/v1",
            "unix:/run/brain.sock",
            "http://NAS.lan:8080/v1",
        ] {
            assert_eq!(policy.refuses_address(fine), None, "{fine}");
        }
        for clear in [
            "http://192.168.1.5/v1",
            "http://api.example.org/v1",
            "http://nas.lan.example.org/v1",
        ] {
            let reason = policy.refuses_address(clear).unwrap();
            assert!(reason.contains("keys.clear_text_hosts"), "{reason}");
        }
    }
}
