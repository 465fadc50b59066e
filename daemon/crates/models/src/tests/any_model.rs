//! Models that are in no catalogue: addresses on the hub, files and folders of a person.

use std::path::PathBuf;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::fetching::Heard;
use super::model_hub::{Behaviour, COMMIT, ModelHub};
use crate::gguf::tests::chat_model;
use crate::{Catalogue, FetchError, HubError, Kind, Mirror, SourceError, State, Store};

const ADDRESS: &str = "hf:owner/repo/Q4/chat.gguf";

/// A small model with some weights behind its head.
fn model() -> Vec<u8> {
    let mut file = chat_model().file(&[&[64, 64]]);
    file.extend(super::hub::content(200_000));
    file
}

fn hub(behaviour: Behaviour) -> ModelHub {
    ModelHub::start(&[("Q4/chat.gguf", model()), ("other.gguf", model())], behaviour)
}

fn store(hub: &ModelHub) -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::with_catalogue(folder.path().join("models"), Catalogue::default());
    (folder, store.with_hub(&hub.url))
}

/// Reads the folder anew.
fn again(store: &Store) -> Store {
    Store::with_catalogue(store.folder(), Catalogue::default())
}

async fn fetch(store: &Store, name: &str) -> Result<PathBuf, FetchError> {
    store.fetch(name, &(), CancellationToken::new()).await
}

async fn refused(store: &Store, name: &str) -> String {
    let error = fetch(store, name).await.expect_err("a refusal");
    loquat_failure::with_causes(&error)
}

fn is_untouched(store: &Store) -> bool {
    let left = std::fs::read_dir(store.folder()).into_iter().flatten().flatten();
    left.filter(|entry| !entry.file_name().to_string_lossy().ends_with(".lock"))
        .count()
        == 0
}

#[tokio::test]
async fn an_address_is_fetched_recognised_and_listed() {
    let hub = hub(Behaviour::default());
    let (_folder, store) = store(&hub);
    let heard = Heard::default();
    let path = store
        .fetch(ADDRESS, &heard, CancellationToken::new())
        .await
        .expect("a model");
    assert_eq!(std::fs::read(&path).expect("a file"), model());
    assert_eq!(
        hub.asked(),
        [
            "HEAD /owner/repo/resolve/main/Q4/chat.gguf".to_owned(),
            format!("GET /owner/repo/resolve/{COMMIT}/Q4/chat.gguf"),
            "storage  ".to_owned(),
        ]
    );
    assert!(heard.all().contains(&"chat is there".to_owned()));
    let store = again(&store);
    let listed = &store.list()[0];
    assert_eq!(
        (listed.model.name.as_str(), listed.state),
        ("chat", State::Complete)
    );
    assert_eq!(listed.model.kind, Kind::Language);
    assert_eq!(listed.model.origin.as_deref(), Some(ADDRESS));
    let facts = store.facts_of(listed.model).expect("a model").expect("facts");
    assert_eq!(facts.architecture, "qwen3");
    assert_eq!(store.path_of("chat").expect("a path"), path);
    store.verify("chat").await.expect("its checksum");
    assert_eq!(fetch(&store, ADDRESS).await.expect("it is there"), path);
    assert!(hub.asked().is_empty(), "what is there is not asked for again");
    assert!(store.remove("chat").expect("removed"));
    assert!(is_untouched(&store));
    assert!(again(&store).list().is_empty());
}

#[tokio::test]
async fn a_download_that_breaks_off_goes_on_where_it_ended() {
    let hub = hub(Behaviour {
        cut_after: Some(50_000),
        ..Behaviour::default()
    });
    let (_folder, store) = store(&hub);
    let path = fetch(&store, ADDRESS).await.expect("a model");
    assert_eq!(std::fs::read(path).expect("a file"), model());
    assert_eq!(
        hub.asked().last().map(String::as_str),
        Some("storage  bytes=50000-")
    );
}

