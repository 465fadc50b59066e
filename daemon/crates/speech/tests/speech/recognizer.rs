//! Whisper alone: samples in, text or an honest error out.

use std::cell::RefCell;
use std::f32::consts::TAU;
use std::fs;

use loquat_speech::{Recognizer, TranscribeError};

use crate::sound::{KITCHEN, TOKYO, is, model, noise, settings, silence, spoken, spoken_as};

#[tokio::test]
async fn sentences_are_recognised_one_after_the_other() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let lang = || Some("en-US".to_owned());
    let both = tokio::join!(
        recognizer.transcribe(spoken(KITCHEN), lang()),
        recognizer.transcribe(spoken(TOKYO), lang()),
    );
    let (kitchen, tokyo) = (both.0.unwrap(), both.1.unwrap());
    assert!(is(&kitchen.text, KITCHEN), "{}", kitchen.text);
    assert!(is(&tokyo.text, TOKYO), "{}", tokyo.text);
    assert_eq!(kitchen.text, kitchen.text.trim());
    assert_eq!(kitchen.lang, "en-US");
    assert!(
        kitchen.confidence > 0.5 && kitchen.confidence <= 1.0,
        "{}",
        kitchen.confidence
    );
    recognizer.shutdown().await;
}

#[tokio::test]
async fn a_model_for_english_says_that_it_decoded_english() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let transcript = recognizer
        .transcribe(spoken(KITCHEN), Some("de-DE".into()))
        .await
        .unwrap();
    assert_eq!(transcript.lang, "en");
    recognizer.shutdown().await;
}

#[tokio::test]
async fn of_several_languages_the_one_that_is_spoken_is_decoded() {
    let mut settings = settings();
    settings.whisper_model = model("ggml-base-q8_0.bin");
    settings.threads = 2;
    settings.langs = vec!["de-DE".into()];
    let recognizer = Recognizer::start(&settings).unwrap();
    let asked = |lang: &str| Some(lang.to_owned());
    let german = spoken_as("de", "Schalte bitte das Licht im Wohnzimmer ein.");
    let heard = recognizer
        .transcribe(german.clone(), asked("en-US"))
        .await
        .unwrap();
    assert_eq!(heard.lang, "de-DE", "{heard:?}");
    let heard = recognizer
        .transcribe(spoken(TOKYO), asked("en-US"))
        .await
        .unwrap();
    assert_eq!(heard.lang, "en-US", "{heard:?}");
    let heard = recognizer.transcribe(spoken(TOKYO), asked("de-DE")).await;
    assert!(
        heard.as_ref().is_ok_and(|heard| heard.lang == "de-DE") || heard.is_err(),
        "what is asked for is not detected: {heard:?}"
    );
    recognizer.shutdown().await;
}

#[tokio::test]
async fn nothing_is_made_up_from_silence_noise_and_tones() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let tone = |hertz: f32| {
        (0..48_000)
            .map(|i| 0.3 * (TAU * hertz * i as f32 / 16_000.0).sin())
            .collect()
    };
    for samples in [
        Vec::new(),
        vec![0.5; 100],
        silence(2.0),
        noise(3.0, 0.001),
        noise(3.0, 0.1),
        tone(440.0),
        tone(2_000.0),
    ] {
        let length = samples.len();
        let outcome = recognizer.transcribe(samples, None).await;
        assert_eq!(outcome, Err(TranscribeError::NothingHeard), "{length} samples");
    }
    recognizer.shutdown().await;
}

#[tokio::test]
async fn giving_up_on_one_utterance_leaves_whisper_to_the_next() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let long = spoken(&[TOKYO; 12].join(" "));
    tokio::select! {
        biased;
        _ = recognizer.transcribe(long, None) => panic!("it was given up at once"),
        () = tokio::task::yield_now() => {}
    }
    let transcript = recognizer.transcribe(spoken(KITCHEN), None).await.unwrap();
    assert!(is(&transcript.text, KITCHEN), "{}", transcript.text);
    recognizer.shutdown().await;
}

#[tokio::test]
async fn after_a_shutdown_every_handle_says_so() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let other = recognizer.clone();
    recognizer.shutdown().await;
    assert_eq!(
        other.transcribe(spoken(KITCHEN), None).await,
        Err(TranscribeError::Ended)
    );
    other.shutdown().await;
}

#[test]
fn half_a_model_is_refused_with_the_mend() {
    let whole = fs::read(model("ggml-tiny.en.bin")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings();
    settings.whisper_model = folder.path().join("ggml-tiny.en.bin");
    for length in [whole.len() / 2, whole.len() - 1, 1_000, 3, 0] {
        fs::write(&settings.whisper_model, &whole[..length]).unwrap();
        let error = Recognizer::start(&settings).unwrap_err().to_string();
        assert!(
            error.contains(&settings.whisper_model.display().to_string()),
            "{error}"
        );
        assert!(error.contains("`loquat models fetch ggml-tiny.en`"), "{error}");
        assert!(error.contains("it ends after"), "{error}");
    }
    fs::remove_file(&settings.whisper_model).unwrap();
    let error = Recognizer::start(&settings).unwrap_err().to_string();
    assert!(error.starts_with("failed to read the whisper model"), "{error}");
}

#[tokio::test]
async fn what_is_heard_aside_gives_way_and_is_heard_all_the_same() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let order = RefCell::new(Vec::new());
    let aside = async {
        let long = spoken(&[TOKYO; 4].join(" "));
        let transcript = recognizer.transcribe_aside(long, None).await.unwrap();
        order.borrow_mut().push("aside");
        transcript
    };
    let first = async {
        for _ in 0..2 {
            tokio::task::yield_now().await;
            let transcript = recognizer.transcribe(spoken(KITCHEN), None).await.unwrap();
            assert!(is(&transcript.text, KITCHEN), "{}", transcript.text);
            order.borrow_mut().push("first");
        }
    };
    let (transcript, ()) = tokio::join!(aside, first);
    assert_eq!(order.into_inner(), ["first", "first", "aside"]);
    assert!(transcript.text.contains("Tokyo"), "{}", transcript.text);
    recognizer.shutdown().await;
    let ended = recognizer.transcribe_aside(spoken(KITCHEN), None).await;
    assert_eq!(ended, Err(TranscribeError::Ended));
}

#[tokio::test]
async fn a_glance_hears_an_order_and_of_all_else_nothing() {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let glanced = |samples: Vec<f32>| {
        let lang = Some("en-US".to_owned());
        let sound = [silence(0.3), samples, silence(0.3)].concat();
        let recognizer = recognizer.clone();
        async move { recognizer.glance(sound, lang).await }
    };
    for voice in ["en-us", "en-gb", "en-us+f2", "en-gb+m3"] {
        let heard = glanced(spoken_as(voice, "stop!")).await.unwrap();
        assert!(is(&heard.text, "stop"), "{voice}: {heard:?}");
    }
    for sound in [spoken(KITCHEN), spoken(TOKYO), noise(2.0, 0.1)] {
        let heard = glanced(sound).await;
        let is_order = heard
            .as_ref()
            .is_ok_and(|heard| heard.text.split_whitespace().count() < 3);
        assert!(!is_order, "{heard:?}");
    }
    assert_eq!(glanced(silence(2.0)).await, Err(TranscribeError::NothingHeard));
    recognizer.shutdown().await;
}
