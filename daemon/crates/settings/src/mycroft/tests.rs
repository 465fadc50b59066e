//! `mycroft.conf`: OVOS's layers, its comments, its protections, and one sentence for each mistake.

use super::Mycroft;
use crate::tests::machine::Machine;

fn load(machine: &Machine, pairs: &[(&str, &str)]) -> (Mycroft, Vec<String>) {
    let (mycroft, complaints) = Mycroft::load(&machine.environment(pairs));
    assert!(complaints.iter().all(|complaint| !complaint.is_refusal()));
    (mycroft, machine.sentences(&complaints))
}

/// A file as a person of an OVOS device edits it: it has comments of both kinds, and keys that are none of our
/// business.
const EDITED: &str = r#"
// my kitchen device
{
  # the language
  "lang": "de-DE",
  "secondary_langs": ["en-US", "pt-PT"],
  "system_unit": "imperial",
  "time_format": "FULL",
  "date_format": "DMY",
  "confirm_listening": false,
  "tts": {"module": "ovos-tts-plugin-piper", "ovos-tts-plugin-piper": {"voice": "thorsten"}},
  "websocket": {"host": "127.0.0.1", "port": "8282", "shared_connection": true},
  "location": {
    "city": {"code": "Berlin", "name": "Berlin",
      "state": {"code": "BE", "name": "Land Berlin", "country": {"code": "DE", "name": "Germany"}}},
    "coordinate": {"latitude": 52.52, "longitude": 13.4},
    "timezone": {"code": "Europe/Berlin", "name": "CET", "offset": 3600000}
  },
  "listener": {"mute_during_output": true, "silence_end": 0.5, "wake_word": "hey_mycroft"},
  "intents": {
    "persona": {"default_persona": "Alice", "handle_fallback": true, "short-term-memory": true,
                "personas_path": "~/my personas", "persona_blacklist": ["Bob"]},
    "pipeline": ["stop_high", "converse"]
  }
}
"#;

#[test]
fn a_persons_file_is_read() {
    let machine = Machine::new();
    machine.write("home/.config/mycroft/mycroft.conf", EDITED);
    let (mycroft, complaints) = load(&machine, &[]);
    assert_eq!(complaints, [] as [&str; 0]);
    assert_eq!(mycroft.lang, "de-DE");
    assert_eq!(mycroft.secondary_langs, ["en-US", "pt-PT"]);
    assert_eq!(mycroft.system_unit, "imperial");
    assert_eq!(
        (mycroft.time_format.as_deref(), mycroft.date_format.as_deref()),
        (Some("full"), Some("DMY"))
    );
    assert!(!mycroft.confirm_listening);
    assert_eq!(
        (mycroft.websocket.port, mycroft.websocket.route.as_str()),
        (8282, "/core")
    );
    let location = &mycroft.location;
    assert_eq!(location.time_zone.as_deref(), Some("Europe/Berlin"));
    assert_eq!((location.latitude, location.longitude), (Some(52.52), Some(13.4)));
    assert_eq!(location.city.as_deref(), Some("Berlin"));
    assert_eq!(location.region.as_deref(), Some("Land Berlin"));
    assert_eq!(location.country.as_deref(), Some("Germany"));
    assert!(mycroft.listener.mute_during_output);
    assert_eq!(mycroft.listener.silence_end.as_millis(), 500);
    assert_eq!(mycroft.listener.recording_timeout.as_secs(), 10);
    assert_eq!(mycroft.persona.default_persona.as_deref(), Some("Alice"));
    assert_eq!(mycroft.persona.handle_fallback, Some(true));
    assert_eq!(
        mycroft.persona.personas_path,
        Some(machine.path("home/my personas"))
    );
    assert_eq!(mycroft.persona.persona_blacklist, ["Bob"]);
}

