//! What the compiler does not see: floors, the size of files, and how they begin.
#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

/// A file past this is split by noun.
const LONGEST_FILE: usize = 800;

/// Names under which everything and nothing gathers.
const NOBODYS_NAMES: [&str; 6] = ["utils", "util", "helpers", "common", "manager", "misc"];

/// Packages by floor; a package imports lower floors only (DESIGN §2).
const FLOORS: [(&str, u8); 13] = [
    ("daemon/crates/wire", 0),
    ("daemon/crates/agent", 0),
    ("daemon/crates/bus", 1),
    ("daemon/crates/brain", 1),
    ("daemon/crates/local-brain", 1),
    ("daemon/crates/models", 1),
    ("daemon/crates/speech", 1),
    ("skills", 1),
    ("daemon/crates/orchestrator", 2),
    ("daemon", 3),
    ("tests", 4),
    ("tests/fuzz", 4),
    ("tests/benchmarks", 5),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below these folders with this extension.
fn files(extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["daemon", "skills", "tests"] {
        gather(&root().join(folder), extension, &mut found);
    }
    assert!(
        !found.is_empty(),
        "no .{extension} files below {}",
        root().display()
    );
    found
}

fn gather(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, extension, found);
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
}

fn complaints(judge: impl Fn(&Path, &str) -> Option<String>) -> Vec<String> {
    let judged = files("rs").into_iter().filter_map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        judge(&path, &text).map(|what| format!("{}: {what}", path.display()))
    });
    judged.collect()
}

#[test]
fn every_file_says_first_what_it_is_for() {
    let found =
        complaints(|_, text| (!text.starts_with("//! ")).then(|| "does not begin with `//! `".into()));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_is_longer_than_anybody_reads() {
    let found = complaints(|_, text| {
        let lines = text.lines().count();
        (lines > LONGEST_FILE).then(|| format!("{lines} lines; split it by noun"))
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_has_nobody_s_name() {
    let found = complaints(|path, _| {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        NOBODYS_NAMES
            .contains(&name.as_str())
            .then(|| "is named after nothing".into())
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_is_left_for_later_in_a_comment() {
    // Put together here, so that this file does not complain of itself.
    let marks = [["TO", "DO:"], ["TO", "DO("], ["FIX", "ME"], ["XX", "X:"]].map(|halves| halves.concat());
    let found = complaints(|_, text| {
        let is_mark =
            |line: &str| line.contains("//") && marks.iter().any(|mark| line.contains(mark.as_str()));
        let number = text.lines().position(is_mark)?;
        Some(format!(
            "line {}: an issue is the place for what is left to do",
            number + 1
        ))
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn packages_import_lower_floors_only() {
    let package = |folder: &str| match folder.rsplit('/').next().unwrap() {
        "daemon" => "loquat".to_owned(),
        name => format!("loquat-{name}"),
    };
    for (folder, floor) in FLOORS {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap();
        for (other, other_floor) in FLOORS {
            let name = package(other);
            let imports = dependencies.lines().any(|line| {
                line.strip_prefix(&name)
                    .is_some_and(|rest| rest.starts_with([' ', '.', '=']))
            });
            assert!(
                !imports || other_floor < floor,
                "{} must not import {name}",
                package(folder)
            );
        }
    }
}
