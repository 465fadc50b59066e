//! Broken model files, made by hand and by cutting a well-formed one.

use std::path::PathBuf;

use super::*;

/// The smallest file that is well formed as a Silero model.
fn silero() -> Vec<u8> {
    let mut bytes = b"lmgg".to_vec();
    let push = |bytes: &mut Vec<u8>, numbers: &[u32]| {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    };
    push(&mut bytes, &[10]);
    bytes.extend(b"silero-16k");
    push(&mut bytes, &[6, 2, 0, 512, 64, 4]);
    for _ in 0..4 {
        push(&mut bytes, &[129, 128, 3]);
    }
    push(&mut bytes, &[128, 128, 128, 1]);
    for _ in 0..15 {
        push(&mut bytes, &[2, 4, 1, 8, 2]);
        bytes.extend(b"name");
        bytes.extend([0; 32]);
    }
    bytes
}

/// The smallest file that is well formed as a whisper model with one layer each.
fn whisper() -> Vec<u8> {
    let mut bytes = b"lmgg".to_vec();
    let push = |bytes: &mut Vec<u8>, numbers: &[u32]| {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    };
    push(&mut bytes, &[3, 1_500, 8, 1, 1, 448, 8, 1, 1, 80, 1, 2, 2]);
    bytes.extend([0; 16]);
    push(&mut bytes, &[2, 1]);
    bytes.extend(b"a");
    push(&mut bytes, &[2]);
    bytes.extend(b"bc");
    for _ in 0..(11 + 15 + 24) {
        push(&mut bytes, &[1, 1, 8, 32]);
        bytes.extend(b"n");
        bytes.extend([0; 34]);
    }
    bytes
}

fn check_bytes(bytes: &[u8], kind: ModelKind) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ggml-some.bin");
    std::fs::write(&path, bytes).unwrap();
    check(&path, kind).map_err(|error| error.to_string())
}

#[test]
fn well_formed_files_pass() {
    assert_eq!(check_bytes(&silero(), ModelKind::Silero), Ok(()));
    assert_eq!(check_bytes(&whisper(), ModelKind::Whisper), Ok(()));
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (bytes, kind) in [(silero(), ModelKind::Silero), (whisper(), ModelKind::Whisper)] {
        for length in 0..bytes.len() {
            let error = check_bytes(&bytes[..length], kind).unwrap_err();
            assert!(error.contains("ggml-some.bin"), "{error}");
            assert!(error.contains("`loquat models fetch ggml-some`"), "{error}");
        }
    }
}

#[test]
fn a_file_with_something_behind_it_is_refused() {
    let mut bytes = silero();
    bytes.push(0);
    let error = check_bytes(&bytes, ModelKind::Silero).unwrap_err();
    assert!(error.contains("1 bytes follow its last tensor"), "{error}");
}

#[test]
fn no_number_in_a_header_makes_the_walk_fail_other_than_by_an_error() {
    for (bytes, kind) in [(silero(), ModelKind::Silero), (whisper(), ModelKind::Whisper)] {
        for at in (4..bytes.len() - 4).step_by(4) {
            for number in [u32::MAX, 0x7fff_ffff, 0] {
                let mut broken = bytes.clone();
                broken[at..at + 4].copy_from_slice(&number.to_le_bytes());
                let _verdict = check_bytes(&broken, kind);
            }
        }
    }
}

#[test]
fn a_missing_file_names_itself_and_the_mend() {
    let error = check(&PathBuf::from("/nowhere/ggml-tiny.en.bin"), ModelKind::Whisper).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to read the whisper model /nowhere/ggml-tiny.en.bin; fetch it with `loquat models fetch \
         ggml-tiny.en`, if `loquat models list` has it"
    );
}

#[test]
fn other_files_are_told_apart() {
    let error = check_bytes(b"<html>404</html>", ModelKind::Whisper).unwrap_err();
    assert!(error.contains("does not begin like a model"), "{error}");
    assert!(check_bytes(&whisper(), ModelKind::Silero).is_err());
    assert!(check_bytes(&silero(), ModelKind::Whisper).is_err());
    let folder = tempfile::tempdir().unwrap();
    let error = check(folder.path(), ModelKind::Whisper).unwrap_err().to_string();
    assert!(error.contains("it is not a file"), "{error}");
}
