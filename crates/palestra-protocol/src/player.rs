//! A bot in a game, as a sans-IO state machine: the session, CPU accounting, the last thought and the startup deadline.
//!
//! The caller moves the lines and reads the clocks. It hands in each line of the bot, and sends what is appended to
//! `out`. Times are counted from any fixed moment. CPU times are handed in as the bot's total since its start, where
//! that is known; the player says how much of it is charged to the turn under way.

use std::time::Duration;

use palestra_games::Side;

use crate::{Dialect, Fault, ForfeitKind, GameEnd, Greeting, Heard, ProtocolError, Session, Thought, Turn};

/// A bot in a game.
#[derive(Clone, Debug)]
pub struct Player {
    session: Session,
    startup: Startup,
    /// The bot's total CPU time up to which nothing is charged any more; `None` where it is not known.
    charged_up_to: Option<Duration>,
    has_had_turn: bool,
    /// Everything that the bot has reported in this turn.
    thought: Option<Thought>,
}

#[derive(Clone, Copy, Debug)]
enum Startup {
    NotGreeted,
    Greeted { since: Duration, limit: Duration },
    Ready,
}

/// Something that a player says.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerEvent {
    /// The player is ready for its first turn.
    Ready,
    /// Its name.
    Name(String),
    /// What it reports about its search.
    Thought(Thought),
    /// Its move.
    Move {
        /// The move, as it was written.
        text: String,
        /// All that it has reported in this turn, merged.
        thought: Option<Thought>,
    },
    /// The player resigns. Bots cannot, people at the board can.
    Resign,
    /// Everything from this side's last move on is to be taken back. Bots cannot say this either.
    TakeBack(Side),
}

