//! Decides for which games the owner's programs are offered: those in the configuration, or else those at which a trial
//! shows that the program can play.

use std::time::{Duration, Instant};

use palestra_games::{GAMES, GameKind, Side};
use palestra_protocol::{
    Budget, Dialect, Greeting, Player, PlayerEvent, ProtocolError, Received, Transport, Turn, shown,
};
use palestra_sandbox::Process;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use super::own::{MEMORY_BYTES, OwnBot, find};

/// The owner's programs, with the results of their trials.
pub(crate) struct Offers(Vec<Offer>);

struct Offer {
    bot: OwnBot,
    /// The last trial at each game, in the order of [`GAMES`]: its time, and whether the program played.
    trials: Vec<Mutex<Option<(Instant, bool)>>>,
}

/// Time after which a failed trial is repeated on demand: the author may have fixed the program.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// Time for a program to become ready and make its first move in a trial.
const TRIAL_TIMEOUT: Duration = Duration::from_secs(10);

/// CPU time for the move that a program is told in a trial.
const TRIAL_MOVE_CPU: Duration = Duration::from_millis(100);

/// Id of the game of the course whose programs speak a protocol of their own.
const MANCALA: &str = "mancala";

impl Offers {
    pub(crate) fn new(bots: &[OwnBot]) -> Self {
        let trials = || GAMES.iter().map(|_| Mutex::default()).collect();
        Self(bots.iter().map(|bot| Offer { bot: bot.clone(), trials: trials() }).collect())
    }

    /// The names of the programs that play a game. The first call runs the trials, which may take seconds.
    pub(crate) async fn of(&self, kind: &GameKind) -> Vec<String> {
        let mut names = vec![];
        for offer in &self.0 {
            if offer.plays(kind).await {
                names.push(offer.bot.name.clone());
            }
        }
        names
    }

    /// Whether there is a program of this name that plays a game.
    pub(crate) async fn has(&self, name: &str, kind: &GameKind) -> bool {
        match self.0.iter().find(|offer| offer.bot.name == name) {
            Some(offer) => offer.plays(kind).await,
            None => false,
        }
    }

    /// Runs all trials in advance, so that no request has to wait for one.
    pub(crate) async fn try_all(&self) {
        for kind in GAMES {
            drop(self.of(kind).await);
        }
    }
}

impl Offer {
    async fn plays(&self, kind: &GameKind) -> bool {
        if !self.bot.games.is_empty() {
            return self.bot.games.iter().any(|game| game == kind.id());
        }
        let Some(index) = GAMES.iter().position(|game| game.id() == kind.id()) else { return false };
        // Concurrent requests wait for the same trial.
        let mut last = self.trials[index].lock().await;
        match *last {
            Some((_, true)) => return true,
            Some((at, false)) if at.elapsed() < RETRY_DELAY => return false,
            _ => {}
        }
        let bot = self.bot.clone();
        let tried = spawn_blocking(move || try_game(&bot, &GAMES[index])).await;
        let tried = tried.unwrap_or_else(|error| Err(error.to_string()));
        let (program, game) = (&self.bot.name, kind.id());
        match &tried {
            Ok(()) => tracing::info!(program, game, "offered"),
            Err(reason) => tracing::info!(program, game, reason, "not offered: it does not play this game"),
        }
        *last = Some((Instant::now(), tried.is_ok()));
        tried.is_ok()
    }
}

/// Runs a trial: starts a program, greets it and asks for the first move of a game. The error says why it does not
/// play.
fn try_game(bot: &OwnBot, kind: &'static GameKind) -> Result<(), String> {
    let program_at = |game: &str| find(bot, game).map_err(|error| error.to_string());
    if kind.id() != MANCALA && program_at(MANCALA).is_ok_and(|program| program.dialect == Dialect::Course) {
        return Err("it speaks the protocol of the Mancala course".to_owned());
    }
    let program = program_at(kind.id())?;
    let process = program.start(Some(MEMORY_BYTES), Duration::MAX).map_err(|error| error.to_string())?;
    let mut trial = Trial { process, player: Player::new(program.dialect), deadline: Instant::now() + TRIAL_TIMEOUT };
    trial.run(kind).map_err(|reason| trial.with_stderr(reason))
}

