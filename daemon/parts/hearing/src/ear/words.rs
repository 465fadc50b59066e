//! What the bus is told when a wake word was heard, under the names of the specification and of shipped listeners, and the
//! sounds that tell a person of it. Plays none; audio services do.

use std::collections::HashMap;

use loquat_speech::WakeWordEffect;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::EarOnBus;
use crate::settings::HearingSettings;

/// What is played, as audio services name sounds.
#[derive(Debug, Clone, Default)]
pub struct Sounds {
    /// When the device begins to listen, unless it is to do that without a sound.
    begins: Option<String>,
    /// When a recording ended.
    ends: Option<String>,
    /// In place of the first, by word.
    of_words: HashMap<String, String>,
}

impl Sounds {
    /// Takes those of the settings, and those of single words by their names.
    pub fn of(settings: HearingSettings<'_>, of_words: HashMap<String, String>) -> Self {
        let mycroft = settings.mycroft;
        Self {
            begins: mycroft
                .confirm_listening
                .then(|| mycroft.sounds.start_listening.clone()),
            ends: Some(mycroft.sounds.end_listening.clone()),
            of_words,
        }
    }

    /// Makes the frame that has the sound played with which the device begins to listen.
    pub(super) fn beginning(&self) -> Option<Message> {
        self.begins.as_deref().map(play)
    }

    /// Makes the frame that has the sound played that ends a recording.
    pub(super) fn ending(&self) -> Option<Message> {
        self.ends.as_deref().map(play)
    }

    fn of_word(&self, name: &str, opens_capture: bool) -> Option<Message> {
        match self.of_words.get(name) {
            Some(own) => Some(play(own)),
            None => self.beginning().filter(|_| opens_capture),
        }
    }
}

/// Muted players are to be heard, too: this sound says that the person was.
fn play(uri: &str) -> Message {
    let data = json!({"uri": uri, "force_unmute": true});
    let mut frame = EarOnBus::frame_of(topic::AUDIO_PLAY_SOUND, data);
    frame.context.set_destination("audio");
    frame
}

/// Makes all that is told of a word, in order.
pub(super) fn frames(name: &str, effect: &WakeWordEffect, lang: &str, sounds: &Sounds) -> Vec<Message> {
    let shipped = json!({"utterance": name.replace(['_', '-'], " "), "key_phrase": name});
    let frame = |topic: &str, data: Value| EarOnBus::frame_of(topic, data);
    let mut frames = match effect {
        WakeWordEffect::Stop => vec![
            frame(topic::LEGACY_STOPWORD, shipped),
            frame(topic::STOP, json!({})),
        ],
        WakeWordEffect::Wake => vec![frame(topic::LEGACY_WAKEUPWORD, shipped)],
        _ => vec![
            frame(topic::WAKEWORD, json!({"wake_word": name, "lang": lang})),
            frame(topic::LEGACY_WAKEWORD, shipped),
        ],
    };
    frames.extend(sounds.of_word(name, effect.opens_capture()));
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(effect: &WakeWordEffect, sounds: &Sounds) -> Vec<(String, Value)> {
        frames("hey_mycroft", effect, "en-US", sounds)
            .into_iter()
            .map(|frame| (frame.topic.clone(), Value::from(frame.data)))
            .collect()
    }

    #[test]
    fn a_word_is_told_under_both_names_and_heard() {
        let sounds = Sounds {
            begins: Some("snd/start.wav".into()),
            ..Sounds::default()
        };
        assert_eq!(
            told(&WakeWordEffect::Persona("Scout".into()), &sounds),
            [
                (
                    topic::WAKEWORD.to_owned(),
                    json!({"wake_word": "hey_mycroft", "lang": "en-US"})
                ),
                (
                    topic::LEGACY_WAKEWORD.to_owned(),
                    json!({"utterance": "hey mycroft", "key_phrase": "hey_mycroft"})
                ),
                (
                    topic::AUDIO_PLAY_SOUND.to_owned(),
                    json!({"uri": "snd/start.wav", "force_unmute": true})
                ),
            ]
        );
    }

    #[test]
    fn words_behind_which_nothing_is_heard_have_no_sound_but_their_own() {
        let topics = |effect, sounds: &Sounds| -> Vec<String> {
            told(effect, sounds).into_iter().map(|(topic, _)| topic).collect()
        };
        let sounds = Sounds {
            begins: Some("snd/start.wav".into()),
            ..Sounds::default()
        };
        let stop = [topic::LEGACY_STOPWORD, topic::STOP];
        assert_eq!(topics(&WakeWordEffect::Stop, &sounds), stop);
        assert_eq!(topics(&WakeWordEffect::Wake, &sounds), [topic::LEGACY_WAKEUPWORD]);
        let of_words = HashMap::from([("hey_mycroft".to_owned(), "snd/own.wav".to_owned())]);
        let sounds = Sounds { of_words, ..sounds };
        assert_eq!(
            topics(&WakeWordEffect::Wake, &sounds),
            [topic::LEGACY_WAKEUPWORD, topic::AUDIO_PLAY_SOUND]
        );
        assert_eq!(
            told(&WakeWordEffect::Listen, &sounds)[2].1["uri"],
            json!("snd/own.wav")
        );
        let silent = Sounds::default();
        assert_eq!(topics(&WakeWordEffect::Listen, &silent).len(), 2);
    }
}
