//! Which wake word is chosen, and what becomes of names, manifests and files that are wrong. The model is a real one.

use std::path::Path;

use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_speech::WakeWord;
use tempfile::TempDir;

use super::{WakeWordError, load};
use crate::models_in_use::{ModelFile, ModelsInUse};
use crate::settings::{Environment, LoadOptions, Settings};

/// A machine with this `mycroft.conf` and these settings; what it would listen for.
fn chosen(mycroft: &str, overrides: &[&str]) -> Option<ModelFile> {
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
    ModelsInUse::choose(&settings, &environment, &Catalogue::embedded()).wake_word
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
    assert_eq!(name(chosen("{}", &["speech.mode=\"continuous\""])), None);
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

/// Loads what a path of the settings names.
fn load_path(path: &Path) -> Result<String, WakeWordError> {
    let file = chosen(
        "{}",
        &[&format!("speech.wake_word={:?}", path.display().to_string())],
    );
    let loaded = load(&file.unwrap(), None, &Catalogue::embedded());
    loaded.map(|wake_word| wake_word.name().to_owned())
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
        is_in_catalogue: true,
    };
    let error = load(&file, None, &Catalogue::embedded()).unwrap_err().to_string();
    assert!(error.contains("that model is for something else"), "{error}");
}
