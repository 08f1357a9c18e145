//! Views of a table for clients: its state, its clocks, and the snapshot of everything.

use palestra_games::{AnyGame, Record};
use serde_json::Value;

use super::message::{Clocks, StandInView, State, View, You};
use super::occupant::Who;
use super::setup::milliseconds;
use super::table::{Now, Phase, Table};
use crate::board;

impl Table {
    /// The game on the board, or the last one.
    pub(super) fn record(&self) -> &Record {
        self.begun().expect("there is a record once a game has begun")
    }

    /// The game on the board, or the last one; none before the first.
    pub(super) fn begun(&self) -> Option<&Record> {
        match &self.phase {
            Phase::Playing(referee) => Some(referee.record()),
            Phase::Over(record, _) => Some(record),
            Phase::Waiting => None,
        }
    }

    /// The state of the table, without the scene.
    pub(crate) fn state(&self, now: Now) -> State {
        State {
            status: self.status(),
            number: self.number,
            ply: self.begun().map_or(0, |record| record.moves().len()),
            first: self.first,
            turn: self.referee().filter(|referee| referee.verdict().is_none()).and_then(|_| self.mover()),
            seats: [0, 1].map(|seat| self.seats[seat].holder(self.is_here[seat])),
            points: self.points(),
            clocks: self.clocks(now),
            draw_offered: self.draw_offered,
            take_back_asked: self.take_back_asked,
            rematch_asked: self.rematch_asked,
            ended: self.ended().cloned(),
            is_solo: self.is_solo(),
            stand_in: self
                .stand_in
                .as_ref()
                .map(|stand_in| StandInView { name: stand_in.player.name().to_owned(), moves: stand_in.moves }),
            scene: None,
        }
    }

    /// The points on the board, of each seat, in games where there is more than a win to count.
    fn points(&self) -> Option<[i32; 2]> {
        let points = points(self.begun()?.position())?;
        Some([0, 1].map(|seat| points[self.side(seat).index()]))
    }

    /// The scene on the board.
    pub(crate) fn scene(&self) -> Value {
        match self.begun() {
            Some(record) => scene(record),
            None => scene(&self.setup.record().expect("it was tried when the table was made")),
        }
    }

    /// The seat to move, and the clocks.
    pub(crate) fn clocks_now(&self, now: Now) -> (Option<usize>, Clocks) {
        (self.mover(), self.clocks(now))
    }

    fn clocks(&self, now: Now) -> Clocks {
        let sides = [0, 1].map(|seat| self.side(seat));
        self.referee().map(|referee| Clocks::of(referee, sides, now.clock)).unwrap_or_default()
    }

    /// Who a visitor is at the table.
    pub(crate) fn you(&self, who: &Who) -> You {
        You { seats: self.seats_of(who), is_host: self.is_host(who) }
    }

    /// The snapshot of the table.
    pub(crate) fn view(&self, now: Now) -> View {
        let moves = self.begun().map_or(&[][..], Record::moves);
        View {
            code: self.code.clone(),
            game: self.setup.kind().id(),
            options: self.setup.options.clone(),
            clock: self.setup.clock(),
            is_public: self.setup.is_public,
            is_rated: self.setup.is_rated,
            games: self.setup.games,
            state: State { scene: Some(self.scene()), ..self.state(now) },
            moves: moves.iter().map(|mv| (self.seat(mv.played.side), mv.text.clone())).collect(),
            chat: self.chat.iter().map(|spoken| spoken.line.clone()).collect(),
            absence_ms: milliseconds(self.setup.rules().absence),
        }
    }
}

/// The points of both sides in games where there is more than a win to count.
pub(super) fn points(position: &dyn AnyGame) -> Option<[i32; 2]> {
    (position.most_points() > 1).then(|| position.points())
}

/// The scene at the end of a record.
pub(super) fn scene(record: &Record) -> Value {
    let last = record.moves().last().map(|mv| (mv.played.side, mv.text.as_str()));
    board::scene(&record.position().scene(last).expect("a move that was played can be read"))
}
