//! Packs made here, sound and damaged in every way, and the real one where it is fetched.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::hub::checksum;
use crate::pack::{LARGEST_FILE, LARGEST_MEMBER};
use crate::{Catalogue, Kind, Model, Pack, PackError};

const INTENTS: &str = "home_assistant_intents/intents.json";

const ENGLISH: &str =
    r#"{"language": "en", "intents": {"HassTurnOn": {"data": [{"sentences": ["turn on [the] {name}"]}]}}}"#;

fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut wheel = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        wheel
            .start_file(*name, SimpleFileOptions::default())
            .expect("a member");
        wheel.write_all(content).expect("its content");
    }
    wheel.finish().expect("a wheel").into_inner()
}

/// A small pack of English and German, with the members that other wheels have.
fn small() -> Vec<u8> {
    zipped(&[
        ("home_assistant_intents/__init__.py", b"import json\n"),
        ("home_assistant_intents/data/en.json", ENGLISH.as_bytes()),
        ("home_assistant_intents/data/de.json", b"{\"language\": \"de\"}"),
        ("home_assistant_intents/speech_to_phrase/fr.json", b"{}"),
        (INTENTS, b"{\"HassTurnOn\": {}}"),
    ])
}

fn written(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pack.whl");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}

fn opened(bytes: &[u8]) -> Pack {
    let (_folder, path) = written(bytes);
    Pack::open(&path).expect("a pack")
}

fn refused(bytes: &[u8]) -> PackError {
    let (_folder, path) = written(bytes);
    let error = Pack::open(&path).expect_err("no pack");
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()), "{text} names no file");
    error
}

fn known() -> Model {
    let catalogue = Catalogue::embedded();
    catalogue.first_of(Kind::Sentences).expect("a pack").clone()
}

#[test]
fn a_pack_gives_its_languages_and_their_texts() {
    let pack = opened(&small());
    assert_eq!(pack.languages(), ["de", "en"]);
    assert_eq!(pack.read("en").expect("English"), ENGLISH);
    assert_eq!(pack.read("de").expect("German"), "{\"language\": \"de\"}");
    assert_eq!(pack.intents().expect("intents"), "{\"HassTurnOn\": {}}");
    assert!(format!("{pack:?}").len() < 300, "no bytes are shown");
}

#[test]
fn a_member_that_is_not_there_is_named() {
    let pack = opened(&zipped(&[("home_assistant_intents/data/en.json", b"{}")]));
    for read in [pack.read("fr"), pack.read("../intents"), pack.intents()] {
        assert!(matches!(read, Err(PackError::Absent { .. })), "{read:?}");
    }
    let text = pack.intents().expect_err("no member").to_string();
    assert!(text.starts_with(&format!("find {INTENTS} in ")), "{text}");
}

#[test]
fn a_file_that_is_not_there_is_told_of_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    let absent = Pack::open(&folder.path().join("absent.whl")).expect_err("no file");
    let PackError::Read { source, .. } = absent else {
        panic!("{absent}");
    };
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
    let in_the_way = Pack::open(folder.path()).expect_err("a folder");
    assert!(matches!(in_the_way, PackError::NoFile(_)), "{in_the_way}");
}

#[test]
fn what_is_no_wheel_is_refused() {
    for bytes in [&b""[..], b"PK", b"not a wheel at all", &[0; 4096]] {
        let error = refused(bytes);
        assert!(matches!(error, PackError::Damaged { .. }), "{error}");
    }
    let error = refused(&zipped(&[
        ("other/data/en.json", b"{}"),
        ("home_assistant_intents/data/a b.json", b"{}"),
    ]));
    assert!(matches!(error, PackError::Empty(_)), "{error}");
}

#[test]
fn a_pack_that_was_cut_off_is_refused_wherever_that_was() {
    let whole = small();
    for length in 0..whole.len() {
        let error = refused(&whole[..length]);
        assert!(matches!(error, PackError::Damaged { .. }), "{length}: {error}");
    }
}

/// A damaged byte may be one that means nothing. It never gives another text, and nothing panics.
#[test]
fn a_damaged_byte_never_changes_a_text() {
    let whole = small();
    let (_folder, path) = written(&whole);
    let mut noticed = 0;
    for index in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[index] ^= 0x55;
        std::fs::write(&path, damaged).expect("a file");
        match Pack::open(&path).and_then(|pack| pack.read("en")) {
            Ok(text) => assert_eq!(text, ENGLISH, "byte {index}"),
            Err(_) => noticed += 1,
        }
    }
    assert!(noticed > 100, "{noticed} of {} were noticed", whole.len());
}

