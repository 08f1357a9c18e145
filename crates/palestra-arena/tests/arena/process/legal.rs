//! Honest programs.

use palestra_arena::{Bot, Reason};
use palestra_protocol::Dialect;
use palestra_sandbox::{Launch, Process};

use super::bots::{PERL, PYTHON, SH, ample, assert_nothing_left, cpp, launch, play, play_one, record, sh};

fn plays_whole_games(launch: &Launch) {
    for game in ["mancala", "conecta4boom"] {
        let played = play_one(game, launch, ample());
        assert_eq!(played.verdict.reason, Reason::Finished, "{launch:?}: {:?}", played.stderr);
        assert!(played.record.moves().len() > 5);
    }
}

#[test]
fn a_shell_script_plays() {
    plays_whole_games(&sh(SH));
}

#[test]
fn a_python_script_plays_and_says_what_it_thinks() {
    plays_whole_games(&launch(&["python3", "-c", PYTHON]));
    let played = play_one("mancala", &launch(&["python3", "-c", PYTHON]), ample());
    assert_eq!(played.names[0].as_deref(), Some("Pitón"));
    assert!(played.record.to_string().contains("depth 1 text the last move"));
}

#[test]
fn a_cpp_program_plays() {
    plays_whole_games(&cpp(""));
}

#[test]
fn a_perl_script_plays_where_there_is_perl() {
    if std::process::Command::new("perl").arg("-v").output().is_err() {
        // Debian has Perl always, other systems need not: nothing of ours depends on it.
        println!("skipped: there is no perl");
        return;
    }
    plays_whole_games(&launch(&["perl", "-e", PERL]));
}

#[test]
fn two_programs_play_each_other_and_their_time_is_counted() {
    let [one, two] = [cpp(""), sh(SH)].map(|launch| Process::start(&launch).unwrap());
    let ids = [one.id(), two.id()];
    let (mut one, mut two) = (Bot::new(one, Dialect::One), Bot::new(two, Dialect::One));
    let mut rules = ample();
    rules.time = palestra_arena::TimeControl::cpu(std::time::Duration::from_secs(20));
    let played = play(record("mancala"), rules, [&mut one, &mut two]);
    assert_eq!(played.verdict.reason, Reason::Finished);
    assert_eq!(played.names, [Some("Cpp".to_owned()), None]);
    assert!(played.charged.iter().all(|time| !time.is_zero()), "{:?}", played.charged);
    ids.into_iter().for_each(assert_nothing_left);
}

#[test]
fn what_starting_takes_is_not_charged() {
    let slow = format!("i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; {SH}");
    let mut rules = ample();
    rules.time = palestra_arena::TimeControl::cpu(std::time::Duration::from_secs(60));
    let [quick, slow] = [SH, &slow].map(|script| play_one("mancala", &sh(script), rules).charged[0]);
    assert!(slow < quick * 10, "{slow:?} {quick:?}");
}
