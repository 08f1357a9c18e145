//! A second fence around the files, by Landlock: what is not in the box could not be opened even if it were there.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

/// The newest version that is asked for; older kernels do what they can.
const VERSION: ABI = ABI::V6;

/// Puts up the fence around this process for good. Whether the kernel knows how.
pub(super) fn put_up() -> Result<bool, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let run = read | AccessFs::Execute;
    let all_but_run = AccessFs::from_all(VERSION) & !BitFlags::from(AccessFs::Execute);
    let mut fence = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?;
    let places = [
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
    for (place, access) in places {
        if let Ok(place) = PathFd::new(place) {
            fence = fence.add_rule(PathBeneath::new(place, access))?;
        }
    }
    Ok(fence.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}
