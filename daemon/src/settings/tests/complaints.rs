//! One sentence for each kind of mistake, with the place and the mend.

use super::{Machine, options};
use crate::settings::{LoadOptions, Settings, bus_address};

/// Files with a mistake, and what is said of it.
fn complained_of(cases: &[(&str, &str)]) {
    let machine = Machine::new();
    for (text, expected) in cases {
        machine.write("etc/loquat/loquat.toml", text);
        let expected = format!("/etc/loquat/loquat.toml:{expected}");
        assert_eq!(machine.complaints(&[], &[]), [expected], "{text}");
    }
}

#[test]
fn a_mistake_within_a_table_of_a_table_is_told_with_its_own_key() {
    complained_of(&[
        (
            "[mcp.servers.a]\ncommand = 7",
            "1: mcp.servers.a.command: invalid type: integer `7`, expected a string",
        ),
        (
            "[mcp.servers.a]\ncommand = \"x\"\ntools = { look = \"none\" }",
            "1: mcp.servers.a.tools.look: unknown variant `none`, expected one of `read`, `change`, `ask`, `pin`",
        ),
        (
            "[mcp.servers.a]\nargs = []",
            "1: mcp.servers: a: write command, a program, or url, an address",
        ),
        (
            "[mcp.servers.a]\ncommand = \"x\"\nurl = \"https://x\"",
            "1: mcp.servers: a: write command or url, and not both",
        ),
        (
            "[mcp]\nservers = 7",
            "2: mcp.servers must be a table for each server, as in [mcp.servers.time], not 7",
        ),
    ]);
}

#[test]
fn a_mistake_about_a_wake_word_names_the_word() {
    complained_of(&[
        (
            "[speech.wake_words.alexa]\neffect = \"dance\"",
            "1: speech.wake_words.alexa.effect: unknown variant `dance`, expected one of `listen`, `stop`, `wake`",
        ),
        (
            "[speech.wake_words.alexa]\ncutof = 0.5",
            "1: speech.wake_words.alexa.cutof: unknown field `cutof`, expected one of `model`, `effect`, `persona`, `cutoff`, `sound`",
        ),
        (
            "[speech.wake_words.alexa]\ncutoff = 95",
            "1: speech.wake_words: alexa: cutoff must be a number from 0.05 to 1",
        ),
        (
            "[speech.wake_words.alexa]\npersona = \"Scout\"\neffect = \"stop\"",
            "1: speech.wake_words: alexa: a persona is for a word with the effect \"listen\"",
        ),
        (
            "[speech.wake_words.\"hey you\"]",
            "1: speech.wake_words: hey you: a name has up to 48 letters, digits, _ and -",
        ),
        (
            "[speech.wake_words.alexa]\nmodel = \" \"",
            "1: speech.wake_words: alexa: model, persona and sound must not be empty",
        ),
        (
            "[speech]\nwake_words = [\"alexa\"]",
            "2: speech.wake_words must be a table for each word, as in [speech.wake_words.hey_jarvis], not [\"alexa\"]",
        ),
    ]);
}

#[test]
fn a_mistake_in_a_file_is_one_sentence() {
    let cases: &[(&str, &str)] = &[
        (
            "[bus]\nprot = 1",
            "2: bus.prot is no setting; did you mean bus.port?",
        ),
        (
            "[bus]\nwire_colour = 1",
            "2: bus.wire_colour is no setting; [bus] knows host, port, route, embed, compat and reports",
        ),
        (
            "[desk]\nport = 1",
            "2: desk.port is no setting; did you mean bus.port?",
        ),
        ("[dsek]\nmode = 1", "1: [dsek] is no table; did you mean [desk]?"),
        (
            "\n[kitchen]",
            "2: [kitchen] is no table; the tables are [device], [bus], [desk], [speech], [voice], [rest], [local_brain], [models], [keys], [skills], [sentences], [memory], [network], [weather], [web], [home_assistant], [players], [notifications], [mcp], [services], [tools], [wyoming], [hive], [journal], [log], [budget], [dbus], [page], [terminal], [telemetry] and [workers]",
        ),
        ("port = 1", "1: port is no setting; did you mean bus.port?"),
        ("bus = 1", "1: bus must be a table; begin a line with [bus]"),
        (
            "[bus]\nport = \"eight\"",
            "2: bus.port must be a whole number from 1 to 65535, not \"eight\"",
        ),
        (
            "[bus]\n\nport = 0",
            "3: bus.port must be a whole number from 1 to 65535, not 0",
        ),
        (
            "[bus]\nport = 8181.5",
            "2: bus.port must be a whole number from 1 to 65535, not 8181.5",
        ),
        (
            "[desk]\ncore_probe_seconds = nan",
            "2: desk.core_probe_seconds must be a number from 0.1 to 60, not nan",
        ),
        (
            "[desk]\npersona = \"\"",
            "2: desk.persona must not be empty; leave it out for the default",
        ),
        ("[desk]\npersona = 7", "2: desk.persona must be a text, not 7"),
        (
            "[desk]\nmode = \"solot\"",
            "2: desk.mode must be one of \"auto\", \"solo\" and \"guest\", not \"solot\"",
        ),
        (
            "[speech]\nenabled = \"yes\"",
            "2: speech.enabled must be true, false or \"auto\", not \"yes\"",
        ),
        (
            "[speech]\nenabled = 1",
            "2: speech.enabled must be true, false or \"auto\", not 1",
        ),
        (
            "[tools]\nexpose = [\"a\", 2]",
            "2: tools.expose must be a list of texts, not [\"a\", 2]",
        ),
        ("[models]\nfolder = 2", "2: models.folder must be a path, not 2"),
        (
            "[budget]\nmax_iterations = 0",
            "2: budget.max_iterations must be a whole number from 1 to 100, not 0",
        ),
        (
            "[budget]\nmax_itertions = 4",
            "2: budget.max_itertions is no setting; did you mean budget.max_iterations?",
        ),
        (
            "[bus]\nport = \n",
            "2:8: not valid TOML: string values must be quoted, expected literal string",
        ),
        (
            "[bus\nport = 1\n",
            "1:5: not valid TOML: unclosed table, expected `]`",
        ),
        (
            "[bus]\nport = 1\nport = 2\n",
            "3:1: not valid TOML: duplicate key",
        ),
    ];
    complained_of(cases);
}

