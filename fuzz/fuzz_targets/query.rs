//! Feeds the target `query`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| oncue_fuzz::query(input));
