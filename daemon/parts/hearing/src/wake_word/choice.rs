//! Which words this device listens for: those of the settings, and those of `mycroft.conf` that there are models for.
//!
//! What is not listened for although it was set up is told in a sentence. Loads nothing.

use std::collections::HashMap;
use std::path::Path;

use loquat_models::{Catalogue, ModelFile};
use loquat_settings::Hotword;
use loquat_speech::WakeWordEffect;

use crate::settings::{FurtherWord, HearingSettings, WordEffect};

/// The wake word of a device that names none; every OVOS device has it.
const USUAL: &str = "hey_mycroft";

/// The model of the word "stop", which a person says to a device that speaks.
const STOP: &str = "stop";

/// A word that is listened for.
#[derive(Debug, Clone, PartialEq)]
pub struct WakeWordInUse {
    /// Its model, or the manifest of one.
    pub file: ModelFile,
    /// The name that is reported.
    pub name: String,
    /// What it is said for.
    pub effect: WakeWordEffect,
    /// How sure the model must be; absent is as its authors found it best.
    pub cutoff: Option<f64>,
    /// What is played when it was heard, if not what the device plays at each.
    pub sound: Option<String>,
    /// It counts only while the device itself speaks or rings.
    pub over_sound_alone: bool,
}

/// All words of a device.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WakeWords {
    /// Those that are listened for, the usual one first.
    pub words: Vec<WakeWordInUse>,
    /// One sentence for each word that is set up and not listened for.
    pub remarks: Vec<String>,
}

/// Chooses them. `named` finds the file of a model's name or path.
pub(crate) fn choose(
    settings: HearingSettings<'_>,
    catalogue: &Catalogue,
    named: impl Fn(&str) -> ModelFile,
) -> WakeWords {
    let mut chosen = WakeWords::default();
    let speech = settings.speech;
    match speech.wake_word.as_str() {
        "off" => {}
        "auto" => chosen.of_the_device(settings, catalogue, &named),
        model => chosen.words.push(word(named(model), WakeWordEffect::Listen)),
    }
    if let Some(usual) = chosen.words.first_mut() {
        usual.cutoff = speech.wake_word_cutoff;
    }
    for (name, further) in &speech.wake_words.0 {
        chosen.add(further_word(name, further, &named));
    }
    if let Some(stop) = stop_word(&speech.stop_word, &named) {
        chosen.add_unless_named(stop);
    }
    chosen
}

/// The word that stops the device while it can be heard; by itself only where its model is installed.
fn stop_word(wanted: &str, named: &impl Fn(&str) -> ModelFile) -> Option<WakeWordInUse> {
    let file = match wanted {
        "off" => None,
        "auto" => Some(named(STOP)).filter(ModelFile::is_present),
        model => Some(named(model)),
    };
    Some(WakeWordInUse {
        over_sound_alone: true,
        ..word(file?, WakeWordEffect::Stop)
    })
}

impl WakeWords {
    /// Gives the sounds of words that have one of their own, by the words' names.
    pub fn sounds(&self) -> HashMap<String, String> {
        let own = |word: &WakeWordInUse| Some((word.name.clone(), word.sound.clone()?));
        self.words.iter().filter_map(own).collect()
    }

    /// Adds the words of `mycroft.conf`, the wake word first.
    fn of_the_device(
        &mut self,
        settings: HearingSettings<'_>,
        catalogue: &Catalogue,
        named: &impl Fn(&str) -> ModelFile,
    ) {
        let wanted = settings.mycroft.listener.wake_word.as_deref().unwrap_or(USUAL);
        let wanted = wanted.replace(' ', "_");
        let hotwords = &settings.mycroft.hotwords;
        let own = hotwords.iter().find(|hotword| hotword.name == wanted);
        let model = model_of(&wanted, own, catalogue);
        let mut usual = word(named(model.as_deref().unwrap_or(USUAL)), WakeWordEffect::Listen);
        match model {
            Some(_) => usual.name.clone_from(&wanted),
            None => self.remarks.push(format!(
                "mycroft.conf names the wake word {wanted}, which there is no model for, so {USUAL} is listened for; \
                 speech.wake_word may name the manifest of one"
            )),
        }
        usual.sound = own.and_then(|own| own.sound.clone());
        self.words.push(usual);
        for hotword in hotwords.iter().filter(|hotword| hotword.name != wanted) {
            self.take(hotword, catalogue, named);
        }
    }

