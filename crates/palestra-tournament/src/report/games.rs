//! The list of games of a page, the same for matches and tournaments.

/// A line of the list.
pub(super) struct GameRow<'a> {
    pub(super) number: u32,
    /// The round, in tournaments.
    pub(super) round: Option<u32>,
    /// The names of side 1 and side 2.
    pub(super) names: [&'a str; 2],
    /// The index of the side that won.
    pub(super) winner: Option<usize>,
    /// The result as it is printed.
    pub(super) result: &'a str,
    /// What the first player of a match won, in tenths.
    pub(super) tint: Option<u32>,
    pub(super) points: [i32; 2],
    pub(super) reason: &'a str,
    pub(super) plies: usize,
    pub(super) moves: Option<Moves<'a>>,
    pub(super) charged_ms: [u64; 2],
}

/// The moves of a game.
pub(super) struct Moves<'a> {
    /// Those from which it began.
    pub(super) opening: &'a str,
    pub(super) played: &'a str,
}
