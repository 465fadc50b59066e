//! Skills from folders: what is offered, what is left out and why, and what is read beneath a skill's folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use loquat_kit::settings::refuse_unknown;

use super::{ID, SKILL, SkillFolder, mistakes};

const PASTA: &str = "---\nname: Pasta Recipe\ndescription: \"Cooks: pasta\" # in quotes\nmetadata:\n  author: {name: Ada, tags: [a, b]}\n---\nBoil water. See notes/times.md.\n";

struct Device {
    root: TempDir,
}

impl Device {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        Self { root }
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
        self
    }

    fn folders(&self) -> [SkillFolder; 2] {
        let folder = |name: &str, is_trusted| SkillFolder {
            path: self.path(name),
            is_trusted,
        };
        [folder("own", true), folder("others", false)]
    }

    fn toolbox(&self, settings: &Value) -> Arc<dyn Toolbox> {
        let settings = settings.as_object().cloned().unwrap_or_default();
        Arc::new(super::toolbox(&settings, &self.folders()).expect("good settings"))
    }

    fn mistakes(&self) -> Vec<String> {
        let root = self.root.path();
        let told = |file: &Path, line: Option<usize>, why: &str| {
            let file = file.strip_prefix(root).expect("beneath").display().to_string();
            format!(
                "{file}:{}: {why}",
                line.map_or_else(String::new, |line| line.to_string())
            )
        };
        let all = mistakes(&Map::new(), &self.folders());
        all.iter()
            .map(|one| told(&one.file, one.line, &one.why))
            .collect()
    }
}

async fn call(toolbox: &Arc<dyn Toolbox>, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    let arguments = arguments.as_object().cloned().expect("an object");
    toolbox.call(tool, arguments, &Circumstances::default()).await
}

fn names(toolbox: &Arc<dyn Toolbox>) -> Vec<String> {
    toolbox.tools().iter().map(|tool| tool.name.clone()).collect()
}

#[tokio::test]
async fn a_skill_is_a_tool_that_brings_its_instructions() {
    let device = Device::new();
    device
        .write("own/pasta/SKILL.md", PASTA)
        .write("own/pasta/notes/times.md", "Nine minutes.");
    let toolbox = device.toolbox(&json!({}));
    assert_eq!(names(&toolbox), ["pasta_recipe", "pasta_recipe_file"]);
    let tools = toolbox.tools();
    assert_eq!(tools[0].description, "Cooks: pasta");
    assert!(!tools[0].brings_foreign_text && tools[0].within.is_none());
    assert_eq!(tools[1].within.as_deref(), Some("pasta_recipe"));
    let outcome = call(
        &toolbox,
        "pasta_recipe",
        json!({"task": "Cook", "context": "For two"}),
    )
    .await;
    let outcome = outcome.expect("instructions");
    assert_eq!(outcome.result["skill_used"], "Pasta Recipe");
    assert_eq!(outcome.result["result"], "Boil water. See notes/times.md.");
    let text = outcome.instructions.expect("instructions").text;
    assert!(
        text.starts_with("Cook\n\nFor two\n\n") && text.ends_with("Boil water. See notes/times.md."),
        "{text}"
    );
    let file = call(&toolbox, "pasta_recipe_file", json!({"path": "notes/times.md"})).await;
    assert_eq!(file.expect("a file").result["content"], "Nine minutes.");
    device.write(
        "own/pasta/SKILL.md",
        PASTA.replace("Boil water.", "Salt the water."),
    );
    let outcome = call(&toolbox, "pasta_recipe", json!({"task": "Cook"}))
        .await
        .expect("instructions");
    assert_eq!(outcome.result["result"], "Salt the water. See notes/times.md.");
    assert!(
        call(&toolbox, "pasta_recipe", json!({"task": " "}))
            .await
            .is_err()
    );
    fs::remove_dir_all(device.path("own/pasta")).expect("gone");
    let gone = call(&toolbox, "pasta_recipe", json!({"task": "Cook"}))
        .await
        .expect_err("nothing");
    assert!(gone.to_string().contains("go on without it"), "{gone}");
}

#[tokio::test]
async fn nothing_outside_of_the_skill_is_read() {
    let device = Device::new();
    device
        .write("own/pasta/SKILL.md", PASTA)
        .write("own/pasta/notes/times.md", "Nine minutes.")
        .write("own/pasta/bytes.bin", [0_u8, 1, 2])
        .write("own/other/SKILL.md", PASTA.replace("Pasta Recipe", "Other"))
        .write("secret.md", "secret");
    symlink(device.path("secret.md"), device.path("own/pasta/link.md")).expect("a link");
    symlink(device.path("own/other"), device.path("own/pasta/away")).expect("a link");
    symlink("notes/times.md", device.path("own/pasta/inside.md")).expect("a link");
    let toolbox = device.toolbox(&json!({}));
    for path in [
        "../other/SKILL.md",
        "notes/../../other/SKILL.md",
        "/etc/passwd",
        "link.md",
        "away/SKILL.md",
        "notes/times.md\0",
        "notes",
        "bytes.bin",
        "missing.md",
    ] {
        let read = call(&toolbox, "pasta_recipe_file", json!({"path": path})).await;
        let complaint = read.expect_err(path).to_string();
        assert!(!complaint.contains("secret\n"), "{complaint}");
    }
    let inside = call(&toolbox, "pasta_recipe_file", json!({"path": "inside.md"})).await;
    assert_eq!(inside.expect("a file").result["content"], "Nine minutes.");
    device.write("own/pasta/long.txt", "x".repeat(100_000));
    let long = call(&toolbox, "pasta_recipe_file", json!({"path": "long.txt"}))
        .await
        .expect("a part");
    assert_eq!(long.result["note"], "the first 65536 of 100000 bytes");
}

