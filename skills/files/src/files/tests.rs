//! The tools on a real folder: what they give, and that nothing outside of it is read or changed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use loquat_agent::toolbox::{Category, Circumstances, Confirm, Outcome, ToolError, Toolbox};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use loquat_kit::Skill;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::settings::refuse_unknown;
use loquat_kit::wording::Wording;

mod attacks;
mod sentences;

/// What stands in each file outside.
const CANARY: &str = "canary-7f3a outside";

/// A folder of files with a neighbour that is none of ours.
struct Device {
    place: TempDir,
    toolbox: FunctionToolbox,
}

impl Device {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        for folder in ["root/notes/deep", "root/empty", "outside"] {
            fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        fs::write(root.join("plan.txt"), "buy milk\ncall Ada\n").unwrap();
        fs::write(root.join("notes/Shopping-List.txt"), "milk and Eggs").unwrap();
        fs::write(root.join("notes/deep/idea.md"), "a boat with milk").unwrap();
        fs::write(root.join(".hidden"), "milk").unwrap();
        fs::write(place.path().join("outside/canary.txt"), CANARY).unwrap();
        let settings = json!({"root_path": root, "allow_write": true});
        let toolbox = toolbox(settings).expect("settings");
        Self { place, toolbox }
    }

    fn root(&self) -> std::path::PathBuf {
        self.place.path().join("root")
    }

    fn canary(&self) -> std::path::PathBuf {
        self.place.path().join("outside/canary.txt")
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
        let arguments = serde_json::from_value(arguments).expect("an object");
        let person = Circumstances::default();
        self.toolbox.call(tool, arguments, &person).await
    }

    async fn result(&self, tool: &str, arguments: Value) -> Value {
        Value::Object(self.call(tool, arguments).await.expect("a result").result)
    }

    async fn complaint(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments)
            .await
            .expect_err("a complaint")
            .to_string()
    }
}

