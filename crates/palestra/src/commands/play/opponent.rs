//! A player that is no person: its budget, its progress line, and Ctrl-C while it thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use palestra_arena::{BuiltIn, Seat};
use palestra_protocol::{Budget, Fault, GameEnd, Greeting, PlayerEvent, Thought, Turn};
use palestra_search::AnyPlayer;

use super::interrupt;
use crate::ui::progress::Progress;
use crate::ui::units::written_time;

/// A built-in player cannot know how many moves are to come: it uses this part of what is left on its clock.
const CLOCK_SHARE: u32 = 25;

/// A built-in player or a program at the board.
pub(super) struct Opponent {
    seat: Box<dyn Seat>,
    pace: Pace,
    line: Arc<Mutex<ThinkingLine>>,
    /// Whether the search under way was told to stop.
    is_stopped: bool,
}

/// What a player may use for a move, beyond what the referee grants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    /// A built-in player: at most this much CPU time, and a share of the clock.
    BuiltIn(Option<Duration>),
    /// A program in a game without a clock is told this much CPU time, which is not enforced.
    Program(Duration),
}

impl Pace {
    fn budget(self, granted: Budget) -> Budget {
        match self {
            // By the clock of the whole game, without a limit for the move.
            Self::BuiltIn(cpu) if granted.cpu.is_none() => {
                Budget { cpu, wall: granted.wall.map(|left| left / CLOCK_SHARE), ..granted }
            }
            Self::Program(cpu) if granted.cpu.is_none() && granted.wall.is_none() => {
                Budget { cpu: Some(cpu), wall: Some(cpu.saturating_mul(3)), ..granted }
            }
            Self::BuiltIn(_) | Self::Program(_) => granted,
        }
    }
}

impl Opponent {
    /// A built-in player.
    pub(super) fn built_in(player: Box<dyn AnyPlayer>, cpu: Option<Duration>) -> Self {
        let line = ThinkingLine::new(player.name().to_owned());
        let shown = Arc::clone(&line);
        let seat =
            BuiltIn::new(player).on_thought(move |thought| ThinkingLine::on(&shown, |line| line.report(thought)));
        Self { seat: Box::new(seat), pace: Pace::BuiltIn(cpu), line, is_stopped: false }
    }

    /// A program.
    pub(super) fn program(seat: Box<dyn Seat>, name: String, cpu: Duration) -> Self {
        Self { seat, pace: Pace::Program(cpu), line: ThinkingLine::new(name), is_stopped: false }
    }
}

impl Seat for Opponent {
    fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration) {
        self.seat.start(&Greeting { budget: self.pace.budget(greeting.budget), ..*greeting }, now, limit);
    }

    fn overdue(&self, now: Duration) -> Option<Fault> {
        self.seat.overdue(now)
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        ThinkingLine::on(&self.line, ThinkingLine::begin);
        self.is_stopped = false;
        interrupt::set_thinking(true);
        self.seat.go(&Turn { budget: self.pace.budget(turn.budget), ..*turn })
    }

    fn hear(&mut self, wait: Duration, _: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        let stop = interrupt::stop_thought();
        if stop.load(Ordering::Relaxed) && !self.is_stopped {
            self.is_stopped = true;
            self.seat.stop();
        }
        let heard = self.seat.hear(wait, stop);
        ThinkingLine::on(&self.line, |line| match &heard {
            Ok(None) => line.show(),
            Ok(Some(PlayerEvent::Thought(thought))) => line.report(thought),
            _ => {
                line.progress.erase();
                interrupt::set_thinking(false);
            }
        });
        heard
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.seat.cpu()
    }

    fn waited(&mut self) -> Duration {
        self.seat.waited()
    }

    fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        self.seat.used(cpu, wall);
    }

    fn pause(&mut self) {
        self.seat.pause();
    }

    fn rest(&mut self) {
        self.seat.rest();
    }

    fn end(&mut self, end: &GameEnd<'_>) {
        self.seat.end(end);
    }

    fn unfinished(&self) -> String {
        self.seat.unfinished()
    }

    fn stderr(&mut self) -> String {
        self.seat.stderr()
    }

    fn fresh_stderr(&mut self) -> String {
        self.seat.fresh_stderr()
    }
}

