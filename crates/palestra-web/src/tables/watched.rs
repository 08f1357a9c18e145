//! A game that the server plays by itself, as its spectators see it: a table at which nobody else sits down. The page and
//! the messages are those of a table.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use palestra_arena::{TimeControl, Verdict};
use palestra_games::Record;
use serde_json::Value;
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::sync::watch;

use super::event::Event;
use super::layout::TableLayout;
use super::message::{Clocks, EndReason, Ended, Happened, Holder, State, Status, ToClient, View};
use super::setup::{Setup, milliseconds};
use super::view::{points, scene};
use crate::board;

/// A game that the server plays by itself.
pub(crate) struct Watched {
    code: String,
    layout: Arc<TableLayout>,
    seats: [Holder; 2],
    game: Mutex<Game>,
    spectators: watch::Sender<usize>,
}

struct Game {
    record: Record,
    clocks: Clocks,
    /// When the clocks showed that.
    clocks_at: Instant,
    ended: Option<Ended>,
    /// Made for the first spectator.
    said: Option<Sender<Utf8Bytes>>,
    is_closed: bool,
}

/// A spectator's subscription.
pub(super) struct Subscription {
    /// The game so far.
    pub(super) snapshot: Utf8Bytes,
    /// The messages from now on; none if nothing more will happen.
    pub(super) said: Option<Receiver<Utf8Bytes>>,
}

/// Number of messages by which a slow client may lag before it is sent a new snapshot.
const MAX_LAG_MESSAGES: usize = 128;

impl Watched {
    /// A game about to begin. It is kept under this code when it is over.
    pub(crate) fn new(code: String, record: Record, time: TimeControl, seats: [Holder; 2]) -> Self {
        let options = record.options().to_owned();
        let beginning = record.beginning();
        let setup = Setup {
            game: record.kind().id().to_owned(),
            is_usual: beginning == options,
            options,
            start: beginning,
            time,
            is_public: false,
            is_rated: false,
            games: 1,
            retry: false,
            seed: 0,
            creator: String::new(),
        };
        let (clocks, clocks_at) = (Clocks::default(), Instant::now());
        let game = Mutex::new(Game { record, clocks, clocks_at, ended: None, said: None, is_closed: false });
        Self { code, layout: TableLayout::of(&setup), seats, game, spectators: watch::Sender::new(0) }
    }

    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The names of the players.
    pub(crate) fn names(&self) -> [&str; 2] {
        [0, 1].map(|side| self.seats[side].name.as_str())
    }

    pub(super) const fn layout(&self) -> &Arc<TableLayout> {
        &self.layout
    }

    /// A clock begins to run, or stops.
    pub(crate) fn set_clocks(&self, clocks: Clocks) {
        let mut game = self.lock();
        (game.clocks, game.clocks_at) = (clocks, Instant::now());
        if let Some(said) = &game.said {
            let message = ToClient::Clocks { turn: game.turn(), clocks: game.clocks.clone() };
            // No one may be listening any more.
            let _ = said.send(written(&message));
        }
    }

    /// The clocks stop; this was charged to both in all.
    pub(crate) fn stop_clocks(&self, charged: [Duration; 2]) {
        let shown = self.lock().clocks_now();
        self.set_clocks(Clocks { used_ms: Some(charged.map(milliseconds)), is_running: false, ..shown });
    }

    /// A move was made.
    pub(crate) fn moved(&self, text: &str, clocks: Clocks) {
        let mut game = self.lock();
        (game.clocks, game.clocks_at) = (clocks, Instant::now());
        let steps = game.said.is_some().then(|| game.record.position().steps(text).ok()).flatten();
        let Ok(played) = game.record.play(text) else { return };
        let event = Event::Moved { seat: played.side.index(), text: text.to_owned(), ply: game.record.moves().len() };
        self.say(&game, &event, steps.map_or(Value::Null, |steps| board::steps(&steps)));
    }

    /// The game is over, and kept.
    pub(crate) fn ended(&self, verdict: &Verdict) {
        let mut game = self.lock();
        let wins = [0, 1].map(|side| u32::from(verdict.winner.is_some_and(|winner| winner.index() == side)));
        game.ended = Some(Ended {
            game: self.code.clone(),
            winner: verdict.winner.map(|side| side.index()),
            points: verdict.points,
            reason: EndReason::from(&verdict.reason),
            wins,
            draws: 1 - wins.iter().sum::<u32>(),
            total: verdict.points,
            is_last: true,
        });
        self.say(&game, &Event::Ended, Value::Null);
    }

    /// Nothing more will happen.
    pub(crate) fn close(&self) {
        let mut game = self.lock();
        game.is_closed = true;
        game.said = None;
    }

    /// The number of spectators.
    pub(super) const fn spectators(&self) -> &watch::Sender<usize> {
        &self.spectators
    }

    /// Whether the game was played to its end.
    pub(super) fn is_over(&self) -> bool {
        self.lock().ended.is_some()
    }

    pub(super) fn subscribe(&self) -> Subscription {
        let mut game = self.lock();
        let open = !game.is_closed;
        let said = open.then(|| game.said.get_or_insert_with(|| broadcast::channel(MAX_LAG_MESSAGES).0).subscribe());
        Subscription { snapshot: self.snapshot(&game), said }
    }

    fn snapshot(&self, game: &Game) -> Utf8Bytes {
        let setup = self.layout.setup();
        let view = View {
            code: self.code.clone(),
            game: setup.kind().id(),
            options: setup.options.clone(),
            clock: setup.clock(),
            is_public: false,
            is_rated: false,
            games: 1,
            state: State { scene: Some(scene(&game.record)), ..self.state(game) },
            moves: game.record.moves().iter().map(|mv| (mv.played.side.index(), mv.text.clone())).collect(),
            chat: vec![],
            absence_ms: 0,
        };
        written(&ToClient::Table { seq: game.seq(), table: Box::new(view) })
    }

