//! Searches are compared with the teaching alpha-beta: the kit's example passes, and each mistake put into it is found.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use palestra_arena::Program;
use palestra_arena::check::{Branch, Check, Difference, FindingKind, Limits, NotTested, Searched};
use palestra_games::{AnyGame, GameKind};
use palestra_protocol::Dialect;
use palestra_search::Score;
use palestra_search::engine::Never;
use palestra_search::tree::{Algorithm, MoveOrder, TreeRequest, any_tree};

use super::{LIMITS, program};

fn searched(game: &str, program: &Program) -> Searched {
    let kind = GameKind::find(game).expect("the game is there");
    Check { kind, program, limits: LIMITS }.search(&mut |_, _| ()).expect("the program can be started")
}

/// The alpha-beta example of the kit for Python at a game, with a mistake.
fn example(game: &str, name: &str, right: &str, wrong: &str) -> Program {
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kits/python");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("search-{name}"));
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::copy(kit.join("palestra.py"), folder.join("palestra.py")).expect("the kit can be copied");
    let text = fs::read_to_string(kit.join("mancala/alphabeta.py")).expect("the example can be read");
    assert!(text.contains(right), "{right}");
    // What it knows of Mancala does not matter: it evaluates as it is told.
    let type_name = if game == "mancala" { "Mancala" } else { "Conecta4Boom" };
    let file = folder.join("bot.py");
    fs::write(&file, text.replace(right, wrong).replace("Mancala", type_name)).expect("the bot can be written");
    Program { command: vec!["python3".into(), "-B".into(), file.into()], dialect: Dialect::One, in_box: None }
}

