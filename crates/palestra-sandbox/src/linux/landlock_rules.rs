//! The Landlock ruleset: which paths a program in a box may read, write and run.
//!
//! A second layer behind the mount namespace: a file that should not be in the box could not be opened even if it were there.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

/// The newest Landlock ABI that is asked for; older kernels enforce what they know of it.
const NEWEST_ABI: ABI = ABI::V6;

/// Restricts this process to the files of its box, for good. Whether the kernel knows Landlock.
pub(super) fn restrict_self_to_box() -> Result<bool, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let run = read | AccessFs::Execute;
    let all_but_run = AccessFs::from_all(NEWEST_ABI) & !BitFlags::from(AccessFs::Execute);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST_ABI))?
        .handle_access(AccessNet::from_all(NEWEST_ABI))?
        .scope(Scope::from_all(NEWEST_ABI))?
        .create()?;
    let paths = [
        ("/usr", run),
        ("/bin", run),
        ("/lib", run),
        ("/lib64", run),
        ("/bot", run),
        ("/rust", run),
        ("/proc", read),
        ("/dev", read | AccessFs::WriteFile),
        ("/tmp", all_but_run),
    ];
    for (path, access) in paths {
        if let Ok(path) = PathFd::new(path) {
            ruleset = ruleset.add_rule(PathBeneath::new(path, access))?;
        }
    }
    Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process};

    use super::restrict_self_to_box;
    use crate::linux::sys::landlock_version;

    /// Runs this in a thread that Landlock restricts, and nothing else does. Whether the kernel knows Landlock.
    fn restricted(attempts: impl FnOnce() + Send) -> bool {
        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let is_known = restrict_self_to_box().expect("a ruleset");
                if is_known {
                    attempts();
                }
                is_known
            });
            thread.join().expect("the attempts")
        })
    }

    #[track_caller]
    fn assert_denied<T>(what: &str, result: std::io::Result<T>) {
        let kind = result.err().map(|error| error.kind());
        assert_eq!(kind, Some(ErrorKind::PermissionDenied), "{what}");
    }

    /// In a box the mounts would keep all of this out; here Landlock stands alone.
    #[test]
    fn landlock_alone_keeps_a_program_to_the_files_of_its_box() {
        let copy = Path::new("/tmp").join(format!("palestra-landlock-{}", std::process::id()));
        let is_known = restricted(|| {
            assert_denied("reads /etc", File::open("/etc/passwd"));
            assert_denied("lists the root", fs::read_dir("/"));
            assert_denied("lists /etc", fs::read_dir("/etc"));
            assert_denied("makes a file in /dev", File::create(format!("/dev/palestra-{}", std::process::id())));
            assert_denied("makes a file in /usr", File::create("/usr/palestra-landlock"));
            assert_denied("makes a file in /var/tmp", File::create("/var/tmp/palestra-landlock"));
            File::options().write(true).open("/dev/null").expect("devices can be written to");
            let program = fs::read("/usr/bin/true").expect("the system's programs can be read");
            assert!(Command::new("/usr/bin/true").status().expect("they can be run").success());
            fs::write(&copy, program).expect("/tmp can be written to");
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("it is ours");
            assert_denied("runs a file in /tmp", Command::new(&copy).status());
            fs::remove_file(&copy).expect("what is in /tmp can be removed");
        });
        assert_eq!(is_known, landlock_version().is_some());
    }

    #[test]
    fn landlock_alone_keeps_signals_and_connections_in() {
        let version = landlock_version().unwrap_or_default();
        let mut outside = Command::new("sleep").arg("600").spawn().expect("a process outside");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        restricted(|| {
            if version >= 4 {
                assert_denied("connects", TcpStream::connect(address));
                assert_denied("listens", TcpListener::bind("127.0.0.1:0"));
            }
            if version >= 6 {
                let signalled = kill_process(Pid::from_child(&outside), Signal::TERM);
                assert_eq!(signalled, Err(rustix::io::Errno::PERM), "signals a process outside");
            }
        });
        outside.kill().expect("it is ours");
        outside.wait().expect("it was killed");
    }
}