impl Player {
    /// A bot that has not been greeted.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            session: Session::new(dialect),
            startup: Startup::NotGreeted,
            charged_up_to: None,
            has_had_turn: false,
            thought: None,
        }
    }

    /// Greets the bot for a game. It has until `now + limit` to be ready.
    pub fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration, out: &mut String) {
        self.session.start(greeting, out);
        self.startup = Startup::Greeted { since: now, limit };
        (self.charged_up_to, self.has_had_turn, self.thought) = (None, false, None);
    }

    /// Tells the bot a setting, once it was greeted.
    pub fn set(&mut self, name: &str, value: &str, out: &mut String) {
        self.session.set(name, value, out);
    }

    /// Whether the bot has said that it follows the setting that it was told last.
    #[must_use]
    pub const fn follows_option(&self) -> bool {
        self.session.follows_option()
    }

    /// Whether the bot has answered the greeting.
    #[must_use]
    pub const fn is_ready(&self) -> bool {
        matches!(self.startup, Startup::Ready)
    }

    /// When a greeted bot must be ready; `None` if no answer to a greeting is due.
    #[must_use]
    pub const fn deadline(&self) -> Option<Duration> {
        match self.startup {
            Startup::Greeted { since, limit } => Some(since.saturating_add(limit)),
            Startup::NotGreeted | Startup::Ready => None,
        }
    }

    /// The fault of a bot that is not ready although its time to start is over.
    #[must_use]
    pub fn overdue(&self, now: Duration) -> Option<Fault> {
        let Startup::Greeted { limit, .. } = self.startup else { return None };
        let seconds = limit.as_secs_f64();
        let detail = || format!("it was not ready within {seconds} s: hello is answered with ready");
        self.deadline().filter(|&deadline| now >= deadline).map(|_| Fault::new(ForfeitKind::Startup, detail()))
    }

    /// Whether the bot has had no turn in this game yet.
    #[must_use]
    pub const fn is_first_turn(&self) -> bool {
        !self.has_had_turn
    }

    /// CPU time is charged from this total on: what the bot has used before its first turn is free, and so is the time
    /// of an answer that no longer matters, because the move before it was taken back.
    pub const fn charge_from(&mut self, total: Option<Duration>) {
        self.charged_up_to = total;
    }

    /// Asks for a move.
    pub fn ask(&mut self, turn: &Turn<'_>, out: &mut String) {
        (self.has_had_turn, self.thought) = (true, None);
        self.session.go(turn, out);
    }

    /// Takes a line of the bot. `None` if it says nothing that matters, such as the answer to a ping.
    pub fn hear(&mut self, line: &str, out: &mut String) -> Result<Option<PlayerEvent>, ProtocolError> {
        Ok(match self.session.hear(line, out)? {
            Heard::Nothing => None,
            Heard::Name(name) => Some(PlayerEvent::Name(name.to_owned())),
            Heard::Ready => {
                self.startup = Startup::Ready;
                Some(PlayerEvent::Ready)
            }
            Heard::Info(info) => {
                let thought = Thought::from(info);
                self.thought = Some(thought.clone().or(self.thought.take()));
                Some(PlayerEvent::Thought(thought))
            }
            Heard::Move(mv) => Some(PlayerEvent::Move { text: mv.to_owned(), thought: self.thought.take() }),
        })
    }

    /// The CPU time of the turn under way, given the bot's total. What it uses between its turns counts for the next.
    #[must_use]
    pub fn cpu(&self, total: Option<Duration>) -> Option<Duration> {
        total.zip(self.charged_up_to).map(|(total, before)| total.saturating_sub(before))
    }

    /// The move was accepted and charged: the bot is told what it cost.
    pub fn used(&mut self, cpu: Option<Duration>, wall: Duration, out: &mut String) {
        self.charged_up_to = self.charged_up_to.map(|before| before.saturating_add(cpu.unwrap_or_default()));
        self.session.used(cpu, wall, out);
    }

    /// Tells the bot to answer now, with the best move that it knows.
    pub fn stop(&mut self, out: &mut String) {
        self.session.stop(out);
    }

    /// Sends `ping`.
    pub fn ping(&mut self, out: &mut String) {
        self.session.ping(out);
    }

    /// The game is over; the bot is dismissed until it is greeted again.
    pub fn end(&mut self, end: &GameEnd<'_>, out: &mut String) {
        self.session.end(end, out);
        self.startup = Startup::NotGreeted;
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::{GameKind, Record};

    use super::*;
    use crate::Budget;

    const SECOND: Duration = Duration::from_secs(1);
    const GREETING: Greeting<'_> =
        Greeting { game: "mancala", side: Side::One, options: "-", budget: Budget::INFINITE };

    fn record() -> Record {
        Record::new(GameKind::find("mancala").expect("a game"), "-").expect("the usual start")
    }

    fn turn(record: &Record) -> Turn<'_> {
        Turn { position: record.position(), history: record.moves(), budget: Budget::INFINITE }
    }

    fn ready() -> Player {
        let (mut player, mut out) = (Player::new(Dialect::One), String::new());
        player.start(&GREETING, Duration::ZERO, SECOND, &mut out);
        assert_eq!(player.hear("ready", &mut out), Ok(Some(PlayerEvent::Ready)));
        player
    }

    #[test]
    fn a_bot_has_until_its_deadline_to_be_ready() {
        let (mut player, mut out) = (Player::new(Dialect::One), String::new());
        assert_eq!((player.deadline(), player.overdue(SECOND * 99)), (None, None), "it was not greeted");
        player.start(&GREETING, SECOND * 5, SECOND * 10, &mut out);
        assert_eq!(player.deadline(), Some(SECOND * 15));
        assert_eq!(player.overdue(SECOND * 15 - Duration::from_nanos(1)), None);
        let fault = player.overdue(SECOND * 15).expect("it is late");
        let detail = "it was not ready within 10 s: hello is answered with ready";
        assert_eq!((fault.kind, fault.detail.as_str()), (ForfeitKind::Startup, detail));
        assert_eq!(player.hear("id name x", &mut out), Ok(Some(PlayerEvent::Name("x".to_owned()))));
        assert!(!player.is_ready());
        assert_eq!(player.hear("ready", &mut out), Ok(Some(PlayerEvent::Ready)));
        assert!(player.is_ready());
        assert_eq!((player.deadline(), player.overdue(SECOND * 99)), (None, None));
    }

    #[test]
    fn cpu_time_is_charged_from_the_last_accepted_move() {
        let (mut player, record, mut out) = (ready(), record(), String::new());
        assert_eq!(player.cpu(Some(SECOND)), None, "nobody has said from where");
        assert!(player.is_first_turn());
        player.charge_from(Some(SECOND));
        player.ask(&turn(&record), &mut out);
        assert!(!player.is_first_turn());
        assert_eq!(player.cpu(Some(SECOND * 3)), Some(SECOND * 2));
        assert_eq!(player.cpu(None), None);
        player.hear("move 9", &mut out).expect("a move");
        player.ask(&turn(&record), &mut out);
        assert_eq!(player.cpu(Some(SECOND * 4)), Some(SECOND * 3), "the refused move is part of the turn");
        player.used(Some(SECOND * 3), SECOND, &mut out);
        assert_eq!(player.cpu(Some(SECOND * 5)), Some(SECOND), "thinking off turn counts for the next");
        player.used(None, SECOND, &mut out);
        assert_eq!(player.cpu(Some(SECOND * 5)), Some(SECOND));
        player.charge_from(Some(SECOND * 6));
        assert_eq!(player.cpu(Some(SECOND * 5)), Some(Duration::ZERO));
    }

    #[test]
    fn a_move_comes_with_all_that_was_reported_in_its_turn() {
        let (mut player, record, mut out) = (ready(), record(), String::new());
        player.ask(&turn(&record), &mut out);
        for line in ["info depth 3 score 5", "info depth 4 pv 1 2"] {
            let event = player.hear(line, &mut out).expect("a thought");
            assert!(matches!(&event, Some(PlayerEvent::Thought(thought)) if thought.states.is_none()), "{event:?}");
        }
        let line = vec!["1".to_owned(), "2".to_owned()];
        let thought = Some(Thought { depth: Some(4), score: Some(5.0), line, ..Thought::default() });
        assert_eq!(player.hear("move 1", &mut out), Ok(Some(PlayerEvent::Move { text: "1".to_owned(), thought })));
        player.ask(&turn(&record), &mut out);
        let next = player.hear("move 1", &mut out);
        assert_eq!(next, Ok(Some(PlayerEvent::Move { text: "1".to_owned(), thought: None })), "of this turn only");
    }

    #[test]
    fn a_new_game_begins_as_if_there_had_been_none() {
        let (mut player, record, mut out) = (ready(), record(), String::new());
        player.charge_from(Some(SECOND));
        player.ask(&turn(&record), &mut out);
        player.hear("info depth 3", &mut out).expect("a thought");
        player.start(&GREETING, SECOND * 2, SECOND, &mut out);
        assert!(!player.is_ready() && player.is_first_turn());
        assert_eq!((player.deadline(), player.cpu(Some(SECOND * 3))), (Some(SECOND * 3), None));
    }
}