#[test]
fn layers_are_merged_as_ovos_merges_them() {
    let machine = Machine::new();
    let layers = [
        (
            "default.conf",
            r#"{"lang": "aa", "websocket": {"port": 1, "host": "default"}, "secondary_langs": ["x", "y"]}"#,
        ),
        (
            "usr/share/mycroft/mycroft.conf",
            r#"{"lang": "bb", "websocket": {"port": 2, "route": "/distribution"}}"#,
        ),
        (
            "etc/mycroft/mycroft.conf",
            r#"{"lang": "cc", "websocket": {"port": 3}}"#,
        ),
        (
            "home/.config/mycroft/runtime.conf",
            r#"{"lang": "dd", "websocket": {"port": 4}}"#,
        ),
        (
            "etc/xdg/mycroft/mycroft.conf",
            r#"{"lang": "ee", "secondary_langs": ["z"]}"#,
        ),
        (
            "home/.config/mycroft/mycroft.conf",
            r#"{"websocket": {"ssl": true}, "lang": null}"#,
        ),
    ];
    for (path, text) in layers {
        machine.write(path, text);
    }
    let default = machine.path("default.conf");
    let (mycroft, complaints) = load(&machine, &[("OVOS_DEFAULT_CONFIG", default.to_str().unwrap())]);
    assert_eq!(complaints, [] as [&str; 0]);
    let websocket = &mycroft.websocket;
    assert_eq!(
        (
            websocket.host.as_str(),
            websocket.port,
            websocket.route.as_str(),
            websocket.ssl
        ),
        ("default", 4, "/distribution", true)
    );
    assert_eq!(mycroft.secondary_langs, ["z"], "lists are replaced");
    assert_eq!(mycroft.lang, "en-US", "null takes a key away");
    let origin = |key: &str| machine.relative(&mycroft.origin_of(key).to_string());
    assert_eq!(origin("websocket.host"), "/default.conf");
    assert_eq!(origin("websocket.port"), "/home/.config/mycroft/runtime.conf");
    assert_eq!(origin("websocket.ssl"), "/home/.config/mycroft/mycroft.conf");
    assert_eq!(origin("listener.silence_end"), "built-in default");
    assert_eq!(mycroft.files().count(), layers.len());
}

