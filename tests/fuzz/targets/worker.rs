//! What a worker says of a turn. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("worker").run(bytes, loquat_fuzz::BOUND));
