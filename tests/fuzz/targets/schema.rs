//! A tool's schema and the arguments of a call. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("schema").run(bytes, loquat_fuzz::BOUND));
