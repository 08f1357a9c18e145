//! The sandbox's helper alone, for the tests and benchmarks of this crate.

fn main() -> std::process::ExitCode {
    palestra_sandbox::helper_main()
}
