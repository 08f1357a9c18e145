//! Views of a table for clients: board, clocks, and the snapshot of everything.

use palestra_arena::Referee;
use palestra_games::{AnyGame, Record, Side};
use serde_json::Value;

use super::message::{Board, Clocks, View};
use super::setup::milliseconds;
use super::table::{Now, Phase, Table};
use crate::board;

impl Table {
    /// The game on the board, or the last one.
    pub(super) fn record(&self) -> &Record {
        match &self.phase {
            Phase::Playing(referee) => referee.record(),
            Phase::Over(record, _) => record,
            Phase::Waiting => unreachable!("there is a record once a game has begun"),
        }
    }

    /// The board for a message: without spectators no scene is drawn.
    pub(super) fn board(&self, now: Now) -> Board {
        self.board_with(if self.is_watched { self.scene() } else { Value::Null }, now)
    }

    fn board_with(&self, scene: Value, now: Now) -> Board {
        let has_begun = !matches!(self.phase, Phase::Waiting);
        let ply = if has_begun { self.record().moves().len() } else { 0 };
        let turn = self.referee().filter(|referee| referee.verdict().is_none()).and_then(|_| self.mover());
        Board { ply, first: self.seat(Side::One), turn, scene, clocks: self.clocks(now) }
    }

    fn scene(&self) -> Value {
        if matches!(self.phase, Phase::Waiting) {
            let start = self.setup.record().expect("it was tried when the table was made");
            return scene(start.position(), None);
        }
        let record = self.record();
        let last = record.moves().last().map(|mv| (mv.played.side, mv.text.as_str()));
        scene(record.position(), last)
    }

    /// The seat to move, and the clocks.
    pub(crate) fn clocks_now(&self, now: Now) -> (Option<usize>, Clocks) {
        (self.mover(), self.clocks(now))
    }

    fn clocks(&self, now: Now) -> Clocks {
        let referee = self.referee();
        let left = |seat| referee.and_then(|referee| referee.left(self.side(seat), now.clock)).map(milliseconds);
        let left_ms = left(0).zip(left(1)).map(|(one, two)| [one, two]);
        Clocks { left_ms, is_running: referee.is_some_and(Referee::is_running) }
    }

    /// The snapshot of the table.
    pub(crate) fn view(&self, now: Now) -> View {
        let moves = if matches!(self.phase, Phase::Waiting) { &[] } else { self.record().moves() };
        let (status, ended) = match &self.phase {
            Phase::Waiting => ("waiting", None),
            Phase::Playing(_) => ("playing", None),
            Phase::Over(_, ended) => ("over", Some(ended.clone())),
        };
        View {
            code: self.code.clone(),
            game: self.setup.kind().id(),
            options: self.setup.options.clone(),
            clock: self.setup.clock(),
            is_public: self.setup.is_public,
            is_rated: self.setup.is_rated,
            games: self.setup.games,
            seats: [0, 1].map(|seat| self.seats[seat].holder(self.is_here[seat])),
            status,
            number: self.number,
            board: self.board_with(self.scene(), now),
            moves: moves.iter().map(|mv| (self.seat(mv.played.side), mv.text.clone())).collect(),
            draw_offered: self.draw_offered,
            take_back_asked: self.take_back_asked,
            rematch_asked: self.rematch_asked,
            ended,
            chat: self.chat.iter().cloned().collect(),
            absence_ms: milliseconds(self.setup.rules().absence),
        }
    }
}

/// The scene of a position, reached by that move.
fn scene(position: &dyn AnyGame, last: Option<(Side, &str)>) -> Value {
    let scene = position.scene(last).expect("a move that was played can be read");
    board::scene(&scene)
}
