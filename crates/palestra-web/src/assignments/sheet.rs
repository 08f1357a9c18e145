//! The marks of an assignment, put together from games, the league and what teachers have entered.

use std::collections::BTreeMap;

use palestra_games::Side;
use palestra_store::{
    Assignment, Course, Group, HandIn, Id, MarkEntry, Member, MemberState, Run, RunPlayer, RunState, TeamEntry,
};
use palestra_tournament::rubric::{Candidate, Cause, CountedRun, LeaguePlace, Mark, Rubric, RubricGame, SearchResult};
use palestra_tournament::{Wdl, standings};

use super::rubric::rubric_of;
use crate::app::App;
use crate::http::error::Refused;
use crate::runs::{RunSettings, finished};

/// The marks of an assignment.
pub(super) struct Sheet {
    pub(super) rubric: Rubric,
    /// The run of the league that counts.
    pub(super) league_run: Option<Run>,
    pub(super) groups: Vec<Group>,
    /// By group, then by name.
    pub(super) rows: Vec<SheetRow>,
    places: Option<Vec<LeaguePlace>>,
    /// The addresses of the lists of the games of each team in that run.
    league_games: BTreeMap<Id, String>,
}

/// The mark of a team.
pub(super) struct SheetRow {
    pub(super) team: Id,
    pub(super) group: Id,
    pub(super) members: Vec<Member>,
    /// The bot that is entered.
    pub(super) bot: Option<String>,
    /// Whether a version of it is ready to play.
    pub(super) has_bot: bool,
    pub(super) hand_in: Option<HandIn>,
    /// All that was entered, the oldest first.
    pub(super) entries: Vec<MarkEntry>,
    pub(super) candidate: Candidate,
    /// The points of the games of the candidate, its own first.
    pub(super) scores: Vec<[i64; 2]>,
    pub(super) mark: Mark,
}

impl Sheet {
    /// The marks as they stand.
    pub(super) async fn of(app: &App, course: &Course, assignment: &Assignment) -> Result<Self, Refused> {
        Self::with_rubric(app, course, assignment, rubric_of(assignment)?).await
    }

    /// The marks as they would stand by a rubric.
    pub(super) async fn with_rubric(
        app: &App,
        course: &Course,
        assignment: &Assignment,
        rubric: Rubric,
    ) -> Result<Self, Refused> {
        let marking = match assignment.marking_id {
            Some(id) => app.store.run_by_id(id).await?,
            None => None,
        };
        let games = match &marking {
            Some(run) => games_of(app, run).await?,
            None => BTreeMap::new(),
        };
        let league_run = league_run(app, assignment, &rubric).await?;
        let (places, league_games) = match &league_run {
            Some(run) => (Some(places(app, run).await?), league_games(app, run).await?),
            None => (None, BTreeMap::new()),
        };
        let groups = app.store.groups(course.id).await?;
        let mut sheet = Self { rubric, league_run, groups, rows: vec![], places, league_games };
        sheet.rows = sheet.rows(app, course, assignment, games).await?;
        Ok(sheet)
    }

    async fn rows(
        &self,
        app: &App,
        course: &Course,
        assignment: &Assignment,
        mut games: BTreeMap<Id, TeamGames>,
    ) -> Result<Vec<SheetRow>, Refused> {
        let mut teams: BTreeMap<Id, Vec<Member>> = BTreeMap::new();
        for member in app.store.members(course.id).await? {
            if member.state != MemberState::Waiting {
                teams.entry(member.team_id).or_default().push(member);
            }
        }
        let bots = app.store.team_entries(course.id, None).await?;
        let mut hand_ins: BTreeMap<Id, HandIn> =
            app.store.counted_hand_ins(assignment.id).await?.into_iter().map(|it| (it.team_id, it)).collect();
        let mut entries: BTreeMap<Id, Vec<MarkEntry>> = BTreeMap::new();
        for entry in app.store.mark_entries(assignment.id).await? {
            entries.entry(entry.team_id).or_default().push(entry);
        }
        let mut rows = vec![];
        for (team, members) in teams {
            let (games, hand_in) = (games.remove(&team).unwrap_or_default(), hand_ins.remove(&team));
            let entries = entries.remove(&team).unwrap_or_default();
            let has_left = members.iter().all(|member| member.state == MemberState::Withdrawn);
            if has_left && hand_in.is_none() && entries.is_empty() && games.games.is_empty() {
                continue;
            }
            rows.push(self.row(members, bots.iter().find(|entry| entry.team_id == team), games, hand_in, entries));
        }
        let group_of = |row: &SheetRow| self.groups.iter().position(|group| group.id == row.group);
        rows.sort_by_cached_key(|row| (group_of(row), names(&row.members).to_lowercase(), row.team));
        Ok(rows)
    }

