//! Feeds the target `message`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| oncue_fuzz::message(input));
