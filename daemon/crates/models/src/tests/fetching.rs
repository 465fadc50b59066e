//! Fetching from the hub and from mirrors of it.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::hub::{Answer, TestHub, checksum, content};
use crate::{Catalogue, FetchError, Mirror, Progress, ProgressSink, SourceError, State, Store};

const LENGTH: usize = 300_000;
const NAME: &str = "small";

const PATH: &str = "owner/repo/resolve/main/small.bin";

/// A folder, and a store of one model that is at `url`.
pub(super) fn store_of(url: &str, size: usize, sha256: &str) -> (TempDir, Store) {
    let text = format!(
        "[[model]]\nname = '{NAME}'\nkind = 'speech'\nabout = ''\nfile = 'small.bin'\nsize = {size}\nlicence = 'MIT'\n\
         languages = ['en']\nmemory_gib = 1.0\n[model.hub]\npath = '{PATH}'\nurl = '{url}'\nsha256 = '{sha256}'\n\
         converted_sha256 = '{}'\n",
        checksum(&[7; 20])
    );
    let folder = tempfile::tempdir().expect("a folder");
    let catalogue = Catalogue::parse(&text).expect("a catalogue");
    let store = Store::with_catalogue(folder.path().join("models"), catalogue);
    (folder, store)
}

fn store_at(hub: &TestHub) -> (TempDir, Store) {
    let sha256 = checksum(&content(LENGTH));
    store_of(&hub.url, LENGTH, &sha256)
}

fn hub(answers: &[Answer]) -> TestHub {
    TestHub::start(content(LENGTH), answers.to_vec())
}

async fn fetch(store: &Store) -> Result<PathBuf, FetchError> {
    store.fetch(NAME, &(), CancellationToken::new()).await
}

fn part(store: &Store) -> PathBuf {
    store.folder().join("small.bin.part")
}

fn assert_fetched(path: &Path) {
    assert_eq!(std::fs::read(path).expect("a file"), content(LENGTH));
}

fn hub_error(fetched: Result<PathBuf, FetchError>) -> SourceError {
    match fetched {
        Err(FetchError::NoSource { mut failures, .. }) => failures.pop().expect("a failure"),
        other => panic!("no failure of the source but {other:?}"),
    }
}

/// Keeps the news as text.
#[derive(Default)]
pub(super) struct Heard(Mutex<Vec<String>>);

impl Heard {
    pub(super) fn all(&self) -> Vec<String> {
        self.0.lock().expect("a lock").clone()
    }
}

impl ProgressSink for Heard {
    fn progress(&self, progress: Progress<'_>) {
        let text = match progress {
            Progress::Remark(text) => text.to_owned(),
            Progress::Bytes { done, total, .. } => format!("{done} of {total}"),
            Progress::Finished { model } => format!("{model} is there"),
        };
        self.0.lock().expect("a lock").push(text);
    }
}

#[tokio::test]
async fn a_model_is_downloaded_once() {
    let hub = hub(&[Answer::Honest]);
    let (_folder, store) = store_at(&hub);
    let heard = Heard::default();
    let path = store
        .fetch(NAME, &heard, CancellationToken::new())
        .await
        .expect("a model");
    assert_fetched(&path);
    assert!(!part(&store).exists());
    assert_eq!(heard.all().last().map(String::as_str), Some("small is there"));
    assert!(heard.all().contains(&format!("{LENGTH} of {LENGTH}")));
    assert_eq!(fetch(&store).await.expect("the model"), path);
    assert_eq!(hub.requested(), [""], "what is there is not asked for again");
}

#[tokio::test]
async fn a_licence_that_forbids_commercial_use_has_to_be_accepted() {
    let licence = "CC-BY-NC-SA-4.0";
    let hub = hub(&[Answer::Honest]);
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!(
        "[[model]]\nname = '{NAME}'\nkind = 'wake-word'\nabout = ''\nfile = 'small.bin'\nsize = {LENGTH}\n\
         licence = '{licence}'\nlanguages = ['en']\nmemory_gib = 1.0\n[model.hub]\npath = '{PATH}'\nurl = '{}'\n\
         sha256 = '{}'\n",
        hub.url,
        checksum(&content(LENGTH))
    );
    let catalogue = Catalogue::parse(&text).expect("a catalogue");
    let store = Store::with_catalogue(folder.path().join("models"), catalogue);
    for store in [store.clone(), store.clone().accepting(vec!["MIT".to_owned()])] {
        let refused = fetch(&store).await.expect_err("a licence").to_string();
        let mend = format!("run 'loquat models fetch --accept-licence {licence} {NAME}'");
        assert!(
            refused.contains("forbids commercial use") && refused.contains(&mend),
            "{refused}"
        );
        assert!(!store.folder().exists(), "nothing is begun");
    }
    assert_fetched(
        &fetch(&store.accepting(vec![licence.to_owned()]))
            .await
            .expect("a model"),
    );
}