    fn row(
        &self,
        members: Vec<Member>,
        bot: Option<&TeamEntry>,
        games: TeamGames,
        hand_in: Option<HandIn>,
        entries: Vec<MarkEntry>,
    ) -> SheetRow {
        let (team, group) = members.first().map_or((0, 0), |member| (member.team_id, member.group_id));
        let has_bot = bot.is_some_and(|entry| entry.version_id.is_some());
        let candidate = Candidate {
            team,
            has_code: has_bot || !games.games.is_empty() || hand_in.as_ref().is_some_and(has_source),
            has_memo: hand_in.as_ref().is_some_and(|it| it.memo_name.is_some()),
            is_late: hand_in.as_ref().is_some_and(|it| it.is_late),
            entries: counted(&entries),
            games: games.games,
            search: games.search,
        };
        let mark = self.rubric.mark(&candidate, self.places.as_deref());
        let bot = bot.and_then(|entry| entry.bot_name.clone());
        SheetRow { team, group, members, bot, has_bot, hand_in, entries, candidate, scores: games.scores, mark }
    }

    /// The row of a team.
    pub(super) fn find(&self, team: Id) -> Option<&SheetRow> {
        self.rows.iter().find(|row| row.team == team)
    }

    /// Computes what a team gets for other games alone: what teachers have entered or decided and the places in the league
    /// may not be published yet. `false` if there is no such team.
    pub(super) fn examine(&mut self, team: Id, games: TeamGames) -> bool {
        let Some(row) = self.rows.iter_mut().find(|row| row.team == team) else { return false };
        (row.candidate.games, row.candidate.search) = (games.games, games.search);
        row.candidate.entries.clear();
        row.scores = games.scores;
        row.mark = self.rubric.mark(&row.candidate, None);
        true
    }

    /// The address of the list of a team's games in the league, if its points come from there.
    pub(super) fn league_games(&self, team: Id, cause: &Cause) -> Option<String> {
        matches!(cause, Cause::Share { .. }).then(|| self.league_games.get(&team).cloned()).flatten()
    }

    /// The short code of a group.
    pub(super) fn group_code(&self, group: Id) -> &str {
        self.groups.iter().find(|other| other.id == group).map_or("", |group| &group.code)
    }
}

/// The name of a member for teachers of the course.
pub(super) fn name(member: &Member) -> String {
    let withdrawn = || palestra_store::withdrawn_name(member.withdrawn.unwrap_or_default());
    member.name.clone().or_else(|| member.nickname.clone()).or_else(|| member.email.clone()).unwrap_or_else(withdrawn)
}