#[test]
fn a_member_that_unpacks_to_too_much_is_refused() {
    let most = usize::try_from(LARGEST_MEMBER).expect("a length");
    let bytes = zipped(&[
        ("home_assistant_intents/data/en.json", &vec![b' '; most]),
        ("home_assistant_intents/data/de.json", &vec![b' '; most + 1]),
    ]);
    let pack = opened(&bytes);
    assert_eq!(pack.read("en").expect("as much as may be").len(), most);
    let error = pack.read("de").expect_err("a byte more");
    assert!(matches!(error, PackError::LargeMember { .. }), "{error}");
    assert!(error.to_string().contains("data/de.json of "), "{error}");
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let (_folder, path) = written(b"");
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len(LARGEST_FILE + 1).expect("a length");
    let error = Pack::open(&path).expect_err("a large file");
    assert!(matches!(error, PackError::LargeFile(_)), "{error}");
}

#[test]
fn a_member_that_is_no_text_is_named() {
    let pack = opened(&zipped(&[("home_assistant_intents/data/en.json", b"\xff\xfe{}")]));
    let error = pack.read("en").expect_err("no text");
    assert!(matches!(error, PackError::Unreadable { .. }), "{error}");
}

#[test]
fn a_file_in_the_place_of_the_known_one_is_refused() {
    let bytes = small();
    let (_folder, path) = written(&bytes);
    let mut model = known();
    let error = Pack::open_known(&path, &model).expect_err("another file");
    let text = error.to_string();
    assert!(matches!(error, PackError::Unknown { .. }), "{text}");
    assert!(
        text.contains(&checksum(&bytes)) && text.contains(&model.name),
        "{text}"
    );
    model.hub.sha256 = checksum(&bytes);
    let pack = Pack::open_known(&path, &model).expect("the file that is meant");
    assert_eq!(pack.path(), path);
}

fn pack_of_all_languages() -> Pack {
    let languages = known().languages;
    let member = |language: &String| format!("home_assistant_intents/data/{language}.json");
    let members: Vec<String> = languages.iter().map(member).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|name| (name.as_str(), &b"{}"[..])).collect();
    opened(&zipped(&members))
}

#[test]
fn the_likest_language_is_chosen_and_never_another() {
    let pack = pack_of_all_languages();
    for (tag, likest) in [
        ("en", Some("en")),
        ("en-US", Some("en")),
        ("en_gb", Some("en")),
        ("pt", Some("pt")),
        ("pt-PT", Some("pt")),
        ("pt-BR", Some("pt-BR")),
        ("PT-br", Some("pt-BR")),
        ("pt-AO", Some("pt")),
        ("no", Some("nb")),
        ("no-NO", Some("nb")),
        ("nb-NO", Some("nb")),
        ("nn", None),
        ("iw-IL", Some("he")),
        ("de", Some("de")),
        ("de-AT", Some("de")),
        ("de-CH", Some("de-CH")),
        ("de-CH-1996", Some("de-CH")),
        ("es-419", Some("es")),
        ("fr-CA", Some("fr")),
        ("zh", Some("zh-CN")),
        ("zh-CN", Some("zh-CN")),
        ("zh-SG", Some("zh-CN")),
        ("zh-Hans", Some("zh-CN")),
        ("zh-TW", Some("zh-TW")),
        ("zh-Hant", Some("zh-TW")),
        ("zh-Hant-HK", Some("zh-HK")),
        ("zh-HK", Some("zh-HK")),
        ("zh-MO", Some("zh-HK")),
        ("sr", Some("sr")),
        ("sr-RS", Some("sr")),
        ("sr-Latn", Some("sr-Latn")),
        ("sr-Latn-RS", Some("sr-Latn")),
        ("sr-Cyrl", Some("sr")),
        ("en-u-ca-gregory", Some("en")),
        ("tlh", None),
        ("e", None),
        ("", None),
        ("-", None),
        ("english", None),
    ] {
        assert_eq!(pack.language(tag), likest, "{tag}");
    }
    for language in pack.languages() {
        assert_eq!(pack.language(language), Some(language.as_str()));
    }
}

/// The folder of models that `make test` has fetched.
fn fetched() -> Option<PathBuf> {
    std::env::var_os("LOQUAT_TEST_MODELS").map(PathBuf::from)
}

#[test]
fn the_real_pack_is_as_the_catalogue_says() {
    let model = known();
    let path = fetched().map(|folder| folder.join(&model.file));
    let Some(path) = path.filter(|path| Path::is_file(path)) else {
        return;
    };
    let pack = Pack::open_known(&path, &model).expect("the pack");
    assert_eq!(pack.languages(), model.languages);
    for language in pack.languages() {
        let text = pack.read(language).expect("a language");
        let says = format!("\"language\": \"{language}\"");
        assert!(text.contains(&says), "{language} is another language");
    }
    assert!(pack.intents().expect("intents").contains("\"HassTurnOn\""));
}
