//! `AGENTS.md` as instructions: which files, in which order, within which bounds, and what is said of the others.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::{Shelf, read};

const ID: &str = "ovos-agents-md-context-plugin";

fn file(settings: &Value) -> String {
    let file = json!({
        "name": "A",
        "handlers": ["loquat-local-brain"],
        "system_prompt": "Be brief.",
        "memory_module": ID,
        ID: settings,
    });
    file.to_string()
}

/// The instructions of the one persona, and what was said.
fn loaded(shelf: &Shelf, settings: &Value) -> (String, Vec<String>) {
    shelf.write("person/file.json", file(settings));
    let (personas, complaints) = shelf.load();
    let prompt = personas
        .iter()
        .next()
        .map(|persona| persona.handlers[0].system_prompt.clone());
    (prompt.unwrap_or_default(), complaints)
}

#[test]
fn the_nearest_file_comes_first_and_wins() {
    let shelf = Shelf::new();
    shelf.write("person/AGENTS.md", "# House\nThe cat is Tom.\n");
    shelf.write(".config/loquat/AGENTS.md", "# house\nNo cat.\n# Rooms\nThree.\n");
    let further = shelf
        .write("further/AGENTS.md", "# Garden\nGreen.\n")
        .display()
        .to_string();
    let (prompt, complaints) = loaded(&shelf, &json!({}));
    assert_eq!(
        prompt,
        "Be brief.\n\n## House\nThe cat is Tom.\n\n## Rooms\nThree."
    );
    assert!(complaints.is_empty(), "{complaints:?}");
    let settings = json!({
        "agents_md_sources": [further, "auto", "AGENTS.md"],
        "include_sections": ["GARD", "room"],
        "system_prompt_prefix": "Of this house:",
    });
    let (prompt, complaints) = loaded(&shelf, &settings);
    assert_eq!(
        prompt,
        "Be brief.\n\nOf this house:\n\n## Garden\nGreen.\n\n## Rooms\nThree."
    );
    assert!(complaints.is_empty(), "{complaints:?}");
}

#[test]
fn what_cannot_be_used_is_named_and_left_out() {
    let shelf = Shelf::new();
    shelf.write("person/AGENTS.md", "x".repeat(70_000));
    shelf.write(".config/loquat/AGENTS.md", [0xff_u8]);
    let (prompt, complaints) = loaded(
        &shelf,
        &json!({"agents_md_sources": ["auto", "/nowhere/AGENTS.md"]}),
    );
    assert_eq!(prompt, "Be brief.");
    for (complaint, part) in complaints.iter().zip([
        "/person/AGENTS.md is not used: it is longer than 64 KiB",
        "/.config/loquat/AGENTS.md is not used: it is no text in UTF-8",
        "/nowhere/AGENTS.md is not used: it cannot be read",
        "no section of an AGENTS.md is used",
    ]) {
        assert!(complaint.contains(part), "{complaint}");
    }
    assert_eq!(complaints.len(), 4, "{complaints:?}");
}

#[test]
fn a_pipe_is_not_waited_for() {
    let shelf = Shelf::new();
    let folder = shelf.write("person/keep.txt", "").parent().unwrap().to_owned();
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("AGENTS.md"), rustix::fs::Mode::RUSR).unwrap();
    symlink("/dev/zero", folder.join("zero")).unwrap();
    let (_, complaints) = loaded(&shelf, &json!({}));
    assert!(complaints[0].contains("no regular file"), "{complaints:?}");
}

#[test]
fn so_many_tokens_reach_the_brain_and_no_more() {
    let shelf = Shelf::new();
    shelf.write(
        "person/AGENTS.md",
        format!("# One\nshort\n# Two\n{}\n# Three\nshort\n", "long ".repeat(2_000)),
    );
    let (prompt, complaints) = loaded(&shelf, &json!({}));
    assert_eq!(prompt, "Be brief.\n\n## One\nshort");
    assert!(
        complaints[0].contains("2 of 3 sections are left out"),
        "{complaints:?}"
    );
    let (prompt, complaints) = loaded(&shelf, &json!({"max_tokens": 5_000}));
    assert!(
        prompt.ends_with("## Three\nshort") && complaints.is_empty(),
        "{complaints:?}"
    );
}

#[test]
fn its_settings_are_told_of_when_they_are_wrong_and_lead_nowhere_else() {
    for (settings, complaint, is_left_out) in [
        (json!({"sources": []}), "sources is not used here", false),
        (
            json!({"max_tokens": 0}),
            "max_tokens must be a whole number",
            false,
        ),
        (
            json!({"agents_md_sources": "auto"}),
            "agents_md_sources must be a list of texts",
            false,
        ),
        (json!(7), "must be an object", false),
        (
            json!({"agents_md_sources": ["~/.ssh/id_ed25519"]}),
            "no other file is read",
            true,
        ),
    ] {
        let file = serde_json::from_str(&file(&settings)).unwrap();
        let (persona, complaints) = read(&file);
        assert_eq!(persona.is_none(), is_left_out, "{settings}");
        assert!(
            complaints.iter().any(|one| one.contains(complaint)),
            "{complaints:?}"
        );
    }
}
