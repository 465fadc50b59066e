//! Which layer wins, and that it is known which one did.

use loquat_hearing::settings::{Listening, Speech, Switch};

use super::{Machine, options};
use crate::settings::{Document, LoadOptions, Origin, Settings, bus_address};

#[test]
fn a_bare_machine_has_the_defaults() {
    let machine = Machine::new();
    let settings = machine.settings();
    assert_eq!(settings.document, Document::default());
    assert_eq!(bus_address(&settings).to_string(), "ws://127.0.0.1:8181/core");
    assert_eq!(settings.origin_of("bus.port"), Origin::Default);
    assert_eq!(settings.warnings, []);
}

#[test]
fn each_layer_beats_the_one_before() {
    let machine = Machine::new();
    let variable = [("LOQUAT_DESK__HISTORY_TURNS", "5")];
    let layers: [(&str, &str, u16); 4] = [
        ("etc/loquat/loquat.toml", "[desk]\nhistory_turns = 1\n", 1),
        ("etc/loquat/loquat.d/10-a.toml", "\ndesk.history_turns = 2\n", 2),
        (
            "etc/loquat/loquat.d/20-b.toml",
            "[desk]\n\n\nhistory_turns = 3\n",
            3,
        ),
        (
            "home/.config/loquat/loquat.toml",
            "[desk]\nhistory_turns = 4\n",
            4,
        ),
    ];
    let mut origins = Vec::new();
    for (path, text, expected) in layers {
        machine.write(path, text);
        let settings = machine.settings();
        assert_eq!(settings.desk.history_turns, expected, "{path}");
        origins.push(settings.origin_of("desk.history_turns"));
    }
    for (overrides, expected) in [
        (&[][..], 5),
        (&["desk.history_turns=6", "desk.history_turns = 7"][..], 7),
    ] {
        let settings = Settings::load(&machine.environment(&variable), &options(overrides)).unwrap();
        assert_eq!(settings.desk.history_turns, expected);
        origins.push(settings.origin_of("desk.history_turns"));
    }
    let origins: Vec<String> = origins
        .iter()
        .map(|origin| machine.relative(&origin.to_string()))
        .collect();
    assert_eq!(
        origins,
        [
            "/etc/loquat/loquat.toml:2",
            "/etc/loquat/loquat.d/10-a.toml:2",
            "/etc/loquat/loquat.d/20-b.toml:4",
            "/home/.config/loquat/loquat.toml:2",
            "environment variable LOQUAT_DESK__HISTORY_TURNS",
            "--set desk.history_turns = 7",
        ]
    );
}

#[test]
fn keys_of_one_table_may_come_from_different_layers() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[speech]\nmode = \"continuous\"\nthreads = 3\n",
    );
    machine.write(
        "home/.config/loquat/loquat.toml",
        "speech.enabled = false\nspeech.threads = 1",
    );
    let speech = machine.settings().tables.get::<Speech>();
    assert_eq!(
        (speech.mode, speech.enabled, speech.threads),
        (Listening::Continuous, Switch::Off, Some(1))
    );
}

#[test]
fn drop_ins_are_toml_files_only() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.d/30-old.toml.bak",
        "[desk]\nhistory_turns = 3\n",
    );
    assert_eq!(machine.settings().desk.history_turns, 10);
}

#[test]
fn a_named_file_takes_the_place_of_the_persons_own() {
    let machine = Machine::new();
    machine.write("home/.config/loquat/loquat.toml", "[desk]\nhistory_turns = 1\n");
    machine.write("etc/loquat/loquat.toml", "[desk]\ncore_probe_seconds = 1\n");
    let named = machine.write("elsewhere.toml", "[desk]\nfallback_priority = 50\n");
    let from_flag = LoadOptions {
        config_file: Some(named.clone()),
        overrides: Vec::new(),
    };
    let by_flag = Settings::load(&machine.environment(&[]), &from_flag).unwrap();
    let variable = [("LOQUAT_CONFIG", named.to_str().unwrap())];
    let by_variable = Settings::load(&machine.environment(&variable), &LoadOptions::default()).unwrap();
    for desk in [by_flag.document.desk, by_variable.document.desk] {
        assert_eq!(
            (
                desk.fallback_priority,
                desk.history_turns,
                desk.core_probe_seconds
            ),
            (50, 10, 1.0)
        );
    }
}

