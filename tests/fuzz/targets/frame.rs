//! A frame of the bus with its session. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("frame").run(bytes, loquat_fuzz::BOUND));
