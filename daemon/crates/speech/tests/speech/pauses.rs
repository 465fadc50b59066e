//! People who pause: recordings with a silence in them, through the ear with real models.

use std::path::Path;
use std::sync::Arc;

use loquat_speech::{Ear, EarEvent, KnownSpeech, Names, Recognizer, Source, SpeechSettings};
use tokio_util::sync::CancellationToken;

use crate::sound::{KITCHEN, TOKYO, is, next_of_all, settings, silence, spoken, trimmed, write};

/// Knows one sentence and some names.
#[derive(Debug)]
struct Knowing {
    sentence: &'static str,
    names: &'static [&'static str],
}

impl KnownSpeech for Knowing {
    fn knows(&self, text: &str, _lang: &str) -> bool {
        is(text, self.sentence)
    }

    fn names(&self, lang: &str) -> Arc<Names> {
        Arc::new(Names::new(self.names.iter().copied(), lang))
    }
}

async fn hear(path: &Path, settings: SpeechSettings, known: Option<Knowing>) -> Vec<EarEvent> {
    let recognizer = Recognizer::start(&settings).unwrap();
    if let Some(known) = known {
        recognizer.expect(Arc::new(known));
    }
    let (ear, actor) = Ear::new(settings, recognizer.clone(), Source::Wav(path.into()));
    let mut events = ear.take_events().unwrap();
    let collect = async {
        let mut all = Vec::new();
        while let Some(event) = next_of_all(&mut events).await {
            all.push(event);
        }
        all
    };
    let ((), all) = tokio::join!(actor.run(CancellationToken::new()), collect);
    recognizer.shutdown().await;
    all
}

/// Hears two pieces of speech with so many seconds between them.
async fn heard(pieces: [&str; 2], pause: f32, known: Option<Knowing>) -> Vec<String> {
    heard_with(pieces, pause, settings(), known).await
}

async fn heard_with(
    pieces: [&str; 2],
    pause: f32,
    settings: SpeechSettings,
    known: Option<Knowing>,
) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pause.wav");
    let [first, second] = pieces.map(|piece| trimmed(&spoken(piece)));
    let sound = [silence(0.5), first, silence(pause), second, silence(2.0)].concat();
    write(&path, &sound, 1);
    let texts = hear(&path, settings, known).await.into_iter();
    let text = |event| match event {
        EarEvent::Heard(transcript) => Some(transcript.text.to_lowercase()),
        _ => None,
    };
    texts.filter_map(text).collect()
}

#[tokio::test]
async fn who_pauses_in_the_middle_of_a_sentence_is_not_cut_off() {
    let texts = heard(["put on the light in the", "kitchen"], 0.9, None).await;
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(is(&texts[0], "put on the light in the kitchen"), "{texts:?}");
}

#[tokio::test]
async fn two_sentences_with_the_same_pause_are_two() {
    let texts = heard([KITCHEN, TOKYO], 0.85, None).await;
    assert_eq!(texts.len(), 2, "{texts:?}");
}

#[tokio::test]
async fn a_sentence_that_is_known_ends_sooner() {
    let pieces = [KITCHEN, TOKYO];
    let texts = heard(pieces, 0.55, None).await;
    assert_eq!(texts.len(), 1, "of strangers: {texts:?}");
    let known = Knowing {
        sentence: KITCHEN,
        names: &[],
    };
    let texts = heard(pieces, 0.55, Some(known)).await;
    assert_eq!(texts.len(), 2, "{texts:?}");
}

#[tokio::test]
async fn what_was_said_is_told_while_it_is_open_whether_there_is_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pause.wav");
    let first = trimmed(&spoken("put on the light in the"));
    let sound = [silence(0.5), first, silence(0.9), spoken("kitchen"), silence(2.0)].concat();
    write(&path, &sound, 1);
    let events = hear(&path, settings(), None).await;
    let so_far = events
        .iter()
        .filter(|event| matches!(event, EarEvent::SoFar { .. }));
    assert!(so_far.count() >= 2, "{events:?}");
    let ended = events
        .iter()
        .position(|event| *event == EarEvent::RecordEnded)
        .unwrap();
    assert!(
        matches!(events[ended + 1], EarEvent::Heard(_)),
        "the text is there when the capture ends: {events:?}"
    );
}

#[tokio::test]
async fn without_a_look_at_the_text_every_pause_is_alike() {
    let mut settings = settings();
    settings.early_silence = settings.end_silence;
    let texts = heard_with(["put on the light in the", "kitchen"], 0.9, settings, None).await;
    assert!(!is(&texts[0], "put on the light in the kitchen"), "{texts:?}");
}

#[tokio::test]
async fn a_name_that_was_nearly_understood_is_put_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("name.wav");
    write(
        &path,
        &[silence(0.5), spoken("turn on the scullery lamp"), silence(2.0)].concat(),
        1,
    );
    let plain = hear(&path, settings(), None).await;
    let known = Knowing {
        sentence: "",
        names: &["Scullery lamp", "Kitchen speaker"],
    };
    let helped = hear(&path, settings(), Some(known)).await;
    let text = |events: &[EarEvent]| {
        events.iter().find_map(|event| match event {
            EarEvent::Heard(transcript) => Some(transcript.clone()),
            _ => None,
        })
    };
    let (plain, helped) = (text(&plain).unwrap(), text(&helped).unwrap());
    assert!(
        !plain.text.contains("cullery"),
        "whisper knows the word: {plain:?}"
    );
    assert!(
        is(&helped.text, "turn on the scullery lamp"),
        "{plain:?} {helped:?}"
    );
    assert!(
        helped.alternatives.contains(&plain.text),
        "what was heard goes along: {helped:?}"
    );
}

#[tokio::test]
async fn who_pauses_behind_a_word_that_whisper_takes_for_an_end_is_not_cut_off() {
    for pieces in [
        ["remind me to", "call my sister"],
        ["set a timer for", "ten minutes"],
        ["put the milk in", "the fridge please"],
    ] {
        let texts = heard(pieces, 0.9, None).await;
        assert_eq!(texts.len(), 1, "{texts:?}");
    }
}
