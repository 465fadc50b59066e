//! The head of a model file. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("gguf").run(bytes, loquat_fuzz::BOUND));
