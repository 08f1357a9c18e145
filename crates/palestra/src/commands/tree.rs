//! `palestra tree`: a search of the textbook as a tree, in text, JSON or a picture.

use std::cell::RefCell;
use std::io::Write;

use anyhow::{Result, anyhow};
use palestra_games::{AnyGame, with_game};
use palestra_protocol::Budget;
use palestra_search::tree::svg::{Words, picture};
use palestra_search::tree::{Row, Tree, TreeError, TreeRequest, any_comparison, any_tree};
use palestra_search::{Evaluation, Playable};
use serde::Serialize;

use crate::cli::{self, TreeFormat};
use crate::commands::{analyse, show};
use crate::contest_setup::catch_interrupts;
use crate::file;
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, owner, paint};
use crate::ui::text::{hang, width};
use crate::ui::tree as text;
use crate::ui::watch::{Live, Watch};

/// Without `--plies`, a tree as text has at most this many lines, but always those of the first ply.
const DEFAULT_LINES: usize = 60;

/// Without `--plies`, a picture has at most this many nodes, but always those of the first ply.
const DEFAULT_DRAWN_NODES: usize = 40;

/// A search of the comparison that needs more nodes is stopped.
const MAX_COMPARED_NODES: u64 = 20_000_000;

/// Writes the tree of the position, or what other searches need for its value.
pub(crate) fn run(args: &cli::Tree, out: &mut impl Write) -> Result<()> {
    let reached = args.start.reach()?;
    let (position, game) = (reached.position(), reached.kind());
    let evaluation = with_game!(game.id(), G => evaluation::<G>(args.eval.as_deref()));
    let evaluation = evaluation.expect("the game is one of the list")?;
    refuse_contradictions(args)?;
    if let Some(path) = &args.output {
        file::check_replaceable(path)?;
    }
    catch_interrupts();
    let written = if args.compare {
        let rows = compare(position, evaluation, args.depth)?;
        comparison(position, &rows, args, evaluation)?
    } else {
        let tree = search(position, evaluation, args)?;
        match args.format {
            TreeFormat::Text => document(position, &tree, args, evaluation),
            TreeFormat::Json => json(&tree)?,
            TreeFormat::Svg => drawn(position, &tree, args.plies),
        }
    };
    match &args.output {
        // A file has no colours.
        Some(path) => file::replace(path, &anstream::adapter::strip_str(&written).to_string()),
        None => Ok(out.write_all(written.as_bytes())?),
    }
}

/// Refuses options of which one would be ignored.
fn refuse_contradictions(args: &cli::Tree) -> Result<()> {
    match args.format {
        TreeFormat::Svg if args.compare => {
            Err(anyhow!("a comparison has no picture")).hint(|| "choose --format text or json".to_owned())
        }
        TreeFormat::Json if args.plies.is_some() => {
            Err(anyhow!("--plies does not apply to JSON, which holds the whole tree"))
                .hint(|| "leave out --plies, or choose a smaller --depth".to_owned())
        }
        _ => Ok(()),
    }
}

/// The evaluation with this name; the game's first if there is none.
fn evaluation<G: Playable>(name: Option<&str>) -> Result<&'static Evaluation> {
    name.map_or(Ok(&G::EVALUATIONS[0]), analyse::find_evaluation::<G>)
}

fn search(position: &dyn AnyGame, evaluation: &Evaluation, args: &cli::Tree) -> Result<Tree> {
    let request = TreeRequest::new(args.algorithm, args.order, evaluation.name, args.depth);
    let live = RefCell::new(Live::new(format!("{} to depth {}", args.algorithm, args.depth)));
    hinted(any_tree(position, &request, &mut Watch::new(Budget::INFINITE, &live)))
}

fn compare(position: &dyn AnyGame, evaluation: &Evaluation, depth: u32) -> Result<Vec<Row>> {
    let live = RefCell::new(Live::new(format!("searches to depth {depth}")));
    let mut watch = Watch::new(Budget::INFINITE, &live);
    hinted(any_comparison(position, evaluation.name, depth, MAX_COMPARED_NODES, &mut watch))
}

/// The result, with a hint where there is something to do about the error.
fn hinted<T>(result: Result<T, TreeError>) -> Result<T> {
    match result {
        Err(TreeError::GameOver) => {
            result.hint(|| "choose an earlier position, with fewer --moves or a smaller --ply".to_owned())
        }
        Err(TreeError::Stopped { .. }) => result.hint(|| "a smaller --depth takes less time".to_owned()),
        result => Ok(result?),
    }
}

fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// The two lines above a tree: who is MAX, and what searches.
fn head(position: &dyn AnyGame, search: &str, evaluation: &Evaluation) -> String {
    let side = position.turn();
    let max = paint(owner(Some(side)), format!("{} to move: MAX", show::name(side)));
    let about = format!("{search}; evaluation '{}': {}", evaluation.name, evaluation.summary);
    let game = paint(HEADING, position.kind().about.name);
    format!("{game}, {max}\n{}\n", hang(0, about.split(' '), width()))
}

fn document(position: &dyn AnyGame, tree: &Tree, args: &cli::Tree, evaluation: &Evaluation) -> String {
    let plies = args.plies.unwrap_or_else(|| tree.plies_within(DEFAULT_LINES));
    let head = head(position, &searched(tree), evaluation);
    format!("{head}{}\n\n{}", text::summary(tree), text::drawn(tree, plies))
}

/// What searched, in words.
fn searched(tree: &Tree) -> String {
    format!("{} to depth {}, {}", text::algorithm(tree.algorithm), tree.depth, text::order(tree.order))
}

fn drawn(position: &dyn AnyGame, tree: &Tree, plies: Option<u32>) -> String {
    let title = format!("{}: {}", position.kind().about.name, searched(tree));
    picture(tree, plies.unwrap_or_else(|| tree.plies_within(DEFAULT_DRAWN_NODES)), &Words::english(title))
}

fn comparison(
    position: &dyn AnyGame,
    rows: &[Row],
    args: &cli::Tree,
    evaluation: &'static Evaluation,
) -> Result<String> {
    if args.format == TreeFormat::Json {
        return json(&rows);
    }
    let head = head(position, &format!("searches to depth {}", args.depth), evaluation);
    Ok(format!("{head}\n{}", text::compared(rows, evaluation.unit)))
}
