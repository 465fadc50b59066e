//! Which wake word is chosen, and what becomes of names, manifests and files that are wrong. The model is a real one.

use std::path::Path;

use loquat_failure::with_causes;
use loquat_models::{Catalogue, ModelFile};
use loquat_part::model_files::ModelFiles;
use loquat_settings::{Environment, LoadOptions};
use loquat_speech::{WakeWordDetector, WakeWordEffect};
use tempfile::TempDir;

use super::{WakeWordError, WakeWordInUse, WakeWords, choice, load, load_all};
use crate::document::{Settings, hearing};

/// The file of the usual word of such a machine.
fn chosen(mycroft: &str, overrides: &[&str]) -> Option<ModelFile> {
    all(mycroft, overrides)
        .words
        .into_iter()
        .next()
        .map(|word| word.file)
}

/// A machine with this `mycroft.conf` and these settings; what it would listen for.
fn all(mycroft: &str, overrides: &[&str]) -> WakeWords {
    all_with(mycroft, overrides, None)
}

/// Chooses the words of such a machine that has this file in its folder of models.
fn all_with(mycroft: &str, overrides: &[&str], installed: Option<&str>) -> WakeWords {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("etc/mycroft");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mycroft.conf"), mycroft).unwrap();
    let variables = [("HOME", home.path().display().to_string())];
    let environment = Environment::from_pairs(variables).with_system_root(home.path());
    let options = LoadOptions {
        overrides: overrides.iter().map(|text| (*text).to_owned()).collect(),
        ..LoadOptions::default()
    };
    let settings = Settings::load(&environment, &options).unwrap();
    if let Some(file) = installed {
        std::fs::create_dir_all(&settings.folders.models).unwrap();
        std::fs::write(settings.folders.models.join(file), "a model").unwrap();
    }
    let catalogue = Catalogue::embedded();
    let files = ModelFiles::new(&catalogue, &settings.folders, &environment);
    choice::choose(hearing(&settings), &catalogue, |name| files.named(name))
}

fn name(file: Option<ModelFile>) -> Option<String> {
    file.map(|file| file.name)
}

