//! What protects the machine from what runs in a box, found out by running a program in one.

use std::fs;
use std::path::Path;

use rustix::process::getuid;
use rustix::system::uname;

use super::cgroup::Cgroups;
use super::probe::Seen;
use super::sys;

/// The layers of the boxes on this machine, in the order in which they are put around a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers(Vec<Layer>);

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What it is called.
    pub name: &'static str,
    /// Whether strangers' programs can do without it.
    pub is_required: bool,
    /// Whether it is there.
    pub state: LayerState,
}

/// Whether a layer is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerState {
    /// The layer is active, with this detail.
    Found(String),
    /// The layer is not active.
    Missing(Missing),
    /// Nobody can tell: another layer is missing without which there is no box to look into.
    Untried,
}

/// What there is to say about a layer that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Why it is not.
    pub why: String,
    /// What follows from that.
    pub follows: &'static str,
    /// What to do about it.
    pub advice: String,
}

const NAMESPACES: &str = "namespaces";
const USER: &str = "unknown user";
const FILES: &str = "own files";
const RIGHTS: &str = "no rights";
const FILTERS: &str = "call filters";
const LANDLOCK: &str = "Landlock";
const FREEZER: &str = "freezer";
const MEMORY: &str = "memory limit";
const PROCESSES: &str = "process limit";

const NO_BOX: &str = "strangers' programs do not run here";

impl Layers {
    /// From what the probe saw, or why there was no box to put it into.
    pub(super) fn of(seen: Result<&Seen, &str>, cgroups: &Cgroups) -> Self {
        let mut layers: Vec<Layer> = match seen {
            Ok(seen) => inner(seen).into(),
            Err(why) => broken(why).into(),
        };
        layers.push(landlock(seen.ok()));
        layers.extend(groups(cgroups));
        Self(layers)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Layer> {
        self.0.iter()
    }

    /// The first layer that is missing and must not be.
    #[must_use]
    pub fn lacking(&self) -> Option<(&Layer, &Missing)> {
        self.missing().find(|(layer, _)| layer.is_required)
    }

    /// All that are missing.
    pub fn missing(&self) -> impl Iterator<Item = (&Layer, &Missing)> {
        self.0.iter().filter_map(|layer| match &layer.state {
            LayerState::Missing(missing) => Some((layer, missing)),
            _ => None,
        })
    }
}

/// The layers that must be there, as seen from inside.
fn inner(seen: &Seen) -> [Layer; 5] {
    let required = |name, is_there: bool, detail: &str, why: String| {
        let state = if is_there {
            LayerState::Found(detail.to_owned())
        } else {
            let advice = "this is a fault of Palestra: please report it with the output of palestra doctor".to_owned();
            LayerState::Missing(Missing { why, follows: NO_BOX, advice })
        };
        Layer { name, is_required: true, state }
    };
    let whose = if getuid().is_root() { "a new number for each box" } else { "yours, under another number" };
    [
        required(
            NAMESPACES,
            seen.pid == 2 && seen.host == "box",
            "user, mounts, processes, network, messages, host name, groups",
            format!("the program is process {} of '{}'", seen.pid, seen.host),
        ),
        required(USER, seen.uid != 0, whose, "the program is root".to_owned()),
        required(
            FILES,
            !seen.has_proc && seen.written.is_empty(),
            "/usr and itself, read-only; a small /tmp; no /proc",
            format!("the program can write {}, or see /proc", seen.written.join(" ")),
        ),
        required(
            RIGHTS,
            !seen.has_capabilities && !seen.may_gain_privileges,
            "no capabilities, no new privileges",
            "the program has capabilities, or can gain privileges".to_owned(),
        ),
        required(
            FILTERS,
            seen.has_filters && !seen.has_sockets,
            "seccomp: a list of what is allowed, and one of what is deadly",
            "the program can make any call of the system".to_owned(),
        ),
    ]
}

/// The layers when no box could be made: the one that failed, and the ones that could not be tried.
fn broken(why: &str) -> [Layer; 5] {
    let failed = failed_layer(why);
    [NAMESPACES, USER, FILES, RIGHTS, FILTERS].map(|name| {
        let state =
            if name == failed { LayerState::Missing(Machine::this().diagnose(why)) } else { LayerState::Untried };
        Layer { name, is_required: true, state }
    })
}

/// Which layer a step of the helper belongs to.
fn failed_layer(why: &str) -> &'static str {
    let step = why.split(':').next().unwrap_or_default();
    let is_about = |words: &[&str]| words.iter().any(|word| step.contains(word));
    if is_about(&["filter"]) {
        FILTERS
    } else if is_about(&["capabilities", "privileges"]) {
        RIGHTS
    } else if is_about(&["mount", "root", "bring", "hide", "folder"]) && !is_about(&["cut off"]) {
        FILES
    } else {
        NAMESPACES
    }
}

