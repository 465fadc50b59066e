//! What the compiler does not see: floors of packages and modules, names and sizes of files, and words of comments.
#![cfg(test)]

#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/prose.rs"]
mod prose;
#[path = "tidy/questions.rs"]
mod questions;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file past this is split by noun.
const LONGEST_FILE: usize = 800;

/// Names under which everything and nothing gathers.
const EMPTY_NAMES: [&str; 6] = ["utils", "util", "helpers", "common", "manager", "misc"];

/// Packages by floor; a package imports lower floors only (DESIGN §2).
const FLOORS: [(&str, u8); 43] = [
    ("daemon/crates/disk", 0),
    ("daemon/crates/failure", 0),
    ("daemon/crates/wire", 0),
    ("daemon/crates/decoder", 0),
    ("daemon/crates/kernels", 0),
    ("daemon/crates/sandbox", 0),
    ("daemon/crates/sentences", 0),
    ("daemon/crates/tls", 0),
    ("daemon/crates/conversation", 1),
    ("daemon/crates/bus", 1),
    ("daemon/crates/connections", 1),
    ("daemon/crates/hive", 1),
    ("daemon/crates/local-brain", 1),
    ("daemon/crates/models", 1),
    ("daemon/crates/settings", 1),
    ("daemon/crates/speech", 1),
    ("daemon/crates/agent", 2),
    ("daemon/crates/brain", 2),
    ("daemon/crates/workers", 3),
    ("daemon/crates/orchestrator", 3),
    ("skills/kit", 3),
    ("daemon/crates/state", 4),
    ("daemon/crates/phrases", 4),
    ("daemon/crates/transcription", 4),
    ("skills/device", 4),
    ("skills/everyday", 4),
    ("skills/files", 4),
    ("skills/home", 4),
    ("skills/household", 4),
    ("skills/math", 4),
    ("skills/mcp", 4),
    ("skills/notes", 4),
    ("skills/online", 4),
    ("skills/time", 4),
    ("skills/trial", 4),
    ("skills", 5),
    ("daemon/crates/persona", 6),
    ("daemon/crates/part", 7),
    ("daemon/crates/mind", 8),
    ("daemon", 10),
    ("tests", 11),
    ("tests/fuzz", 11),
    ("tests/benchmarks", 12),
];

/// The folder of the parts of the daemon, which share a floor.
const PARTS: (&str, u8) = ("daemon/parts", 9);

/// Modules of a crate by floor, the lowest first; a module names those of its own floor and of lower ones only. Modules that
/// no floor has may be named by all.
const MODULES: [(&str, &[&[&str]]); 6] = [
    (
        "daemon/src",
        &[
            &["parts"],
            &["core_files", "seat", "settings"],
            &["models_in_use"],
            &["preferences"],
            &["app"],
            &["cli"],
        ],
    ),
    (
        "daemon/crates/mind/src",
        &[
            &["deed", "device", "models", "reply", "settings", "skill_files"],
            &[
                "background",
                "home_assistant",
                "mcp_servers",
                "sentence_pack",
                "tools",
            ],
            &["spoken_tools"],
            &["mind"],
            &["expected_speech"],
        ],
    ),
    (
        "daemon/parts/desk/src",
        &[
            &["settings", "spoken"],
            &["desk"],
            &["disk_alarm", "rest", "ringer"],
        ],
    ),
    (
        "daemon/parts/hearing/src",
        &[
            &["attention", "ear", "settings", "whisper_speed"],
            &["giving_way", "holding_awake", "wake_word"],
            &["models"],
            &["opening"],
            &["listen"],
            &["check"],
        ],
    ),
    (
        "daemon/crates/conversation/src",
        &[
            &[
                "brain",
                "breaker",
                "call_graph",
                "consent",
                "intended",
                "pieces",
                "schema",
                "setting",
                "speaker",
            ],
            &["record", "tokens"],
            &["event", "result", "stop"],
            &["toolbox"],
            &["budget", "origin", "prepared", "question"],
            &["turn_cache"],
            &["catalogue", "means"],
            &["dialect"],
            &["conversation"],
            &["reflection"],
        ],
    ),
    (
        "daemon/crates/agent/src",
        &[
            &["figure"],
            &["gate"],
            &["hands"],
            &["turn"],
            &["engine"],
            &["journal"],
        ],
    ),
];

/// A doc comment that begins so has no subject of its own.
const EMPTY_BEGINNINGS: [&str; 6] = ["The same", "Nobody", "Whoever", "Somebody", "As [`", "Like "];

/// Words that hide who or what is meant.
const RIDDLES: [&str; 4] = ["whoever", "nobody", "somebody", "the same with"];

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

