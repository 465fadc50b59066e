//! Sounds that programs name as OVOS does, such as `snd/start_listening.wav`: where OVOS keeps the file on this machine, and notes
//! in its place where it is not installed. Plays nothing.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use loquat_settings::Environment;
use loquat_speech::tones::Note;
use parking_lot::Mutex;

/// Names of OVOS's sounds begin with this folder.
const FOLDER: &str = "snd";

/// Packages of OVOS that sounds come with.
const PACKAGES: [&str; 3] = ["ovos_audio", "ovos_utils", "ovos_dinkum_listener"];

/// Python keeps packages in these folders, below the folder of its version.
const SITES: [&str; 2] = ["site-packages", "dist-packages"];

/// Names that are complained about; what is named is up to programs.
const TOLD: usize = 16;

/// A note lasts half of a sound of 150 ms. In seconds.
const NOTE: f64 = 0.075;

/// Finds them.
#[derive(Debug, Default)]
pub struct NamedSounds {
    /// The folders that hold sounds; those with a person's own sounds come first.
    folders: Vec<PathBuf>,
    /// The names that were complained about.
    told: Mutex<HashSet<String>>,
}

impl NamedSounds {
    /// Looks in the folders in which OVOS does, as they are now: where it comes later, its audio service plays its sounds.
    pub fn of(environment: &Environment) -> Self {
        let home = environment.home();
        let own = home.as_ref().map(|home| home.join(".mycroft"));
        let data = environment.data_home().map(|data| data.join("mycroft"));
        let shared = environment.system_path("opt/mycroft");
        let homes = home
            .iter()
            .flat_map(|home| [home.join(".venvs/ovos"), home.join(".local")]);
        let systems = ["usr/local", "usr"].map(|folder| environment.system_path(folder));
        let packages = homes.chain(systems).flat_map(|prefix| resources(&prefix));
        Self {
            folders: own
                .into_iter()
                .chain(data)
                .chain([shared])
                .chain(packages)
                .collect(),
            told: Mutex::default(),
        }
    }

    /// Tells whether this is such a name, which leads out of no folder.
    pub(super) fn is_name(uri: &str) -> bool {
        let path = Path::new(uri);
        path.starts_with(FOLDER) && path.components().all(|part| matches!(part, Component::Normal(_)))
    }

    /// Finds the file of this name. Only WAV files are played, so one is looked for whatever the name ends
    /// in.
    pub(super) async fn find(&self, name: &str) -> Option<PathBuf> {
        for folder in &self.folders {
            let path = folder.join(name).with_extension("wav");
            let file = tokio::fs::metadata(&path).await;
            if file.is_ok_and(|file| file.is_file()) {
                return Some(path);
            }
        }
        None
    }

    /// Tells whether it was not complained about yet that there is no sound of this name.
    pub(super) fn is_news(&self, name: &str) -> bool {
        let mut told = self.told.lock();
        told.len() < TOLD && told.insert(name.to_owned())
    }
}

/// Lists the folders of resources of the packages that are installed below this one.
fn resources(prefix: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(prefix.join("lib")).into_iter().flatten();
    let versions = entries.flatten().map(|entry| entry.path());
    let is_python = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("python3")
    };
    let sites = versions
        .filter(is_python)
        .flat_map(|version| SITES.map(|site| version.join(site)));
    let packages = sites.flat_map(|site| PACKAGES.map(|package| site.join(package).join("res")));
    packages.filter(|folder| folder.is_dir()).collect()
}

/// Gives the notes that stand in for a file that is not there: they rise where the device begins or agrees, and fall
/// where it ends or fails.
pub(super) fn notes(name: &str) -> Option<[Note; 2]> {
    let stem = Path::new(name).file_stem()?.to_str()?;
    let (first, second) = match stem {
        "start_listening" => (660.0, 880.0),
        "end_listening" => (880.0, 660.0),
        "acknowledge" => (880.0, 1_174.7),
        "error" | "cancel" => (440.0, 330.0),
        _ => return None,
    };
    Some([(first, NOTE), (second, NOTE)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(folder: &Path) -> Environment {
        let home = folder.join("home").display().to_string();
        Environment::from_pairs([("HOME", home)]).with_system_root(folder)
    }

    fn put(path: &Path) -> PathBuf {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "a sound").unwrap();
        path.to_owned()
    }

    #[tokio::test]
    async fn a_sound_is_found_where_a_person_or_ovos_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let (root, name) = (folder.path(), "snd/start_listening.wav");
        let find = async || NamedSounds::of(&environment(root)).find(name).await;
        assert_eq!(find().await, None);
        let ends = [
            "usr/lib/python3/dist-packages/ovos_utils/res",
            "home/.venvs/ovos/lib/python3.11/site-packages/ovos_audio/res",
            "opt/mycroft",
            "home/.local/share/mycroft",
            "home/.mycroft",
        ];
        for end in ends {
            let sound = put(&root.join(end).join(name));
            assert_eq!(find().await, Some(sound), "it goes before those before it");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_played_is_looked_for_as_what_can() {
        let folder = tempfile::tempdir().unwrap();
        let names = NamedSounds::of(&environment(folder.path()));
        put(&folder.path().join("home/.mycroft/snd/error.mp3"));
        assert_eq!(names.find("snd/error.mp3").await, None);
        let sound = put(&folder.path().join("home/.mycroft/snd/error.wav"));
        assert_eq!(names.find("snd/error.mp3").await, Some(sound));
    }

    #[test]
    fn a_name_leads_out_of_no_folder() {
        for name in ["snd/start_listening.wav", "snd/mine/ping.wav"] {
            assert!(NamedSounds::is_name(name), "{name}");
        }
        for uri in [
            "",
            "/snd/ping.wav",
            "snd/../../secret.wav",
            "http://host/snd/ping.wav",
            "sndx/ping.wav",
        ] {
            assert!(!NamedSounds::is_name(uri), "{uri}");
        }
    }

    #[test]
    fn known_names_have_notes_of_150_ms() {
        for name in [
            "start_listening.wav",
            "end_listening.wav",
            "acknowledge.mp3",
            "error.mp3",
            "cancel.mp3",
        ] {
            let notes = notes(&format!("snd/{name}")).unwrap();
            let length: f64 = notes.iter().map(|(_, seconds)| seconds).sum();
            assert!((length - 0.15).abs() < 1e-9, "{name}");
        }
        assert_eq!(notes("snd/moo.wav"), None);
    }

    #[test]
    fn a_name_is_complained_about_once_and_not_without_end() {
        let names = NamedSounds::default();
        assert!(names.is_news("snd/moo.wav"));
        assert!(!names.is_news("snd/moo.wav"));
        let news = (0..100)
            .filter(|number| names.is_news(&format!("snd/{number}.wav")))
            .count();
        assert_eq!(news, TOLD - 1);
    }
}