/// What decides whether a box can be made on a machine.
#[derive(Clone, Debug, Default)]
struct Machine {
    /// Ubuntu's rule that only known programs may make namespaces.
    is_restricted_by_apparmor: bool,
    /// Debian's switch.
    is_switched_off: bool,
    /// The most user namespaces that there may be.
    most_namespaces: Option<u64>,
    is_container: bool,
    kernel: String,
}

const EPERM: i32 = 1;
const EACCES: i32 = 13;
const ENOSPC: i32 = 28;
const ENOSYS: i32 = 38;

impl Machine {
    fn this() -> Self {
        let setting = |path: &str| fs::read_to_string(Path::new("/proc/sys").join(path)).ok()?.trim().parse().ok();
        let is_there = |path: &&str| Path::new(path).exists();
        Self {
            is_restricted_by_apparmor: setting("kernel/apparmor_restrict_unprivileged_userns") == Some(1),
            is_switched_off: setting("kernel/unprivileged_userns_clone") == Some(0),
            most_namespaces: setting("user/max_user_namespaces"),
            is_container: ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].iter().any(is_there),
            kernel: uname().release().to_string_lossy().into_owned(),
        }
    }

    /// Why a box could not be made, from the step that failed and what the system said.
    fn diagnose(&self, failure: &str) -> Missing {
        let missing = |why: &str, advice: &str| Missing {
            why: format!("{why} ({failure})"),
            follows: NO_BOX,
            advice: advice.to_owned(),
        };
        let code = os_error(failure);
        let is_denied = matches!(code, Some(EPERM | EACCES));
        if self.most_namespaces == Some(0) || code == Some(ENOSPC) {
            missing("no more user namespaces are allowed", "sudo sysctl -w user.max_user_namespaces=15000")
        } else if is_denied && self.is_switched_off {
            missing(
                "kernel.unprivileged_userns_clone=0 forbids namespaces",
                "sudo sysctl -w kernel.unprivileged_userns_clone=1",
            )
        } else if is_denied && self.is_restricted_by_apparmor {
            missing(
                "kernel.apparmor_restrict_unprivileged_userns=1 forbids what is done in namespaces",
                "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
            )
        } else if is_denied && self.is_container {
            missing(
                "this is a container that may not make namespaces",
                "run palestra outside of the container, or give it the right: \
                 docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
                 --security-opt systempaths=unconfined",
            )
        } else if code == Some(ENOSYS) {
            missing(
                &format!("the kernel is too old: this is {}, and boxes need 5.12 or later", self.kernel),
                "install a newer kernel",
            )
        } else {
            missing("the box cannot be made", "palestra doctor as root, and as an ordinary user, may tell more")
        }
    }
}

/// The number of an error, from its words.
pub(super) fn os_error(text: &str) -> Option<i32> {
    text.rsplit_once("(os error ")?.1.split(')').next()?.parse().ok()
}

fn landlock(seen: Option<&Seen>) -> Layer {
    let version = sys::landlock_version();
    let missing = |why: &str| {
        LayerState::Missing(Missing {
            why: why.to_owned(),
            follows: "files are fenced off by the namespaces alone",
            advice: "boot a kernel from 5.13 on, with landlock in the list lsm=".to_owned(),
        })
    };
    let state = match (version, seen) {
        (None, _) => missing("the kernel has none"),
        (Some(_), Some(seen)) if !seen.has_fence => missing("the fence does not hold"),
        (Some(version), _) => LayerState::Found(format!("version {version}")),
    };
    Layer { name: LANDLOCK, is_required: false, state }
}