/// The questions that are asked of real models while rules are looked for.
const DEVELOPMENT_QUESTIONS: [&str; 2] = [
    "tests/benchmarks/src/exam/tasks.rs",
    "tests/benchmarks/src/answers/requests.rs",
];

/// What judges, words or reads what a model is told and says.
const RULES: [&str; 5] = [
    "daemon/crates/agent",
    "daemon/crates/conversation",
    "daemon/crates/decoder",
    "daemon/crates/mind",
    "skills/math",
];

#[test]
fn no_rule_is_tried_with_a_question_that_models_are_asked() {
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let questions: BTreeSet<_> = DEVELOPMENT_QUESTIONS
        .iter()
        .flat_map(|path| questions::sentences(&read(root().join(path))))
        .collect();
    assert!(questions.len() > 50, "the questions were not found");
    let mut rules = Vec::new();
    for folder in RULES {
        gather(&root().join(folder), "rs", &mut rules);
    }
    let copied = rules.into_iter().flat_map(|path| {
        let own = questions::sentences(&read(path.clone()));
        own.intersection(&questions)
            .map(|question| format!("{}: {}", path.display(), question.join(" ")))
            .collect::<Vec<_>>()
    });
    let copied: Vec<String> = copied.collect();
    assert!(copied.is_empty(), "{}", copied.join("\n"));
}

