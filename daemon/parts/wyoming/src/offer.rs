//! What this device offers, as Wyoming's `info` tells it: a persona that answers, and whisper where it is installed.

use std::collections::BTreeSet;
use std::path::Path;

use loquat_agent::language::FILES;
use serde_json::{Value, json};

const ADDRESS: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The description of the door that its peers are given.
#[derive(Debug, Clone)]
pub(super) struct Offer {
    /// The name of the persona that answers.
    pub persona: String,
    /// It is a tag of BCP 47.
    pub lang: String,
    /// The languages beside it; empty where the settings do not restrict them.
    pub secondary_langs: Vec<String>,
    /// The name of the whisper model, where recordings are heard.
    pub whisper: Option<String>,
    /// Gives the sentence, in a language, for an utterance that finds no owner.
    pub dont_know: fn(&str) -> String,
}

impl Offer {
    /// Builds the data of `info`. With `heard`, whisper is offered for these languages.
    fn info(&self, heard: Option<Vec<&str>>) -> Value {
        let whisper = self.whisper.as_deref().zip(heard);
        let hearing = whisper.map(|(name, languages)| {
            json!({
                "name": "loquat", "installed": true, "attribution": by("Loquat", ADDRESS), "version": VERSION,
                "description": "The ears of this device", "supports_transcript_streaming": false,
                "models": [{
                    "name": name, "installed": true, "description": "Whisper", "version": null, "languages": languages,
                    "attribution": by("OpenAI", "https://github.com/openai/whisper"),
                }],
            })
        });
        let answering = json!({
            "name": "loquat", "installed": true, "attribution": by("Loquat", ADDRESS), "version": VERSION,
            "description": "The mind of this device", "supports_handled_streaming": false,
            "supports_home_control": false,
            "models": [{
                "name": self.persona, "installed": true, "description": "The persona that answers", "version": VERSION,
                "attribution": by("Loquat", ADDRESS), "languages": self.languages(),
            }],
        });
        let asr: Vec<Value> = hearing.into_iter().collect();
        json!({"asr": asr, "tts": [], "handle": [answering], "intent": [], "wake": [], "mic": [], "snd": []})
    }

    /// Lists the languages in which sentences are answered: those that the settings name, or all that we have
    /// words for.
    fn languages(&self) -> BTreeSet<String> {
        let named = self.secondary_langs.iter().map(String::as_str);
        let known = FILES.iter().map(|(code, _)| *code);
        let others: Vec<&str> = if self.secondary_langs.is_empty() {
            known.collect()
        } else {
            named.collect()
        };
        let all = others.into_iter().chain([self.lang.as_str()]);
        all.map(str::to_owned).collect()
    }

    /// Writes the data of `info` with what is installed now. Reads the first bytes of the model's file, on
    /// another thread.
    pub(super) async fn told(&self, model: Option<&Path>) -> Value {
        let heard = match model.map(Path::to_path_buf).filter(|_| self.whisper.is_some()) {
            None => None,
            Some(model) => {
                let read = move || loquat_speech::languages(&model);
                tokio::task::spawn_blocking(read).await.ok().and_then(Result::ok)
            }
        };
        self.info(heard)
    }

    /// Writes the data of `info` where others turn speech into text: in the languages that are spoken here.
    pub(super) fn told_of_elsewhere(&self) -> Value {
        let codes = self.languages();
        let codes = codes.iter().filter_map(|tag| loquat_speech::language_code(tag));
        self.info(Some(codes.collect()))
    }
}

fn by(name: &str, url: &str) -> Value {
    json!({"name": name, "url": url})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(secondary: &[&str], whisper: Option<&str>) -> Offer {
        Offer {
            persona: "Loquat".to_owned(),
            lang: "en-US".to_owned(),
            secondary_langs: secondary.iter().map(|&lang| lang.to_owned()).collect(),
            whisper: whisper.map(str::to_owned),
            dont_know: str::to_owned,
        }
    }

    #[tokio::test]
    async fn whisper_is_offered_where_its_file_is() {
        let missing = Path::new("/nowhere/ggml-tiny.bin");
        for model in [None, Some(missing)] {
            assert_eq!(offer(&[], Some("tiny")).told(model).await["asr"], json!([]));
        }
        let info = offer(&[], Some("tiny")).info(Some(vec!["en", "de"]));
        assert_eq!(info["asr"][0]["models"][0]["name"], "tiny");
        assert_eq!(info["asr"][0]["models"][0]["languages"], json!(["en", "de"]));
    }

    #[test]
    fn the_languages_are_those_of_the_settings_or_all_that_we_know() {
        assert_eq!(
            offer(&["de-DE"], None).info(None)["handle"][0]["models"][0]["languages"],
            json!(["de-DE", "en-US"])
        );
        let all = offer(&[], None).languages();
        assert!(
            all.contains("fr") && all.contains("en") && all.contains("en-US"),
            "{all:?}"
        );
    }
}