#[test]
fn a_device_listens_for_the_word_that_it_is_set_up_for() {
    let own = |name: &str| format!(r#"{{"listener": {{"wake_word": "{name}"}}}}"#);
    assert_eq!(name(chosen("{}", &[])).unwrap(), "hey_mycroft");
    assert_eq!(name(chosen(&own("hey_jarvis"), &[])).unwrap(), "hey_jarvis");
    let named = chosen(&own("hey_jarvis"), &["speech.wake_word=\"alexa\""]).unwrap();
    assert_eq!((named.name.as_str(), named.is_in_catalogue), ("alexa", true));
    let own_model = chosen("{}", &["speech.wake_word=\"/models/hello.json\""]).unwrap();
    assert_eq!(
        (own_model.name.as_str(), own_model.is_in_catalogue),
        ("hello", false)
    );
}

#[test]
fn a_word_that_there_is_no_model_for_is_replaced_by_the_usual_one() {
    for wanted in ["hey_computer", "ggml-tiny.en"] {
        let mycroft = format!(r#"{{"listener": {{"wake_word": "{wanted}"}}}}"#);
        assert_eq!(name(chosen(&mycroft, &[])).unwrap(), "hey_mycroft");
    }
}

#[test]
fn who_wants_no_wake_word_gets_none() {
    assert_eq!(name(chosen("{}", &["speech.wake_word=\"off\""])), None);
    let all_the_time = chosen("{}", &["speech.mode=\"continuous\""]);
    assert_eq!(
        name(all_the_time).unwrap(),
        "hey_mycroft",
        "who is heard anyway may call all the same"
    );
}

#[test]
fn a_word_that_stops_the_device_while_it_is_heard_counts_where_its_model_is_there() {
    let stops = |overrides: &[&str], installed: Option<&str>| -> Vec<String> {
        let words = all_with("{}", overrides, installed).words.into_iter();
        words
            .filter(|word| word.over_sound_alone && word.effect == WakeWordEffect::Stop)
            .map(|word| word.name)
            .collect()
    };
    let model = Some("stop.tflite");
    assert_eq!(stops(&[], model), ["stop"]);
    assert_eq!(stops(&[], None), [""; 0], "its model is not there");
    assert_eq!(stops(&["speech.stop_word=\"off\""], model), [""; 0]);
    let named = stops(&["speech.stop_word=\"/models/halt.json\""], None);
    assert_eq!(
        named,
        ["halt"],
        "what is named and not there is complained of later"
    );
    let always = stops(&["speech.wake_words={stop = {effect = \"stop\"}}"], model);
    assert_eq!(always, [""; 0], "it counts at all times");
}

/// A folder with the real model as `hello.tflite`, and a manifest beside it unless that is empty.
fn folder_with(manifest: &str) -> TempDir {
    let models = std::env::var_os("LOQUAT_TEST_MODELS")
        .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
    let folder = tempfile::tempdir().unwrap();
    let model = Path::new(&models).join("hey_mycroft.tflite");
    std::fs::copy(model, folder.path().join("hello.tflite")).expect("`make test` fetches hey_mycroft");
    if !manifest.is_empty() {
        std::fs::write(folder.path().join("hello.json"), manifest).unwrap();
    }
    folder
}

/// A word with this file that has the device listen.
fn listening(file: ModelFile) -> WakeWordInUse {
    WakeWordInUse {
        name: file.name.clone(),
        file,
        effect: WakeWordEffect::Listen,
        cutoff: None,
        sound: None,
        over_sound_alone: false,
    }
}

/// Loads what a path of the settings names.
fn load_path(path: &Path) -> Result<String, WakeWordError> {
    let file = chosen(
        "{}",
        &[&format!("speech.wake_word={:?}", path.display().to_string())],
    );
    let loaded = load(&listening(file.unwrap()), &Catalogue::embedded());
    loaded.map(|model| model.word().name.clone())
}

const MANIFEST: &str = r#"{"type": "micro", "wake_word": "Hello", "model": "hello.tflite", "version": 2,
    "micro": {"probability_cutoff": 0.9, "sliding_window_size": 5, "feature_step_size": 10}}"#;

#[test]
fn a_manifest_names_a_model_of_ones_own() {
    let folder = folder_with(MANIFEST);
    for named in ["hello.json", "hello.tflite"] {
        assert_eq!(load_path(&folder.path().join(named)).unwrap(), "hello");
    }
}

#[test]
fn a_known_model_elsewhere_needs_no_manifest() {
    let folder = folder_with("");
    let path = folder.path().join("okay_nabu.tflite");
    std::fs::rename(folder.path().join("hello.tflite"), &path).unwrap();
    assert_eq!(load_path(&path).unwrap(), "okay_nabu");
}

#[test]
fn what_is_wrong_is_named() {
    let window = MANIFEST.replace(": 5", ": 0");
    let cutoff = MANIFEST.replace("0.9", "9");
    let step = MANIFEST.replace(": 10", ": 20");
    let elsewhere = MANIFEST.replace("hello.tflite", "nowhere.tflite");
    for (manifest, expected) in [
        ("", "failed to read the wake word's manifest"),
        ("{}", "missing field `model`"),
        (window.as_str(), "expected a nonzero u8"),
        (
            cutoff.as_str(),
            "micro.probability_cutoff must be between 0.05 and 1",
        ),
        (step.as_str(), "micro.feature_step_size must be 10"),
        (elsewhere.as_str(), "nowhere.tflite"),
    ] {
        let folder = folder_with(manifest);
        let error = load_path(&folder.path().join("hello.tflite")).unwrap_err();
        let told = format!("failed to {}", with_causes(&error));
        assert!(told.contains(expected), "{manifest}: {told}");
    }
    let error = load_path(Path::new("/nowhere/hello.json"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("/nowhere/hello.json is not there; put the file there"),
        "{error}"
    );
}

#[test]
fn a_model_for_something_else_is_no_wake_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ggml-tiny.en.bin");
    std::fs::write(&path, "").unwrap();
    let name = "ggml-tiny.en".to_owned();
    let file = ModelFile {
        path,
        name,
        bytes: 0,
        is_in_catalogue: true,
    };
    let error = load(&listening(file), &Catalogue::embedded())
        .unwrap_err()
        .to_string();
    assert!(error.contains("that model is for something else"), "{error}");
}

#[test]
fn further_words_have_effects_of_their_own_and_one_of_the_same_name_counts() {
    let words = all(
        "{}",
        &[
            r#"speech.wake_words={hey_jarvis={persona="Scout"}, hey_mycroft={sound="/sounds/ping.wav"},
               be_quiet={model="/models/quiet.json", effect="stop", cutoff=0.7}}"#,
            "speech.wake_word_cutoff=0.8",
        ],
    );
    let told: Vec<(&str, &WakeWordEffect, Option<f64>)> = words
        .words
        .iter()
        .map(|word| (word.name.as_str(), &word.effect, word.cutoff))
        .collect();
    let scout = WakeWordEffect::Persona("Scout".into());
    assert_eq!(
        told,
        [
            ("hey_mycroft", &WakeWordEffect::Listen, None),
            ("be_quiet", &WakeWordEffect::Stop, Some(0.7)),
            ("hey_jarvis", &scout, None),
        ]
    );
    assert_eq!(words.words[0].sound.as_deref(), Some("/sounds/ping.wav"));
    assert_eq!(words.words[1].file.path, Path::new("/models/quiet.json"));
    let alone = all(
        "{}",
        &["speech.wake_word=\"off\"", "speech.wake_words={alexa={}}"],
    );
    assert_eq!(alone.words.len(), 1);
}

