//! A wake word's network. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("wake_word").run(bytes, loquat_fuzz::BOUND));
