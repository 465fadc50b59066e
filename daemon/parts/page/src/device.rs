//! The ports by which the page shows the device and changes it. The daemon implements them; nothing here knows how.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_models::Store;
use loquat_part::tool_trials::ToolTrials;
use loquat_part::{EarNews, Finding};
use loquat_persona::Persona;
use loquat_settings::{Complaint, Entry};
use loquat_skills::Resources;
use loquat_skills::permission::{Rules, Service, Standing};
use loquat_speech::EarHandle;
use secrecy::SecretString;
use tokio::sync::watch;

use super::log_tail::LogTail;

/// All that the page is given.
#[derive(Debug, Clone)]
pub struct Device {
    /// Where tools are tried.
    pub tool_trials: Arc<dyn ToolTrials>,
    /// Reads and changes its settings, personas and models.
    pub administration: Arc<dyn Administration>,
    /// Who answers in its own conversation, and what of that is known.
    pub conversation: Arc<dyn OwnConversation>,
    /// What is heard.
    pub hearing: Hearing,
    /// What toolboxes share: alerts, lists and what was remembered.
    pub resources: Resources,
    /// How long a yes is waited for.
    pub patience: Duration,
    /// The end of the log.
    pub log: LogTail,
}

/// What is known of the ear.
#[derive(Debug, Clone)]
pub struct Hearing {
    /// Whether the device hears.
    pub news: watch::Receiver<EarNews>,
    /// What it understands while it listens; empty where that is nothing.
    pub so_far: watch::Receiver<String>,
    /// The ear, where there is one.
    pub ear: Option<EarHandle>,
}

/// A setting that people change, and that the page has a field for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EasySetting {
    /// The language in which the device is spoken to.
    Language,
    /// The name of its town.
    Place,
    /// Where that is, in degrees north.
    Latitude,
    /// In degrees east.
    Longitude,
    /// Its time zone, by the IANA name.
    TimeZone,
    /// Metric or imperial.
    Units,
    /// Twelve hours or twenty-four.
    TimeFormat,
    /// Who answers where no other is asked for.
    Persona,
    /// The language model on the device.
    Model,
    /// The word by which the device is called.
    WakeWord,
    /// The voice of Piper, by its file.
    Voice,
    /// How fast the device speaks.
    Speed,
    /// The address of Home Assistant.
    Home,
    /// The file of its token.
    HomeToken,
}

/// What a setting is to be; an empty text is as without the setting.
pub type Wish = (EasySetting, String);

/// What may be chosen for some of them, and what counts now, from whichever file.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// The language models that are on the device.
    pub models: Vec<String>,
    /// The names of all personas.
    pub personas: Vec<String>,
    /// The wake words that there are models for.
    pub wake_words: Vec<String>,
    /// The voices of Piper that are on the device, by their files.
    pub voices: Vec<String>,
    /// The language.
    pub language: String,
    /// The town, with its coordinates.
    pub place: Option<String>,
    /// The time zone, where one is set.
    pub time_zone: Option<String>,
    /// "metric" or "imperial".
    pub units: String,
    /// The server that is asked where a town lies.
    pub town_server: String,
}

/// A town that a name may mean.
#[derive(Debug, Clone)]
pub struct Town {
    /// As the weather service calls it.
    pub name: String,
    /// Its region and country.
    pub lies_in: String,
    /// In degrees north.
    pub latitude: f64,
    /// In degrees east.
    pub longitude: f64,
    /// By the IANA name.
    pub time_zone: Option<String>,
}

/// The text of a persona's file.
#[derive(Debug, Clone)]
pub struct PersonaFile {
    /// As it stands there.
    pub text: String,
    /// Whether it lies among the person's own, and so can be changed.
    pub is_own: bool,
}

/// A token of Home Assistant that was kept.
#[derive(Debug)]
pub struct KeptToken {
    /// Its file.
    pub file: String,
    /// The token that was there before.
    pub before: Option<SecretString>,
}

/// A setting as the files have it now.
#[derive(Debug, Clone)]
pub struct ListedSetting {
    /// The setting.
    pub entry: Entry,
    /// Whether it counts now; else it does after a restart.
    pub counts: bool,
}

/// All settings as the files have them now.
#[derive(Debug, Clone)]
pub struct CurrentSettings {
    /// They are in the order of the sample file.
    pub settings: Vec<ListedSetting>,
    /// What is wrong with the files.
    pub complaints: Vec<Complaint>,
    /// What may be chosen, and what counts now.
    pub choices: Choices,
    /// What is said of the services outside of the device.
    pub network: Rules,
}

/// The personas as their files are now.
#[derive(Debug, Clone)]
pub struct Personas {
    /// All of which the files can be used.
    pub personas: Vec<ListedPersona>,
    /// What is wrong with the files.
    pub complaints: Vec<Complaint>,
}