#[tokio::test]
async fn what_was_begun_is_listed_and_goes_on_by_its_name() {
    let hub = hub(Behaviour::default());
    let (_folder, store) = store(&hub);
    fetch(&store, ADDRESS).await.expect("a model");
    let whole = store.folder().join("chat.gguf");
    std::fs::rename(&whole, store.folder().join("chat.gguf.part")).expect("a part");
    std::fs::write(store.folder().join("chat.gguf.part"), &model()[..70_000]).expect("a part");
    let store = again(&store).with_hub(&hub.url);
    assert_eq!(store.list()[0].state, State::Partial { bytes: 70_000 });
    fetch(&store, "chat").await.expect("the rest");
    assert_eq!(
        hub.asked().last().map(String::as_str),
        Some("storage  bytes=70000-")
    );
    store.verify("chat").await.expect("its checksum");
}

#[tokio::test]
async fn another_checksum_than_the_hub_tells_is_refused() {
    let hub = hub(Behaviour {
        told: Some("a".repeat(64)),
        ..Behaviour::default()
    });
    let (_folder, store) = store(&hub);
    let Err(FetchError::NoSource { failures, .. }) = fetch(&store, ADDRESS).await else {
        panic!("the checksum was not compared")
    };
    assert!(
        matches!(&failures[0], SourceError::OtherChecksum { expected, .. } if *expected == "a".repeat(64))
    );
    assert!(is_untouched(&store));
}

#[tokio::test]
async fn an_address_without_a_file_or_with_a_wrong_one_names_what_is_there() {
    let hub = hub(Behaviour::default());
    let (_folder, store) = store(&hub);
    for address in ["hf:owner/repo", "hf:owner/repo/chat.gguf"] {
        let said = refused(&store, address).await;
        for part in [
            "name one of its files",
            "hf:owner/repo/Q4/chat.gguf (0 MB)",
            "hf:owner/repo/other.gguf",
        ] {
            assert!(said.contains(part), "no {part} in: {said}");
        }
    }
    let said = refused(&store, "hf:owner/repo/other.gguf@v2").await;
    assert!(said.contains("there is no such file or revision"), "{said}");
    let said = refused(&store, "hf:owner").await;
    assert!(said.contains("it is hf:OWNER/REPO/FILE.gguf"), "{said}");
    assert!(is_untouched(&store));
}

#[tokio::test]
async fn a_repository_for_members_wants_a_token_that_goes_to_the_hub_alone() {
    let hub = hub(Behaviour {
        token: Some("hf_secret"),
        ..Behaviour::default()
    });
    let (_folder, store) = store(&hub);
    let said = refused(&store, ADDRESS).await;
    for part in [
        "401",
        "Access to model owner/repo is restricted",
        "models.token_file",
        "/owner/repo",
    ] {
        assert!(said.contains(part), "no {part} in: {said}");
    }
    hub.asked();
    let store = store.with_token(Some("hf_secret".to_owned().into()));
    fetch(&store, ADDRESS).await.expect("a model");
    let asked = hub.asked();
    assert!(
        asked[0].ends_with("Bearer hf_secret") && asked[1].ends_with("Bearer hf_secret"),
        "{asked:?}"
    );
    assert_eq!(asked[2], "storage  ", "no other server is told the token");
    let said = refused(&store, "hf:other/repo/m.gguf").await;
    assert!(said.contains("if there is such a repository"), "{said}");
}

#[tokio::test]
async fn a_mirror_that_answers_as_the_hub_is_enough() {
    let mirror = hub(Behaviour::default());
    let (_folder, store) = store(&mirror);
    let store = store
        .with_hub("http://127.0.0.1:9")
        .with_mirror(Some(Mirror::new(&mirror.url)));
    fetch(&store, ADDRESS).await.expect("a model");
    assert!(
        mirror
            .asked()
            .contains(&"GET /owner/repo/resolve/main/Q4/chat.gguf".to_owned())
    );
}

