//! A text that is said to sentences. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| loquat_fuzz::target("sentence_text").run(bytes, loquat_fuzz::BOUND)
);