#[test]
fn every_file_says_first_what_it_is_for() {
    let found =
        complaints(|_, text| (!text.starts_with("//! ")).then(|| "does not begin with `//! `".into()));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_is_too_long_for_one_noun() {
    let found = complaints(|_, text| {
        let lines = text.lines().count();
        (lines > LONGEST_FILE).then(|| format!("{lines} lines; split it by noun"))
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_file_is_named_after_a_noun() {
    let found = complaints(|path, _| {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        EMPTY_NAMES
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

/// All packages by floor.
fn floors() -> Vec<(String, u8)> {
    let (folder, floor) = PARTS;
    let parts = fs::read_dir(root().join(folder)).unwrap().map(|part| {
        let name = part.unwrap().file_name();
        (format!("{folder}/{}", name.to_string_lossy()), floor)
    });
    let others = FLOORS
        .iter()
        .map(|(folder, floor)| ((*folder).to_owned(), *floor));
    others.chain(parts).collect()
}

#[test]
fn packages_import_lower_floors_only() {
    let package = |folder: &str| {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
        name.unwrap().trim_matches('"').to_owned()
    };
    for (folder, floor) in floors() {
        let manifest = fs::read_to_string(root().join(&folder).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap();
        for (other, other_floor) in floors() {
            let name = package(&other);
            let imports = dependencies.lines().any(|line| {
                line.strip_prefix(&name)
                    .is_some_and(|rest| rest.starts_with([' ', '.', '=']))
            });
            assert!(
                !imports || other_floor < floor,
                "{} must not import {name}",
                package(&folder)
            );
        }
    }
}

/// A crate with other features is another crate: what `make run` has built, `make test` would build once more.
#[test]
fn make_run_and_make_test_build_the_same_crates() {
    let run = crates("PROGRAMS", "normal,build");
    let test = crates("TESTED", "normal,build,dev");
    assert!(run.len() > 300, "{run:?}");
    let other: Vec<&String> = run.difference(&test).collect();
    assert!(
        other.is_empty(),
        "built with other features by make test: {other:#?}"
    );
}

/// The crates that a selection of packages in the Makefile needs, each with its features.
fn crates(selection: &str, edges: &str) -> BTreeSet<String> {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let packages = makefile
        .lines()
        .find_map(|line| line.strip_prefix(selection)?.strip_prefix(" := "))
        .unwrap();
    let told = Command::new(env!("CARGO"))
        .current_dir(root())
        .args([
            "tree",
            "--locked",
            "--offline",
            "--prefix",
            "none",
            "--format",
            "{p} {f}",
        ])
        .args(["--edges", edges])
        .args(packages.split(' '))
        .output()
        .unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told = String::from_utf8(told.stdout).unwrap();
    let lines = told.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
    lines.collect()
}

#[test]
fn every_package_has_a_floor() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, members) = workspace.split_once("members = [").unwrap();
    let members = members.split(']').next().unwrap().split('"').skip(1).step_by(2);
    let parts = format!("{}/*", PARTS.0);
    let has_floor = |member: &&str| *member == parts || FLOORS.iter().any(|(folder, _)| folder == member);
    let missing: Vec<&str> = members.filter(|member| !has_floor(member)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn modules_name_lower_floors_only() {
    for (folder, floors) in MODULES {
        let base = root().join(folder);
        let found = complaints(|path, text| {
            let own = path
                .strip_prefix(&base)
                .ok()?
                .iter()
                .next()?
                .to_string_lossy()
                .into_owned();
            let floor = floor_of(floors, own.trim_end_matches(".rs"))?;
            let mut names = text.lines().flat_map(named_modules);
            let above = names.find(|name| floor_of(floors, name) > Some(floor))?;
            Some(format!("names `crate::{above}`, which is above"))
        });
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn top_modules_name_each_other_in_no_circle() {
    let found: Vec<String> = floors()
        .into_iter()
        .filter(|(folder, _)| !folder.starts_with("tests"))
        .flat_map(|(folder, _)| {
            let circles = circles::circles(&sources(&folder));
            circles
                .into_iter()
                .map(move |circle| format!("{folder}: {circle:?}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The files of a crate that are no tests, by their paths below its `src`.
fn sources(folder: &str) -> circles::Files {
    let base = root().join(folder).join("src");
    let mut found = Vec::new();
    gather(&base, "rs", &mut found);
    let below = |path: PathBuf| {
        let name = path.strip_prefix(&base).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    };
    let all: circles::Files = found.into_iter().map(below).collect();
    let tests: Vec<String> = all
        .iter()
        .flat_map(|(file, text)| test_modules(file, text))
        .collect();
    let has_library = all.contains_key("lib.rs");
    let is_test = |file: &str| {
        tests
            .iter()
            .any(|test| file == format!("{test}.rs") || file.starts_with(&format!("{test}/")))
    };
    // A program beside a library is a crate of its own, which the library cannot name.
    let is_program = |file: &str| file.starts_with("bin/") || (file == "main.rs" && has_library);
    all.into_iter()
        .filter(|(file, _)| !is_program(file) && !is_test(file))
        .collect()
}

/// The modules that a file declares for tests alone, by their paths without `.rs`.
fn test_modules(file: &str, text: &str) -> Vec<String> {
    let folder = match file.trim_end_matches(".rs") {
        "lib" => String::new(),
        module => format!("{module}/"),
    };
    let declared = text.split("#[cfg(test)]").skip(1).filter_map(|behind| {
        let line = behind
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let (_, name) = line.strip_suffix(';')?.rsplit_once("mod ")?;
        Some(format!("{folder}{name}"))
    });
    declared.collect()
}

fn floor_of(floors: &[&[&str]], module: &str) -> Option<usize> {
    floors.iter().position(|floor| floor.contains(&module))
}

/// The modules of its own crate that a line of code names.
fn named_modules(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split("crate::").skip(1).flat_map(|path| {
        let items: Vec<&str> = match path.strip_prefix('{') {
            Some(list) => list.split(',').collect(),
            None => vec![path],
        };
        items.into_iter().filter_map(|item| {
            let end = |c: char| !(c.is_alphanumeric() || c == '_');
            item.trim_start().split(end).next()
        })
    })
}

#[test]
fn doc_comments_begin_with_their_subject() {
    let found = complaints(|_, text| {
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        let number = (0..lines.len()).find(|number| {
            let before = number.checked_sub(1).map_or("", |before| lines[before]);
            begins_empty(lines[*number], before)
        })?;
        Some(format!("line {}: {}", number + 1, lines[number]))
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn begins_empty(line: &str, before: &str) -> bool {
    ["/// ", "//! "].iter().any(|mark| {
        let said = line
            .strip_prefix(mark)
            .filter(|_| !before.starts_with(mark.trim_end()));
        said.is_some_and(|said| EMPTY_BEGINNINGS.iter().any(|empty| said.starts_with(empty)))
    })
}

#[test]
fn comments_hold_no_riddles() {
    let found = complaints(|_, text| {
        let is_riddle = |line: &str| {
            let said = line.split_once("//").map(|(_, said)| said.to_lowercase());
            said.is_some_and(|said| RIDDLES.iter().any(|riddle| said.contains(riddle)))
        };
        let number = text.lines().position(is_riddle)?;
        Some(format!("line {}: say who or what is meant", number + 1))
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_read_first_is_understood_at_once() {
    for page in ["README.md", "daemon/book/src/first-hour.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let long = prose::long_sentences(&text);
        let most = prose::MOST_WORDS;
        assert!(
            long.is_empty(),
            "{page}: sentences of more than {most} words: {long:#?}"
        );
    }
}

#[test]
fn each_row_that_compares_has_one_figure_a_cell_and_its_command() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let crowded = prose::crowded_rows(&readme);
    assert!(crowded.is_empty(), "{crowded:#?}");
}
