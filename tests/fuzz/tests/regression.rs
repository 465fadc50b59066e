//! The fuzzer's functions on the stable compiler: all seeds, and some thousands of inputs that were made from them.
#![cfg(test)]

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fmt, fs};

use loquat_fuzz::{BOUND, TARGETS, Target, target};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What is not optimised takes so many times longer.
const UNOPTIMISED: u32 = 20;

/// Inputs made of the seeds of one target.
const INPUTS: u32 = 1500;

/// Bytes that are shown as text.
#[derive(Clone)]
struct Input(Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// How an input is made from another.
#[derive(Debug, Clone)]
enum Change {
    Flip(Index, u8),
    Cut(Index, Index),
    Repeat(Index, Index, usize),
    Insert(Index, &'static str),
}

/// What readers stumble over.
const STUMBLING_BLOCKS: [&str; 16] = [
    "{", "}", "[", "]", "\"", ":", ",", "\\u0000", "\n\n", "data: ", "1e999", "-1", "null", "\u{feff}",
    "\0\0\0\0", "((((",
];

fn bound() -> Duration {
    if cfg!(debug_assertions) {
        BOUND * UNOPTIMISED
    } else {
        BOUND
    }
}

fn folder(target: Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(target.name)
}

#[expect(
    clippy::disallowed_methods,
    reason = "where the models of the tests are is said in the environment"
)]
fn models() -> Option<PathBuf> {
    env::var("LOQUAT_TEST_MODELS").ok().map(PathBuf::from)
}

/// The seeds of a target, and what else is at hand of its kind.
fn seeds(target: Target) -> Vec<Vec<u8>> {
    let models = models().filter(|_| target.name == "wake_word");
    let personas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../personas");
    let personas = (target.name == "persona").then_some(personas);
    let folders = [Some(folder(target)), models, personas].into_iter().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let fits =
        |path: &PathBuf| target.name != "wake_word" || path.extension().is_some_and(|end| end == "tflite");
    let mut paths: Vec<PathBuf> = files
        .map(|file| file.path())
        .filter(|path| path.is_file() && fits(path))
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Flip(at, byte)),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Change::Cut(from, to)),
        1 => (any::<Index>(), any::<Index>(), 1_usize..40).prop_map(|(from, to, times)| Change::Repeat(from, to, times)),
        3 => (any::<Index>(), prop::sample::select(&STUMBLING_BLOCKS[..])).prop_map(|(at, text)| Change::Insert(at, text)),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let end = bytes.len() + 1;
        match change {
            Change::Flip(at, byte) => {
                if let Some(place) = bytes.get_mut(at.index(end)) {
                    *place = *byte;
                }
            }
            Change::Cut(from, to) => {
                let (from, to) = ordered(from.index(end), to.index(end));
                bytes.drain(from..to);
            }
            Change::Repeat(from, to, times) => {
                let (from, to) = ordered(from.index(end), to.index(end));
                let again = bytes[from..to].repeat(*times);
                bytes.splice(to..to, again);
            }
            Change::Insert(at, text) => {
                let at = at.index(end);
                bytes.splice(at..at, text.bytes());
            }
        }
        bytes.truncate(loquat_fuzz::LONGEST);
    }
    bytes
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// All seeds, and inputs made from them by the same chance each time.
fn try_all(name: &str) {
    let target = target(name);
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "no seeds for {name}");
    for seed in &seeds {
        target.run(seed, bound());
    }
    let config = Config {
        cases: INPUTS,
        failure_persistence: None,
        ..Config::default()
    };
    let chance = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let inputs = (prop::sample::select(seeds), prop::collection::vec(change(), 1..6));
    let inputs = inputs.prop_map(|(seed, changes)| Input(changed(seed, &changes)));
    let tried = TestRunner::new_with_rng(config, chance).run(&inputs, |input| {
        target.run(&input.0, bound());
        Ok(())
    });
    if let Err(error) = tried {
        panic!("{name}: {error}");
    }
}

#[test]
fn frames() {
    try_all("frame");
}

#[test]
fn replies_of_model_servers() {
    try_all("reply");
}

#[test]
fn what_models_say() {
    try_all("decoder");
}

#[test]
fn schemas_with_arguments() {
    try_all("schema");
}

#[test]
fn persona_files() {
    try_all("persona");
}

#[test]
fn the_settings_of_ovos() {
    try_all("mycroft");
}

#[test]
fn our_settings() {
    try_all("settings");
}

#[test]
fn instructions_of_skills() {
    try_all("skill");
}

#[test]
fn networks_of_wake_words() {
    try_all("wake_word");
}

#[test]
fn wav_files() {
    try_all("wav");
}

#[test]
fn heads_of_models() {
    try_all("gguf");
}

#[test]
fn messages_of_a_hive() {
    try_all("hive");
}

#[test]
fn what_workers_say() {
    try_all("worker");
}

#[test]
fn templates_of_sentences() {
    try_all("sentence_template");
}

#[test]
fn what_is_said_to_sentences() {
    try_all("sentence_text");
}

#[test]
fn packs_of_sentences() {
    try_all("sentence_pack");
}

#[test]
fn every_target_has_its_seeds_and_its_program() {
    for target in TARGETS {
        assert!(folder(target).is_dir(), "no seeds for {}", target.name);
        let program = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("targets")
            .join(format!("{}.rs", target.name));
        assert!(program.is_file(), "no program for {}", target.name);
    }
}

#[test]
fn a_slow_input_is_found() {
    let slow = std::panic::catch_unwind(|| target("frame").run(&seeds(target("frame"))[0], Duration::ZERO));
    assert!(slow.is_err());
}
