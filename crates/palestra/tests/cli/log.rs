//! A program that writes down what it is told, and a reader of that which keeps a board of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use palestra_games::{AnyGame, GameKind};

/// Plays the first legal move. What it reads and says goes to a log of each of its processes, beside it.
const BOT: &str = "#!/bin/sh
while read -r word rest; do
  echo \"$word $rest\" >> \"$0.$$.log\"
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo \"move $first\" >> \"$0.$$.log\"; echo move $first ;;
    bye) exit ;;
  esac
done
";

/// The program, in this folder.
pub(crate) fn bot(folder: &Path) -> PathBuf {
    let path = folder.join("bot");
    fs::write(&path, BOT).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What was said in all games of the program, line by line; of several processes one after the other, though they may have
/// run at the same time.
pub(crate) fn log(bot: &Path) -> Vec<String> {
    let entries = fs::read_dir(bot.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == "log")).collect();
    logs.sort_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
    let lines = |path: &PathBuf| fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    logs.iter().flat_map(lines).map(|line| line.trim_end().to_owned()).collect()
}

/// Rebuilds each position from how the game began and from the moves alone, and compares it with the one that was told. How
/// often that was.
#[track_caller]
pub(crate) fn assert_rebuilt(lines: &[String]) -> usize {
    let (mut board, mut told, mut compared) = (None::<Box<dyn AnyGame>>, "", 0);
    for line in lines {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.split(' ').collect::<Vec<_>>().as_slice()) {
            ("game", [game, "seat", _, "options", beginning]) => {
                board = Some(GameKind::find(game).unwrap().begin(beginning).unwrap());
            }
            ("position", _) => told = rest,
            ("history" | "move", moves) => {
                let board = board.as_mut().expect("a game has begun");
                for mv in moves.iter().filter(|mv| !mv.is_empty()) {
                    board.play(mv).unwrap_or_else(|error| panic!("{error} in {lines:#?}"));
                }
            }
            ("go", _) => {
                assert_eq!(board.as_ref().unwrap().notation(), told, "{lines:#?}");
                compared += 1;
            }
            _ => {}
        }
    }
    compared
}
