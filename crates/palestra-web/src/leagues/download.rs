//! The games of a bot in a run as a ZIP: records, what the bot wrote on stderr, and reports of forfeits, each with the
//! command that repeats it at home.

use std::io::{Cursor, Write};

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use palestra_games::Record;
use palestra_store::{KeptGame, RunGame, RunPlayer, Trace};
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use super::access::LeagueAccess;
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::runs::RunSettings;
use crate::visitor::Visitor;

/// A game as it goes into the archive.
struct Played {
    number: i64,
    game: KeptGame,
    trace: Option<Trace>,
    /// The bot's side, from 0.
    side: usize,
    /// Whether the bot lost it by a fault.
    is_forfeit: bool,
}

/// The games of a bot, for its team and the teachers.
pub(crate) async fn download(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number, player)): Path<(String, String, String)>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let access = LeagueAccess::find(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    let runs = app.store.runs_of_league(access.league.id).await?;
    let players = app.store.run_players(run.id).await?;
    let player: usize = player.parse().map_err(|_| Refused::NotFound)?;
    let bot: &RunPlayer = players.get(player).ok_or(Refused::NotFound)?;
    let may_have = access.is_teacher() || (access.is_own(bot) && access.shows(&run, &runs));
    if !may_have {
        return Err(Refused::NotFound);
    }
    let mut played = vec![];
    for game in app.store.run_games(run.id).await? {
        let Some(side) = side_of(&game, player) else { continue };
        let is_forfeit = game.forfeit.is_some() && game.winner.is_some_and(|winner| winner != side as i64 + 1);
        if let Some(kept) = app.store.game(&game.game_code).await? {
            let trace = app.store.trace(&game.game_code).await?;
            played.push(Played { number: game.number, game: kept, trace, side, is_forfeit });
        }
    }
    let settings: Option<RunSettings> = serde_json::from_str(&run.settings).ok();
    let (name, game) = (bot.name.clone(), access.course.game.clone());
    let file = format!("{name}-run-{}.zip", run.number).replace(|it: char| !it.is_ascii_graphic() || it == '"', "_");
    let bytes = app.rendering.run(Load::Heavy, move || archive(&played, &name, &game, settings.as_ref())).await?;
    let bytes = bytes.map_err(|error| {
        tracing::error!(%error, "an archive cannot be written");
        Refused::Fault
    })?;
    let disposition = format!("attachment; filename=\"{file}\"");
    let kind = "application/zip".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

/// The side of a player in a game.
fn side_of(game: &RunGame, player: usize) -> Option<usize> {
    [game.player_1, game.player_2].iter().position(|&number| number == player as i64)
}

fn archive(played: &[Played], name: &str, game: &str, settings: Option<&RunSettings>) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(vec![]));
    for played in played {
        let base = format!("{:05}-{}", played.number, played.game.code);
        let mut file = |end: &str, text: &str| -> ZipResult<()> {
            zip.start_file(format!("{base}{end}"), SimpleFileOptions::default())?;
            zip.write_all(text.as_bytes()).map_err(Into::into)
        };
        file(".txt", &played.game.record)?;
        let Some(trace) = &played.trace else { continue };
        let stderr = [&trace.stderr_1, &trace.stderr_2][played.side];
        if !stderr.is_empty() {
            file(".stderr.txt", stderr)?;
        }
        if let Some(fault) = trace.fault.as_ref().filter(|_| played.is_forfeit) {
            let again = command(&played.game, played.side, name, game, settings);
            file(".forfeit.txt", &format!("{fault}\n\nagain: {again}\n"))?;
        }
    }
    Ok(zip.finish()?.into_inner())
}

/// The command that plays up to the fault at home, with the bot on the same side. The other side's moves are played first;
/// what it would do later does not matter.
fn command(kept: &KeptGame, side: usize, name: &str, game: &str, settings: Option<&RunSettings>) -> String {
    let records = Record::read_all(kept.record.as_bytes()).unwrap_or_default();
    let moves = records.first().map(|record| record.moves().iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>());
    let moves = moves.unwrap_or_default().join(" ");
    let players = if side == 0 { format!("./{name} random") } else { format!("random ./{name}") };
    let options = match kept.options.as_str() {
        "" | "-" => String::new(),
        options => format!(" --options '{}'", options.replace('\'', r"'\''")),
    };
    let moves = if moves.is_empty() { String::new() } else { format!(" --moves '{}'", moves.replace('\'', r"'\''")) };
    let limits = settings.map(limits).unwrap_or_default();
    format!("palestra match {game} {players} --games 1 --show{options}{moves}{limits}")
}

/// The options with which a match is played by the rules of the run.
fn limits(settings: &RunSettings) -> String {
    use palestra_arena::TimeControl::{Cpu, Wall};
    let time = match settings.rules.time {
        Cpu { cpu, .. } => format!(" --cpu {}ms", cpu.as_millis()),
        Wall(wall) => format!(" --wall {}ms", wall.as_millis()),
        _ => String::new(),
    };
    let depth = settings.rules.depth.map(|depth| format!(" --depth {depth}")).unwrap_or_default();
    let states = settings.rules.states.map(|states| format!(" --states {states}")).unwrap_or_default();
    time + &depth + &states
}

#[cfg(test)]
mod tests {
    use palestra_store::{Player, PlayerKind};

    use super::*;

    fn kept(options: &str, moves: &str) -> KeptGame {
        let record = format!("Game: mancala\nPlayer1: A\nPlayer2: B\n\n{moves}\n");
        KeptGame {
            code: "c".into(),
            game: "mancala".into(),
            options: options.into(),
            table_code: None,
            is_public: false,
            is_rated: false,
            points: [0, 48],
            winner: Some(2),
            reason: "illegal".into(),
            started_ms: 0,
            ended_ms: 0,
            record,
            players: ["A", "B"].map(|name| Player { kind: PlayerKind::Program, account: None, name: name.into() }),
        }
    }

    #[test]
    fn a_forfeit_is_repeated_by_a_command_with_the_bot_on_its_side() {
        let first = command(&kept("-", "4 1"), 0, "Cierzo", "mancala", None);
        assert_eq!(first, "palestra match mancala ./Cierzo random --games 1 --show --moves '4 1'");
        let second = command(&kept("it's", ""), 1, "Cierzo", "mancala", None);
        assert_eq!(second, r"palestra match mancala random ./Cierzo --games 1 --show --options 'it'\''s'");
    }

    #[test]
    fn an_archive_has_the_own_stderr_and_the_own_forfeits_alone() {
        let trace = |fault: &str| {
            Some(Trace {
                thoughts: "[]".into(),
                stderr_1: "of one".into(),
                stderr_2: "of two".into(),
                fault: Some(fault.into()),
            })
        };
        let game = |number, side, is_forfeit| Played {
            number,
            game: kept("-", "4"),
            trace: trace("illegal: 9"),
            side,
            is_forfeit,
        };
        let bytes = archive(&[game(3, 0, true), game(4, 1, false)], "Cierzo", "mancala", None).unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
        names.sort();
        assert_eq!(
            names,
            ["00003-c.forfeit.txt", "00003-c.stderr.txt", "00003-c.txt", "00004-c.stderr.txt", "00004-c.txt"]
        );
        let mut text = String::new();
        std::io::Read::read_to_string(&mut zip.by_name("00004-c.stderr.txt").unwrap(), &mut text).unwrap();
        assert_eq!(text, "of two");
    }
}
