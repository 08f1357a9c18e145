//! What a compile box costs: g++ in a box beside the same g++ without one, on an example of the kits.
//!
//! `cargo bench -p palestra-arena --bench compile [-- --runs N]` prints medians of N rounds, contestants in turn. The
//! helper of the boxes is this program itself.

#[cfg(target_os = "linux")]
mod rounds;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    return linux::main();
    #[cfg(not(target_os = "linux"))]
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, ExitCode};
    use std::time::{Duration, Instant};

    use palestra_arena::Upload;
    use palestra_sandbox::{HELPER_WORD, Helper, Sandbox, helper_main};

    use crate::rounds::alternate;

    const EXAMPLE: &str = include_str!("../../../kits/cpp/mancala/alphabeta.cpp");
    const LIBRARY: &str = include_str!("../../../kits/cpp/palestra.hpp");

    pub(super) fn main() -> ExitCode {
        let args: Vec<String> = std::env::args().skip(1).collect();
        if args.first().is_some_and(|word| word == HELPER_WORD) {
            return helper_main();
        }
        // `cargo test --benches` runs this too, without the word.
        if !args.iter().any(|arg| arg == "--bench") {
            println!("run by cargo bench");
            return ExitCode::SUCCESS;
        }
        let runs = args.iter().skip_while(|arg| *arg != "--runs").nth(1).and_then(|runs| runs.parse().ok());
        compare(runs.unwrap_or(9));
        ExitCode::SUCCESS
    }

    fn compare(rounds: usize) {
        let sandbox = Sandbox::new(Helper::this_program().expect("this program")).expect("a sandbox");
        let folder = std::env::temp_dir().join(format!("palestra-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("bot.cpp"), EXAMPLE).expect("the example");
        fs::write(folder.join("palestra.hpp"), LIBRARY).expect("its kit");
        let upload = Upload::of_files("mancala", vec![("bot.cpp".into(), EXAMPLE.into())]).expect("a program");
        let mut without = || timed(|| bare(&folder));
        let mut within = || timed(|| drop(upload.build(&sandbox).expect("it compiles")));
        let [bare, boxed] = alternate(rounds, [&mut without, &mut within]);
        fs::remove_dir_all(&folder).expect("removed");
        println!("{:<44}{:.0} ms", "g++ -O2 of an example", bare.as_secs_f64() * 1e3);
        println!("{:<44}{:.0} ms", "the same in a box", boxed.as_secs_f64() * 1e3);
        println!("{:<44}{:.2} times (goal <= 1.1)", "ratio", boxed.as_secs_f64() / bare.as_secs_f64());
    }

    fn bare(folder: &Path) {
        let mut compiler = Command::new("g++");
        compiler.args("-O2 -std=c++17 -o program bot.cpp".split(' ')).current_dir(folder);
        assert!(compiler.status().expect("g++").success(), "the example compiles");
    }

    fn timed(work: impl FnOnce()) -> Duration {
        let begun = Instant::now();
        work();
        begun.elapsed()
    }
}
