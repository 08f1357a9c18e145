//! The runs of leagues and markings: who played, the rankings, and all games with their records.

use std::io::Write;

use palestra_store::{KeptGame, League, Run, RunGame, RunPlayer};
use serde_json::{Value, json};

use super::csv::{lines, number, table, text};
use super::{Archive, ArchiveError, folder};
use crate::games::named;
use crate::leagues::standings_table;
use crate::page::time;

impl<W: Write> Archive<'_, W> {
    /// A folder for each league, with one for each of its runs.
    pub(super) fn leagues(&mut self) -> Result<(), ArchiveError> {
        for league in self.wait(self.app.store.leagues_of_course(self.course.id))? {
            let folder = format!("leagues/{}", folder(&league.name, &league.code));
            self.add(&format!("{folder}/league.json"), about_league(&league).as_bytes())?;
            for run in self.wait(self.app.store.runs_of_league(league.id))? {
                let folder = format!("{folder}/run-{}", run.number);
                let standings = self.wait(standings_table(self.app, &league, &run))?;
                self.add(&format!("{folder}/standings.csv"), &lines(standings))?;
                self.run(&folder, &run)?;
            }
        }
        Ok(())
    }

    /// What a run is, who played, and its games.
    pub(super) fn run(&mut self, folder: &str, run: &Run) -> Result<(), ArchiveError> {
        self.add(&format!("{folder}/run.json"), about_run(run).as_bytes())?;
        let players = self.wait(self.app.store.run_players(run.id))?;
        self.add(&format!("{folder}/players.csv"), &players_table(&players))?;
        let games = self.wait(self.app.store.run_games(run.id))?;
        self.add(&format!("{folder}/games.csv"), &games_table(&games, &players))?;
        self.begin(&format!("{folder}/games.txt"))?;
        for (at, game) in games.iter().enumerate() {
            let Some(kept) = self.wait(self.app.store.game(&game.game_code))? else { continue };
            let kept = with_names(kept, game, &players);
            // What cannot be read is still what was played.
            let record = named(&kept).unwrap_or(kept.record);
            let between = if at > 0 { "\n" } else { "" };
            self.zip.write_all(format!("{between}{record}").as_bytes())?;
        }
        Ok(())
    }
}

fn about_league(league: &League) -> String {
    let League { code, name, group_code, schedule, ranking, move_ms, rounds, is_published, .. } = league;
    let about = json!({
        "code": code,
        "name": name,
        "group": group_code,
        "schedule": parsed(schedule),
        "ranking": ranking,
        "move_ms": move_ms,
        "rounds": rounds,
        "published": is_published,
    });
    format!("{about:#}\n")
}

fn about_run(run: &Run) -> String {
    let Run {
        number, state, due_ms, is_counted, is_final, settings, reason, stop_reason, started_ms, ended_ms, ..
    } = run;
    let about = json!({
        "number": number,
        "state": state.word(),
        "counted": is_counted,
        "final": is_final,
        "reason": reason,
        "stop_reason": stop_reason,
        "due": time(*due_ms),
        "started": time(*started_ms),
        "ended": ended_ms.map(time),
        "settings": parsed(settings),
    });
    format!("{about:#}\n")
}

/// What is stored as JSON; as a text if it is none.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn players_table(players: &[RunPlayer]) -> Vec<u8> {
    let row = |(at, player): (usize, &RunPlayer)| {
        let RunPlayer { name, built_in, version, source_hash, compiler, flags, group_code, is_ranked, .. } = player;
        [
            at.to_string(),
            name.clone(),
            text(group_code),
            text(built_in),
            number(*version),
            text(source_hash),
            text(compiler),
            text(flags),
            is_ranked.to_string(),
        ]
    };
    let head = ["player", "name", "group", "built_in", "version", "source_sha256", "compiler", "flags", "ranked"];
    table(head, players.iter().enumerate().map(row))
}

fn games_table(games: &[RunGame], players: &[RunPlayer]) -> Vec<u8> {
    let row = |game: &RunGame| {
        [
            game.number.to_string(),
            name(players, game.player_1),
            name(players, game.player_2),
            game.points_1.to_string(),
            game.points_2.to_string(),
            number(game.winner),
            text(&game.forfeit),
            game.plies.to_string(),
            game.charged_1_us.to_string(),
            game.charged_2_us.to_string(),
            time(game.ended_ms),
            game.game_code.clone(),
            game.voided_ms.map(time).unwrap_or_default(),
            text(&game.void_reason),
        ]
    };
    let head = [
        "number",
        "player_1",
        "player_2",
        "points_1",
        "points_2",
        "winner",
        "fault",
        "moves",
        "charged_1_us",
        "charged_2_us",
        "ended",
        "game",
        "void_since",
        "void_reason",
    ];
    table(head, games.iter().map(row))
}

/// The name of a player of the run today: another one if it was withdrawn.
fn name(players: &[RunPlayer], number: i64) -> String {
    let player = usize::try_from(number).ok().and_then(|at| players.get(at));
    player.map_or_else(String::new, |player| player.name.clone())
}

fn with_names(mut kept: KeptGame, game: &RunGame, players: &[RunPlayer]) -> KeptGame {
    for (player, number) in kept.players.iter_mut().zip([game.player_1, game.player_2]) {
        player.name = name(players, number);
    }
    kept
}
