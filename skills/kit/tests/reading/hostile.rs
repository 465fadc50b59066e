//! Texts that are made to take long or to go wrong.

#![expect(clippy::disallowed_types, reason = "the time that passes is what is judged")]

use std::time::{Duration, Instant};

use loquat_kit::Kind;
use proptest::prelude::*;

use crate::reader;

const KINDS: [Kind; 7] = [
    Kind::Number,
    Kind::Length,
    Kind::Time,
    Kind::Day,
    Kind::Repeat,
    Kind::Moment,
    Kind::Period,
];

const LANGUAGES: [&str; 8] = ["en", "de", "fr", "es", "it", "pt", "nl", "ca"];

#[test]
fn no_text_takes_long() {
    for piece in [
        "one ",
        "at 5 ",
        "1 ",
        "2 days after ",
        "monday and ",
        "half past ",
        "1/2 ",
        "1,",
        "1.",
        "ein",
        "und",
        "an hour and ",
        "every day at 8 ",
        "\u{bd}",
        "vent",
        "a quarter of an ",
        "99999999999999999999 ",
        "9",
    ] {
        let text = piece.repeat(20_000 / piece.len());
        for lang in LANGUAGES {
            let begun = Instant::now();
            drop(reader(lang).find_in(&text));
            let taken = begun.elapsed();
            assert!(
                taken < Duration::from_millis(2500),
                "'{piece}' ({lang}) takes {taken:?}"
            );
        }
    }
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "at",
        "um",
        "half",
        "halb",
        "past",
        "to",
        "8",
        "17:30",
        "every",
        "jeden",
        "monday",
        "lundi",
        "et",
        "quart",
        "y",
        "media",
        "domani",
        "alle",
        "tomorrow",
        "in",
        "2",
        "days",
        "after",
        "the",
        "first",
        "of",
        "may",
        "½",
        "-",
        "°",
        "%",
        "pm",
        "tonight",
        "next",
        "week",
        "une",
        "heure",
        "às",
        "1.2",
        "million",
        ",",
        ".",
        "2026-12-25",
        "\u{130}",
        "ß",
    ]);
    prop::collection::vec(word, 0..14).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn a_reading_ends_in_the_text(text in prop_oneof![words(), "\\PC{0,60}", "[0-9:./, -]{0,24}"], from in 0usize..80) {
        for lang in LANGUAGES {
            let reader = reader(lang);
            for kind in KINDS {
                for (_, end) in reader.read_at(&text, from, kind) {
                    prop_assert!(end > from && end <= text.len() && text.is_char_boundary(end));
                }
                drop(reader.whole(&text, kind));
            }
            let mut last = 0;
            for (_, range) in reader.find_in(&text) {
                prop_assert!(range.start >= last && range.end > range.start && text.get(range.clone()).is_some());
                last = range.end;
            }
        }
    }
}
