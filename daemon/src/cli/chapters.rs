//! The chapters of the book that are made of the code: settings, messages of the bus, commands, and what can be said. Part of no
//! program; the test below holds the files in the repository to what the declarations say.
#![cfg(test)]

mod sayings;

use std::fmt::{self, Write as _};
use std::path::Path;

use clap::CommandFactory;
use loquat_wire::topic;

use super::Arguments;
use crate::settings::tables;

/// The declarations of the topics, whose comments say what each message carries.
const TOPICS: &str = include_str!("../../crates/wire/src/topic/names.rs");

const GENERATED: &str =
    "<!-- Made of the code; `cargo test -p loquat chapters` says when it is not true any more. -->\n";

fn settings() -> Result<String, fmt::Error> {
    let mut text = format!(
        "# Every setting\n\n{GENERATED}
Settings are read in this order, and later ones win: `/etc/loquat/loquat.toml`, `/etc/loquat/loquat.d/*.toml`, \
`~/.config/loquat/loquat.toml`, environment variables such as `LOQUAT_BUS__PORT`, and `--set bus.port=8181`.
Language, units and place are those of `[device]`, else those of OVOS's own `mycroft.conf`, and so is the address of the bus.
A key that does not exist or a value that cannot be is refused with its file, its key and the nearest known one.\n"
    );
    for table in tables() {
        write!(text, "\n## {}\n\n{}\n\n", table.name, flowing(table.doc))?;
        text.push_str("| Key | Default | It must be | What it does |\n| --- | --- | --- | --- |\n");
        for key in table.keys {
            let default = key
                .default
                .as_ref()
                .map_or_else(|| "absent".to_owned(), |value| format!("`{value}`"));
            let row = [
                format!("`{}`", key.name),
                default,
                key.expected(),
                flowing(key.doc),
            ];
            let cells = row.map(|cell| cell.replace('|', "\\|").replace('<', "&lt;"));
            writeln!(text, "| {} |", cells.join(" | "))?;
        }
    }
    Ok(text)
}

fn commands() -> Result<String, fmt::Error> {
    let mut text = format!(
        "# Every command\n\n{GENERATED}
Each prints text for people, and JSON with `--json`. The packages bring these as man pages too, and completions for bash, zsh \
and fish.\n"
    );
    let mut whole = Arguments::command()
        .disable_help_subcommand(true)
        .disable_help_flag(true);
    // Else clap does not know yet how its arguments are written.
    whole.build();
    for command in whole.get_subcommands().filter(|command| !command.is_hide_set()) {
        describe(&mut text, &format!("loquat {}", command.get_name()), command)?;
        for below in command.get_subcommands() {
            describe(
                &mut text,
                &format!("loquat {} {}", command.get_name(), below.get_name()),
                below,
            )?;
        }
    }
    Ok(text)
}

fn describe(text: &mut String, name: &str, command: &clap::Command) -> fmt::Result {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    write!(text, "\n## {name}\n\n{about}.\n")?;
    let own: Vec<_> = command
        .get_arguments()
        .filter(|argument| {
            !argument.is_global_set() && argument.get_id() != "version" && argument.get_id() != "help"
        })
        .collect();
    if !own.is_empty() {
        text.push('\n');
    }
    for argument in own {
        let shown = argument.to_string();
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        writeln!(text, "- `{shown}`: {help}")?;
    }
    if let Some(more) = command.get_after_help() {
        write!(text, "\n```text\n{more}\n```\n")?;
    }
    Ok(())
}

fn messages() -> Result<String, fmt::Error> {
    let mut text = format!(
        "# Every message of the bus\n\n{GENERATED}
What Loquat says and hears on the bus, with what the data of a message hold. A name in the second column is the older one, \
under which peers of earlier generations say and hear the message; Loquat takes both and says what a peer needs.\n"
    );
    let mut said = Vec::new();
    let mut is_open = false;
    for line in TOPICS.lines() {
        if let Some(doc) = line.strip_prefix("/// ") {
            said.push(doc);
        } else if let Some(heading) = line.strip_prefix("// ") {
            is_open = false;
            write!(text, "\n## {}\n\n", heading.trim_end_matches('.'))?;
        } else if let Some(name) = line.strip_prefix("pub const ").and_then(declared) {
            if !is_open {
                text.push_str("| Message | Older name | What it is |\n| --- | --- | --- |\n");
                is_open = true;
            }
            let older = topic::legacy_of(name).map_or_else(String::new, |older| format!("`{older}`"));
            let what = std::mem::take(&mut said).join(" ").replace('|', "\\|");
            writeln!(text, "| `{name}` | {older} | {what} |")?;
        }
    }
    Ok(text)
}

/// Finds the topic that a constant declares.
fn declared(rest: &str) -> Option<&str> {
    rest.split_once("&str = \"")?.1.strip_suffix("\";")
}

fn flowing(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_chapters_made_of_the_code_are_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
    let fresh = std::env::temp_dir().join("loquat-book");
    std::fs::create_dir_all(&fresh).unwrap();
    let skills = Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills");
    let sayings = sayings::LANGUAGES.map(|(tag, language)| {
        let name = format!("say-{}.md", language.to_lowercase());
        (name, sayings::chapter(&skills, tag, language).unwrap())
    });
    let reference = [
        ("settings.md".to_owned(), settings().unwrap()),
        ("commands.md".to_owned(), commands().unwrap()),
        ("messages.md".to_owned(), messages().unwrap()),
    ];
    let mut stale = Vec::new();
    for (name, text) in reference.into_iter().chain(sayings) {
        if std::fs::read_to_string(folder.join(&name)).ok().as_deref() != Some(&text) {
            std::fs::write(fresh.join(&name), text).unwrap();
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "daemon/book/src has stale {stale:?}; the right ones are in {fresh:?}"
    );
}

#[test]
fn every_topic_is_in_the_chapter_of_messages() {
    let text = messages().unwrap();
    for line in TOPICS.lines().filter(|line| line.starts_with("pub const")) {
        if line.contains("&str =") {
            assert!(
                line.ends_with("\";"),
                "{line}: its text stands on another line, where the book misses it"
            );
        }
    }
    for name in [topic::UTTERANCE_HANDLE, topic::LOQUAT_TURN_EVENT, topic::SPEAK] {
        assert!(text.contains(&format!("| `{name}` |")), "{name}");
    }
}
