//! Models that cannot be: one line for the person, the right exit code, no crash.

use std::path::Path;

use crate::worker::{Worker, small_model};

async fn verdict(model: &Path) -> (Option<i32>, String) {
    let mut worker = Worker::start(model, &[]);
    let end = worker.end().await;
    assert_eq!(end.errors.lines().count(), 1, "{}", end.errors);
    assert!(!worker.socket.exists());
    (end.status.code(), end.errors)
}

#[tokio::test]
async fn a_missing_model_is_said() {
    let (code, line) = verdict(Path::new("/nonexistent/model.gguf")).await;
    assert_eq!(code, Some(78));
    assert_eq!(
        line,
        "error: failed to load the model /nonexistent/model.gguf: there is no such file; fetch it with `loquat models` \
         or name another file with --model\n"
    );
}

#[tokio::test]
async fn a_truncated_model_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(small_model()).unwrap();
    // Within the tensors, within the vocabulary, and only the first bytes.
    for length in [whole.len() - 1, whole.len() / 2, 200_000, 100, 24] {
        let path = folder.path().join(format!("{length}.gguf"));
        std::fs::write(&path, &whole[..length]).unwrap();
        let (code, line) = verdict(&path).await;
        assert_eq!(code, Some(78), "{length}: {line}");
        assert!(
            line.starts_with(&format!("error: failed to load the model {}: ", path.display())),
            "{line}"
        );
        assert!(
            line.contains("cut short, damaged or of an unknown kind"),
            "{line}"
        );
    }
}

#[tokio::test]
async fn a_damaged_model_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(small_model()).unwrap();
    for (at, name) in [
        (4, "version"),
        (8, "tensors"),
        (16, "entries"),
        (24, "first-key"),
        (100, "entry"),
    ] {
        let path = folder.path().join(format!("{name}.gguf"));
        let mut damaged = whole[..1_000_000].to_vec();
        damaged[at..at + 8].fill(0xFE);
        std::fs::write(&path, damaged).unwrap();
        let (code, line) = verdict(&path).await;
        assert_eq!(code, Some(78), "{name}: {line}");
    }
}

#[tokio::test]
async fn what_is_no_model_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.gguf");
    std::fs::write(&page, "<!DOCTYPE html><title>404</title> not a model at all").unwrap();
    let (code, line) = verdict(&page).await;
    assert_eq!(code, Some(78));
    assert!(line.contains("it is not a GGUF file"), "{line}");
    let (code, line) = verdict(folder.path()).await;
    assert_eq!(code, Some(78));
    assert!(line.contains("it is not a file"), "{line}");
}