#[test]
fn the_words_of_the_device_are_heard_where_there_are_models_and_told_of_where_not() {
    let mycroft = r#"{"listener": {"wake_word": "hey jarvis"}, "hotwords": {
        "hey_jarvis": {"module": "ovos-ww-plugin-precise-lite", "sound": "snd/jarvis.wav"},
        "wake_up": {"module": "ovos-ww-plugin-pocketsphinx", "wakeup": true},
        "alexa": {"module": "ovos-ww-plugin-openWakeWord", "stopword": true, "active": true},
        "okay nabu": {"active": true},
        "computer": {"module": "ovos-ww-plugin-microwakeword", "model_name": "okay_nabu", "listen": true, "active": true},
        "thank_you": {"module": "ovos-ww-plugin-vosk", "active": false},
        "hello": {"module": "ovos-ww-plugin-precise-lite", "model": "/nowhere/hello.tflite", "listen": true, "active": true}
    }}"#;
    let WakeWords { words, remarks } = all(mycroft, &[]);
    let told: Vec<(&str, &WakeWordEffect)> = words
        .iter()
        .map(|word| (word.name.as_str(), &word.effect))
        .collect();
    assert_eq!(
        told,
        [
            ("hey_jarvis", &WakeWordEffect::Listen),
            ("alexa", &WakeWordEffect::Stop),
            ("computer", &WakeWordEffect::Listen)
        ]
    );
    assert_eq!(words[0].sound.as_deref(), Some("snd/jarvis.wav"));
    assert_eq!(words[2].file.name, "okay_nabu");
    let expected = [
        "the word hello heard by ovos-ww-plugin-precise-lite, which does not run here",
        "the word okay_nabu do nothing that is done here",
        "the word wake_up heard by ovos-ww-plugin-pocketsphinx",
    ];
    for (remark, expected) in remarks.iter().zip(expected) {
        assert!(remark.contains(expected), "{remark}");
    }
    assert_eq!(remarks.len(), expected.len(), "{remarks:?}");
    let others = all(mycroft, &["speech.wake_word=\"hey_mycroft\""]);
    assert_eq!((others.words.len(), others.remarks.len()), (1, 0));
}

#[test]
fn a_word_of_the_device_may_have_a_model_of_its_owner() {
    let folder = folder_with(MANIFEST);
    let model = folder.path().join("hello.tflite");
    let mycroft = format!(
        r#"{{"hotwords": {{"good day": {{"module": "microwakeword", "model": {:?}, "listen": true, "active": true}}}}}}"#,
        model.display().to_string()
    );
    let WakeWords { words, remarks } = all(&mycroft, &[]);
    assert_eq!(remarks, [] as [&str; 0]);
    assert_eq!(words[1].name, "good_day");
    let (detector, complaints) = load_all(&words[1..], &Catalogue::embedded());
    assert_eq!(complaints, [] as [&str; 0]);
    assert_eq!(detector.unwrap().words()[0].name, "good_day");
}

#[test]
fn words_whose_models_are_not_there_do_not_keep_others_from_being_heard() {
    let folder = folder_with(MANIFEST);
    let path = folder.path().join("hello.json").display().to_string();
    let words = all(
        "{}",
        &[&format!("speech.wake_words={{hello={{model={path:?}}}}}")],
    )
    .words;
    assert_eq!(words.len(), 2);
    let (detector, complaints) = load_all(&words, &Catalogue::embedded());
    assert_eq!(detector.unwrap().words().len(), 1);
    assert!(
        matches!(complaints.as_slice(), [one] if one.contains("loquat models fetch hey_mycroft")),
        "{complaints:?}"
    );
}