#[test]
fn a_file_that_is_no_text_is_one_sentence() {
    let machine = Machine::new();
    let large = "# filler\n".repeat(200_000);
    let cases: [(&[u8], &str); 2] = [
        (b"[bus]\nhost = \"\xff\"", "not UTF-8 text"),
        (large.as_bytes(), "larger than 1024 KiB"),
    ];
    for (content, expected) in cases {
        machine.write("etc/loquat/loquat.toml", content);
        let expected = format!("/etc/loquat/loquat.toml: {expected}");
        assert_eq!(machine.complaints(&[], &[]), [expected]);
    }
    std::fs::remove_file(machine.path("etc/loquat/loquat.toml")).unwrap();
    std::fs::create_dir(machine.path("etc/loquat/loquat.toml")).unwrap();
    assert_eq!(
        machine.complaints(&[], &[]),
        ["/etc/loquat/loquat.toml: cannot be read: Is a directory (os error 21)"]
    );
}

#[test]
fn a_mistake_in_a_variable_or_flag_is_one_sentence() {
    let machine = Machine::new();
    let variables = [
        ("LOQUAT_BUS_PORT", "1"),
        ("LOQUAT_COLOUR", "red"),
        ("LOQUAT_BUS__PORT", "eight"),
    ];
    assert_eq!(
        machine.complaints(&variables, &[]),
        [
            "environment variable LOQUAT_BUS_PORT: no such setting; did you mean LOQUAT_BUS__PORT?",
            "environment variable LOQUAT_COLOUR: no such setting; settings are named LOQUAT_TABLE__KEY, for example \
             LOQUAT_BUS__PORT",
            "environment variable LOQUAT_BUS__PORT: bus.port must be a whole number from 1 to 65535, not \"eight\"",
        ]
    );
    assert_eq!(
        machine.complaints(&[], &["port", "bus.prt=1", "buss.port=1", "bus.port=-1"]),
        [
            "--set port: must look like table.key=value, for example bus.port=8181",
            "--set bus.prt=1: bus.prt is no setting; did you mean bus.port?",
            "--set buss.port=1: buss.port is no setting; did you mean bus.port?",
            "--set bus.port=-1: bus.port must be a whole number from 1 to 65535, not -1",
        ]
    );
}

#[test]
fn a_named_file_that_is_not_there_is_one_sentence() {
    let machine = Machine::new();
    let named = LoadOptions {
        config_file: Some(machine.path("gone.toml")),
        overrides: Vec::new(),
    };
    let complaints = Settings::load(&machine.environment(&[]), &named).unwrap_err();
    assert_eq!(
        machine.relative(&complaints.to_string()),
        "/gone.toml: no such file; it was named as the settings file"
    );
}

