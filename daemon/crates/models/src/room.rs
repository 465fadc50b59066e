//! How much room a disk has.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

/// Free bytes for this user on the disk of a folder; `None` where it cannot be found out.
///
/// Asks `df`, which every system has; the standard library has no call for it.
pub(super) async fn free(folder: &Path) -> Option<u64> {
    let output = Command::new("df")
        .arg("-Pk")
        .arg(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .ok()?;
    parse(&String::from_utf8(output.stdout).ok()?)
}

/// The fourth column of the last line, in blocks of 1024 bytes.
fn parse(text: &str) -> Option<u64> {
    let line = text.lines().last()?;
    let kibibytes: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{free, parse};

    #[test]
    fn the_posix_form_is_read() {
        let text = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n\
                    /dev/root          29886936 11203344  17435424      40% /\n";
        assert_eq!(parse(text), Some(17_435_424 * 1024));
        assert_eq!(parse(""), None);
        assert_eq!(parse("df: /x: No such file or directory"), None);
    }

    #[tokio::test]
    async fn this_machine_has_some_room() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(free(folder.path()).await.is_some_and(|bytes| bytes > 0));
        assert_eq!(free(&folder.path().join("missing")).await, None);
    }
}