#[test]
fn ovos_may_keep_its_files_elsewhere() {
    let machine = Machine::new();
    machine.write("home/.config/neon/neon.json", r#"{"lang": "uk-UA"}"#);
    machine.write("home/.config/mycroft/mycroft.conf", r#"{"lang": "de-DE"}"#);
    let variables = [
        ("OVOS_CONFIG_BASE_FOLDER", "neon"),
        ("OVOS_CONFIG_FILENAME", "neon.json"),
    ];
    assert_eq!(load(&machine, &variables).0.lang, "uk-UA");
    let elsewhere = machine.write("other.conf", r#"{"time_format": "full"}"#);
    let variables = [("MYCROFT_SYSTEM_CONFIG", elsewhere.to_str().unwrap())];
    assert_eq!(load(&machine, &variables).0.time_format.as_deref(), Some("full"));
}

#[test]
fn the_machines_owner_can_keep_keys_to_themselves() {
    let machine = Machine::new();
    let system = |rules: &str| {
        let text = format!(r#"{{"lang": "de-DE", "websocket": {{"port": 9}}, "system": {rules}}}"#);
        machine.write("etc/mycroft/mycroft.conf", text);
    };
    machine.write(
        "home/.config/mycroft/mycroft.conf",
        r#"{"lang": "fr-FR", "time_format": "full", "websocket": {"port": 7, "ssl": true},
            "system": {"disable_user_config": true, "protected_keys": {"user": ["time_format"]}}}"#,
    );
    machine.write(
        "home/.config/mycroft/runtime.conf",
        r#"{"date_format": "YMD", "system_unit": "imperial"}"#,
    );
    let seen = || {
        let mycroft = load(&machine, &[]).0;
        let websocket = &mycroft.websocket;
        let date = mycroft.date_format.clone();
        (
            mycroft.lang,
            mycroft.time_format,
            date,
            websocket.port,
            websocket.ssl,
        )
    };
    let expect = |lang: &str, time: Option<&str>, date: Option<&str>, port, ssl| {
        (
            lang.to_owned(),
            time.map(str::to_owned),
            date.map(str::to_owned),
            port,
            ssl,
        )
    };
    system("{}");
    assert_eq!(
        seen(),
        expect("fr-FR", Some("full"), Some("YMD"), 7, true),
        "a person cannot set rules"
    );
    system(r#"{"protected_keys": {"user": ["websocket:port"], "assistant": ["date_format"]}}"#);
    assert_eq!(seen(), expect("fr-FR", Some("full"), None, 9, true));
    system(r#"{"disable_user_config": true}"#);
    assert_eq!(seen(), expect("de-DE", None, Some("YMD"), 9, false));
}

#[test]
fn a_mistake_is_one_sentence_and_the_default_is_used() {
    let cases = [
        (
            r#"{"lang": 7}"#,
            ": lang must be a text, not 7; the default is used",
        ),
        (
            r#"{"secondary_langs": "de"}"#,
            ": secondary_langs must be a list of texts, not \"de\"; none is used",
        ),
        (
            r#"{"system_unit": "american"}"#,
            ": system_unit must be one of \"metric\" and \"imperial\", not \"american\"; \"metric\" is used",
        ),
        (
            r#"{"time_format": 12}"#,
            ": time_format must be one of \"half\" and \"full\", not 12; that of the language is used",
        ),
        (
            r#"{"websocket": {"port": "eight"}}"#,
            ": websocket.port must be a whole number from 1 to 65535, not \"eight\"; 8181 is used",
        ),
        (
            r#"{"websocket": {"port": 0}}"#,
            ": websocket.port must be a whole number from 1 to 65535, not 0; 8181 is used",
        ),
        (
            r#"{"websocket": {"ssl": "no"}}"#,
            ": websocket.ssl must be true or false, not \"no\"; false is used",
        ),
        (
            r#"{"location": {"coordinate": {"latitude": 91}}}"#,
            ": location.coordinate.latitude must be a number from -90 to 90, not 91; none is used",
        ),
        (
            r#"{"listener": {"silence_end": -1}}"#,
            ": listener.silence_end must be a number of seconds above 0, not -1; 0.7 is used",
        ),
        (
            "[1]",
            ": must hold one JSON object, not [1]; OVOS leaves such a file out, and so do we",
        ),
        (
            "{\n  // a comment\n  \"lang\": \"de\"\n  \"x\": 1\n}",
            ":4:3: not valid JSON: expected `,` or `}`; OVOS leaves such a file out, and so do we",
        ),
        (
            "{\"lang\": \"de\",}",
            ":1:15: not valid JSON: trailing comma; OVOS leaves such a file out, and so do we",
        ),
    ];
    let machine = Machine::new();
    for (text, expected) in cases {
        machine.write("etc/mycroft/mycroft.conf", text);
        let (mycroft, complaints) = load(&machine, &[]);
        assert_eq!(
            complaints,
            [format!("/etc/mycroft/mycroft.conf{expected}")],
            "{text}"
        );
        assert_eq!(mycroft.websocket.port, 8181);
        assert_eq!(
            (mycroft.lang.as_str(), mycroft.time_format.as_deref()),
            ("en-US", None)
        );
    }
}

#[test]
fn files_that_say_nothing_are_quiet() {
    let machine = Machine::new();
    for text in ["", "\n \n", "// nothing yet\n", "{}", "\u{feff}{}"] {
        machine.write("etc/mycroft/mycroft.conf", text);
        assert_eq!(load(&machine, &[]).1, [] as [&str; 0], "{text:?}");
    }
}

#[test]
fn yaml_is_said_not_to_be_read() {
    let machine = Machine::new();
    machine.write("etc/mycroft/mycroft.yml", "lang: de-DE");
    let (_, complaints) = load(&machine, &[("OVOS_CONFIG_FILENAME", "mycroft.yml")]);
    assert_eq!(
        complaints,
        ["/etc/mycroft/mycroft.yml: is YAML, which is not read here; OVOS takes JSON too"]
    );
}

#[test]
fn a_table_that_is_none_is_told_of() {
    for (file, told) in [
        (
            r#"{"location": "home"}"#,
            "location must be a table, not \"home\"; what is usual is used",
        ),
        (
            r#"{"listener": "x"}"#,
            "listener must be a table, not \"x\"; what is usual is used",
        ),
        (
            r#"{"tts": []}"#,
            "tts must be a table, not []; the usual voice is used",
        ),
        (
            r#"{"location": {"city": "Porto"}}"#,
            "location.city must be a table, not \"Porto\"; what is usual is used",
        ),
        (
            r#"{"intents": {"persona": 7}}"#,
            "intents.persona must be a table, not 7; what is usual is used",
        ),
        (
            r#"{"websocket": true}"#,
            "websocket must be a table, not true; what is usual is used",
        ),
    ] {
        let machine = Machine::new();
        machine.write("home/.config/mycroft/mycroft.conf", file);
        let (_, complaints) = load(&machine, &[]);
        assert!(
            complaints.len() == 1 && complaints[0].ends_with(told),
            "{complaints:?}"
        );
    }
    let machine = Machine::new();
    machine.write(
        "home/.config/mycroft/mycroft.conf",
        r#"{"location": null, "tts": {}, "listener": {}}"#,
    );
    assert_eq!(load(&machine, &[]).1, [] as [&str; 0]);
}
