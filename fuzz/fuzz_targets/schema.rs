//! Feeds the target `schema`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| oncue_fuzz::schema(input));
