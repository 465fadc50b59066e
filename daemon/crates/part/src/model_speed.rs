//! How quick models are on this machine: measured once, kept in a file of the state folder, and measured anew when the file of
//! the model, the kernel or the number of threads has become another. And which of several is chosen by that. Measures
//! nothing itself.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use loquat_models::ModelFile;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a model is computed with, on which its speed depends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditions {
    /// The kernel, by its name.
    pub kernel: String,
    /// It computes with so many threads.
    pub threads: usize,
}

/// What was measured, and of what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Measured<F> {
    size: u64,
    kernel: String,
    threads: usize,
    #[serde(flatten)]
    figures: F,
}

/// A file of measurements in the state folder.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// Its name.
    pub file: &'static str,
    /// What stands at its beginning, as lines of remarks.
    pub head: &'static str,
}

/// What is known of models, by the names of their files.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements<F>(BTreeMap<String, Measured<F>>);

impl<F> Default for Measurements<F> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<F: Clone + Serialize + DeserializeOwned> Measurements<F> {
    /// What the state folder holds; nothing where it cannot be read.
    pub fn recall(state: &Path, kept: Kept) -> Self {
        let text = std::fs::read_to_string(state.join(kept.file)).unwrap_or_default();
        Self(toml::from_str(&text).unwrap_or_default())
    }

    /// What is known of a model, if it was measured as it is now.
    pub fn of(&self, model: &Path, conditions: &Conditions) -> Option<F> {
        let known = self.0.get(&file_name(model))?;
        let is_same = known.size == size(model)?
            && known.threads == conditions.threads
            && known.kernel == conditions.kernel;
        is_same.then(|| known.figures.clone())
    }

    /// Takes note of a measurement.
    pub fn put(&mut self, model: &Path, conditions: &Conditions, figures: F) {
        let measured = Measured {
            size: size(model).unwrap_or_default(),
            kernel: conditions.kernel.clone(),
            threads: conditions.threads,
            figures,
        };
        self.0.insert(file_name(model), measured);
    }

    /// Writes it all into the state folder.
    pub fn keep(&self, state: &Path, kept: Kept) -> io::Result<()> {
        let text = toml::to_string(&self.0).map_err(io::Error::other)?;
        let mut written = tempfile::NamedTempFile::new_in(state)?;
        written.write_all(format!("{}{text}", kept.head).as_bytes())?;
        written.as_file().sync_all()?;
        written.persist(state.join(kept.file))?;
        Ok(())
    }
}

/// Why a model is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The settings name it.
    Named,
    /// No other is installed that suits the device, or none at all. It takes so long, if that was measured.
    Only {
        /// What it takes.
        took: Option<Duration>,
    },
    /// It is the largest that is quick enough. The next larger one that is installed takes longer than it may, if there is one.
    Largest {
        /// What it takes.
        took: Duration,
        /// The larger one, and what that takes.
        larger: Option<(String, Duration)>,
    },
    /// All take longer than they may; it is the quickest.
    Quickest {
        /// What it takes.
        took: Duration,
    },
    /// Of several that are installed, none was measured yet.
    Unmeasured,
}

/// Chooses the largest of the installed models that takes no longer than the bound, or else the quickest. The largest come
/// first; the usual one is used where nothing is known of any.
pub fn choose(
    installed: Vec<ModelFile>,
    took: impl Fn(&ModelFile) -> Option<Duration>,
    bound: Duration,
    usual: impl FnOnce() -> ModelFile,
) -> (ModelFile, Choice) {
    if installed.len() < 2 {
        let only = installed.into_iter().next().unwrap_or_else(usual);
        let took = took(&only);
        return (only, Choice::Only { took });
    }
    let measured = |file: ModelFile| Some((took(&file)?, file));
    let measured: Vec<(Duration, ModelFile)> = installed.into_iter().filter_map(measured).collect();
    let largest = measured.iter().position(|(took, _)| *took <= bound);
    if let Some((index, (took, file))) = largest.and_then(|index| Some((index, measured.get(index)?))) {
        let larger = index.checked_sub(1).and_then(|index| measured.get(index));
        let larger = larger.map(|(took, file)| (file.name.clone(), *took));
        return (file.clone(), Choice::Largest { took: *took, larger });
    }
    match measured.into_iter().min_by_key(|(took, _)| *took) {
        Some((took, file)) => (file, Choice::Quickest { took }),
        None => (usual(), Choice::Unmeasured),
    }
}

