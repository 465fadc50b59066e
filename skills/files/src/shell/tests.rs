//! What is refused before anything runs. What a command can do when it runs is tested with the confining program.

use std::path::Path;

use loquat_agent::toolbox::{Category, Circumstances, Confirm, Toolbox};
use serde_json::{Map, Value, json};

use super::command::words;
use loquat_kit::Skill;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::settings::refuse_unknown;
use loquat_kit::wording::Wording;

fn toolbox(settings: Value) -> Result<FunctionToolbox, String> {
    let settings: Map<String, Value> = serde_json::from_value(settings).expect("an object");
    let wording = Wording::new(Skill::locales([&super::SKILL]).into());
    let known = refuse_unknown(super::ID, &settings, super::SKILL.settings);
    let made = known.and_then(|()| super::toolbox(&settings, Path::new("/nowhere/loquat-confine"), &wording));
    made.map_err(|error| error.to_string())
}

async fn complaint(settings: Value, arguments: Value) -> String {
    let toolbox = toolbox(settings).expect("a toolbox");
    let arguments = serde_json::from_value(arguments).expect("an object");
    let called = toolbox
        .call("run_command", arguments, &Circumstances::default())
        .await;
    called.expect_err("a complaint").to_string()
}

#[test]
fn a_command_is_words_and_quotes_keep_them_together() {
    for (command, expected) in [
        ("ls -l", vec!["ls", "-l"]),
        ("  grep 'a b' \"c d\"  ", vec!["grep", "a b", "c d"]),
        ("echo 'a;b|c&d>e$f`g*'", vec!["echo", "a;b|c&d>e$f`g*"]),
        ("echo \"a;b|c*d\"", vec!["echo", "a;b|c*d"]),
        (r"echo a\;b\ c\$d", vec!["echo", "a;b c$d"]),
        ("echo a#b a~b {}", vec!["echo", "a#b", "a~b", "{}"]),
    ] {
        assert_eq!(words(command).expect(command), expected, "{command}");
    }
}