#[tokio::test]
async fn a_broken_connection_is_taken_up_again() {
    let hub = hub(&[
        Answer::CutAfter(100_000),
        Answer::CutAfter(150_000),
        Answer::Honest,
    ]);
    let (_folder, store) = store_at(&hub);
    assert_fetched(&fetch(&store).await.expect("a model"));
    assert_eq!(hub.requested(), ["", "bytes=100000-", "bytes=250000-"]);
}

#[tokio::test]
async fn a_part_of_an_earlier_run_is_used() {
    let hub = hub(&[Answer::Honest]);
    let (_folder, store) = store_at(&hub);
    std::fs::create_dir_all(store.folder()).expect("a folder");
    std::fs::write(part(&store), &content(LENGTH)[..1234]).expect("a part");
    assert_eq!(store.list()[0].state, State::Partial { bytes: 1234 });
    assert_fetched(&fetch(&store).await.expect("a model"));
    assert_eq!(hub.requested(), ["bytes=1234-"]);
}

#[tokio::test]
async fn a_complete_part_needs_no_hub() {
    let (_folder, store) = store_at(&hub(&[]));
    std::fs::create_dir_all(store.folder()).expect("a folder");
    std::fs::write(part(&store), content(LENGTH)).expect("a part");
    assert_fetched(&fetch(&store).await.expect("a model"));
}

#[tokio::test]
async fn a_hub_without_ranges_sends_all_again() {
    let hub = hub(&[Answer::CutAfter(1000), Answer::Whole]);
    let (_folder, store) = store_at(&hub);
    assert_fetched(&fetch(&store).await.expect("a model"));
    assert_eq!(hub.requested(), ["", "bytes=1000-"]);
}

#[tokio::test]
async fn a_part_that_the_hub_cannot_continue_is_begun_anew() {
    let hub = hub(&[
        Answer::CutAfter(1000),
        Answer::Status("416 Range Not Satisfiable"),
    ]);
    let (_folder, store) = store_at(&hub);
    assert!(matches!(
        hub_error(fetch(&store).await),
        SourceError::Unreachable { .. }
    ));
    assert!(!part(&store).exists(), "the next fetch begins anew");
}

#[tokio::test]
async fn wrong_bytes_never_get_the_name() {
    let hub = hub(&[Answer::Other]);
    let (_folder, store) = store_at(&hub);
    let SourceError::OtherChecksum { expected, found, .. } = hub_error(fetch(&store).await) else {
        panic!("the checksum was not compared")
    };
    assert_eq!(expected, checksum(&content(LENGTH)));
    assert_ne!(found, expected);
    assert_eq!(
        store.list()[0].state,
        State::Absent,
        "neither the file nor a part is left"
    );
}

#[tokio::test]
async fn another_size_is_refused_before_it_is_loaded() {
    let hub = hub(&[Answer::TooLong]);
    let (_folder, store) = store_at(&hub);
    let error = hub_error(fetch(&store).await);
    assert!(
        matches!(error, SourceError::OtherSize { found: 300_001, .. }),
        "{error}"
    );
    assert!(!part(&store).exists());
}

#[tokio::test]
async fn a_refusal_names_the_source_and_the_mend() {
    let hub = hub(&[Answer::Status("404 Not Found")]);
    let (_folder, store) = store_at(&hub);
    let text = fetch(&store).await.expect_err("no source").to_string();
    for part in [
        &hub.url,
        "404 Not Found",
        "models.mirror",
        "models fetch small",
        "small.bin",
    ] {
        assert!(text.contains(part), "no {part} in: {text}");
    }
    assert_eq!(hub.requested().len(), 1, "a refusal is not argued with");
}

#[tokio::test]
async fn nobody_there_is_said_at_once() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    drop(listener);
    let (_folder, store) = store_of(&url, 1, "");
    let error = hub_error(fetch(&store).await);
    assert!(error.to_string().contains("onnection refused"), "{error}");
}

/// A folder that is laid out like the hub.
fn mirror_with(content: &[u8]) -> (TempDir, Mirror) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(PATH);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
    std::fs::write(file, content).expect("a file");
    let mirror = Mirror::new(folder.path().to_str().expect("a path"));
    (folder, mirror)
}

#[tokio::test]
async fn a_folder_laid_out_like_the_hub_is_asked_before_it() {
    let hub = hub(&[]);
    let (_mirrored, mirror) = mirror_with(&content(LENGTH));
    let (_folder, store) = store_at(&hub);
    let store = store.with_mirror(Some(mirror));
    std::fs::create_dir_all(store.folder()).expect("a folder");
    std::fs::write(part(&store), &content(LENGTH)[..1234]).expect("a part");
    assert_fetched(&fetch(&store).await.expect("a model"));
    assert!(hub.requested().is_empty());
}

