//! Instructions that the model has read, kept in a folder from one run of the program to the next: on a small board
//! reading them takes a minute, and copying them a second. Never keeps anything that was said in a conversation.

mod whole;

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use super::window::{WORTH_KEEPING, Window};
use whole::HALF;

/// A full folder makes room for something new no earlier than this after its last use: instructions that change with
/// every question must not wear out a memory card.
const SETTLED: Duration = Duration::from_secs(6 * 3600);

/// The ending of what is kept.
const KEPT: &str = "state";

/// The ending of what is being tried.
const TRIED: &str = "tried";

/// The instructions that are kept on disk. Without a folder none are.
#[derive(Debug)]
pub(crate) struct Instructions {
    folder: Option<PathBuf>,
    /// The names of this model's files begin with this.
    model: String,
    most: usize,
    writing: Option<JoinHandle<()>>,
}

impl Instructions {
    /// Keeps at most so many of this model, and removes what an earlier run could not bring to an end.
    pub(crate) fn new(folder: Option<PathBuf>, model: &Path, most: usize) -> Self {
        let folder = folder.filter(|_| most > 0);
        if let Some(folder) = &folder {
            let unfinished = [HALF, TRIED].map(|ending| files(folder, ending));
            unfinished.iter().flatten().for_each(|(_, path)| remove(path));
        }
        Self {
            folder,
            model: fingerprint(model),
            most,
            writing: None,
        }
    }

    pub(crate) fn are_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// Gives the window those of earlier runs. What cannot be used is removed.
    pub(crate) fn recall(&self, window: &mut Window<'_>) {
        let Some(folder) = &self.folder else {
            return;
        };
        // The one used last comes last, since the window lets go of the first.
        for (_, path) in own(folder, &self.model).iter().take(self.most).rev() {
            match recall(path, window) {
                Ok(tokens) => tracing::info!(tokens, "instructions that were read before are there again"),
                Err(error) => {
                    let file = path.display();
                    tracing::warn!(%file, error, "kept instructions cannot be used and are removed");
                }
            }
        }
    }

    /// Keeps what the window holds, which are instructions and nothing else, unless they are kept already.
    pub(crate) fn keep(&mut self, window: &Window<'_>) {
        let Some(folder) = self.folder.clone() else {
            return;
        };
        let is_writing = self
            .writing
            .as_ref()
            .is_some_and(|writing| !writing.is_finished());
        if is_writing || window.tokens().len() < WORTH_KEEPING {
            return;
        }
        let path = folder.join(format!("{}-{:016x}.{KEPT}", self.model, hash(window.tokens())));
        if touched(&path) || !self.has_room(&folder) {
            return;
        }
        match window.copy() {
            Ok(state) => self.write(folder, path, state),
            Err(error) => tracing::warn!(%error, "the instructions are not kept"),
        }
    }

    /// Writes on a thread of its own, which is not waited for: a memory card takes seconds.
    fn write(&mut self, folder: PathBuf, path: PathBuf, state: File) {
        let (model, most) = (self.model.clone(), self.most);
        let write = move || match whole::write(&path, state) {
            Ok(()) => make_room(&folder, &model, most),
            Err(error) => {
                let file = path.display();
                tracing::warn!(%file, %error, "failed to keep instructions; they are read again after the next start");
            }
        };
        let thread = std::thread::Builder::new().name("instructions".into());
        match thread.spawn(write) {
            Ok(writing) => self.writing = Some(writing),
            Err(error) => tracing::warn!(%error, "instructions are not kept: the system gives no thread"),
        }
    }

    /// Tells whether another one may be kept, if need be in the place of one that was not used for long.
    fn has_room(&self, folder: &Path) -> bool {
        let own = own(folder, &self.model);
        let settled = |used: &SystemTime| used.elapsed().is_ok_and(|ago| ago >= SETTLED);
        own.len() < self.most || own.last().is_some_and(|(used, _)| settled(used))
    }
}

