//! What whole sentences hold, and where a reading that begins inside of one ends.

use loquat_kit::Kind;

use crate::{reader, told};

#[test]
fn a_sentence_tells_what_it_holds() {
    for (lang, said, expected) in [
        (
            "en",
            "remind me to call mom tomorrow at 5 pm",
            "tomorrow at 5 pm=2026-11-26 17:00",
        ),
        ("en", "remind me to call mom on monday", "on monday=2026-11-30"),
        (
            "en",
            "take my pills every day at 8 pm",
            "every day at 8 pm=20:00 [1, 2, 3, 4, 5, 6, 7]",
        ),
        (
            "en",
            "buy 3 apples in the last week of december",
            "3=3|in the last week of december=period",
        ),
        ("en", "a walk in the park", ""),
        ("en", "buy Christmas presents", ""),
        ("en", "a halloween costume", ""),
        ("fr", "acheter les cadeaux de Noël", ""),
        ("it", "i regali di Natale", ""),
        ("en", "call mom on christmas day", "on christmas day=2026-12-25"),
        ("en", "set a 10 minute timer", "10 minute=600s"),
        ("en", "dim the lamp to 50%", "50%=50"),
        (
            "de",
            "den Anruf morgen um 17 Uhr",
            "morgen um 17 Uhr=2026-11-26 17:00",
        ),
        (
            "fr",
            "appeler maman vendredi à 17h",
            "vendredi à 17h=2026-11-27 17:00",
        ),
        ("fr", "un ami", ""),
        (
            "es",
            "pagar la renta a las 9 de la noche",
            "a las 9 de la noche=21:00",
        ),
        (
            "it",
            "chiamare mamma domani alle 7 del mattino",
            "domani alle 7 del mattino=2026-11-26 07:00",
        ),
        (
            "pt",
            "ligar à mãe amanhã às 20h",
            "amanhã às 20h=2026-11-26 20:00",
        ),
    ] {
        let found = reader(lang).find_in(said).into_iter();
        let found: Vec<String> = found
            .map(|(reading, range)| format!("{}={}", said.get(range).unwrap(), told(&reading)))
            .collect();
        assert_eq!(found.join("|"), expected, "{said} ({lang})");
    }
}

#[test]
fn a_reading_is_the_longest_and_tells_where_it_ends() {
    for (lang, said, from, kind, expected) in [
        (
            "fr",
            "rappelle-moi à 17 heures 30 de payer",
            "à 17",
            Kind::Moment,
            "à 17 heures 30",
        ),
        (
            "es",
            "a las 8 y media pagar",
            "a las",
            Kind::Moment,
            "a las 8 y media",
        ),
        (
            "it",
            "alle 9 di sera di chiamare",
            "alle",
            Kind::Moment,
            "alle 9 di sera",
        ),
        (
            "en",
            "twenty minutes and a nap",
            "twenty",
            Kind::Length,
            "twenty minutes",
        ),
        (
            "en",
            "at 7 on friday we meet",
            "at 7",
            Kind::Moment,
            "at 7 on friday",
        ),
        ("en", "at 7 on friday we meet", "at 7", Kind::Time, "at 7"),
        (
            "de",
            "um halb acht abends anrufen",
            "um",
            Kind::Moment,
            "um halb acht abends",
        ),
    ] {
        let start = said.find(from).unwrap();
        let (_, end) = reader(lang).longest(said, start, kind).unwrap();
        assert_eq!(said.get(start..end), Some(expected), "{said}");
    }
}

#[test]
fn what_is_left_is_told() {
    let unread = reader("en").moment("tomorrow at 5 pm in paris").unwrap_err();
    assert_eq!(unread.left, "in paris");
    assert_eq!(unread.to_string(), "failed to read 'in paris'");
}
