//! Our `loquat.toml`. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("settings").run(bytes, loquat_fuzz::BOUND));
