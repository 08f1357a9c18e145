//! What a sandbox says of itself.

use std::fs;
use std::path::Path;

use palestra_sandbox::{Helper, LayerState, Sandbox, SandboxError};

use crate::hand::lead_through;
use crate::probe::{family, find};
use crate::support::{Attacker, sandbox};

const PEACEFUL: Attacker = Attacker { name: "isolation", source: include_str!("attacks/isolation.cpp") };

/// Filters keep programs from most of what other namespaces hold; each namespace is there all the same.
#[test]
fn a_program_in_a_box_is_in_namespaces_of_its_own() {
    let mut boxed = PEACEFUL.start(&["peace"]);
    lead_through(&mut boxed);
    let program = family(&boxed)[2];
    for kind in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] {
        let own = fs::read_link(format!("/proc/self/ns/{kind}")).expect("our own namespace");
        match fs::read_link(format!("/proc/{program}/ns/{kind}")) {
            Ok(its) => assert_ne!(its, own, "the {kind} namespace"),
            // An ordinary user may not look: the namespace is that of another user.
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied, "the {kind} namespace"),
        }
    }
}

#[test]
fn the_processes_of_a_box_are_limited_by_its_cgroup() {
    if !sandbox().cgroups().pids {
        println!("skipped: this machine's cgroups cannot limit processes for this user");
        return;
    }
    let mut boxed = PEACEFUL.start(&["peace"]);
    lead_through(&mut boxed);
    let groups = find(Path::new("/sys/fs/cgroup"), &format!("palestra-{}-", std::process::id()), 16);
    let boxes = groups.iter().filter_map(|group| fs::read_dir(group).ok()).flatten().flatten();
    let limits: Vec<String> =
        boxes.filter_map(|of_a_box| fs::read_to_string(of_a_box.path().join("pids.max")).ok()).collect();
    // Where another version has no controller, its groups have no such file, or say "max".
    let limits: Vec<&str> = limits.iter().map(|limit| limit.trim()).filter(|&limit| limit != "max").collect();
    assert!(!limits.is_empty() && limits.iter().all(|&limit| limit == "64"), "{limits:?}");
}

#[test]
fn every_layer_that_must_be_there_is_seen_from_inside() {
    let required: Vec<_> = sandbox().layers().iter().filter(|layer| layer.is_required).collect();
    assert_eq!(required.len(), 5);
    assert!(required.iter().all(|layer| matches!(layer.state, LayerState::Found(_))), "{required:?}");
    assert!(sandbox().layers().lacking().is_none());
}

#[test]
fn what_control_groups_cannot_do_is_told() {
    let powers = sandbox().cgroups();
    let lacks = sandbox().lacks();
    for (layer, is_there) in
        [("freezer", powers.freeze), ("memory limit", powers.memory), ("process limit", powers.pids)]
    {
        assert_eq!(!lacks.contains(layer), is_there, "{layer}: {lacks}");
    }
}

#[test]
fn a_helper_that_makes_no_box_is_not_believed() {
    // Both start what they are told to start, as far as anybody can see without looking into the box.
    for program in ["/bin/true", "/bin/echo"] {
        let error = Sandbox::new(Helper::at(program.into())).expect_err("no box");
        assert!(matches!(&error, SandboxError::Lacking(layers) if layers.lacking().is_some()), "{program}: {error:?}");
    }
}

#[test]
fn costs_are_measured() {
    let mut told = vec![];
    let costs = sandbox().costs(3, &mut |count| told.push(count)).expect("boxes");
    assert_eq!(told, [1, 2, 3]);
    assert!(!costs.start.is_zero() && !costs.freeze.is_zero());
}