#[track_caller]
fn difference(game: &str, program: &Program) -> Difference {
    match searched(game, program) {
        Searched::Differs(difference) => *difference,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_right_search_passes() {
    for game in ["mancala", "conecta4boom"] {
        let program = example(game, game, "", "");
        let result = searched(game, &program);
        assert!(matches!(result, Searched::Alike(100)), "{game}: {result:?}");
    }
}

#[test]
fn a_search_that_prunes_wrongly_is_found_where_it_prunes() {
    let wrong = difference("mancala", &example("mancala", "prunes", "if alpha >= beta:", "if alpha >= beta - 1:"));
    check("mancala", &wrong);
    assert_eq!(wrong.depth, 2, "one ply alone has nothing to prune: {wrong:?}");
}

#[test]
fn a_search_that_does_not_count_an_extra_turn_is_found() {
    let program = example("mancala", "turns", "if after.turn == position.turn:", "if False:");
    check("mancala", &difference("mancala", &program));
}

#[test]
fn a_search_that_is_too_shallow_is_found() {
    let wrong = difference("mancala", &example("mancala", "shallow", "or depth == 0)", "or depth <= 1)"));
    check("mancala", &wrong);
    assert_eq!(wrong.depth, 2, "{wrong:?}");
}

#[test]
fn an_evaluation_for_the_wrong_side_is_found_at_depth_1() {
    let right = "return value if position.turn == self.turn.seat else -value";
    let wrong = difference("conecta4boom", &example("conecta4boom", "sides", right, "return value"));
    check("conecta4boom", &wrong);
    assert_eq!(wrong.depth, 1, "{wrong:?}");
}

#[test]
fn a_score_that_is_not_told_and_a_move_that_is_not_the_best_are_found() {
    let silent = difference("mancala", &example("mancala", "silent", "score=value, ", ""));
    check("mancala", &silent);
    assert_eq!((silent.score, silent.depth, silent.chosen_value), (None, 1, silent.value));
    let worst =
        difference("mancala", &example("mancala", "worst", "    return moves[0]\n\n\n", "    return moves[-1]\n\n\n"));
    check("mancala", &worst);
    assert_eq!(worst.score, Some(f64::from(worst.value)));
    assert!(worst.chosen_value < worst.value, "{worst:?}");
}

#[test]
fn a_program_that_does_not_answer_the_option_is_not_tested() {
    for file in ["good.sh", "course.cpp", "strict.sh", "crash.cpp"] {
        let result = searched("mancala", &program(file));
        assert!(matches!(result, Searched::Untested(NotTested::Silent)), "{file}: {result:?}");
    }
}

#[test]
fn a_program_that_is_slow_is_not_wrong() {
    let kind = GameKind::find("mancala").expect("the game is there");
    let program = example("mancala", "slow", "", "");
    let limits = Limits { searches: Duration::ZERO, ..LIMITS };
    let result = Check { kind, program: &program, limits }.search(&mut |_, _| ()).expect("it can be started");
    assert!(matches!(result, Searched::Untested(NotTested::Slow(0))), "{result:?}");
}

#[test]
fn a_difference_is_told_even_if_the_program_ends_then() {
    let told = difference("mancala", &program("tires.sh"));
    check("mancala", &told);
    assert_eq!((told.is_narrowed, told.depth, told.moves.len()), (false, 4, 0));
}

#[test]
fn a_promise_that_is_not_kept_is_found() {
    check("mancala", &difference("mancala", &program("claims.sh")));
    for (file, kind, stderr) in
        [("cheats.sh", FindingKind::Illegal, ""), ("promises.sh", FindingKind::Crash, "out of ideas\n")]
    {
        let result = searched("mancala", &program(file));
        let Searched::Failed(finding) = result else { panic!("{file}: {result:?}") };
        assert_eq!((finding.kind, finding.stderr.as_str()), (kind, stderr), "{file}: {finding:?}");
        assert!(finding.place.is_some());
    }
}

/// Fails unless what is told of a difference is true.
fn check(game: &str, told: &Difference) {
    let kind = GameKind::find(game).expect("the game is there");
    let mut position = (kind.parse)(&told.seen_at).expect("a position");
    for mv in &told.moves {
        position.play(mv).expect("a legal move");
    }
    assert_eq!(position.notation(), told.position);
    assert!(told.depth as usize + told.moves.len() <= told.seen_depth as usize, "{told:?}");
    let moves: Vec<&str> = told.branches.iter().map(|branch| branch.mv.as_str()).collect();
    assert_eq!(moves, position.moves());
    let (root, evaluation) = (&*position, told.evaluation);
    check_level(root, evaluation, &mut vec![], told.depth, told.value, &told.branches);
    let chosen = told.branches.iter().find(|branch| branch.mv == told.chosen).expect("it is legal");
    assert_eq!(chosen.value, told.chosen_value);
    let is_right = told.score.is_some_and(|score| score == f64::from(told.value));
    assert!(!is_right || told.chosen_value < told.value, "{told:?}");
    let has_replies = |branch: &Branch| branch.is_max.is_none() || told.depth == 1 || !branch.below.is_empty();
    assert!(has_replies(chosen), "{told:?}");
    assert!(told.branches.iter().find(|branch| branch.is_best).is_some_and(has_replies), "{told:?}");
}

/// The moves after `path` have the values that minimax finds, the best of them that of the position.
fn check_level(
    root: &dyn AnyGame,
    evaluation: &str,
    path: &mut Vec<String>,
    depth: u32,
    value: Score,
    level: &[Branch],
) {
    assert_eq!(level.iter().filter(|branch| branch.is_best).count(), 1);
    for branch in level {
        path.push(branch.mv.clone());
        if branch.is_best {
            assert_eq!(branch.value, value);
        }
        if depth > 1 && branch.is_max.is_some() {
            let request = TreeRequest {
                moves: path,
                limit: 1,
                ..TreeRequest::new(Algorithm::Minimax, MoveOrder::Worst, evaluation, depth - 1)
            };
            assert_eq!(any_tree(root, &request, &mut Never).expect("a search").recording.score, branch.value);
        }
        if !branch.below.is_empty() {
            check_level(root, evaluation, path, depth - 1, branch.value, &branch.below);
        }
        path.pop();
    }
}
