//! Where personas come from: the folders and files of a device, and the owner's word on keys. Opens none of them.

use std::path::PathBuf;

use loquat_settings::complaint::Origin;
use loquat_settings::environment::Environment;
use loquat_settings::{Document, Settings, mycroft};

use super::key_policy::KeyPolicy;
use super::keys::Keys;

/// The folders and files from which personas come.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Folders of persona files; in case of equal names the first wins.
    pub folders: Vec<PathBuf>,
    /// Says whether those that are part of the program come after them.
    pub embedded: bool,
    /// Names, ids or file names without `.json` of personas that are left out.
    pub blacklist: Vec<String>,
    /// The persona that answers where no other was asked for, and where that was set.
    pub default: Option<(String, Origin)>,
    /// It expands `~` in paths.
    pub environment: Environment,
    /// The owner says this of keys.
    pub keys: KeyPolicy,
    /// Folders of prompts; in case of equal names the first wins.
    pub prompts: Vec<PathBuf>,
    /// Folders with an `AGENTS.md` for every persona that asks for it, the nearest first.
    pub agents_md: Vec<PathBuf>,
}

impl Sources {
    /// Reads the sources from the settings: `intents.persona.personas_path` of `mycroft.conf`, else `ovos_persona` in
    /// the XDG configuration folder; then `/etc/loquat/personas`; then our own. `default` answers where no other was
    /// asked for.
    pub fn new<Ours: Document>(
        environment: &Environment,
        settings: &Settings<Ours>,
        keys: &Keys,
        default: Option<(String, Origin)>,
    ) -> Self {
        let mycroft::PersonaService {
            personas_path,
            persona_blacklist,
            ..
        } = &settings.mycroft.persona;
        let usual = || Some(environment.config_home()?.join("ovos_persona"));
        let system = settings.folders.system_config.join("personas");
        Self {
            folders: personas_path
                .clone()
                .or_else(usual)
                .into_iter()
                .chain([system])
                .collect(),
            embedded: true,
            blacklist: persona_blacklist.clone(),
            default,
            environment: environment.clone(),
            keys: KeyPolicy::new(environment, &settings.folders, keys),
            agents_md: settings
                .folders
                .config
                .iter()
                .chain([&settings.folders.system_config])
                .cloned()
                .collect(),
            prompts: [
                settings.folders.config.as_deref(),
                Some(&settings.folders.system_config),
            ]
            .into_iter()
            .flatten()
            .map(|folder| folder.join("prompts"))
            .collect(),
        }
    }
}