#[test]
fn broken_files_and_clashes_are_named_and_left_out() {
    let device = Device::new();
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\n---\nDo.\n");
    device
        .write("own/a/SKILL.md", skill("Good"))
        .write("own/b/SKILL.md", skill("good!"))
        .write("own/c/SKILL.md", "no front matter")
        .write("own/d/SKILL.md", "---\nname: d\ndescription: d\n")
        .write("own/e/SKILL.md", "---\nname: e\ndescription: [a]\n---\nDo.\n")
        .write("own/f/SKILL.md", "---\nname: f\ndescription: \"open\n---\nDo.\n")
        .write("own/g/SKILL.md", "---\nname: &n g\ndescription: *n\n---\nDo.\n")
        .write(
            "own/h/SKILL.md",
            "---\nname: h\nname: i\ndescription: d\n---\nDo.\n",
        )
        .write("own/i/SKILL.md", skill("日本"))
        .write("own/j/SKILL.md", [0xff_u8, 0xfe])
        .write("own/k/SKILL.md", format!("{}{}", skill("k"), "x".repeat(40_000)))
        .write("own/l/SKILL.md", "---\nname: l\ndescription: d\n---\n\n")
        .write(
            "own/m/SKILL.md",
            format!(
                "---\nname: m\ndescription: d\nx: {}\n---\nDo.\n",
                "[1,".repeat(1_000)
            ),
        )
        .write(
            "own/n/SKILL.md",
            "---\nname: n\ndescription: d\nallowed-tools: {a: b}\n---\nDo.\n",
        )
        .write("own/o/other.txt", "no skill")
        .write("away/SKILL.md", skill("away"));
    symlink(device.path("away"), device.path("own/z")).expect("a link");
    assert_eq!(names(&device.toolbox(&json!({}))), ["good"]);
    let told = device.mistakes();
    for (place, why) in [
        ("own/b/SKILL.md:2:", "taken by"),
        ("own/c/SKILL.md:1:", "there is no front matter"),
        ("own/d/SKILL.md:1:", "has no end"),
        ("own/e/SKILL.md:3:", "description must be a text"),
        ("own/f/SKILL.md:", "no YAML"),
        ("own/g/SKILL.md:2:", "anchors and aliases"),
        ("own/h/SKILL.md:3:", "written twice"),
        ("own/i/SKILL.md:2:", "no letter from a to z"),
        ("own/j/SKILL.md:", "no text in UTF-8"),
        ("own/k/SKILL.md:", "longer than 32 KiB"),
        ("own/l/SKILL.md:5:", "no instructions"),
        ("own/m/SKILL.md:", ""),
        ("own/n/SKILL.md:4:", "allowed-tools must be"),
        ("own/z:", "leads out"),
    ] {
        let is_told = told.iter().any(|one| one.starts_with(place) && one.contains(why));
        assert!(is_told, "{place} {why}: {told:#?}");
    }
    assert_eq!(told.len(), 14, "{told:#?}");
}

#[tokio::test]
async fn the_folder_says_whose_words_a_skill_has() {
    let device = Device::new();
    let skill =
        |name: &str| format!("---\nname: {name}\ndescription: d\nallowed-tools: one, two\n---\nDo.\n");
    device
        .write("own/a/SKILL.md", skill("a"))
        .write("others/b/SKILL.md", skill("b"))
        .write("others/a/SKILL.md", skill("a"))
        .write("further/c/SKILL.md", skill("c"))
        .write("single/SKILL.md", skill("d"));
    let further = [
        device.path("further"),
        device.path("single/SKILL.md"),
        device.path("own/a/SKILL.md"),
    ];
    let toolbox = device.toolbox(&json!({"extra_skill_md_paths": further}));
    let tools = toolbox.tools();
    let seen: Vec<(&str, bool)> = tools
        .iter()
        .map(|tool| (tool.name.as_str(), tool.brings_foreign_text))
        .collect();
    assert_eq!(seen, [("a", false), ("b", true), ("c", true), ("d", true)]);
    let outcome = call(&toolbox, "d", json!({"task": "t"}))
        .await
        .expect("instructions");
    let only = outcome.instructions.expect("instructions").only;
    assert_eq!(only, Some(vec!["one".to_owned(), "two".to_owned()]));
}

#[test]
fn settings_are_refused_by_name() {
    let device = Device::new();
    for (settings, complaint) in [
        (json!({"extra_paths": []}), "extra_paths"),
        (json!({"extra_skill_md_paths": ["skills"]}), "no whole path"),
        (json!({"extra_skill_md_paths": 7}), "extra_skill_md_paths"),
    ] {
        let settings = settings.as_object().cloned().expect("an object");
        let known = refuse_unknown(ID, &settings, SKILL.settings);
        let refused = known.and_then(|()| super::toolbox(&settings, &device.folders()).map(drop));
        let refused = refused.expect_err("a complaint").to_string();
        assert!(refused.contains(complaint), "{refused}");
    }
}
