//! A language model that is in no catalogue: fetched from a server that answers as the model hub does, listed, timed and asked.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use loquat_tests::binaries;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The address under which the server has the model of the tests.
const ADDRESS: &str = "hf:owner/repo/Q4/Small.gguf";

/// A person's home, and the server.
struct Stand {
    home: TempDir,
    hub: String,
}

impl Stand {
    fn new(files: Vec<(&'static str, Vec<u8>)>) -> Self {
        Self {
            home: tempfile::tempdir().expect("a folder"),
            hub: hub(files),
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let home = self.home.path();
        Command::new(binaries::loquat())
            .args(arguments)
            .env_clear()
            .env("HOME", home)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LOQUAT_MODELS__MIRROR", &self.hub)
            .output()
            .expect("the program")
    }

    fn models(&self) -> PathBuf {
        self.home.path().join(".local/share/loquat/models")
    }
}

fn said(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(text).expect("text")
}

/// The model that all tests think with.
fn small_model() -> Vec<u8> {
    let folder =
        std::env::var_os("LOQUAT_TEST_MODELS").expect("the folder of test models; `make test` sets it");
    std::fs::read(Path::new(&folder).join("smollm2-135m-instruct-q4_1.gguf")).expect("the model")
}

/// Answers for `owner/repo` as the hub does, and gives the files themselves where it sends to.
fn hub(files: Vec<(&'static str, Vec<u8>)>) -> String {
    let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", server.local_addr().expect("an address"));
    let (files, own) = (Arc::new(files), url.clone());
    std::thread::spawn(move || {
        for stream in server.incoming().flatten() {
            let (files, own) = (Arc::clone(&files), own.clone());
            // A client that goes away in the middle is its own affair.
            std::thread::spawn(move || drop(answer(stream, &files, &own)));
        }
    });
    url
}

fn answer(
    mut stream: std::net::TcpStream,
    files: &[(&'static str, Vec<u8>)],
    own: &str,
) -> std::io::Result<()> {
    use std::io::{BufRead, BufReader, Write};
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let found = files.iter().find(|(file, _)| path.ends_with(&format!("/{file}")));
    let Some((file, content)) = found else {
        return write!(
            stream,
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    };
    if path.starts_with("/storage/") {
        let length = content.len();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        )?;
        return stream.write_all(content);
    }
    let (sum, size) = (format!("{:x}", Sha256::digest(content)), content.len());
    write!(
        stream,
        "HTTP/1.1 302 Found\r\nLocation: {own}/storage/{file}\r\nX-Linked-Size: {size}\r\nX-Linked-Etag: \"{sum}\"\r\n\
         Content-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

#[test]
fn a_model_of_the_hub_is_fetched_listed_timed_and_used() {
    let stand = Stand::new(vec![("Q4/Small.gguf", small_model())]);
    let fetched = stand.run(&["models", "fetch", ADDRESS]);
    assert!(fetched.status.success(), "{}", said(&fetched));
    assert!(stand.models().join("Small.gguf").is_file());
    let timed = stand.run(&["models", "time", "Small"]);
    assert!(said(&timed).contains("tokens a second"), "{}", said(&timed));
    let listed = stand.run(&["--json", "models", "list"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    let models = listed.as_array().expect("a list");
    let small = models
        .iter()
        .find(|model| model["name"] == "Small")
        .expect("the model");
    assert_eq!(small["origin"], ADDRESS);
    assert_eq!(small["facts"]["architecture"], "llama");
    assert_eq!(small["facts"]["quantisation"], "Q4_1");
    assert_eq!(small["template"], true);
    assert_eq!(small["used"], true, "it is the only one that is there");
    assert!(
        small["rates"]["read"].as_f64().is_some_and(|rate| rate > 0.0),
        "{small}"
    );
    let checked = said(&stand.run(&["check"]));
    assert!(checked.contains("Small loads"), "{checked}");
    assert!(
        checked.contains("for a request that one tool answers"),
        "{checked}"
    );
    let removed = stand.run(&["models", "remove", "Small"]);
    assert!(removed.status.success(), "{}", said(&removed));
    assert!(!stand.models().join("Small.gguf.toml").exists());
}

#[test]
fn a_model_of_an_unknown_kind_is_told_of_before_it_is_used() {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let mut strange = b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0".to_vec();
    for (key, value) in [
        ("general.architecture", "strange"),
        ("tokenizer.chat_template", "{{ messages }}"),
    ] {
        strange.extend([text(key), 8_u32.to_le_bytes().to_vec(), text(value)].concat());
    }
    let stand = Stand::new(vec![("strange.gguf", strange)]);
    let fetched = stand.run(&["models", "fetch", "hf:owner/repo/strange.gguf"]);
    let told = said(&fetched);
    assert!(!fetched.status.success(), "{told}");
    for part in [
        "of a kind that this version of Loquat cannot run",
        "strange",
        "models remove strange",
    ] {
        assert!(told.contains(part), "no {part} in: {told}");
    }
}

#[test]
fn what_is_no_model_is_refused_with_the_mend() {
    let stand = Stand::new(vec![(
        "page.gguf",
        b"<!DOCTYPE html><title>Not found</title>".to_vec(),
    )]);
    let told = said(&stand.run(&["models", "fetch", "hf:owner/repo/page.gguf"]));
    assert!(
        told.contains("it is no GGUF file; take one whose name ends in .gguf"),
        "{told}"
    );
    let told = said(&stand.run(&["models", "fetch", "hf:owner"]));
    assert!(told.contains("it is hf:OWNER/REPO/FILE.gguf"), "{told}");
    let left = std::fs::read_dir(stand.models()).into_iter().flatten().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert!(
        left.iter().all(|name| name.to_string_lossy().ends_with(".lock")),
        "{left:?}"
    );
}
