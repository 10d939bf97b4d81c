//! Prints the answer as this machine computes it.

fn main() {
    print!("{}", oncue_wasm_probe::answer());
}