#[tokio::test]
async fn a_mirror_that_is_a_server_is_asked_for_the_path_of_the_hub() {
    let mirror = hub(&[Answer::Honest]);
    let address = mirror.url.replace("/model.bin", "/models/");
    let (_folder, store) = store_at(&hub(&[]));
    assert_fetched(
        &fetch(&store.with_mirror(Some(Mirror::new(&address))))
            .await
            .expect("a model"),
    );
    assert_eq!(mirror.path(), format!("/models/{PATH}"));
}

#[tokio::test]
async fn what_a_mirror_lacks_or_has_wrong_comes_from_the_hub() {
    let mut wrong = content(LENGTH);
    wrong.reverse();
    for had in [wrong.as_slice(), b"short"] {
        let hub = hub(&[Answer::Honest]);
        let (_mirrored, mirror) = mirror_with(had);
        let (_folder, store) = store_at(&hub);
        let heard = Heard::default();
        let store = store.with_mirror(Some(mirror));
        let fetched = store.fetch(NAME, &heard, CancellationToken::new()).await;
        assert_fetched(&fetched.expect("a model"));
        let heard = heard.all();
        assert!(
            heard
                .iter()
                .any(|text| text.contains("of no use") && text.contains(&hub.url)),
            "{heard:?}"
        );
    }
}

#[tokio::test]
async fn a_model_that_nobody_has_names_all_that_were_asked() {
    let hub = hub(&[Answer::Status("404 Not Found")]);
    let (_folder, store) = store_at(&hub);
    let store = store.with_mirror(Some(Mirror::new("/nonexistent")));
    let text = fetch(&store).await.expect_err("no source").to_string();
    for part in [
        &format!("/nonexistent/{PATH}"),
        "No such file",
        &hub.url,
        "404 Not Found",
    ] {
        assert!(text.contains(part), "no {part} in: {text}");
    }
}

#[tokio::test]
async fn a_file_of_another_length_is_replaced() {
    let hub = hub(&[Answer::Honest]);
    let (_folder, store) = store_at(&hub);
    std::fs::create_dir_all(store.folder()).expect("a folder");
    std::fs::write(store.folder().join("small.bin"), b"half").expect("a file");
    assert_eq!(store.list()[0].state, State::WrongSize { bytes: 4 });
    assert_fetched(&fetch(&store).await.expect("a model"));
}

#[tokio::test]
async fn two_fetches_at_once_load_it_once() {
    let hub = hub(&[Answer::Honest]);
    let (_folder, store) = store_at(&hub);
    let (one, other) = tokio::join!(fetch(&store), fetch(&store));
    assert_fetched(&one.expect("a model"));
    assert_fetched(&other.expect("a model"));
    assert_eq!(hub.requested().len(), 1);
}

/// Stops as soon as something has arrived.
struct StopAt(CancellationToken);

impl ProgressSink for StopAt {
    fn progress(&self, progress: Progress<'_>) {
        if matches!(progress, Progress::Bytes { done: 64_000.., .. }) {
            self.0.cancel();
        }
    }
}

#[tokio::test]
async fn a_stopped_fetch_keeps_what_has_arrived() {
    let hub = hub(&[Answer::Stall(64_000), Answer::Honest]);
    let (_folder, store) = store_at(&hub);
    let cancel = CancellationToken::new();
    let stopped = store.fetch(NAME, &StopAt(cancel.clone()), cancel).await;
    assert!(matches!(stopped, Err(FetchError::Stopped(_))), "{stopped:?}");
    assert_fetched(&fetch(&store).await.expect("a model"));
    let ranges = hub.requested();
    assert_eq!(ranges[0], "");
    assert!(
        ranges[1].starts_with("bytes="),
        "the second fetch goes on: {ranges:?}"
    );
}

#[tokio::test]
async fn a_full_disk_is_noticed_before_anything_is_loaded() {
    let hub = hub(&[]);
    let (_folder, store) = store_of(&hub.url, 1 << 60, "");
    let error = fetch(&store).await.expect_err("no room");
    assert!(
        matches!(error, FetchError::NoRoom { needed, .. } if needed > 1 << 60),
        "{error}"
    );
    assert!(
        error.to_string().contains("make room or set models.folder"),
        "{error}"
    );
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let (folder, store) = store_at(&hub(&[]));
    std::fs::write(folder.path().join("models"), b"a file in the way").expect("a file");
    let error = fetch(&store).await.expect_err("no folder");
    assert!(
        matches!(error, FetchError::Write { .. }) && error.to_string().contains("models"),
        "{error}"
    );
}

#[tokio::test]
async fn an_unknown_model_is_not_fetched() {
    let (_folder, store) = store_at(&hub(&[]));
    let error = store
        .fetch("smal", &(), CancellationToken::new())
        .await
        .expect_err("no model");
    assert!(error.to_string().contains("did you mean 'small'?"), "{error}");
}
