//! The sentences that a small brain is shown as the device's own are understood, and what was said before is shown in plain words.

use loquat_agent::restated::sentences;

use super::*;

/// They name things that only a home that is connected to tells of.
const OF_HOMES: [&str; 2] = ["is the window open", "start the vacuum"];

#[test]
fn what_a_brain_is_shown_is_understood() {
    let spoken = spoken_at_home();
    let shown = sentences("en").into_iter();
    let strange: Vec<String> = shown
        .filter(|sentence| spoken.recognise(sentence, "en").is_none())
        .filter(|sentence| !OF_HOMES.contains(&sentence.as_str()))
        .collect();
    assert_eq!(strange, Vec::<String>::new());
}