    fn say(&self, game: &Game, event: &Event, steps: Value) {
        let Some(said) = &game.said else { return };
        let scene = event.changes_board().then(|| scene(&game.record));
        let state = State { scene, ..self.state(game) };
        // No one may be listening any more.
        let _ = said.send(written(&ToClient::Happened(Box::new(Happened { seq: game.seq(), event, state, steps }))));
    }

    /// The state of the game, without the scene.
    fn state(&self, game: &Game) -> State {
        let position = game.record.position();
        State {
            status: if game.ended.is_some() { Status::Over } else { Status::Playing },
            number: 1,
            ply: game.record.moves().len(),
            first: 0,
            turn: game.turn(),
            seats: self.seats.clone(),
            points: points(position),
            clocks: game.clocks_now(),
            draw_offered: None,
            take_back_asked: None,
            rematch_asked: [false; 2],
            ended: game.ended.clone(),
            is_solo: false,
            stand_in: None,
            scene: None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Game> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Game {
    /// The side to move.
    fn turn(&self) -> Option<usize> {
        let position = self.record.position();
        position.outcome().is_none().then(|| position.turn().index()).filter(|_| self.ended.is_none())
    }

    /// What the clocks show now.
    fn clocks_now(&self) -> Clocks {
        let mut clocks = self.clocks.clone();
        if let Some(turn) = self.turn().filter(|_| clocks.is_running) {
            let passed = milliseconds(self.clocks_at.elapsed());
            clocks.left_ms.iter_mut().for_each(|left| left[turn] = left[turn].saturating_sub(passed));
            clocks.used_ms.iter_mut().for_each(|used| used[turn] = used[turn].saturating_add(passed));
        }
        clocks
    }

    /// The number of the last message.
    fn seq(&self) -> u64 {
        self.record.moves().len() as u64 + u64::from(self.ended.is_some())
    }
}

fn written(message: &ToClient<'_>) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages can be written").into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use palestra_arena::Reason;
    use palestra_games::{GameKind, Side};
    use serde_json::json;

    use super::*;
    use crate::tables::HolderKind;

    fn game() -> Watched {
        let record = Record::new(GameKind::find("mancala").unwrap(), "-").unwrap();
        let seat = |name: &str| Holder { kind: HolderKind::Program, name: name.to_owned(), is_present: true };
        Watched::new("code".to_owned(), record, TimeControl::cpu(Duration::from_secs(2)), [seat("One"), seat("Two")])
    }

    fn read(text: &Utf8Bytes) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_spectator_is_sent_the_game_so_far_and_what_happens_then() {
        let game = game();
        game.moved("1", Clocks::default());
        let Subscription { snapshot, said } = game.subscribe();
        let (seen, mut said) = (read(&snapshot), said.unwrap());
        assert_eq!((&seen["is"], &seen["table"]["moves"]), (&json!("table"), &json!([[0, "1"]])));
        let state = &seen["table"]["state"];
        assert_eq!((&state["turn"], &state["seats"][1]["name"]), (&json!(1), &json!("Two")));
        game.moved("1", Clocks::default());
        let moved = read(&said.try_recv().unwrap());
        assert_eq!((&moved["is"], &moved["ply"], &moved["seat"]), (&json!("moved"), &json!(2), &json!(1)));
        assert!(moved["steps"].is_array() && moved["state"]["scene"].is_object(), "{moved}");
        assert_eq!(moved["seq"], seen["seq"].as_u64().unwrap() + 1);
        game.moved("no move", Clocks::default());
        game.ended(&Verdict { winner: Some(Side::Two), points: [20, 28], reason: Reason::Finished });
        let ended = read(&said.try_recv().unwrap());
        assert_eq!((&ended["is"], &ended["state"]["status"]), (&json!("ended"), &json!("over")));
        let result = &ended["state"]["ended"];
        assert_eq!((&result["game"], &result["winner"], &result["wins"]), (&json!("code"), &json!(1), &json!([0, 1])));
    }

    #[test]
    fn a_spectator_who_comes_late_sees_how_far_the_clocks_are() {
        let game = game();
        let clocks = || read(&game.subscribe().snapshot)["table"]["state"]["clocks"].clone();
        assert_eq!(clocks(), json!({"left_ms": null, "used_ms": null, "is_running": false}));
        game.set_clocks(Clocks { left_ms: Some([0, 2000]), used_ms: Some([100, 200]), is_running: true });
        while clocks()["used_ms"][0] == 100 {
            std::thread::yield_now();
        }
        let seen = clocks();
        assert_eq!((&seen["left_ms"], &seen["used_ms"][1]), (&json!([0, 2000]), &json!(200)), "{seen}");
        let mut said = game.subscribe().said.unwrap();
        game.stop_clocks([Duration::from_millis(150), Duration::from_millis(210)]);
        let stopped = read(&said.try_recv().unwrap());
        assert_eq!((&stopped["is"], &stopped["clocks"]), (&json!("clocks"), &clocks()));
        assert_eq!(clocks(), json!({"left_ms": [0, 2000], "used_ms": [150, 210], "is_running": false}));
    }

    #[test]
    fn after_the_end_there_is_the_game_and_nothing_more() {
        let game = game();
        let mut said = game.subscribe().said.unwrap();
        game.close();
        assert!(matches!(said.try_recv(), Err(broadcast::error::TryRecvError::Closed)));
        assert!(game.subscribe().said.is_none() && !game.is_over());
    }
}
