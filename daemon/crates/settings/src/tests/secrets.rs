//! Secrets: where they may be, what is said of careless places, and that they are never shown.

use std::error::Error;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::machine::Machine;
use crate::{Folders, Origin, Secret};

fn secret(machine: &Machine, value: &Value) -> Option<Secret> {
    Secret::from_setting(value, &machine.environment(&[]))
}

fn folders(machine: &Machine, credentials: Option<&Path>) -> Folders {
    let mut folders = Folders::find(&machine.environment(&[]), None);
    folders.credentials = credentials.map(Path::to_owned);
    folders
}

fn close(path: &Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_secret_comes_from_a_file_a_credential_or_the_setting_itself() {
    let machine = Machine::new();
    machine.write("home/keys/openai", "sk-file\n");
    let credential = machine.write("credentials/openai", "sk-credential");
    let folders = folders(&machine, credential.parent());
    for (value, expected) in [
        (json!({"file": "~/keys/openai"}), "sk-file"),
        (json!({"credential": "openai"}), "sk-credential"),
        (json!("sk-inline"), "sk-inline"),
    ] {
        let secret = secret(&machine, &value).unwrap();
        assert_eq!(secret.fetch(&folders).unwrap().expose_secret(), expected);
        let shown = format!("{secret:?}");
        assert!(!shown.contains("sk-"), "{shown}");
    }
}

#[test]
fn other_forms_are_none() {
    let machine = Machine::new();
    for value in [
        json!(7),
        json!({}),
        json!({"file": ""}),
        json!({"file": 7}),
        json!({"path": "/key"}),
        json!({"credential": "../../etc/shadow"}),
        json!({"file": "/a", "credential": "b"}),
    ] {
        assert!(secret(&machine, &value).is_none(), "{value}");
    }
}

#[test]
fn a_secret_that_cannot_be_fetched_says_why() {
    let machine = Machine::new();
    let folders = folders(&machine, None);
    machine.write("two-lines", "one\ntwo\n");
    machine.write("empty", "\n");
    machine.write("large", "k".repeat(70_000));
    machine.write("binary", b"\xff\xfe");
    let not_a_key = "it must hold the key in its first line and nothing else";
    let cases = [
        ("gone", "failed to read the key from /gone".to_owned()),
        (
            "two-lines",
            format!("failed to read the key from /two-lines: {not_a_key}"),
        ),
        (
            "empty",
            format!("failed to read the key from /empty: {not_a_key}"),
        ),
        (
            "large",
            "failed to read the key from /large: it holds more than 64 KiB, which no key does; name another file".to_owned(),
        ),
        (
            "binary",
            "failed to read the key from /binary: it is not UTF-8 text".to_owned(),
        ),
    ];
    for (file, expected) in cases {
        let secret = Secret::File(machine.path(file));
        let error = secret.fetch(&folders).unwrap_err();
        assert_eq!(machine.relative(&error.to_string()), expected);
        assert_eq!(error.source().is_some(), file == "gone");
    }
    let error = Secret::Credential("openai".to_owned())
        .fetch(&folders)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to read the credential openai: systemd passed none; add LoadCredential=openai:FILE to the unit"
    );
}

#[test]
fn careless_places_are_remarked_on() {
    let machine = Machine::new();
    let key = machine.write("key", "sk-1");
    let persona = machine.write("llm.json", "{}");
    let kept_in = Origin::file(&persona);
    let remark = |secret: &Secret| {
        let complaint = secret.remark(&kept_in)?;
        assert!(!complaint.is_refusal());
        Some(machine.relative(&complaint.to_string()))
    };
    let in_file = Secret::File(key.clone());
    let inline = Secret::Inline("sk-1".into());
    assert_eq!(
        remark(&in_file).unwrap(),
        "/key: holds a key and can be read by others; chmod 600 it"
    );
    assert_eq!(
        remark(&inline).unwrap(),
        "/llm.json: holds a key and can be read by others; chmod 600 it, or keep the key in a file of its own and \
         write {\"file\": \"PATH\"} in its place"
    );
    close(&key);
    close(&persona);
    assert_eq!(remark(&in_file), None);
    assert_eq!(
        remark(&inline).unwrap(),
        "/llm.json: holds a key; it is safer in a file of its own, with {\"file\": \"PATH\"} in its place"
    );
    assert_eq!(
        remark(&Secret::File(machine.path("gone"))).unwrap(),
        "/gone: should hold a key and cannot be read: No such file or directory (os error 2)"
    );
    assert_eq!(remark(&Secret::Credential("openai".to_owned())), None);
    assert_eq!(inline.remark(&Origin::Embedded("loquat.json")), None);
}