/// Gives the window one file and says how many tokens it holds. llama.cpp ends the program over a file that is not what it
/// should be, so the file is checked first, and has another name until it has proved its worth: then the next start goes
/// without it.
fn recall(path: &Path, window: &mut Window<'_>) -> Result<usize, String> {
    let tried = path.with_extension(TRIED);
    fs::rename(path, &tried).map_err(|error| error.to_string())?;
    let recalled = whole::open(&tried)
        .map_err(|error| error.to_string())
        .and_then(|file| window.recall(file).map_err(|error| error.to_string()));
    if recalled.is_ok() {
        fs::rename(&tried, path).map_err(|error| error.to_string())?;
    } else {
        remove(&tried);
    }
    recalled
}

/// Tells one model from another: instructions that one has read mean nothing to another.
fn fingerprint(model: &Path) -> String {
    let facts = fs::metadata(model).map(|facts| (facts.len(), facts.modified().ok()));
    format!("{:016x}", hash(&facts.ok()))
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Lists what is kept of this model; the file that was used last comes first.
fn own(folder: &Path, model: &str) -> Vec<(SystemTime, PathBuf)> {
    let mut kept = files(folder, KEPT);
    kept.retain(|(_, path)| name(path).starts_with(model));
    kept
}

/// The files with this ending, that used last first.
fn files(folder: &Path, ending: &str) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|own| own == ending));
    let dated = paths.filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)));
    let mut dated: Vec<(SystemTime, PathBuf)> = dated.collect();
    dated.sort_unstable_by(|one, other| other.cmp(one));
    dated
}

fn name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

/// Notes that a file was used; false when there is none.
fn touched(path: &Path) -> bool {
    File::open(path)
        .and_then(|file| file.set_modified(SystemTime::now()))
        .is_ok()
}

/// Removes what another model has read, and what is too much.
fn make_room(folder: &Path, model: &str, most: usize) {
    let own = own(folder, model);
    let stays = |path: &PathBuf| own.iter().take(most).any(|(_, own)| own == path);
    for (_, path) in files(folder, KEPT) {
        if !stays(&path) {
            remove(&path);
        }
    }
}

fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        let file = path.display();
        tracing::warn!(%file, %error, "failed to remove kept instructions");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, name: &str, hours_ago: u64) {
        let file = File::create(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours_ago * 3600))
            .unwrap();
    }

    fn names(folder: &Path) -> Vec<String> {
        let kept = files(folder, KEPT).into_iter();
        kept.map(|(_, path)| name(&path).to_owned()).collect()
    }

    #[test]
    fn there_is_room_for_what_is_new_when_the_oldest_was_not_used_for_long() {
        let home = tempfile::tempdir().unwrap();
        let (folder, model) = (home.path(), home.path().join("no model"));
        let kept = Instructions::new(Some(folder.to_owned()), &model, 2);
        let own = |name: &str| format!("{}-{name}.state", kept.model);
        file(folder, &own("a"), 1);
        file(folder, "another-x.state", 0);
        assert!(kept.has_room(folder));
        file(folder, &own("b"), 2);
        assert!(!kept.has_room(folder));
        file(folder, &own("b"), 7);
        assert!(kept.has_room(folder));
        file(folder, &own("c"), 0);
        make_room(folder, &kept.model, 2);
        assert_eq!(names(folder), [own("c"), own("a")]);
    }

    #[test]
    fn what_an_earlier_run_left_half_done_goes() {
        let home = tempfile::tempdir().unwrap();
        for name in ["a.half", "a.tried", "b.state"] {
            file(home.path(), name, 0);
        }
        let folder = Some(home.path().to_owned());
        Instructions::new(folder.clone(), Path::new("m"), 0);
        assert_eq!(
            files(home.path(), HALF).len(),
            1,
            "nothing is kept, so nothing is touched"
        );
        let kept = Instructions::new(folder, Path::new("m"), 1);
        assert!(kept.are_kept());
        assert_eq!(names(home.path()), ["b.state"]);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
