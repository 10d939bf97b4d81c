//! Feeds the target `search`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| oncue_fuzz::search(input));
