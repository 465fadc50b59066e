//! Orders for several things of a home in one sentence: named beside each other, two of a kind, all but some, and what was named
//! before. None of them leaves half of it to chance, and the name of a thing alone is no order behind another one.

use loquat_tests::frame::Frame;
use loquat_tests::wait::PATIENCE;

use super::community::{FOR_THE_PERSONA, said, with_pack};

/// The language, what is said, and what is told to the home, each thing in its order.
const DONE: &[(&str, &str, &[&str])] = &[
    (
        "en-US",
        "turn off the kitchen lights and the bed light",
        &["light.turn_off light.kitchen_lights light.bed_light"],
    ),
    (
        "en-US",
        "close the hall window and the living room window please",
        &["cover.close_cover cover.hall_window cover.living_room_window"],
    ),
    (
        "en-US",
        "set the bed light and the kitchen lights to 30 percent",
        &["light.turn_on light.bed_light light.kitchen_lights"],
    ),
    (
        "de-DE",
        "mach Bed Light und Kitchen Lights aus",
        &["light.turn_off light.bed_light light.kitchen_lights"],
    ),
    (
        "fr-FR",
        "éteins Bed Light et Kitchen Lights",
        &["light.turn_off light.bed_light light.kitchen_lights"],
    ),
    (
        "en-US",
        "all lights off except in the living room and the kitchen",
        &["light.turn_off light.bed_light light.office_rgbw_lights"],
    ),
    (
        "en-US",
        "turn off all the lights but the ceiling lights",
        &["light.turn_off light.bed_light light.kitchen_lights \
           light.living_room_rgbww_lights light.office_rgbw_lights"],
    ),
    (
        "de-DE",
        "mach alle Lichter aus, nur im Wohnzimmer nicht",
        &["light.turn_off light.bed_light light.kitchen_lights \
           light.office_rgbw_lights"],
    ),
    (
        "es-ES",
        "apaga todas las luces menos las de la cocina",
        &["light.turn_off light.bed_light light.ceiling_lights \
           light.living_room_rgbww_lights light.office_rgbw_lights"],
    ),
    (
        "en-US",
        "all the lights off",
        &["light.turn_off light.bed_light light.ceiling_lights \
           light.kitchen_lights light.living_room_rgbww_lights light.office_rgbw_lights"],
    ),
    ("en-US", "turn off all lights except the moon", &[]),
    ("en-US", "turn off the bed light and the moon", &[]),
];

#[tokio::test]
async fn several_things_are_moved_by_one_order() {
    let (story, home) = with_pack().await;
    let mut wrong = Vec::new();
    for (lang, text, called) in DONE {
        let told = said(&story, lang, text).await;
        let mut calls = home.calls();
        calls.sort();
        if calls != *called {
            wrong.push(format!("{lang}, {text}: {calls:?}, {told}"));
        }
        if called.is_empty() && told != FOR_THE_PERSONA {
            wrong.push(format!("{lang}, {text}: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}

#[tokio::test]
async fn all_lights_off_is_a_question_only_where_it_is_put_as_one() {
    let (story, home) = with_pack().await;
    for text in ["are all lights off", "all lights off?"] {
        let told = said(&story, "en-US", text).await;
        assert!(told.starts_with("No"), "{text}: {told}");
    }
    assert!(home.calls().is_empty());
}

#[tokio::test]
async fn what_is_on_a_list_of_the_home_is_changed_and_told_there_whatever_sentence_asks() {
    let (story, home) = with_pack().await;
    for (text, part) in [
        ("add bread to my list", "bread"),
        ("put jam and tea on the shopping list", "tea"),
        ("what's on the shopping list", "bread"),
        ("take the bread off the list", "bread"),
        ("remove tea", "tea"),
        ("remove tea", "did not find tea"),
        ("put rice and salt on the shopping list", "salt"),
    ] {
        let told = said(&story, "en-US", text).await;
        assert!(
            told.contains(part) && told.contains("Shopping List"),
            "{text}: {told}"
        );
    }
    // What cannot be taken back is for the person at the device.
    let refused = said(&story, "en-US", "clear the shopping list").await;
    assert!(refused.contains("at the device itself"), "{refused}");
    for (text, part) in [
        ("clear the shopping list", "Shall I delete everything"),
        ("yes", "I have cleared Shopping List."),
        (
            "what's on the shopping list",
            "There is nothing on Shopping List.",
        ),
    ] {
        let mark = story.probe.mark();
        story.daemon.types(text).await;
        let is_said = |frame: &Frame| frame.is_speak() && frame.utterance().contains(part);
        story.probe.wait(part, mark, PATIENCE, is_said).await;
    }
    let told = said(&story, "en-US", "what do we need to buy").await;
    assert!(!told.contains("bread") && !told.contains("tea"), "{told}");
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}
