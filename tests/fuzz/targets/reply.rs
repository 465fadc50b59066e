//! A model server's reply, as a stream of events or as one document. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("reply").run(bytes, loquat_fuzz::BOUND));