#[tokio::test]
async fn a_plain_web_server_mirrors_what_the_hub_vouches_for() {
    let (mirror, hub) = (
        hub(Behaviour {
            is_plain: true,
            ..Behaviour::default()
        }),
        hub(Behaviour::default()),
    );
    let (_folder, store) = store(&hub);
    let mirrored = store.clone().with_mirror(Some(Mirror::new(&mirror.url)));
    fetch(&mirrored, ADDRESS).await.expect("a model");
    assert!(
        hub.asked().iter().all(|asked| asked.starts_with("HEAD")),
        "the file is the mirror's"
    );
    assert!(store.remove("chat").is_err(), "this store was opened before");
    again(&store).remove("chat").expect("removed");
    let alone = mirrored.with_hub("http://127.0.0.1:9");
    let said = refused(&alone, ADDRESS).await;
    assert!(said.contains("127.0.0.1:9"), "{said}");
    assert!(is_untouched(&alone));
}

#[tokio::test]
async fn a_folder_that_mirrors_the_hub_needs_no_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("owner/repo/resolve/main/Q4/chat.gguf");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
    std::fs::write(&file, model()).expect("a file");
    let (_folder, store) = store(&hub(Behaviour::default()));
    let store = store.with_hub("http://127.0.0.1:9");
    let store = store.with_mirror(Some(Mirror::new(folder.path().to_str().expect("a path"))));
    let path = fetch(&store, ADDRESS).await.expect("a model");
    assert_eq!(std::fs::read(path).expect("a file"), model());
    assert!(matches!(
        fetch(&store, "hf:owner/repo/Q4/none.gguf").await,
        Err(FetchError::NotFound { failures, .. }) if matches!(failures[0], HubError::Unreachable { .. })
    ));
}

#[tokio::test]
async fn what_is_no_model_is_refused_before_it_gets_a_name() {
    let page = b"<!DOCTYPE html><title>Not found</title>".to_vec();
    let mute = crate::gguf::tests::Head::default()
        .text("general.architecture", "qwen3")
        .file(&[]);
    let hub = ModelHub::start(&[("page.gguf", page), ("base.gguf", mute)], Behaviour::default());
    let (_folder, store) = store(&hub);
    let said = refused(&store, "hf:owner/repo/page.gguf").await;
    assert!(said.contains("page.gguf: it is no GGUF file"), "{said}");
    let said = refused(&store, "hf:owner/repo/base.gguf").await;
    assert!(said.contains("it has no chat template"), "{said}");
    assert!(is_untouched(&store));
}

#[tokio::test]
async fn a_file_and_a_folder_of_ones_own_are_taken() {
    let (_folder, store) = store(&hub(Behaviour::default()));
    let own = tempfile::tempdir().expect("a folder");
    let file = own.path().join("mine.GGUF");
    std::fs::write(&file, model()).expect("a file");
    std::fs::write(own.path().join("notes.txt"), "no model").expect("a file");
    assert_eq!(
        Store::models_in(own.path()).expect("files"),
        std::slice::from_ref(&file)
    );
    assert!(Store::models_in(&file).expect("no folder").is_empty());
    let path = fetch(&store, file.to_str().expect("a path"))
        .await
        .expect("a model");
    assert_eq!(path, store.folder().join("mine.GGUF"));
    std::fs::remove_file(&file).expect("removed");
    let store = again(&store);
    store.verify("mine").await.expect("it is a copy");
    let page = own.path().join("page.gguf");
    std::fs::write(&page, b"<!DOCTYPE html><title>Not found</title>").expect("a file");
    let said = refused(&store, page.to_str().expect("a path")).await;
    assert!(said.contains("it is no GGUF file"), "{said}");
    let said = refused(&store, "/nowhere/m.gguf").await;
    assert!(said.contains("No such file"), "{said}");
}

#[tokio::test]
async fn two_models_of_one_name_are_told_apart() {
    let mut larger = model();
    larger.push(0);
    let hub = ModelHub::start(
        &[("chat.gguf", model()), ("Q4/chat.gguf", larger)],
        Behaviour::default(),
    );
    let (_folder, store) = store(&hub);
    fetch(&store, "hf:owner/repo/chat.gguf").await.expect("a model");
    let said = refused(&again(&store).with_hub(&hub.url), ADDRESS).await;
    assert!(
        said.contains("from hf:owner/repo/chat.gguf") && said.contains("models remove chat"),
        "{said}"
    );
}

