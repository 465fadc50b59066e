//! Times as people ask for the weather of, in six languages.

use loquat_agent::toolbox::Circumstances;

use super::{Kind, Part, Reader};
use loquat_kit::calendar::Calendar;

/// Seen from Tuesday, 24 November 2026, 16:40.
fn read(text: &str, lang: &str) -> Option<(String, String, Kind)> {
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        time_zone: Some("UTC".to_owned()),
        ..Circumstances::default()
    };
    let calendar = Calendar::of(&person, "2026-11-24T16:40:00Z".parse().expect("a moment"));
    let locales = loquat_kit::Skill::locales([&crate::weather::SKILL]);
    let span = Reader::new(&locales, lang, &calendar).read(text)?;
    let told = |time: jiff::civil::DateTime| time.strftime("%d %H").to_string();
    Some((told(span.from), told(span.until), span.kind))
}

#[test]
fn times_are_read_in_six_languages() {
    for (text, lang, from, until, kind) in [
        ("now", "en", "24 16", "24 17", Kind::Now),
        ("today", "en", "24 16", "25 00", Kind::Day),
        ("tomorrow", "en", "25 00", "26 00", Kind::Day),
        ("on Friday", "en", "27 00", "28 00", Kind::Day),
        ("2026-11-30", "en", "30 00", "01 00", Kind::Day),
        ("in two days", "en", "26 00", "27 00", Kind::Day),
        (
            "this afternoon",
            "en",
            "24 16",
            "24 18",
            Kind::Part(Part::Afternoon),
        ),
        ("this morning", "en", "25 06", "25 12", Kind::Part(Part::Morning)),
        ("tonight", "en", "24 18", "25 00", Kind::Part(Part::Evening)),
        (
            "friday morning",
            "en",
            "27 06",
            "27 12",
            Kind::Part(Part::Morning),
        ),
        ("at 5 pm", "en", "24 17", "24 18", Kind::Hour),
        ("at 5", "en", "24 17", "24 18", Kind::Hour),
        ("at 3", "en", "25 03", "25 04", Kind::Hour),
        ("tomorrow at 5", "en", "25 17", "25 18", Kind::Hour),
        ("at 9 am on friday", "en", "27 09", "27 10", Kind::Hour),
        ("in 3 hours", "en", "24 19", "24 20", Kind::Hour),
        ("in an hour", "en", "24 17", "24 18", Kind::Hour),
        ("this week", "en", "24 00", "01 00", Kind::Days(7)),
        ("the weekend", "en", "28 00", "30 00", Kind::Days(2)),
        ("morgen", "de", "25 00", "26 00", Kind::Day),
        ("morgen früh", "de", "25 06", "25 12", Kind::Part(Part::Morning)),
        ("am Freitag um 17 Uhr", "de", "27 17", "27 18", Kind::Hour),
        ("in einer Stunde", "de", "24 17", "24 18", Kind::Hour),
        ("heute Nacht", "de", "24 22", "25 06", Kind::Part(Part::Night)),
        ("demain matin", "fr", "25 06", "25 12", Kind::Part(Part::Morning)),
        ("à 18 heures", "fr", "24 18", "24 19", Kind::Hour),
        ("dans trois heures", "fr", "24 19", "24 20", Kind::Hour),
        ("mañana", "es", "25 00", "26 00", Kind::Day),
        (
            "mañana por la tarde",
            "es",
            "25 12",
            "25 18",
            Kind::Part(Part::Afternoon),
        ),
        ("dentro de dos horas", "es", "24 18", "24 19", Kind::Hour),
        ("na sexta-feira", "pt", "27 00", "28 00", Kind::Day),
        (
            "amanhã à noite",
            "pt",
            "25 18",
            "26 00",
            Kind::Part(Part::Evening),
        ),
        ("às 18 horas", "pt", "24 18", "24 19", Kind::Hour),
        (
            "domani mattina",
            "it",
            "25 06",
            "25 12",
            Kind::Part(Part::Morning),
        ),
        ("alle 18", "it", "24 18", "24 19", Kind::Hour),
        ("tra due ore", "it", "24 18", "24 19", Kind::Hour),
    ] {
        let expected = Some((from.to_owned(), until.to_owned(), kind));
        assert_eq!(read(text, lang), expected, "{text} ({lang})");
    }
}

#[test]
fn what_is_no_time_is_refused() {
    for text in [
        "",
        "5",
        "paris",
        "paris on friday",
        "friday in paris",
        "in 9999 hours",
        "soon",
        "the oven",
        "for",
        "tomorrow tomorrow tomorrow",
    ] {
        assert_eq!(read(text, "en"), None, "{text}");
    }
}
