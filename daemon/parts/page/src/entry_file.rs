//! The file with which a browser of this machine enters: a page in the runtime folder that only its owner reads, and that sends
//! the one-time token on in a form. A browser is opened with the name of that file, so that the token stands on no command line,
//! which every user of the machine can read.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use maud::{DOCTYPE, PreEscaped, html};

const BEGINNING: &str = "enter-";
const ENDING: &str = ".html";

/// Sends the form without a click, where scripts run.
const SENDS: &str = "document.forms[0].submit();";

/// The file; it is removed with this value.
#[derive(Debug)]
pub(super) struct EntryFile(PathBuf);

impl EntryFile {
    /// Writes it. `enter` is where the form goes.
    pub(super) fn write(folder: &Path, enter: &str, token: &str) -> io::Result<Self> {
        let name = format!("{BEGINNING}{}{ENDING}", uuid::Uuid::new_v4().simple());
        let file = Self(folder.join(name));
        let mut options = OpenOptions::new();
        let mut opened = options.write(true).create_new(true).mode(0o600).open(&file.0)?;
        opened.write_all(page(enter, token).as_bytes())?;
        Ok(file)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for EntryFile {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap_or_default();
    }
}

/// Removes what a daemon left that could not end in peace. Its tokens are good for nothing any more.
pub(super) fn tidy(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with(BEGINNING) && name.ends_with(ENDING)
    });
    for entry in left {
        std::fs::remove_file(entry.path()).unwrap_or_default();
    }
}

fn page(enter: &str, token: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { "Loquat" } }
            body {
                form method="post" action=(enter) {
                    input type="hidden" name="token" value=(token);
                    button { "Open the page of Loquat" }
                }
                script { (PreEscaped(SENDS)) }
            }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_file_is_its_owner_s_alone_and_goes_away() {
        let folder = tempfile::tempdir().unwrap();
        let file = EntryFile::write(folder.path(), "http://127.0.0.1:1/enter", "a<b").unwrap();
        let path = file.path().to_owned();
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.contains("value=\"a&lt;b\"") && text.contains("action=\"http://127.0.0.1:1/enter\""),
            "{text}"
        );
        drop(file);
        assert!(!path.exists());
        std::fs::write(folder.path().join("enter-1.html"), "").unwrap();
        std::fs::write(folder.path().join("page.sock"), "").unwrap();
        tidy(folder.path());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