#[test]
fn all_mistakes_of_all_layers_are_told_at_once() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[bus]\nprot = 1\nport = 70000\n[log]\nformat = \"xml\"\n",
    );
    machine.write("home/.config/loquat/loquat.toml", "[desk]\nmode = 3\nmdoe = 4\n");
    machine.write("etc/mycroft/mycroft.conf", "{\"lang\": 5}");
    let environment = machine.environment(&[("LOQUAT_VOICE__ESPEAK", "loud")]);
    let complaints = Settings::load(&environment, &options(&["budget.deadline_seconds=soon"])).unwrap_err();
    let text = machine.relative(&complaints.to_string());
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "--set budget.deadline_seconds=soon: budget.deadline_seconds must be a whole number from 1 to 86400, not \
             \"soon\"",
            "/etc/loquat/loquat.toml:2: bus.prot is no setting; did you mean bus.port?",
            "/etc/loquat/loquat.toml:3: bus.port must be a whole number from 1 to 65535, not 70000",
            "/etc/loquat/loquat.toml:5: log.format must be one of \"auto\", \"text\" and \"json\", not \"xml\"",
            "/etc/mycroft/mycroft.conf: lang must be a text, not 5; the default is used",
            "/home/.config/loquat/loquat.toml:2: desk.mode must be one of \"auto\", \"solo\" and \"guest\", not 3",
            "/home/.config/loquat/loquat.toml:3: desk.mdoe is no setting; did you mean desk.mode?",
            "environment variable LOQUAT_VOICE__ESPEAK: voice.espeak must be one of \"auto\" and \"never\", not \
             \"loud\"",
        ]
    );
}

#[test]
fn what_cannot_speak_is_told_with_its_key() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[voice]\ncommand = \"piper\"\nsample_rate = 900\nurl = \"localhost:5000\"\npiper = \"always\"\n",
    );
    let complaints = Settings::load(&machine.environment(&[]), &LoadOptions::default()).unwrap_err();
    let text = machine.relative(&complaints.to_string());
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "/etc/loquat/loquat.toml:2: voice.command must be a list of texts, not \"piper\"",
            "/etc/loquat/loquat.toml:3: voice.sample_rate must be a whole number from 8000 to 48000, not 900",
            "/etc/loquat/loquat.toml:4: voice.url must be an address with http:// or https://, as in \
             \"http://127.0.0.1:5000/\", not \"localhost:5000\"",
            "/etc/loquat/loquat.toml:5: voice.piper must be one of \"auto\" and \"never\", not \"always\"",
        ]
    );
}

#[test]
fn a_bad_value_gives_way_to_the_next_weaker_one() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[bus]\nport = 9000\nroute = \"/mind\"\n",
    );
    machine.write("home/.config/loquat/loquat.toml", "[bus]\nport = \"x\"\n");
    let (settings, complaints) = Settings::load_leniently(
        &machine.environment(&[("LOQUAT_BUS__PORT", "0")]),
        &LoadOptions::default(),
    );
    assert_eq!(bus_address(&settings).to_string(), "ws://127.0.0.1:9000/mind");
    assert_eq!(
        machine.relative(&settings.origin_of("bus.port").to_string()),
        "/etc/loquat/loquat.toml:2"
    );
    assert_eq!(complaints.0.len(), 2);
}

#[test]
fn a_long_value_is_shown_shortened() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        format!("[bus]\nport = \"{}\"", "9".repeat(99)),
    );
    assert_eq!(
        machine.complaints(&[], &[]),
        [format!(
            "/etc/loquat/loquat.toml:2: bus.port must be a whole number from 1 to 65535, not \"{}…",
            "9".repeat(39)
        )]
    );
}

#[test]
fn what_ovos_wrote_wrong_never_refuses_the_settings() {
    let machine = Machine::new();
    machine.write("etc/mycroft/mycroft.conf", "{\"lang\": ");
    let settings = machine.settings();
    assert_eq!(settings.mycroft.lang, "en-US");
    assert_eq!(
        machine.sentences(&settings.warnings),
        [
            "/etc/mycroft/mycroft.conf:1:9: not valid JSON: EOF while parsing a value; OVOS leaves such a file out, \
             and so do we"
        ]
    );
}

/// A file that was cut off at any place is read or complained of, and nothing worse.
#[test]
fn a_file_that_was_cut_off_anywhere_does_no_harm() {
    let machine = Machine::new();
    let toml =
        "[bus]\nhost = \"bus.lan\"\nport = 9000\n[tools]\nexpose = [\"a\", \"b\"]\n[budget]\nmax_tokens = 12";
    let conf = "{\"lang\": \"de-DE\", \"websocket\": {\"port\": 9000, \"ssl\": true}, // no comment\n\"secondary_langs\": []}";
    for end in 0..=toml.len().max(conf.len()) {
        machine.write("etc/loquat/loquat.toml", &toml[..end.min(toml.len())]);
        machine.write("etc/mycroft/mycroft.conf", &conf[..end.min(conf.len())]);
        for sentence in machine.complaints(&[], &[]) {
            assert!(sentence.starts_with("/etc/"), "{sentence}");
        }
    }
}
