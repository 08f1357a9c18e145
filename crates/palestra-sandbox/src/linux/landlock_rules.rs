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
