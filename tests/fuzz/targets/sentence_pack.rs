//! A pack of sentences, or a person's own. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| loquat_fuzz::target("sentence_pack").run(bytes, loquat_fuzz::BOUND)
);
