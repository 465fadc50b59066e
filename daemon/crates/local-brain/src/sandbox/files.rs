//! Which files the process can still open, by Landlock. Never allows a device, a link or a program.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use landlock::{
    AccessFs, CompatLevel, LandlockStatus, RestrictionStatus, RulesetError, RulesetStatus, make_bitflags,
};
use loquat_sandbox::files::{allow, nothing};

use super::Needs;

/// Says why files are not restricted.
#[derive(Debug, thiserror::Error)]
pub(super) enum FilesError {
    /// The kernel cannot.
    #[error("this kernel has no Landlock")]
    NoLandlock,
    /// The folder of instructions cannot be made.
    #[error("failed to make {}: {source}", folder.display())]
    Folder {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The kernel refused.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
}

/// Restricts this thread and those it starts; gives the version of Landlock that the kernel has.
pub(super) fn restrict(needs: &Needs<'_>) -> Result<String, FilesError> {
    if let Some(folder) = needs.instructions {
        make(folder)?;
    }
    let status = apply(needs)?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => Err(FilesError::NoLandlock),
        (_, LandlockStatus::Available { effective_abi, .. }) => Ok(format!("{effective_abi:?}")),
        _ => Err(FilesError::NoLandlock),
    }
}

fn apply(needs: &Needs<'_>) -> Result<RestrictionStatus, RulesetError> {
    let mut rules = nothing(CompatLevel::BestEffort)?;
    for model in parts(needs.model) {
        rules = allow(rules, &model, AccessFs::ReadFile.into())?;
    }
    if let Some(folder) = needs.instructions {
        let kept = make_bitflags!(AccessFs::{
            ReadFile | ReadDir | WriteFile | MakeReg | RemoveFile | Truncate
        });
        rules = allow(rules, folder, kept)?;
    }
    rules = allow(rules, needs.socket_folder, AccessFs::RemoveFile.into())?;
    rules.restrict_self()
}

/// The files of the model. A large model may be cut into several, `NAME-00001-of-00003.gguf` and so on beside each
/// other.
fn parts(model: &Path) -> Vec<PathBuf> {
    let stem = model
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    let Some((first, of)) = stem.rsplit_once("-of-") else {
        return vec![model.to_owned()];
    };
    let name = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let Some(count) = of.parse::<u16>().ok().filter(|_| name.len() < first.len()) else {
        return vec![model.to_owned()];
    };
    let part = |number| model.with_file_name(format!("{name}{number:05}-of-{of}.gguf"));
    (1..=count.min(1000)).map(part).collect()
}

fn make(folder: &Path) -> Result<(), FilesError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|source| FilesError::Folder {
            folder: folder.to_owned(),
            source,
        })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::net::TcpListener;

    use super::*;

    /// Looks at the folder of a test from a confined thread.
    fn confined<T: Send + 'static>(look: impl FnOnce(&Path) -> T + Send + 'static) -> T {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().to_owned();
        fs::write(path.join("m.gguf"), "GGUF").unwrap();
        fs::write(path.join("secret"), "key").unwrap();
        fs::create_dir(path.join("run")).unwrap();
        let confined = move || {
            let needs = Needs {
                model: &path.join("m.gguf"),
                instructions: Some(&path.join("kept")),
                socket_folder: &path.join("run"),
                context: 4096,
            };
            restrict(&needs).expect("the tests need a kernel with Landlock");
            look(&path)
        };
        std::thread::spawn(confined).join().unwrap()
    }

    #[test]
    fn nothing_but_its_own_files_can_be_opened() {
        confined(|home| {
            assert_eq!(fs::read(home.join("m.gguf")).unwrap(), b"GGUF");
            let refused = |outcome: io::Result<()>| {
                assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
            };
            refused(fs::write(home.join("m.gguf"), "changed"));
            refused(fs::remove_file(home.join("m.gguf")));
            for secret in [home.join("secret").as_path(), Path::new("/etc/passwd")] {
                refused(File::open(secret).map(drop));
            }
            refused(fs::write(home.join("new"), ""));
            refused(std::os::unix::fs::symlink("/etc/passwd", home.join("kept/link")));
            refused(std::process::Command::new("/bin/true").status().map(drop));
        });
    }

    #[test]
    fn instructions_are_written_renamed_dated_and_removed() {
        confined(|home| {
            let kept = home.join("kept");
            fs::write(kept.join("a.half"), "read before").unwrap();
            fs::rename(kept.join("a.half"), kept.join("a.state")).unwrap();
            let file = File::open(kept.join("a.state")).unwrap();
            file.set_modified(std::time::SystemTime::now()).unwrap();
            assert_eq!(fs::read_dir(&kept).unwrap().count(), 1);
            fs::remove_file(kept.join("a.state")).unwrap();
        });
    }

    #[test]
    fn no_port_can_be_opened() {
        confined(|_| assert!(TcpListener::bind("127.0.0.1:0").is_err()));
    }

    #[test]
    fn a_model_in_parts_is_all_its_parts() {
        let names = |model: &str| -> Vec<String> {
            let parts = parts(Path::new(model));
            parts.iter().map(|part| part.display().to_string()).collect()
        };
        assert_eq!(names("/m/a.gguf"), ["/m/a.gguf"]);
        assert_eq!(names("/m/one-of-us.gguf"), ["/m/one-of-us.gguf"]);
        assert_eq!(names("/m/one-of-2.gguf"), ["/m/one-of-2.gguf"]);
        assert_eq!(
            names("/m/a-00001-of-00002.gguf"),
            ["/m/a-00001-of-00002.gguf", "/m/a-00002-of-00002.gguf"]
        );
    }
}
