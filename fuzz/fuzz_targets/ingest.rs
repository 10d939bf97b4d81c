//! Feeds the target `ingest`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| oncue_fuzz::ingest(input));