#[test]
fn what_only_a_shell_can_do_is_refused_by_its_sign() {
    for (command, sign) in [
        ("ls; touch x", ";"),
        ("ls|sh", "|"),
        ("ls && x", "&"),
        ("sleep 9 &", "&"),
        ("ls > x", ">"),
        ("cat < x", "<"),
        ("echo $(id)", "$"),
        ("echo \"$(id)\"", "$"),
        ("echo `id`", "`"),
        ("echo \"`id`\"", "`"),
        ("echo $HOME", "$"),
        ("ls\nid", "\\n"),
        ("ls\rid", "\\r"),
        ("ls \\\nid", "\\n"),
        ("ls *.txt", "*"),
        ("ls ?", "?"),
        ("ls [a]", "["),
        ("(ls)", "("),
        ("ls ~", "~"),
        ("ls ~root", "~"),
        ("ls # x", "#"),
        ("!ls", "!"),
        ("ls\0x", "\\0"),
        ("ls '' ; id", ";"),
        ("ls 'a'\"b\";id", ";"),
        (r"ls \\;id", ";"),
        (r#"ls "\";id""#, "none"),
        ("ls 'a\\' ; id", ";"),
        ("ls 2>&1", ">"),
        ("ls {a,b}>x", ">"),
        ("<(ls)", "<"),
        ("a=$'x'", "$"),
    ] {
        match words(command) {
            Err(error) => assert!(
                error.to_string().contains(&format!("'{sign}' needs a shell")),
                "{command}: {error}"
            ),
            Ok(words) => assert_eq!((sign, words.len()), ("none", 2), "{command}"),
        }
    }
    for command in ["", "   ", "ls 'a", "ls \"a", "ls \\"] {
        assert!(words(command).is_err(), "{command}");
    }
    assert!(words(&"a ".repeat(300)).is_err() && words(&"a".repeat(5000)).is_err());
}

#[tokio::test]
async fn it_is_off_until_a_persona_allows_it() {
    let told = complaint(json!({}), json!({"command": "ls"})).await;
    assert!(
        told.starts_with("PermissionError: commands are not allowed here"),
        "{told}"
    );
}

#[tokio::test]
async fn only_whole_words_of_what_is_allowed_count() {
    let settings = json!({"allow_shell": true, "allowed_commands": ["ls", "git status", "echo 'a b'"]});
    for command in [
        "lsof",
        "ls2",
        "l",
        "LS",
        "git",
        "git statusx",
        "git push",
        "git 'status x'",
        "'ls -l'",
        "'ls;id'",
        "gitstatus",
        "echo a b",
        "env ls",
        "sh -c ls",
        "'' ls",
        "cat",
        "'ls\n'",
        "git  --exec status",
    ] {
        let told = complaint(settings.clone(), json!({"command": command})).await;
        let is_refused = told.contains("is not allowed; allowed are ls, git status, echo a b")
            || told.contains("is no name of a program");
        assert!(is_refused, "{command}: {told}");
    }
    for command in ["ls", "ls -l", "echo 'a b'", "echo \"a b\" c"] {
        let told = complaint(settings.clone(), json!({"command": command})).await;
        assert!(
            told.contains("/nowhere/loquat-confine, which confines commands"),
            "{command}: {told}"
        );
    }
}

#[tokio::test]
async fn programs_are_names_in_the_system_s_folders() {
    let settings = json!({"allow_shell": true});
    for command in [
        "/bin/ls",
        "./ls",
        "../bin/sh",
        "..",
        ".",
        "bin/ls",
        "usr/bin/../bin/ls",
        "\\./ls",
        "'' x",
    ] {
        let told = complaint(settings.clone(), json!({"command": command})).await;
        assert!(told.contains("is no name of a program"), "{command}: {told}");
    }
    for command in [
        "no-such-program",
        "PATH=. ls",
        "LD_PRELOAD=x.so ls",
        "cd",
        "\u{2044}bin\u{2044}sh",
        "-c",
    ] {
        let told = complaint(settings.clone(), json!({"command": command})).await;
        assert!(told.contains("there is no program"), "{command}: {told}");
    }
}

#[tokio::test]
async fn a_time_that_is_none_is_refused() {
    for timeout in [0.0, -1.0, 0.5] {
        let told = complaint(
            json!({"allow_shell": true}),
            json!({"command": "ls", "timeout": timeout}),
        )
        .await;
        assert!(told.contains("timeout: write seconds from 1 to 120"), "{told}");
    }
}

#[test]
fn settings_that_cannot_be_are_refused() {
    for (settings, told) in [
        (json!({"allow_shell": "yes"}), "allow_shell: invalid type"),
        (
            json!({"allowed_commands": "ls"}),
            "allowed_commands: invalid type",
        ),
        (
            json!({"allowed_commands": ["ls; id"]}),
            "allowed_commands: 'ls; id'",
        ),
        (json!({"allowed_commands": [""]}), "allowed_commands: ''"),
        (json!({"max_timeout": 0}), "max_timeout: write seconds"),
        (json!({"max_timeout": 99999}), "max_timeout: write seconds"),
        (json!({"root_path": "here"}), "root_path: this is no whole path"),
        (json!({"shell": "bash"}), "unknown setting 'shell'"),
    ] {
        let refused = toolbox(settings).expect_err("no settings");
        assert!(refused.contains(told), "{refused}");
    }
}

#[test]
fn the_person_is_asked_before_each_call() {
    let tools = toolbox(json!({"allow_shell": true})).expect("a toolbox").tools();
    let run = tools.first().expect("a tool");
    assert_eq!((run.category, run.confirm), (Category::Dangerous, Confirm::Ask));
    assert!(!run.read_only && !run.idempotent && run.brings_foreign_text);
    assert_eq!(run.timeout.as_secs(), 125);
}
