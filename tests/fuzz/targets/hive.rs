//! What a node of a hive says. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("hive").run(bytes, loquat_fuzz::BOUND));
