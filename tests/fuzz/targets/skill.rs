//! A `SKILL.md`. See [`loquat_fuzz`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loquat_fuzz::target("skill").run(bytes, loquat_fuzz::BOUND));
