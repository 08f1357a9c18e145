//! What a bot is told is enough to rebuild each position: the beginning of the game, and the moves since then.

use std::sync::{Arc, Mutex};

use palestra_arena::testing::{Reaction, VirtualClock};
use palestra_arena::{GameStart, PlayedGame, Rules};
use palestra_games::{AnyGame, GAMES, GameKind, Record};
use palestra_search::openings::{AnyOpening, any_openings};
use palestra_search::rng::Rng;

use crate::support::{bot, play_from, rules};

/// A bot that keeps a board of its own from `game`, `history` and its own moves, and never looks at `position` but to
/// compare. What differs is written to `complaints`.
struct Reader {
    kind: &'static GameKind,
    board: Option<Box<dyn AnyGame>>,
    position: String,
    legal: Vec<String>,
    rng: Rng,
    /// Every such turn it tries a move that is none.
    wrong_every: Option<usize>,
    turns: usize,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    compared: usize,
    games: usize,
    beginnings: Vec<String>,
    complaints: Vec<String>,
}

impl Reader {
    fn hear(&mut self, line: &str) -> Vec<Reaction> {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("hello", _) => return vec![Reaction::line("ready")],
            ("game", words) => self.begin(words.rsplit(' ').next().expect("options")),
            ("position", position) => position.clone_into(&mut self.position),
            ("history", moves) => moves.split_whitespace().for_each(|mv| self.play(mv)),
            ("legal", moves) => self.legal = moves.split(' ').map(str::to_owned).collect(),
            ("go", _) => return self.answer(),
            _ => {}
        }
        vec![]
    }

    /// One of the game's options, or else a position.
    fn begin(&mut self, word: &str) {
        let mut seen = self.seen.lock().expect("nobody panics");
        seen.games += 1;
        seen.beginnings.push(word.to_owned());
        let is_option = word == "-" || self.kind.about.options.iter().any(|(option, _)| *option == word);
        let read = if is_option { self.kind.start } else { self.kind.parse };
        match read(word) {
            Ok(board) => self.board = Some(board),
            Err(error) => seen.complaints.push(format!("game {word}: {error}")),
        }
    }

    fn play(&mut self, mv: &str) {
        let played = self.board.as_mut().expect("a game has begun").play(mv);
        if let Err(error) = played {
            self.seen.lock().expect("nobody panics").complaints.push(format!("move {mv}: {error}"));
        }
    }

    fn answer(&mut self) -> Vec<Reaction> {
        let board = self.board.as_ref().expect("a game has begun");
        let mut seen = self.seen.lock().expect("nobody panics");
        seen.compared += 1;
        if board.notation() != self.position {
            seen.complaints.push(format!("rebuilt {}, told {}", board.notation(), self.position));
        }
        drop(seen);
        self.turns += 1;
        let mv = self.legal[self.rng.below(self.legal.len())].clone();
        let is_wrong = self.wrong_every.is_some_and(|every| self.turns.is_multiple_of(every));
        let mv = if is_wrong { "nonsense".to_owned() } else { mv };
        if !is_wrong {
            self.play(&mv);
        }
        vec![Reaction::line(&format!("move {mv}"))]
    }
}

/// Plays a game between two such bots; what they saw.
fn replay(record: Record, rules: Rules, wrong_every: Option<usize>) -> (PlayedGame, Seen) {
    let (clock, seen, kind) = (VirtualClock::new(), Arc::default(), record.kind());
    let reader = |seed| {
        let (rng, seen) = (Rng::new(seed), Arc::clone(&seen));
        let (position, legal) = (String::new(), vec![]);
        let mut reader = Reader { kind, board: None, position, legal, rng, wrong_every, turns: 0, seen };
        bot(&clock, move |line: &str| reader.hear(line))
    };
    let played = play_from(record, rules, &clock, [reader(1), reader(2)]);
    let seen = std::mem::take(&mut *seen.lock().expect("nobody panics"));
    (played, seen)
}

fn short() -> Rules {
    Rules { cap: Some(60), ..rules() }
}

#[track_caller]
fn assert_rebuilt(record: Record, beginning: &str) {
    let id = record.kind().id();
    let (_, seen) = replay(record, short(), None);
    assert_eq!(seen.complaints, Vec::<String>::new(), "{id}");
    assert_eq!(seen.beginnings, [beginning, beginning], "{id}");
    assert!(seen.compared > 2, "{id}: {}", seen.compared);
}

/// The position after so many random moves.
fn middle(kind: &GameKind, options: &str, moves: usize) -> Record {
    let (mut record, mut rng) = (Record::new(kind, options).expect("options"), Rng::new(7));
    for _ in 0..moves {
        let legal = record.position().moves();
        record.play(&legal[rng.below(legal.len())]).expect("a legal move");
    }
    record
}

#[test]
fn options_and_moves_rebuild_every_position() {
    for kind in GAMES {
        let words = kind.about.options.iter().map(|(word, _)| *word);
        for options in words.chain(["-"]) {
            assert_rebuilt(Record::new(kind, options).expect("options"), options);
            assert_rebuilt(middle(kind, options, 4), options);
        }
    }
}

#[test]
fn openings_and_moves_rebuild_every_position() {
    for kind in GAMES {
        for opening in any_openings(kind.id()).expect("openings").into_iter().take(4) {
            let AnyOpening { options, .. } = opening.clone();
            assert_rebuilt(GameStart::Opening(opening).record(kind).expect("an opening"), &options);
        }
    }
}

#[test]
fn a_start_that_is_a_position_is_told_as_one() {
    for kind in GAMES {
        let position = middle(kind, "-", 5).position().boxed_clone();
        let notation = position.notation();
        let moves = position.moves()[..1].to_vec();
        assert_rebuilt(GameStart::Position(position.into(), moves).record(kind).expect("a start"), &notation);
    }
}

#[test]
fn a_map_of_ones_own_is_told_as_a_position() {
    let kind = GameKind::find("bandera").expect("a game");
    // The citadel without one of its axes: in no list of maps.
    let map = include_str!("../../../../maps/citadel.map").replacen(" A ", " . ", 1);
    let record = Record::new(kind, &map).expect("a map");
    let beginning = record.start().notation();
    assert_rebuilt(record, &beginning);
    // Given as a word it is one of the options.
    assert_rebuilt(Record::new(kind, &beginning).expect("a start"), &beginning);
}

#[test]
fn a_bot_whose_move_was_refused_is_told_the_game_anew() {
    for kind in GAMES {
        let retry = Rules { retry: true, ..short() };
        let (played, seen) = replay(Record::new(kind, "-").expect("options"), retry, Some(3));
        assert_eq!(seen.complaints, Vec::<String>::new(), "{}", kind.id());
        assert!(seen.games > 2 && played.verdict.fault().is_none(), "{}: {:?}", kind.id(), played.verdict);
    }
}

#[test]
fn the_word_leads_back_to_the_beginning() {
    for kind in GAMES {
        for record in [Record::new(kind, "-").expect("options"), middle(kind, "-", 3)] {
            let begun = kind.begin(&record.beginning()).expect("a beginning");
            assert_eq!(begun.notation(), record.start().notation());
            let from_here = Record::from_position(record.position());
            let begun = kind.begin(&from_here.beginning()).expect("a beginning");
            assert_eq!(begun.notation(), record.position().notation());
        }
        assert!(kind.begin("no such thing").is_err());
    }
}