#[tokio::test]
async fn a_description_that_names_another_file_counts_for_nothing() {
    let hub = hub(Behaviour::default());
    let (_folder, store) = store(&hub);
    fetch(&store, ADDRESS).await.expect("a model");
    let description = store.folder().join("chat.gguf.toml");
    let text = std::fs::read_to_string(&description).expect("a description");
    std::fs::write(&description, text.replace("\"chat.gguf\"", "\"../chat.gguf\"")).expect("written");
    let store = again(&store);
    assert!(store.list().is_empty());
    assert!(
        store.complaints()[0].contains("fetch the model again"),
        "{:?}",
        store.complaints()
    );
}

#[tokio::test]
async fn an_offer_is_fetched_by_its_name_with_the_checksum_of_the_hub() {
    let text = format!(
        "model = []\n[[offer]]\nname = 'chat-1b'\nabout = 'Chat 1B'\naddress = '{ADDRESS}'\nlicence = 'MIT'\n\
         languages = ['*']\nmemory_gib = 1.0\n"
    );
    let catalogue = Catalogue::parse(&text).expect("a catalogue");
    let hub = hub(Behaviour::default());
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::with_catalogue(folder.path(), catalogue.clone()).with_hub(&hub.url);
    assert_eq!(
        store.offered_file("chat-1b"),
        Some(folder.path().join("chat.gguf"))
    );
    assert_eq!(
        fetch(&store, "chat-1b").await.expect("a model"),
        folder.path().join("chat.gguf")
    );
    let store = Store::with_catalogue(folder.path(), catalogue);
    assert_eq!(store.catalogue().offers().count(), 0, "it is there");
    let model = store.catalogue().find("chat-1b").expect("it is there");
    assert_eq!(
        (model.licence.as_str(), model.origin.as_deref()),
        ("MIT", Some(ADDRESS))
    );
    store.verify("chat-1b").await.expect("its checksum");
}

#[tokio::test]
async fn whoever_may_not_name_files_of_this_machine_names_models_and_addresses() {
    let (_folder, store) = store(&hub(Behaviour::default()));
    store.knows(ADDRESS).expect("an address");
    for name in ["/etc/passwd", "../chat.gguf", "hf:owner", "none"] {
        assert!(store.knows(name).is_err(), "{name}");
    }
}

#[tokio::test]
async fn a_repository_that_was_renamed_is_found() {
    let hub = hub(Behaviour::default());
    let (_folder, store) = store(&hub);
    fetch(&store, "hf:former/repo/Q4/chat.gguf")
        .await
        .expect("a model");
    let said = refused(&store, "hf:endless/repo/other.gguf").await;
    assert!(said.contains("without an end"), "{said}");
}

#[tokio::test]
async fn a_file_that_the_catalogue_knows_is_copied_and_not_fetched() {
    let own = tempfile::tempdir().expect("a folder");
    let file = own.path().join("small.gguf");
    std::fs::write(&file, model()).expect("a file");
    let text = format!(
        "[[model]]\nname = 'small'\nkind = 'language'\nabout = ''\nfile = 'small.gguf'\nsize = {}\nlicence = 'MIT'\n\
         languages = ['en']\nmemory_gib = 1.0\n[model.hub]\npath = 'o/r/resolve/main/small.gguf'\nsha256 = '{}'\n",
        model().len(),
        super::hub::checksum(&model())
    );
    let catalogue = Catalogue::parse(&text).expect("a catalogue");
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::with_catalogue(folder.path(), catalogue).with_hub("http://127.0.0.1:9");
    let path = fetch(&store, file.to_str().expect("a path"))
        .await
        .expect("a model");
    assert_eq!(path, folder.path().join("small.gguf"));
    assert!(
        !folder.path().join("small.gguf.toml").exists(),
        "the catalogue describes it"
    );
    store.verify("small").await.expect("its checksum");
}
