//! What satellites have recorded and send over the bus: turned into text behind what our own microphone hears, and answered to
//! whom sent it. Keeps no sound.

use std::future::pending;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use loquat_bus::Bus;
use loquat_part::heard::RECORDED;
use loquat_speech::wav;
use loquat_transcription::Ladder;
use loquat_transcription::recordings::{Heard, Hearing};
use loquat_wire::{Message, topic};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Letters of one recording, about 24 seconds of what satellites send. Of a larger message the bus hands on no data.
const LONGEST: usize = loquat_bus::MAX_READ_BYTES;

/// Recordings that are being read or heard; one more is answered with nothing.
const PLACES: usize = 8;

/// Hears them, each in a task that ends with this.
#[derive(Debug)]
pub(super) struct Recordings {
    bus: Bus,
    hearing: Arc<Hearing>,
    tasks: JoinSet<()>,
}

impl Recordings {
    pub(super) fn new(bus: Bus, ladder: Ladder) -> Self {
        Self {
            bus,
            hearing: Arc::new(Hearing::new(ladder)),
            tasks: JoinSet::new(),
        }
    }

    /// Waits until one was heard; never, where there are none.
    pub(super) async fn heard(recordings: &mut Option<Self>) {
        match recordings {
            Some(recordings) if !recordings.tasks.is_empty() => {
                if let Some(Err(error)) = recordings.tasks.join_next().await {
                    tracing::error!(%error, "a recording of the bus was not heard to its end");
                }
            }
            _ => pending().await,
        }
    }

    /// Takes a recording that was sent under this topic; `lang` is that of its session, or of the device.
    pub(super) fn take(&mut self, asked: String, message: Message, lang: String) {
        let (bus, hearing) = (self.bus.clone(), Arc::clone(&self.hearing));
        let has_room = self.tasks.len() < PLACES;
        let lang = message
            .data
            .get("lang")
            .and_then(Value::as_str)
            .map_or(lang, str::to_owned);
        self.tasks.spawn(async move {
            let heard = if has_room {
                hear(&hearing, &message, &lang).await
            } else {
                Err("too many recordings are being heard".to_owned())
            };
            let heard = heard.unwrap_or_else(|reason| {
                tracing::warn!(reason, "a recording from the bus was not heard");
                Heard::default()
            });
            for frame in answers(&asked, &message, heard, &lang) {
                if let Err(error) = bus.emit(frame).await {
                    tracing::warn!(%error, "failed to tell the bus what was heard in a recording");
                }
            }
        });
    }
}

async fn hear(hearing: &Hearing, message: &Message, lang: &str) -> Result<Heard, String> {
    // The second name is that of the models that some peers are made of.
    let audio = ["audio", "audio_b64"]
        .into_iter()
        .find_map(|key| message.data.get(key));
    let audio = audio
        .and_then(Value::as_str)
        .ok_or("it has no `audio`, or more than 1 MiB of it")?;
    if audio.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} letters"));
    }
    let bytes = STANDARD
        .decode(audio)
        .map_err(|error| format!("its `audio` is no base64: {error}"))?;
    let read = tokio::task::spawn_blocking(move || wav::read_bytes(&bytes, "the recording")).await;
    let samples = read
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    let heard = hearing.hear(samples, lang.to_owned()).await;
    heard.map_err(|error| error.to_string())
}

/// Makes what is told of it: an utterance of the session that it came from, or its text to whom sent it.
fn answers(asked: &str, message: &Message, heard: Heard, lang: &str) -> Vec<Message> {
    let Heard {
        text,
        language,
        alternatives,
        confidence,
    } = heard;
    let lang = language.unwrap_or_else(|| lang.to_owned());
    let texts: Vec<String> = std::iter::once(text)
        .chain(alternatives)
        .filter(|text| !text.is_empty())
        .collect();
    if asked == topic::LISTENER_B64_TRANSCRIBE {
        let transcriptions: Vec<Value> = texts.iter().map(|text| json!([text, confidence])).collect();
        let answer = json!({"lang": lang, "transcriptions": transcriptions});
        return vec![message.response(answer)];
    }
    if texts.is_empty() {
        let failed = [topic::STT_FAILED, topic::LEGACY_STT_FAILED];
        return failed.map(|topic| message.forward(topic, json!({}))).to_vec();
    }
    let mut frame = message.forward(
        topic::UTTERANCE_HANDLE,
        json!({"utterances": texts, "lang": lang}),
    );
    frame.context.insert("stt_lang", json!(lang));
    frame.context.insert(RECORDED, true);
    let mut session = frame.context.session();
    session.insert("stt_lang", json!(lang));
    frame.context.set_session(&session);
    vec![frame]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(text: &str) -> Heard {
        Heard {
            text: text.to_owned(),
            language: Some("en-GB".to_owned()),
            alternatives: vec!["turn of".to_owned()],
            confidence: 0.5,
        }
    }

    fn sent(topic: &str) -> Message {
        let mut message = Message::new(topic, json!({"audio": ""}));
        message.context.set_source("satellite");
        message
    }

    #[test]
    fn text_goes_back_to_whom_asked_for_it() {
        let asked = topic::LISTENER_B64_TRANSCRIBE;
        let told = answers(asked, &sent(asked), heard("turn off"), "en-US");
        assert_eq!(told[0].topic, "recognizer_loop:b64_transcribe.response");
        assert_eq!(
            Value::from(told[0].data.clone()),
            json!({"lang": "en-GB", "transcriptions": [["turn off", 0.5], ["turn of", 0.5]]})
        );
        assert_eq!(told[0].context.destination(), Some("satellite"));
        let nothing = answers(asked, &sent(asked), Heard::default(), "en-US");
        assert_eq!(
            Value::from(nothing[0].data.clone()),
            json!({"lang": "en-US", "transcriptions": []})
        );
    }

    #[test]
    fn what_is_to_be_handled_becomes_an_utterance_or_one_failure() {
        let asked = topic::LISTENER_B64_AUDIO;
        let told = answers(asked, &sent(asked), heard("turn off"), "en-US");
        assert_eq!(told[0].topic, topic::UTTERANCE_HANDLE);
        assert_eq!(told[0].data.get("lang"), Some(&json!("en-GB")));
        assert_eq!(told.len(), 1);
        let failed = answers(asked, &sent(asked), Heard::default(), "en-US");
        let topics: Vec<&str> = failed.iter().map(|frame| frame.topic.as_str()).collect();
        assert_eq!(topics, [topic::STT_FAILED, topic::LEGACY_STT_FAILED]);
    }
}