fn toolbox(settings: Value) -> Result<FunctionToolbox, String> {
    let settings: Map<String, Value> = serde_json::from_value(settings).expect("an object");
    let wording = Wording::new(Skill::locales([&super::SKILL]).into());
    let known = refuse_unknown(super::ID, &settings, super::SKILL.settings);
    let made = known.and_then(|()| super::toolbox(&settings, &wording));
    made.map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_file_is_read_by_its_path_or_by_what_a_person_calls_it() {
    let device = Device::new();
    for path in ["plan.txt", "./plan.txt", "notes//../plan.txt", "plan", "Plan"] {
        let read = device.call("read_file", json!({"path": path})).await;
        if path.contains("..") {
            assert!(read.is_err(), "{path}");
            continue;
        }
        let expected = json!({"path": "plan.txt", "content": "buy milk\ncall Ada\n"});
        assert_eq!(Value::Object(read.expect(path).result), expected, "{path}");
    }
    let whole = device.root().join("plan.txt");
    assert_eq!(
        device.result("read_file", json!({"path": whole})).await["path"],
        "plan.txt"
    );
    let called = device.result("read_file", json!({"path": "shopping list"})).await;
    assert_eq!(called["path"], "notes/Shopping-List.txt");
    fs::write(device.root().join("shopping list.md"), "").unwrap();
    let complaint = device
        .complaint("read_file", json!({"path": "shopping list"}))
        .await;
    let offered = "'shopping list' may mean notes/Shopping-List.txt, shopping list.md";
    assert!(complaint.contains(offered), "{complaint}");
    let complaint = device.complaint("read_file", json!({"path": "nothing"})).await;
    assert!(
        complaint.starts_with("FileNotFoundError: path: there is no 'nothing'"),
        "{complaint}"
    );
}

#[tokio::test]
async fn a_long_file_is_cut_at_a_letter_and_told_as_cut() {
    let device = Device::new();
    fs::write(
        device.root().join("long.txt"),
        "x".to_owned() + &"ä".repeat(60_000),
    )
    .unwrap();
    let outcome = device
        .call("read_file", json!({"path": "long.txt"}))
        .await
        .expect("a part");
    assert_eq!(outcome.result["content"].as_str().map(str::len), Some(65_535));
    assert_eq!(outcome.result["note"], "the first 65535 of 120001 bytes");
    assert_eq!(outcome.spoken, None);
}

#[tokio::test]
async fn what_is_no_text_is_told_plainly() {
    let device = Device::new();
    for bytes in [&b"\xff\xfe\x00a"[..], b"a\0b", b"caf\xe9"] {
        fs::write(device.root().join("picture"), bytes).unwrap();
        let complaint = device.complaint("read_file", json!({"path": "picture"})).await;
        assert!(complaint.contains("'picture' holds no text"), "{complaint}");
    }
    let complaint = device.complaint("read_file", json!({"path": "notes"})).await;
    assert!(complaint.contains("'notes' is no file of text"), "{complaint}");
}

#[tokio::test]
async fn a_folder_is_listed_by_names() {
    let device = Device::new();
    let listed = device.result("list_directory", json!({})).await;
    let expected = json!({"path": ".", "entries": ["empty/", "notes/", "plan.txt"], "total": 3});
    assert_eq!(listed, expected);
    let listed = device
        .result("list_directory", json!({"path": "Notes", "pattern": "*.TXT"}))
        .await;
    assert_eq!(listed["entries"], json!(["Shopping-List.txt"]));
    let spoken = device
        .call("list_directory", json!({"path": "empty"}))
        .await
        .expect("a list");
    assert_eq!(spoken.spoken.as_deref(), Some("I found nothing."));
    let complaint = device
        .complaint("list_directory", json!({"path": "plan.txt"}))
        .await;
    assert!(complaint.contains("'plan.txt' is no folder"), "{complaint}");
}

#[tokio::test]
async fn no_more_names_are_given_than_can_be_read() {
    let device = Device::new();
    for number in 0..510 {
        fs::write(device.root().join(format!("empty/{number:03}")), "").unwrap();
    }
    let listed = device.result("list_directory", json!({"path": "empty"})).await;
    assert_eq!(listed["entries"].as_array().map(Vec::len), Some(500));
    assert_eq!(
        (&listed["total"], &listed["note"]),
        (&json!(510), &json!("the first 500 of 510"))
    );
    let found = device
        .call("find_files", json!({"glob": "*"}))
        .await
        .expect("files");
    assert_eq!(found.result["total"], 513);
    let spoken = found.spoken.expect("a sentence");
    assert!(spoken.ends_with("And 503 more."), "{spoken}");
}

#[tokio::test]
async fn files_are_found_by_name_at_any_depth() {
    let device = Device::new();
    for (glob, path, expected) in [
        ("*.txt", "", json!(["notes/Shopping-List.txt", "plan.txt"])),
        ("*shopping*", ".", json!(["notes/Shopping-List.txt"])),
        ("**/*.md", "", json!(["notes/deep/idea.md"])),
        ("notes/*", "", json!(["notes/Shopping-List.txt"])),
        ("deep/*", "notes", json!(["notes/deep/idea.md"])),
        ("{plan,idea}.*", "", json!(["notes/deep/idea.md", "plan.txt"])),
        (".hid*", "", json!([])),
    ] {
        let found = device
            .result("find_files", json!({"glob": glob, "path": path}))
            .await;
        assert_eq!(found["files"], expected, "{glob}");
    }
    let spoken = device
        .call("find_files", json!({"glob": "*.txt"}))
        .await
        .expect("files")
        .spoken;
    assert_eq!(
        spoken.as_deref(),
        Some("I found notes/Shopping-List.txt and plan.txt.")
    );
    let complaint = device.complaint("find_files", json!({"glob": "[a"})).await;
    assert!(complaint.starts_with("ValueError: glob: "), "{complaint}");
}

#[tokio::test]
async fn lines_are_found_in_text_alone() {
    let device = Device::new();
    fs::write(device.root().join("picture"), b"milk\0").unwrap();
    let found = device.result("search_in_files", json!({"pattern": "MILK"})).await;
    let expected = json!([
        {"file": "notes/Shopping-List.txt", "line_number": "1", "line": "milk and Eggs"},
        {"file": "notes/deep/idea.md", "line_number": "1", "line": "a boat with milk"},
        {"file": "plan.txt", "line_number": "1", "line": "buy milk"},
    ]);
    assert_eq!((&found["matches"], &found["total"]), (&expected, &json!(3)));
    let asked = json!({"pattern": "^call", "glob": "*.txt"});
    let found = device.result("search_in_files", asked).await;
    assert_eq!(found["matches"][0]["line_number"], "2");
    let complaint = device
        .complaint("search_in_files", json!({"pattern": "(milk"}))
        .await;
    assert!(complaint.contains("pattern: unclosed group"), "{complaint}");
}

#[tokio::test]
async fn hard_patterns_cost_no_time() {
    let device = Device::new();
    fs::write(device.root().join("as"), "a".repeat(200_000)).unwrap();
    let started = tokio::time::Instant::now();
    let nested = format!("{}a{}", "(".repeat(100), ")".repeat(100));
    for pattern in [
        "(a+)+$b",
        "(a|a)*b",
        "(a*)*c",
        "(.*)(.*)(.*)(.*)z",
        "(?:a{200}){200}",
        r"\w{1000}",
        &nested,
    ] {
        drop(device.call("search_in_files", json!({"pattern": pattern})).await);
    }
    for glob in [
        "*a".repeat(140),
        "{a,b}".repeat(50),
        "{".repeat(290),
        "**/".repeat(90),
        "[!-~]".repeat(50),
    ] {
        drop(device.call("find_files", json!({"glob": glob})).await);
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_file_is_written_whole_and_beside_no_other() {
    use std::os::unix::fs::PermissionsExt;
    let device = Device::new();
    let plan = device.root().join("plan.txt");
    fs::set_permissions(&plan, fs::Permissions::from_mode(0o640)).unwrap();
    let written = device
        .call("write_file", json!({"path": "plan.txt", "content": "sleep"}))
        .await
        .expect("written");
    let expected = json!({"success": true, "path": "plan.txt", "message": "5 bytes are written"});
    assert_eq!(Value::Object(written.result), expected);
    assert_eq!(written.spoken.as_deref(), Some("I wrote the file plan.txt."));
    assert_eq!(fs::read_to_string(&plan).unwrap(), "sleep");
    assert_eq!(fs::metadata(&plan).unwrap().permissions().mode() & 0o777, 0o640);
    device
        .result("write_file", json!({"path": "new/deeper/a.txt", "content": "ä"}))
        .await;
    assert_eq!(
        fs::read_to_string(device.root().join("new/deeper/a.txt")).unwrap(),
        "ä"
    );
    for (path, content) in [
        ("notes", "x"),
        ("", "x"),
        ("plan.txt/x", "x"),
        ("big", &*"x".repeat((1 << 20) + 1)),
    ] {
        device
            .complaint("write_file", json!({"path": path, "content": content}))
            .await;
    }
    assert_eq!(
        names(&device.root()),
        [".hidden", "empty", "new", "notes", "plan.txt"]
    );
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn writing_is_offered_only_where_it_is_allowed_and_asks_first() {
    let tools = toolbox(json!({})).expect("a toolbox").tools();
    assert!(
        tools
            .iter()
            .all(|tool| tool.name != "write_file" && tool.read_only && tool.brings_foreign_text)
    );
    let tools = toolbox(json!({"allow_write": true})).expect("a toolbox").tools();
    let write = tools.iter().find(|tool| tool.name == "write_file").expect("it");
    assert_eq!(
        (write.category, write.confirm),
        (Category::Dangerous, Confirm::Ask)
    );
    assert!(!write.read_only && write.brings_foreign_text);
}

#[tokio::test]
async fn settings_that_cannot_be_are_refused_and_a_missing_folder_is_told() {
    for (settings, told) in [
        (json!({"root_path": "."}), "root_path: this is no whole path"),
        (json!({"root_path": ""}), "root_path: this is no whole path"),
        (json!({"root_path": 5}), "root_path: invalid type"),
        (json!({"allow_write": "yes"}), "allow_write: invalid type"),
        (json!({"root": "/"}), "unknown setting 'root'"),
    ] {
        let refused = toolbox(settings).expect_err("no settings");
        assert!(refused.contains(told), "{refused}");
    }
    let missing = toolbox(json!({"root_path": "/nowhere/at/all"})).expect("a toolbox");
    let called = missing
        .call("list_directory", Map::new(), &Circumstances::default())
        .await;
    let complaint = called.expect_err("no folder").to_string();
    assert!(
        complaint.contains("/nowhere/at/all, cannot be opened"),
        "{complaint}"
    );
}

#[tokio::test]
async fn links_that_stay_within_are_followed_by_reading_and_by_no_search() {
    let device = Device::new();
    symlink("notes", device.root().join("link")).unwrap();
    symlink("../plan.txt", device.root().join("notes/plan-link")).unwrap();
    for path in ["link/Shopping-List.txt", "notes/plan-link"] {
        device.result("read_file", json!({"path": path})).await;
    }
    let found = device.result("find_files", json!({"glob": "*"})).await;
    assert_eq!(found["total"], 3);
}

#[tokio::test]
async fn what_was_written_is_taken_back_unless_it_was_changed_since() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let tools = toolbox(json!({"allow_write": true, "root_path": root})).expect("a toolbox");
    let call = async |tool: &str, arguments: Value| {
        let arguments = serde_json::from_value(arguments).unwrap();
        tools.call(tool, arguments, &Circumstances::default()).await
    };
    let written = async |path: &str, content: &str| {
        let outcome = call("write_file", json!({"path": path, "content": content})).await;
        Value::Object(outcome.expect("it is written").undo)
    };
    fs::write(root.join("plan.txt"), "old").unwrap();
    let undo = written("plan.txt", "new").await;
    let undone = call("restore_file", undo.clone()).await.expect("it is restored");
    assert_eq!(
        undone.spoken.as_deref(),
        Some("The file plan.txt is as it was before.")
    );
    assert_eq!(fs::read_to_string(root.join("plan.txt")).unwrap(), "old");
    assert!(
        call("restore_file", undo).await.is_err(),
        "it is not as it was left"
    );
    let undo = written("fresh.txt", "new").await;
    call("restore_file", undo).await.expect("it is removed");
    assert!(!root.join("fresh.txt").exists());
    fs::write(root.join("large.txt"), "x".repeat(40_000)).unwrap();
    assert_eq!(written("large.txt", "new").await, json!({}), "too much to keep");
}
