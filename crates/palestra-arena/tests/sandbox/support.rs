//! What the tests share: one sandbox, and one program that knows all attacks.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use palestra_arena::Process;
use palestra_arena::sandbox::{Allowance, Helper, Sandbox};

/// The helper is beside the tests, unless they were carried elsewhere.
pub(crate) fn helper() -> Helper {
    let helper = env::var_os("PALESTRA_BOX").map(PathBuf::from);
    Helper::at(helper.unwrap_or_else(|| env!("CARGO_BIN_EXE_palestra-box").into()))
}

/// The sandbox of all tests.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| Sandbox::new(helper()).expect("a sandbox"))
}

/// The attacker, compiled.
pub(crate) fn attacker_program() -> &'static [u8] {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = env::temp_dir().join(format!("palestra-attacker-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("attacker.cpp"), include_str!("attacker.cpp")).expect("the source");
        let mut compiler = Command::new("g++");
        compiler.args(["-O1", "-pthread", "-o", "attacker", "attacker.cpp"]).current_dir(&folder);
        assert!(compiler.status().expect("g++").success(), "the attacker does not compile");
        let program = fs::read(folder.join("attacker")).expect("the program");
        fs::remove_dir_all(&folder).expect("removed");
        program
    })
}

/// The attacker in a box, told what to do.
pub(crate) fn attacker(words: &[&str]) -> Process {
    let command = [&["/bot/attacker"], words].concat();
    let program = sandbox().pack(&[("attacker", attacker_program())], &command).expect("packed");
    sandbox().start(&program, Allowance::default()).expect("a box")
}