/// A program on trial.
struct Trial {
    process: Process,
    player: Player,
    deadline: Instant,
}

impl Trial {
    fn run(&mut self, kind: &'static GameKind) -> Result<(), String> {
        let budget = Budget { cpu: Some(TRIAL_MOVE_CPU), wall: Some(TRIAL_MOVE_CPU * 3), ..Budget::INFINITE };
        let start = (kind.start)("-").map_err(|error| error.to_string())?;
        let greeting = Greeting { game: kind.id(), side: Side::One, options: "-", budget };
        self.say(|player, out| player.start(&greeting, Duration::ZERO, TRIAL_TIMEOUT, out));
        while self.hear()? != PlayerEvent::Ready {}
        self.say(|player, out| player.ask(&Turn { position: &*start, history: &[], budget }, out));
        loop {
            if let PlayerEvent::Move { text, .. } = self.hear()? {
                let is_legal = start.moves().contains(&text);
                return is_legal
                    .then_some(())
                    .ok_or_else(|| format!("its first move is not legal: {}", shown(&text, 40)));
            }
        }
    }

    fn say(&mut self, write: impl FnOnce(&mut Player, &mut String)) {
        let mut out = String::new();
        write(&mut self.player, &mut out);
        self.process.send(&out);
    }

    fn hear(&mut self) -> Result<PlayerEvent, String> {
        let (mut line, mut out) = (String::new(), String::new());
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.process.receive(left, &mut line) {
                Received::Line => {}
                Received::Quiet if left.is_zero() => return Err("it does not answer".to_owned()),
                Received::Quiet => continue,
                Received::BadLine(fault) => return Err(ProtocolError::from(fault).to_string()),
                Received::Gone(fault) => return Err(fault.detail),
            }
            let event = self.player.hear(&line, &mut out).map_err(|fault| fault.to_string())?;
            self.process.send(&std::mem::take(&mut out));
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Adds the last line that the program wrote on stderr to the reason: there a traceback names the error.
    fn with_stderr(&mut self, reason: String) -> String {
        let stderr = self.process.stderr();
        match stderr.lines().rfind(|line| !line.trim().is_empty()) {
            Some(line) => format!("{reason}: {}", shown(line, 200)),
            None => reason,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Plays the first legal move of Mancala, and raises when another game begins.
    const MANCALA_ONLY: &str = "import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'hello':
        print('ready', flush=True)
    elif word == 'game' and rest[0] != 'mancala':
        raise ValueError('I know Mancala alone')
    elif word == 'legal':
        first = rest[0]
    elif word == 'go':
        print('move', first, flush=True)
    elif word == 'bye':
        break
";

    fn offers(bots: &[String]) -> Offers {
        Offers::new(&bots.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>())
    }

    #[tokio::test]
    async fn a_program_is_offered_for_the_games_that_it_plays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.py");
        std::fs::write(&path, MANCALA_ONLY).unwrap();
        let offers = offers(&[format!("mine={}", path.display())]);
        for kind in GAMES {
            let expected: &[&str] = if kind.id() == MANCALA { &["mine"] } else { &[] };
            assert_eq!(offers.of(kind).await, expected, "{}", kind.id());
            assert_eq!(offers.has("mine", kind).await, kind.id() == MANCALA, "{}", kind.id());
            assert!(!offers.has("other", kind).await);
        }
        let bot = format!("mine={}", path.display()).parse().unwrap();
        let reason = try_game(&bot, GameKind::find("parchis").unwrap()).unwrap_err();
        assert!(reason.ends_with("ValueError: I know Mancala alone"), "{reason}");
    }

    #[tokio::test]
    async fn a_program_whose_games_are_named_is_not_tried() {
        let offers = offers(&["mine:parchis,bandera=/nowhere/bot".to_owned(), "other=/nowhere/bot".to_owned()]);
        for kind in GAMES {
            let expected: &[&str] = if ["parchis", "bandera"].contains(&kind.id()) { &["mine"] } else { &[] };
            assert_eq!(offers.of(kind).await, expected, "{}", kind.id());
        }
    }
}
