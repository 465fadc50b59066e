//! The pack of sentences that this device uses: found, opened, and told of where it is of no use.
//!
//! Without it the device understands its own sentences alone. What the sentences say is not looked at here.

use std::io;

use loquat_models::{Catalogue, ModelFile, Pack, PackError};

/// Why there is no pack although one is meant.
#[derive(Debug, thiserror::Error)]
pub enum NoPack {
    /// There is no file of it.
    #[error("find {name} at {path}", path = .file.path.display(), name = .file.name)]
    Missing {
        /// The file.
        file: ModelFile,
    },
    /// The file is of no use.
    #[error(transparent)]
    Useless(#[from] PackError),
}

/// Opens the pack; `None` where it is switched off. Blocks for as long as it takes to read the file.
pub fn open(file: Option<&ModelFile>, catalogue: &Catalogue) -> Result<Option<Pack>, NoPack> {
    let Some(file) = file else {
        return Ok(None);
    };
    let opened = match catalogue.find(&file.name) {
        Ok(model) if file.is_in_catalogue => Pack::open_known(&file.path, model),
        _ => Pack::open(&file.path),
    };
    match opened {
        Err(PackError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Err(NoPack::Missing { file: file.clone() })
        }
        opened => Ok(Some(opened?)),
    }
}

/// The pack for a device that runs; one that is missing or of no use is told of, and the device goes on without it.
pub fn of(file: Option<&ModelFile>) -> Option<Pack> {
    let opened = open(file, &Catalogue::embedded());
    let told = opened.inspect_err(|error| {
        tracing::warn!(%error, "only our own sentences are understood; see loquat check");
    });
    told.ok().flatten()
}

#[cfg(test)]
mod tests {
    use loquat_part::model_files::ModelFiles;
    use loquat_settings::{Environment, Folders};

    use super::*;
    use crate::models;

    /// What opening a pack comes to on a machine whose folder of models has a file of this name and content.
    fn opened(setting: &str, file: Option<(&str, &[u8])>) -> Result<Option<Pack>, NoPack> {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::from_pairs([("HOME", home.path().display().to_string())])
            .with_system_root(home.path());
        let folders = Folders::find(&environment, None);
        if let Some((name, content)) = file {
            let folder = &folders.models;
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(name), content).unwrap();
        }
        let catalogue = Catalogue::embedded();
        let files = ModelFiles::new(&catalogue, &folders, &environment);
        open(models::sentence_pack(setting, &files).as_ref(), &catalogue)
    }

    #[test]
    fn a_pack_that_is_switched_off_is_not_looked_for() {
        assert!(opened("off", None).unwrap().is_none());
    }

    #[test]
    fn a_missing_pack_says_how_to_get_it() {
        let NoPack::Missing { file } = opened("auto", None).unwrap_err() else {
            panic!("something is there");
        };
        assert!(
            file.mend()
                .contains("loquat models fetch home_assistant_intents-"),
            "{}",
            file.mend()
        );
        let other = opened("/absent/pack.whl", None).unwrap_err().to_string();
        assert_eq!(other, "find pack at /absent/pack.whl");
    }

    #[test]
    fn another_file_is_not_taken_for_the_pack() {
        let catalogue = Catalogue::embedded();
        let name = &catalogue.first_of(loquat_models::Kind::Sentences).unwrap().file;
        for setting in ["auto", name.as_str()] {
            let refused = opened(setting, Some((name, b"PK"))).unwrap_err();
            assert!(
                matches!(refused, NoPack::Useless(PackError::Unknown { .. })),
                "{refused}"
            );
        }
        let refused = opened("~/.local/share/loquat/models/own.whl", Some(("own.whl", b"PK"))).unwrap_err();
        assert!(
            matches!(refused, NoPack::Useless(PackError::Damaged { .. })),
            "{refused}"
        );
    }
}