fn groups(cgroups: &Cgroups) -> [Layer; 3] {
    let versions = cgroups.versions();
    let optional = |name, version: Option<u8>, follows| {
        let state = match version {
            Some(version) => LayerState::Found(format!("control groups, version {version}")),
            None => LayerState::Missing(Missing {
                why: "no control group that palestra may use".to_owned(),
                follows,
                advice: groups_advice().to_owned(),
            }),
        };
        Layer { name, is_required: false, state }
    };
    [
        optional(FREEZER, versions.freeze, "programs are stopped by signals, which the filters keep them from undoing"),
        optional(
            MEMORY,
            versions.memory,
            "memory is bounded by addresses, 1 GiB more than what is told, and looked at",
        ),
        optional(PROCESSES, versions.pids, "processes are bounded by the filters, threads for each user"),
    ]
}

fn groups_advice() -> &'static str {
    if getuid().is_root() {
        "mount control groups, version 2 (kernel 5.14 or later): mount -t cgroup2 none /sys/fs/cgroup"
    } else {
        "run it as root, or in a group of your own: systemd-run --user --scope -p Delegate=yes palestra ..."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Seen = Seen {
        uid: 1000,
        pid: 2,
        host: String::new(),
        has_capabilities: false,
        may_gain_privileges: false,
        has_filters: true,
        has_sockets: false,
        has_proc: false,
        written: vec![],
        has_fence: true,
    };

    fn lacking(seen: &Seen) -> Vec<&'static str> {
        let layers = inner(&Seen { host: "box".to_owned(), ..seen.clone() });
        let missing = |layer: &&Layer| matches!(layer.state, LayerState::Missing(_));
        layers.iter().filter(missing).map(|layer| layer.name).collect()
    }

    #[test]
    fn each_layer_is_found_missing_by_itself() {
        assert_eq!(lacking(&GOOD), Vec::<&str>::new());
        assert_eq!(lacking(&Seen { pid: 77, ..GOOD }), [NAMESPACES]);
        assert_eq!(lacking(&Seen { uid: 0, ..GOOD }), [USER]);
        assert_eq!(lacking(&Seen { has_proc: true, ..GOOD }), [FILES]);
        assert_eq!(lacking(&Seen { written: vec!["/usr".to_owned()], ..GOOD }), [FILES]);
        assert_eq!(lacking(&Seen { has_capabilities: true, ..GOOD }), [RIGHTS]);
        assert_eq!(lacking(&Seen { may_gain_privileges: true, ..GOOD }), [RIGHTS]);
        assert_eq!(lacking(&Seen { has_filters: false, ..GOOD }), [FILTERS]);
        assert_eq!(lacking(&Seen { has_sockets: true, ..GOOD }), [FILTERS]);
    }

    #[test]
    fn the_cause_is_named_with_what_to_type() {
        let denied = "make namespaces: Operation not permitted (os error 1)";
        let advice = |machine: &Machine, failure: &str| machine.diagnose(failure).advice;
        let ubuntu = Machine { is_restricted_by_apparmor: true, ..Machine::default() };
        let apparmor = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        assert_eq!(advice(&ubuntu, denied), apparmor);
        // There the namespaces can be made, and nothing may be done in them.
        assert_eq!(advice(&ubuntu, "name the box: Permission denied (os error 13)"), apparmor);
        let debian = Machine { is_switched_off: true, ..Machine::default() };
        assert_eq!(advice(&debian, denied), "sudo sysctl -w kernel.unprivileged_userns_clone=1");
        let none = Machine { most_namespaces: Some(0), ..Machine::default() };
        let full = "make namespaces: No space left on device (os error 28)";
        assert_eq!(advice(&none, full), "sudo sysctl -w user.max_user_namespaces=15000");
        assert_eq!(advice(&Machine::default(), full), "sudo sysctl -w user.max_user_namespaces=15000");
        let container = Machine { is_container: true, ..Machine::default() };
        assert!(advice(&container, denied).contains("docker run --security-opt"));
        let old = Machine { kernel: "4.19".to_owned(), ..Machine::default() };
        let why = old.diagnose("bring in /usr: Function not implemented (os error 38)").why;
        assert!(why.starts_with("the kernel is too old: this is 4.19"), "{why}");
    }

    #[test]
    fn a_step_that_failed_belongs_to_a_layer() {
        assert_eq!(failed_layer("make namespaces: no"), NAMESPACES);
        assert_eq!(failed_layer("cut off the mounts: no"), NAMESPACES);
        assert_eq!(failed_layer("bring in /usr: no"), FILES);
        assert_eq!(failed_layer("set a filter: no"), FILTERS);
        assert_eq!(failed_layer("give up capabilities: no"), RIGHTS);
    }
}