    fn take(&mut self, hotword: &Hotword, catalogue: &Catalogue, named: &impl Fn(&str) -> ModelFile) {
        let name = &hotword.name;
        let Some(model) = model_of(name, Some(hotword), catalogue) else {
            let module = hotword.module.as_deref().unwrap_or("a plugin");
            return self.remarks.push(format!(
                "mycroft.conf has the word {name} heard by {module}, which does not run here; speech.wake_words.{name} may \
                 name a model of microWakeWord for it"
            ));
        };
        let effect = match (hotword.listen, hotword.wakeup, hotword.stopword) {
            (true, ..) => WakeWordEffect::Listen,
            (_, true, _) => WakeWordEffect::Wake,
            (_, _, true) => WakeWordEffect::Stop,
            _ => {
                return self.remarks.push(format!(
                    "mycroft.conf has the word {name} do nothing that is done here: it has none of listen, wakeup and \
                     stopword, so it is not listened for"
                ));
            }
        };
        self.words.push(WakeWordInUse {
            name: name.clone(),
            sound: hotword.sound.clone(),
            ..word(named(&model), effect)
        });
    }

    /// Adds a word of our own settings in place of one of the same name.
    fn add(&mut self, further: WakeWordInUse) {
        match self.words.iter_mut().find(|word| word.name == further.name) {
            Some(word) => *word = further,
            None => self.words.push(further),
        }
    }

    /// Adds a word unless the device listens for one of its name at all times.
    fn add_unless_named(&mut self, stop: WakeWordInUse) {
        if self.words.iter().all(|word| word.name != stop.name) {
            self.words.push(stop);
        }
    }
}

/// The model of a word of `mycroft.conf`: the catalogue's under either name, or the plugin's own if it is one of microWakeWord, which has a
/// manifest; files of other plugins have the same ending.
fn model_of(name: &str, hotword: Option<&Hotword>, catalogue: &Catalogue) -> Option<String> {
    if catalogue.has_wake_word(name) {
        return Some(name.to_owned());
    }
    let hotword = hotword?;
    if let Some(named) = hotword
        .model_name
        .as_deref()
        .filter(|name| catalogue.has_wake_word(name))
    {
        return Some(named.to_owned());
    }
    let model = hotword.model.as_deref()?;
    let has_manifest = |model: &Path| model.with_extension("json").is_file();
    has_manifest(model).then(|| model.display().to_string())
}

fn further_word(name: &str, further: &FurtherWord, named: &impl Fn(&str) -> ModelFile) -> WakeWordInUse {
    let effect = match (further.effect, &further.persona) {
        (_, Some(persona)) => WakeWordEffect::Persona(persona.clone()),
        (WordEffect::Listen, None) => WakeWordEffect::Listen,
        (WordEffect::Stop, None) => WakeWordEffect::Stop,
        (WordEffect::Wake, None) => WakeWordEffect::Wake,
    };
    WakeWordInUse {
        name: name.to_owned(),
        cutoff: further.cutoff,
        sound: further.sound.clone(),
        ..word(named(further.model.as_deref().unwrap_or(name)), effect)
    }
}

fn word(file: ModelFile, effect: WakeWordEffect) -> WakeWordInUse {
    WakeWordInUse {
        name: file.name.clone(),
        file,
        effect,
        cutoff: None,
        sound: None,
        over_sound_alone: false,
    }
}
