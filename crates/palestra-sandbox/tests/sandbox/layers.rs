//! What a sandbox says of itself.

use palestra_sandbox::{Helper, LayerState, Sandbox, SandboxError};

use crate::support::sandbox;

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
