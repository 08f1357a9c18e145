//! The options of `palestra tree`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use palestra_search::tree::{Algorithm, MAX_TREE_DEPTH, MoveOrder};

use super::start::Origin;
use super::values::whole;

pub(super) const TREE_EXAMPLES: &str = "\
Examples:
  palestra tree mancala --depth 3
  palestra tree mancala --depth 3 --order best --plies 1
  palestra tree conecta4boom --algorithm minimax --depth 2 --eval test
  palestra tree bandera --eval waytracking2 --depth 3 --format svg --output tree.svg
  palestra tree mancala --depth 6 --compare
  palestra tree --from games.txt --game 2 --ply 12 --format json";

#[derive(Debug, Args)]
pub(crate) struct Tree {
    #[command(flatten)]
    pub(crate) start: Origin,

    /// The algorithm: minimax or alphabeta.
    #[arg(short, long, value_name = "NAME", default_value = "alphabeta", value_parser = algorithm())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithm: Algorithm,

    /// The order in which moves are tried: listed (as the courses' programs try them), best (those first that the evaluation
    /// likes best) or worst (those first that it likes least).
    #[arg(long, value_name = "ORDER", default_value = "listed", value_parser = move_order())]
    #[arg(hide_possible_values = true)]
    pub(crate) order: MoveOrder,

    /// Evaluation at the leaves; `palestra games GAME` lists them (default: the first of the game).
    #[arg(short, long, value_name = "NAME")]
    pub(crate) eval: Option<String>,

    /// Depth of the search, in plies.
    #[arg(short, long, value_name = "D", default_value_t = 3, value_parser = whole::<u32>(1..=MAX_TREE_DEPTH))]
    pub(crate) depth: u32,

    /// Number of plies to show (default: as many as fit into 60 lines, or 40 nodes of a picture).
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MAX_TREE_DEPTH))]
    pub(crate) plies: Option<u32>,

    /// What to write: text, json (the whole tree, or as many plies as have at most 100,000 nodes), or svg (a picture for slides).
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    pub(crate) format: TreeFormat,

    /// Write to this file, and replace it if it exists (default: print).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<String>,

    /// Instead of the tree, show how many nodes minimax, alpha-beta in each order of moves, and iterative deepening with and
    /// without a transposition table visit to find the same value.
    #[arg(long, conflicts_with_all = ["algorithm", "order", "plies"])]
    pub(crate) compare: bool,
}

/// What `palestra tree` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    Text,
    Json,
    Svg,
}

/// An algorithm by its name.
fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name))
        .map(|name| name.parse().expect("only names of the list are accepted"))
}

/// An order of moves by its name.
fn move_order() -> impl TypedValueParser<Value = MoveOrder> {
    PossibleValuesParser::new(MoveOrder::ALL.map(MoveOrder::name))
        .map(|name| name.parse().expect("only names of the list are accepted"))
}