fn file_name(model: &Path) -> String {
    model
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn size(model: &Path) -> Option<u64> {
    Some(std::fs::metadata(model).ok()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: Kept = Kept {
        file: "speed.toml",
        head: "# How quick.\n",
    };

    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    struct Seconds {
        seconds: f64,
    }

    fn with(threads: usize) -> Conditions {
        Conditions {
            kernel: "plain".to_owned(),
            threads,
        }
    }

    #[test]
    fn what_was_measured_holds_until_the_model_or_the_conditions_are_others() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.bin");
        std::fs::write(&model, "weights").unwrap();
        let mut known = Measurements::recall(folder.path(), KEPT);
        assert_eq!(known.of(&model, &with(2)), None);
        known.put(&model, &with(2), Seconds { seconds: 0.41 });
        known.keep(folder.path(), KEPT).unwrap();
        let known = Measurements::<Seconds>::recall(folder.path(), KEPT);
        assert_eq!(known.of(&model, &with(2)), Some(Seconds { seconds: 0.41 }));
        assert_eq!(known.of(&model, &with(4)), None);
        let other = Conditions {
            kernel: "avx2".to_owned(),
            threads: 2,
        };
        assert_eq!(known.of(&model, &other), None);
        std::fs::write(&model, "other weights").unwrap();
        assert_eq!(known.of(&model, &with(2)), None);
        std::fs::write(folder.path().join(KEPT.file), "seconds = no").unwrap();
        assert_eq!(
            Measurements::<Seconds>::recall(folder.path(), KEPT),
            Measurements::default()
        );
    }

    #[test]
    fn the_largest_that_is_quick_enough_is_chosen() {
        let file = |name: &str| ModelFile {
            path: name.into(),
            name: name.to_owned(),
            bytes: 0,
            is_in_catalogue: true,
        };
        let chosen = |seconds: &[(&str, Option<u64>)]| {
            let installed = seconds.iter().map(|(name, _)| file(name)).collect();
            let took = |file: &ModelFile| {
                let found = seconds.iter().find(|(name, _)| *name == file.name);
                found.and_then(|(_, seconds)| seconds.map(Duration::from_secs))
            };
            let (file, choice) = choose(installed, took, Duration::from_secs(3), || file("usual"));
            (file.name, choice)
        };
        let (two, five, nine) = (2, 5, 9);
        let seconds = Duration::from_secs;
        assert_eq!(
            chosen(&[
                ("4B", Some(nine)),
                ("1B", Some(five)),
                ("0.5B", Some(two)),
                ("0.3B", Some(1))
            ]),
            (
                "0.5B".to_owned(),
                Choice::Largest {
                    took: seconds(2),
                    larger: Some(("1B".to_owned(), seconds(5)))
                }
            )
        );
        assert_eq!(
            chosen(&[("4B", Some(nine)), ("1B", Some(five))]),
            ("1B".to_owned(), Choice::Quickest { took: seconds(5) })
        );
        assert_eq!(
            chosen(&[("4B", None), ("1B", None)]),
            ("usual".to_owned(), Choice::Unmeasured)
        );
        assert_eq!(
            chosen(&[("4B", Some(nine))]),
            (
                "4B".to_owned(),
                Choice::Only {
                    took: Some(seconds(9))
                }
            )
        );
        assert_eq!(chosen(&[]), ("usual".to_owned(), Choice::Only { took: None }));
    }
}
