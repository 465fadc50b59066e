//! What the folder of models holds, and what becomes of files that are not as they should be.

use tokio_util::sync::CancellationToken;

use super::fetching::store_of;
use super::hub::{checksum, content};
use crate::{MissingModel, RemoveError, State, Store, VerifyError};

fn store() -> (tempfile::TempDir, Store) {
    let (folder, store) = store_of("http://127.0.0.1:9/", 20, &checksum(&content(20)));
    std::fs::create_dir_all(store.folder()).expect("a folder");
    (folder, store)
}

#[test]
fn what_is_missing_says_how_to_get_it() {
    let (_folder, store) = store();
    assert_eq!(store.list()[0].state, State::Absent);
    let missing = store.path_of("small").expect_err("nothing there");
    assert!(matches!(missing, MissingModel::Missing { .. }));
    assert!(
        missing.to_string().contains("loquat models fetch small"),
        "{missing}"
    );
    assert!(matches!(store.path_of("large"), Err(MissingModel::Unknown(_))));
}

#[tokio::test]
async fn a_copy_and_a_converted_one_are_sound_and_others_are_not() {
    let (_folder, store) = store();
    let file = store.folder().join("small.bin");
    for sound in [content(20), vec![7; 20]] {
        std::fs::write(&file, sound).expect("a file");
        assert_eq!(store.path_of("small").expect("the file"), file);
        store.verify("small").await.expect("a sound copy");
    }
    std::fs::write(&file, [8; 20]).expect("a file");
    let damaged = store.verify("small").await.expect_err("another copy");
    assert!(matches!(damaged, VerifyError::Damaged { .. }));
    assert!(damaged.to_string().contains(&checksum(&[8; 20])), "{damaged}");
}

#[test]
fn removing_leaves_nothing() {
    let (_folder, store) = store();
    assert!(!store.remove("small").expect("nothing to do"));
    std::fs::write(store.folder().join("small.bin"), [7; 20]).expect("a file");
    std::fs::write(store.folder().join("small.bin.part"), [7; 3]).expect("a part");
    std::fs::write(store.folder().join(".small.bin.lock"), []).expect("a lock");
    assert!(store.remove("small").expect("it is removed"));
    assert_eq!(std::fs::read_dir(store.folder()).expect("the folder").count(), 0);
}

#[tokio::test]
async fn what_came_with_the_program_is_used_and_never_written() {
    let (folder, store) = store();
    let package = folder.path().join("share");
    std::fs::create_dir(&package).expect("a folder");
    let carried = package.join("small.bin");
    let store = store.carrying(vec![folder.path().join("absent"), package]);
    std::fs::write(&carried, [7; 19]).expect("a file");
    assert_eq!(
        store.list()[0].state,
        State::Absent,
        "a file of another length does not count"
    );
    std::fs::write(&carried, [7; 20]).expect("a file");
    assert_eq!(
        (&store.list()[0].path, store.list()[0].state),
        (&carried, State::Complete)
    );
    store.verify("small").await.expect("a sound copy");
    let fetched = store.fetch("small", &(), CancellationToken::new()).await;
    assert_eq!(fetched.expect("the file that is there"), carried);
    let refused = store.remove("small").expect_err("it is not ours to remove");
    assert!(matches!(refused, RemoveError::Carried(_)), "{refused}");
    let own = store.folder().join("small.bin");
    std::fs::write(&own, content(20)).expect("a file");
    assert_eq!(store.path_of("small").expect("the own file"), own);
    assert!(store.remove("small").expect("the own file is removed"));
    assert!(carried.exists() && !own.exists());
}