/// The names of a team's members.
pub(crate) fn names(members: &[Member]) -> String {
    members.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The word in the remarks of a hand-in without source files.
pub(super) const NO_SOURCE: &str = "no_source";

fn has_source(hand_in: &HandIn) -> bool {
    !super::memo::Remark::all(hand_in).iter().any(|remark| remark.key == NO_SOURCE)
}

/// What counts of all that was entered: the newest row of each part, unless it takes the ones before back.
pub(super) fn counted(entries: &[MarkEntry]) -> BTreeMap<String, u64> {
    let mut counted = BTreeMap::new();
    for entry in entries {
        match entry.hundredths.and_then(|hundredths| u64::try_from(hundredths).ok()) {
            Some(hundredths) => drop(counted.insert(entry.part.clone(), hundredths)),
            None => drop(counted.remove(&entry.part)),
        }
    }
    counted
}

/// The games of a team's bot in a marking, and their points; and what was known of its search when they began.
#[derive(Default)]
pub(super) struct TeamGames {
    pub(super) games: Vec<RubricGame>,
    pub(super) scores: Vec<[i64; 2]>,
    pub(super) search: SearchResult,
}

/// The games of a marking or a trial by the teams whose marks they decide.
pub(super) async fn games_of(app: &App, run: &Run) -> Result<BTreeMap<Id, TeamGames>, Refused> {
    let players = app.store.run_players(run.id).await?;
    let mut teams: BTreeMap<Id, TeamGames> = BTreeMap::new();
    for (index, search) in searches_of(run) {
        if let Some(team) = players.get(index).and_then(|player| player.team_id) {
            teams.entry(team).or_default().search = search;
        }
    }
    for game in app.store.run_games(run.id).await?.into_iter().filter(|game| game.voided_ms.is_none()) {
        let seats =
            [game.player_1, game.player_2].map(|index| usize::try_from(index).ok().and_then(|it| players.get(it)));
        let [Some(one), Some(two)] = seats else { continue };
        let Some((side, team, opponent)) = examined(one, two) else { continue };
        let winner = match game.winner {
            Some(1) => Some(Side::One),
            Some(_) => Some(Side::Two),
            None => None,
        };
        let points = [game.points_1, game.points_2];
        let entry = teams.entry(team).or_default();
        entry.scores.push([points[side.index()], points[side.other().index()]]);
        entry.games.push(RubricGame {
            number: u32::try_from(game.number).unwrap_or(u32::MAX),
            opponent: opponent.name.clone(),
            side,
            result: Wdl::of(winner, side),
            code: game.game_code,
        });
    }
    Ok(teams)
}

/// What was known of the searches of the players when a run began.
fn searches_of(run: &Run) -> BTreeMap<usize, SearchResult> {
    serde_json::from_str(&run.settings).map(|settings: RunSettings| settings.searches).unwrap_or_default()
}

/// Which of two players is a team's bot that is examined, and by whom.
fn examined<'a>(one: &'a RunPlayer, two: &'a RunPlayer) -> Option<(Side, Id, &'a RunPlayer)> {
    match (one.team_id, two.team_id) {
        (Some(team), None) => Some((Side::One, team, two)),
        (None, Some(team)) => Some((Side::Two, team, one)),
        _ => None,
    }
}

/// The run of the league that counts: the one that a teacher has named, or the one that the rubric names.
async fn league_run(app: &App, assignment: &Assignment, rubric: &Rubric) -> Result<Option<Run>, Refused> {
    let (Some(league), Some(wanted)) = (assignment.league_id, rubric.counted_run()) else { return Ok(None) };
    let runs = app.store.runs_of_league(league).await?;
    let is_wanted = |run: &Run| match (assignment.counted_run_id, wanted) {
        (Some(id), _) => run.id == id,
        (None, CountedRun::Counted) => run.is_counted,
        (None, CountedRun::Final) => run.is_final,
        (None, CountedRun::Last) => true,
    };
    Ok(runs.into_iter().find(|run| run.state == RunState::Finished && is_wanted(run)))
}

/// The places in a run of a league: games with bots outside the ranking do not count.
async fn places(app: &App, run: &Run) -> Result<Vec<LeaguePlace>, Refused> {
    let players = app.store.run_players(run.id).await?;
    let mut games = finished(&app.store.run_games(run.id).await?);
    games.retain(|game| game.players.iter().all(|&index| players.get(index).is_some_and(|player| player.is_ranked)));
    let standings = standings(players.len(), &games, &[]);
    let ranked = players.iter().zip(standings).filter(|(player, _)| player.is_ranked);
    Ok(ranked
        .map(|(player, standing)| LeaguePlace {
            team: player.team_id,
            group: player.group_code.clone().unwrap_or_default(),
            points: standing.points,
        })
        .collect())
}

/// The addresses of the lists of the games of each team in a run of a league.
async fn league_games(app: &App, run: &Run) -> Result<BTreeMap<Id, String>, Refused> {
    let Some(league) = run.league_id else { return Ok(BTreeMap::new()) };
    let league = app.store.league_by_id(league).await?.ok_or(Refused::Fault)?;
    let players = app.store.run_players(run.id).await?.into_iter().enumerate();
    let path = |player: usize| format!("/leagues/{}/runs/{}/games?of={player}", league.code, run.number);
    Ok(players.filter_map(|(index, player)| Some((player.team_id?, path(index)))).collect())
}
