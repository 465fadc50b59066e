//! A template of a sentence. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| loquat_fuzz::target("sentence_template").run(bytes, loquat_fuzz::BOUND)
);
