//! Which models this device thinks with: the language model, and the pack of sentences.

use loquat_models::{Kind, ModelFile};
use loquat_part::model_files::{ModelFiles, ROOMY, total_memory};

/// The language model that the settings mean; "auto" is the largest that the memory has room for.
pub fn language_model(wanted: &str, files: &ModelFiles<'_>) -> ModelFile {
    files.choose(wanted, &language_models(total_memory()))
}

/// On few gigabytes the smaller model is the only one that leaves room for the rest of the device.
fn language_models(memory: u64) -> Vec<&'static str> {
    let (small, large) = (
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
    );
    if memory < ROOMY {
        vec![small]
    } else {
        vec![large, small]
    }
}

/// The pack of sentences that the settings mean; "auto" is the first of the catalogue.
pub fn sentence_pack(wanted: &str, files: &ModelFiles<'_>) -> Option<ModelFile> {
    match wanted {
        "off" => None,
        "auto" => Some(files.named(&files.catalogue.first_of(Kind::Sentences)?.name)),
        named => Some(files.named(named)),
    }
}
