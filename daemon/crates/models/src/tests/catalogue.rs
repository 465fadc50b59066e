//! The embedded catalogue is whole, and names that are nearly right are recognised.

use std::collections::HashSet;

use crate::catalogue::{Catalogue, Kind};

#[test]
fn the_embedded_catalogue_is_sound() {
    let catalogue = Catalogue::embedded();
    assert!(!catalogue.models().is_empty(), "the embedded text cannot be read");
    let mut names = HashSet::new();
    for model in catalogue.models() {
        assert!(
            names.insert(&model.name) && names.insert(&model.file),
            "{} is there twice",
            model.name
        );
        assert!(
            model.file.starts_with(&model.name),
            "{} is in {}",
            model.name,
            model.file
        );
        let hub = &model.hub;
        for checksum in [&hub.sha256].into_iter().chain(&hub.converted_sha256) {
            let digits = checksum
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            assert!(
                digits && checksum.len() == 64,
                "{} has the checksum {checksum}",
                model.name
            );
        }
        assert!(model.size > 0 && model.memory_gib > 0.0 && !model.languages.is_empty());
        assert!(
            hub.url(crate::catalogue::HUB).starts_with("https://"),
            "{}",
            hub.url(crate::catalogue::HUB)
        );
        assert!(
            !model.licence.is_empty() && !model.is_non_commercial(),
            "{} is {}",
            model.name,
            model.licence
        );
        let is_laid_out = hub.path.split('/').nth(2) == Some("resolve");
        assert!(is_laid_out && !hub.path.starts_with('/'), "{}", hub.path);
        let is_word = matches!(model.kind, Kind::WakeWord | Kind::StopWord);
        assert_eq!(is_word, model.spotting.is_some());
    }
    for kind in [
        Kind::Language,
        Kind::Speech,
        Kind::VoiceActivity,
        Kind::WakeWord,
        Kind::StopWord,
        Kind::Sentences,
    ] {
        assert!(catalogue.first_of(kind).is_some(), "{kind:?}");
    }
}

#[test]
fn licences_that_forbid_commercial_use_are_known() {
    let catalogue = Catalogue::embedded();
    let mut model = catalogue.models()[0].clone();
    for (licence, is_non_commercial) in [
        ("MIT", false),
        ("Apache-2.0", false),
        ("CC-BY-4.0", false),
        ("CC-BY-SA-4.0", false),
        ("CC-BY-NC-4.0", true),
        ("CC-BY-NC-SA-4.0", true),
        ("PolyForm-Noncommercial-1.0.0", true),
    ] {
        licence.clone_into(&mut model.licence);
        assert_eq!(model.is_non_commercial(), is_non_commercial, "{licence}");
    }
}

#[test]
fn models_are_found_by_name_and_by_file() {
    let catalogue = Catalogue::embedded();
    let by_name = catalogue.find("ggml-tiny.en").expect("a name");
    assert_eq!(catalogue.find("ggml-tiny.en.bin").expect("a file"), by_name);
}

#[test]
fn a_wrong_name_gets_the_nearest_and_all_known() {
    let catalogue = Catalogue::embedded();
    let unknown = catalogue.find("ggml-tiny-en").expect_err("no model");
    assert_eq!(unknown.near.as_deref(), Some("ggml-tiny.en"));
    let text = unknown.to_string();
    assert!(
        text.starts_with("find a model called 'ggml-tiny-en'; did you mean 'ggml-tiny.en'? known are "),
        "{text}"
    );
    assert!(text.contains("ggml-silero-v6.2.0"));
    let unknown = catalogue.find("gpt-9").expect_err("no model");
    assert!(
        unknown
            .to_string()
            .starts_with("find a model called 'gpt-9'; known are "),
        "{unknown}"
    );
}

#[test]
fn unknown_keys_are_refused() {
    let text = include_str!("../../catalogue.toml").replacen("licence =", "license =", 1);
    let refused = Catalogue::parse(&text).expect_err("a wrong key").to_string();
    assert!(refused.contains("license"), "{refused}");
}

#[test]
fn every_offer_has_an_address_and_a_name_of_its_own() {
    let catalogue = Catalogue::embedded();
    let mut names: Vec<&str> = catalogue
        .models()
        .iter()
        .map(|model| model.name.as_str())
        .collect();
    for offer in catalogue.offers() {
        assert!(
            !names.contains(&offer.name.as_str()),
            "{} is there twice",
            offer.name
        );
        names.push(&offer.name);
        let address: crate::address::HubAddress = offer.address.parse().expect("an address");
        let file = address.file.expect("a file");
        assert!(file.to_lowercase().ends_with(".gguf"), "{file}");
        assert!(offer.memory_gib > 0.0 && !offer.licence.is_empty() && !offer.languages.is_empty());
    }
    let unknown = catalogue.find("qwen3-0.6b").expect_err("no name");
    assert_eq!(unknown.near.as_deref(), Some("qwen3-0.6b-q8_0"));
}