#[test]
fn variables_and_flags_need_quotes_only_inside_lists() {
    let machine = Machine::new();
    let variables = [
        ("LOQUAT_DESK__PERSONA", "42"),
        ("LOQUAT_SPEECH__ENABLED", "true"),
        ("LOQUAT_SPEECH__MODE", "continuous"),
        ("LOQUAT_TOOLS__EXPOSE", "[\"one\", \"two\"]"),
        ("LOQUAT_LOG__FILTER", ""),
        ("LOQUAT_TEST_MODELS", "/models"),
    ];
    let overrides = [
        "models.folder=/srv/models",
        "speech.device=\"a = b\"",
        "voice.espeak=never",
    ];
    let settings = Settings::load(&machine.environment(&variables), &options(&overrides)).unwrap();
    let speech = settings.tables.get::<Speech>();
    assert_eq!(settings.desk.persona.as_deref(), Some("42"));
    assert_eq!(speech.enabled, Switch::On);
    assert_eq!(speech.mode, Listening::Continuous);
    assert_eq!(settings.tools.expose, ["one", "two"]);
    assert_eq!(settings.log.filter, "info");
    assert_eq!(settings.folders.models, std::path::PathBuf::from("/srv/models"));
    assert_eq!(speech.device.as_deref(), Some("a = b"));
}

#[test]
fn ours_beats_what_ovos_says() {
    let machine = Machine::new();
    machine.write(
        "etc/mycroft/mycroft.conf",
        r#"{"websocket": {"host": "bus.lan", "port": 8282, "route": "mind"},
            "listener": {"silence_end": 0.9, "recording_timeout": 12},
            "intents": {"persona": {"default_persona": "Alice"}}}"#,
    );
    let settings = machine.settings();
    let speech = settings.tables.get::<Speech>();
    assert_eq!(bus_address(&settings).to_string(), "ws://bus.lan:8282/mind");
    assert_eq!(speech.end_silence(&settings.mycroft.listener).as_millis(), 900);
    assert_eq!(speech.longest_utterance(&settings.mycroft.listener).as_secs(), 12);
    assert_eq!(
        settings.desk.default_persona(&settings.mycroft.persona),
        Some("Alice")
    );

    let ours = [
        "bus.host=::1",
        "bus.route=core",
        "speech.end_silence_ms=500",
        "speech.max_utterance_seconds=7.5",
        "desk.persona=Bob",
    ];
    let settings = Settings::load(&machine.environment(&[]), &options(&ours)).unwrap();
    let speech = settings.tables.get::<Speech>();
    assert_eq!(bus_address(&settings).to_string(), "ws://[::1]:8282/core");
    assert!(bus_address(&settings).is_of_this_machine());
    assert_eq!(speech.end_silence(&settings.mycroft.listener).as_millis(), 500);
    assert_eq!(
        speech.longest_utterance(&settings.mycroft.listener).as_millis(),
        7500
    );
    assert_eq!(
        settings.desk.default_persona(&settings.mycroft.persona),
        Some("Bob")
    );
}

#[test]
fn every_setting_is_listed_with_its_value_and_origin() {
    let machine = Machine::new();
    machine.write("etc/loquat/loquat.toml", "[bus]\nport = 9000\n");
    let entries = machine.settings().entries();
    let shown: Vec<String> = entries
        .iter()
        .filter(|entry| entry.key.starts_with("bus."))
        .map(|entry| {
            let value = entry
                .value
                .as_ref()
                .map_or("absent".to_owned(), ToString::to_string);
            machine.relative(&format!("{} = {value} ({})", entry.key, entry.origin))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "bus.host = absent (built-in default)",
            "bus.port = 9000 (/etc/loquat/loquat.toml:2)",
            "bus.route = absent (built-in default)",
            "bus.embed = \"auto\" (built-in default)",
            "bus.compat = \"both\" (built-in default)",
            "bus.reports = \"result\" (built-in default)",
        ]
    );
}