/// The line on stderr that shows who thinks, how deep and for how long.
struct ThinkingLine {
    progress: Progress,
    name: String,
    begun: Instant,
    /// What the player has reported last in this turn, part by part: a program need not report all of them at a time.
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl ThinkingLine {
    fn new(name: String) -> Arc<Mutex<Self>> {
        let (progress, begun) = (Progress::new(), Instant::now());
        Arc::new(Mutex::new(Self { progress, name, begun, depth: None, nodes: None }))
    }

    /// A panic elsewhere leaves nothing here that could be wrong.
    fn on(line: &Mutex<Self>, act: impl FnOnce(&mut Self)) {
        act(&mut line.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn begin(&mut self) {
        self.progress.erase();
        (self.begun, self.depth, self.nodes) = (Instant::now(), None, None);
    }

    /// Shows how far the player is, with what it now reports.
    fn report(&mut self, thought: &Thought) {
        (self.depth, self.nodes) = (thought.depth.or(self.depth), thought.states.or(self.nodes));
        self.show();
    }

    fn show(&mut self) {
        let Self { progress, name, begun, depth, nodes } = self;
        progress.show(|| thinking(name, *depth, *nodes, begun.elapsed()));
    }
}

/// Who thinks, how deep and for how long.
fn thinking(name: &str, depth: Option<u32>, nodes: Option<u64>, passed: Duration) -> String {
    let depth = depth.map_or(String::new(), |depth| format!(", depth {depth}"));
    let nodes = nodes.map_or(String::new(), |nodes| format!(", {nodes} nodes"));
    let time = written_time(Duration::from_secs(passed.as_secs()));
    format!("{name} thinks{depth}{nodes}, {time} (Ctrl-C: move now)")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_report_keeps_what_it_does_not_mention_and_a_new_turn_nothing() {
        let [deep, wide] =
            [(Some(7), None), (None, Some(90))].map(|(depth, states)| Thought { depth, states, ..Thought::default() });
        ThinkingLine::on(&ThinkingLine::new("maestro".to_owned()), |line| {
            line.report(&deep);
            line.report(&wide);
            let shown = thinking(&line.name, line.depth, line.nodes, SECOND * 3);
            assert_eq!(shown, "maestro thinks, depth 7, 90 nodes, 3 s (Ctrl-C: move now)");
            line.begin();
            let shown = thinking(&line.name, line.depth, line.nodes, SECOND);
            assert_eq!(shown, "maestro thinks, 1 s (Ctrl-C: move now)");
        });
    }

    #[test]
    fn built_in_players_share_out_their_clock_and_programs_see_all_of_it() {
        let clock = Budget { wall: Some(SECOND * 100), ..Budget::INFINITE };
        let shared = Pace::BuiltIn(Some(SECOND)).budget(clock);
        assert_eq!((shared.cpu, shared.wall), (Some(SECOND), Some(SECOND * 4)));
        assert_eq!(Pace::Program(SECOND).budget(clock), clock);
    }

    #[test]
    fn without_a_clock_a_program_is_told_a_time() {
        let told = Pace::Program(SECOND).budget(Budget::INFINITE);
        assert_eq!((told.cpu, told.wall), (Some(SECOND), Some(SECOND * 3)));
        assert_eq!(Pace::BuiltIn(None).budget(Budget::INFINITE), Budget::INFINITE, "its grade says how far it looks");
    }

    #[test]
    fn what_the_referee_grants_for_a_move_stays() {
        let granted = Budget { cpu: Some(SECOND), wall: Some(SECOND * 3), ..Budget::INFINITE };
        for pace in [Pace::BuiltIn(Some(SECOND * 9)), Pace::Program(SECOND * 9)] {
            assert_eq!(pace.budget(granted), granted);
        }
    }
}
