//! Places by the names that people give them.

use jiff::Timestamp;
use loquat_agent::toolbox::Circumstances;

use super::{find, is_here, of_person};

/// In the northern winter.
fn now() -> Timestamp {
    "2026-11-21T10:11:12Z".parse().expect("a timestamp")
}

fn zone(text: &str) -> String {
    find(text, now()).map_or_else(|error| error.to_string(), |found| found.name)
}

#[test]
fn places_are_found_by_many_names() {
    let cases = [
        ("Tokyo", "Asia/Tokyo"),
        ("tokyo, japan", "Asia/Tokyo"),
        ("T\u{f3}quio", "Asia/Tokyo"),
        ("New York", "America/New_York"),
        ("new_york", "America/New_York"),
        ("Nueva York", "America/New_York"),
        ("America/New_York", "America/New_York"),
        ("america/new york", "America/New_York"),
        ("US/Eastern", "US/Eastern"),
        ("Germany", "Europe/Berlin"),
        ("Allemagne", "Europe/Berlin"),
        ("M\u{fc}nchen", "Europe/Berlin"),
        ("S\u{e3}o Paulo", "America/Sao_Paulo"),
        ("buenos aires", "America/Argentina/Buenos_Aires"),
        ("Port-au-Prince", "America/Port-au-Prince"),
        ("Mumbai", "Asia/Kolkata"),
        ("Beijing time", "Asia/Shanghai"),
        ("the city of London", "Europe/London"),
        ("U.S.A.", "America/New_York"),
        ("Pacific Time", "America/Los_Angeles"),
        ("JST", "Asia/Tokyo"),
        ("UTC", "UTC"),
        ("gmt", "GMT"),
        ("Greenwich Mean Time", "UTC"),
        ("Paris (France)", "Europe/Paris"),
    ];
    for (text, expected) in cases {
        assert_eq!(zone(text), expected, "{text}");
    }
}

#[test]
fn of_two_names_the_deciding_one_counts() {
    let cases = [
        ("Paris, Texas", "America/Chicago"),
        ("Paris Texas", "America/Chicago"),
        ("Portland Maine", "America/New_York"),
        ("Paris France", "Europe/Paris"),
        ("London Ontario", "America/Toronto"),
        ("El Paso, Texas", "America/Denver"),
        ("London, Ontario", "America/Toronto"),
        ("London, UK", "Europe/London"),
        ("Portland, Maine", "America/New_York"),
        ("Birmingham, Alabama", "America/Chicago"),
        ("Los Angeles, California, USA", "America/Los_Angeles"),
        ("Kyoto, Japan", "Asia/Tokyo"),
        ("Springfield, Illinois", "America/Chicago"),
        ("Atlanta, Georgia", "America/New_York"),
        ("Tbilisi, Georgia", "Asia/Tbilisi"),
        ("Perth, Australia", "Australia/Perth"),
        (
            "Smallville, Nowhere",
            "no place or time zone 'Smallville, Nowhere' is known; \
            name a big city in the same zone or an IANA zone such as Asia/Tokyo",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(zone(text), expected, "{text}");
    }
}

#[test]
fn offsets_are_zones() {
    let cases = [
        ("UTC+2", "UTC+02:00", 7200),
        ("utc -3:30", "UTC-03:30", -12_600),
        ("GMT+0530", "UTC+05:30", 19_800),
        ("+02:00", "UTC+02:00", 7200),
        ("-8", "UTC-08:00", -28_800),
    ];
    for (text, name, seconds) in cases {
        let found = find(text, now()).expect(text);
        assert_eq!(found.name, name);
        assert_eq!(found.zone.to_offset(now()).seconds(), seconds, "{text}");
    }
    assert!(find("UTC+25", now()).is_err());
    assert!(find("UTC+2:75", now()).is_err());
}

#[test]
fn wide_countries_say_which_zone_is_meant() {
    let found = find("United States", now()).expect("a country");
    assert_eq!(found.name, "America/New_York");
    let note = "United States has several time zones; this is America/New_York";
    assert_eq!(found.note.as_deref(), Some(note));
    assert_eq!(find("Japan", now()).expect("a country").note, None);
}

#[test]
fn unknown_places_name_the_nearest() {
    assert_eq!(
        zone("Tokio2"),
        "no place or time zone 'Tokio2' is known; did you mean Tokio?"
    );
    assert_eq!(
        zone("Barcelonna"),
        "no place or time zone 'Barcelonna' is known; did you mean Barcelona?"
    );
    let long = "x".repeat(5000);
    assert!(zone(&long).len() < 300, "a complaint does not repeat a long text");
    assert!(zone("../../etc/passwd").starts_with("no place"));
}

#[test]
fn the_person_s_zone_comes_before_the_system_s() {
    let person = Circumstances {
        time_zone: Some("Asia/Kathmandu".to_owned()),
        ..Circumstances::default()
    };
    assert_eq!(of_person(&person).iana_name(), Some("Asia/Kathmandu"));
    assert!(is_here(" Local ") && is_here("") && !is_here("Rome"));
}
