//! What the folder of models holds, and what becomes of files that are not as they should be.

use super::fetching::store_of;
use super::hub::{checksum, content};
use crate::{MissingModel, State, Store, VerifyError};

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
