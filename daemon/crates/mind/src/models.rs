//! Which models this device thinks with: the language model, and the pack of sentences.

use std::path::Path;
use std::time::Duration;

use loquat_models::{Kind, ModelFile};
use loquat_part::model_files::{ModelFiles, ROOMY, total_memory};
use loquat_part::model_speed::{self, Choice};

use crate::model_speed::ModelSpeeds;

/// What is wanted of the language model.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// Its name, its path, or "auto".
    pub model: &'a str,
    /// The threads that it computes with, where a number is set.
    pub threads: Option<u32>,
    /// A request that one tool answers may take so long with one that "auto" chooses.
    pub bound: Duration,
    /// The folder in which its measurements are kept.
    pub state: &'a Path,
}

/// The language model that is wanted; "auto" is, of those that are installed and that memory allows, the largest that is quick
/// enough on this machine.
pub fn language_model(wish: Wish<'_>, files: &ModelFiles<'_>) -> (ModelFile, Choice) {
    if wish.model != "auto" {
        return (files.named(wish.model), Choice::Named);
    }
    let memory = total_memory();
    let speeds = ModelSpeeds::recall(wish.state);
    let took = |file: &ModelFile| Some(speeds.of(&file.path, wish.threads)?.one_tool_request());
    let usual = || files.choose(wish.model, &language_models(memory));
    model_speed::choose(files.language_models(memory), took, wish.bound, usual)
}

/// The language models that are to be measured: those between which "auto" chooses, or the one that is named; the smallest
/// first. What is not there is none of them.
pub fn to_be_measured(wish: Wish<'_>, files: &ModelFiles<'_>) -> Vec<ModelFile> {
    let mut models = match wish.model {
        "auto" => files.language_models(total_memory()),
        named => vec![files.named(named)],
    };
    models.retain(ModelFile::is_present);
    models.reverse();
    models
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