/// A persona of the list, and whether it can answer.
#[derive(Debug, Clone)]
pub struct ListedPersona {
    /// As it stands in its file.
    pub persona: Persona,
    /// Whether it answers where it is asked for.
    pub answers: bool,
    /// Whether it answers where no other is asked for.
    pub is_default: bool,
    /// Why it cannot answer; nothing where it can.
    pub why_not: Option<String>,
}

/// The port by which the page reads and changes settings, personas and models. An error is told in words for a person.
pub trait Administration: Debug + Send + Sync {
    /// Reads the settings. Blocks.
    fn settings(&self) -> CurrentSettings;

    /// Names the key of such a setting.
    fn key(&self, what: EasySetting) -> &'static str;

    /// Changes settings, all of them or none. What counts after a restart only is told.
    fn change(&self, wishes: Vec<Wish>) -> BoxFuture<'_, Result<String, String>>;

    /// Keeps the token of Home Assistant in a file that only the owner reads. Blocks.
    fn keep_home_token(&self, token: &SecretString) -> Result<KeptToken, String>;

    /// Puts back what was there before a token was kept. Blocks.
    fn take_back_home_token(&self, kept: &KeptToken) -> Result<(), String>;

    /// Whether whatever started the daemon starts it again where it ends for that.
    fn can_restart(&self) -> bool;

    /// Ends the daemon in a moment, to be started again.
    fn restart(&self);

    /// Asks the weather service where a town lies. Who calls it has the person's yes for that.
    fn towns(&self, name: String) -> BoxFuture<'_, Result<Vec<Town>, String>>;

    /// Changes how a service outside of the device stands.
    fn permit(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), String>>;

    /// Reads the personas. Blocks.
    fn personas(&self) -> Personas;

    /// Gives the text of the file of a persona, by its id. Blocks.
    fn persona_file(&self, id: &str) -> Option<PersonaFile>;

    /// Says what is wrong with a persona's file that holds this text, and what there is to know. Blocks.
    fn judge_persona(&self, text: &str) -> Vec<Complaint>;

    /// Writes it among the person's own personas, in the place of that of this id or as a new one, and has it read. Nothing is
    /// written where it could not answer.
    fn keep_persona(&self, id: Option<String>, text: String) -> BoxFuture<'_, Result<String, String>>;

    /// Deletes the file of one of the person's own personas, and has them read.
    fn delete_persona(&self, id: String) -> BoxFuture<'_, Result<String, String>>;

    /// Tries out whether something speaks here and a loudspeaker takes sound.
    fn sound(&self) -> BoxFuture<'_, Vec<Finding>>;

    /// Runs what `loquat check` finds beside the daemon.
    fn check(&self) -> BoxFuture<'_, Vec<Finding>>;

    /// Opens the store of the models of this device.
    fn store(&self) -> Store;

    /// Tells whether who answers here thinks with the language model of this device.
    fn thinks_here(&self) -> bool;

    /// Tells whether a model is used that is no language model.
    fn uses(&self, model: &str) -> bool;

    /// How quick the language model of a file is here, in words, if it was timed.
    fn speed(&self, model: &Path) -> Option<String>;
}

/// A persona that may answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answerer {
    /// By which it is chosen.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub about: Option<String>,
}

impl Answerer {
    /// Makes one of which nothing is known but the id.
    pub(super) fn unknown(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: id.to_owned(),
            about: None,
        }
    }
}

/// The port to the device's own conversation. An error is told in words for a person.
pub trait OwnConversation: Debug + Send + Sync {
    /// Lists who may answer in it.
    fn answerers(&self) -> Vec<Answerer>;

    /// Gives the persona that answers where none was chosen for it.
    fn usual(&self) -> Option<Answerer>;

    /// Follows the id of the persona that was chosen for it, here or by voice.
    fn chosen(&self) -> watch::Receiver<Option<String>>;

    /// Changes whenever other personas have taken the place of these.
    fn replacements(&self) -> watch::Receiver<()>;

    /// Has the persona of this id answer in it, or the usual one; false where there is none of this id.
    fn choose(&self, id: Option<String>) -> BoxFuture<'_, Result<bool, String>>;

    /// Begins it anew with the usual persona; what was said is set aside.
    fn begin_anew(&self) -> BoxFuture<'_, Result<(), String>>;

    /// Goes on with what was set aside last; false where nothing is.
    fn go_on(&self) -> BoxFuture<'_, Result<bool, String>>;

    /// Has it forgotten, with what was set aside.
    fn forget(&self) -> BoxFuture<'_, Result<(), String>>;
}
