//! Runs: each game counts exactly once, even if servers die meanwhile.

use palestra_store::{
    CountedGame, FinishedGame, FoundSearch, GameCounted, JobKind, LeaseTerms, LeasedJob, NewGame, NewRun, OpenOptions,
    Player, PlayerKind, Run, RunGame, RunKind, RunPlayer, RunProgress, RunState, Store, StoreError, Trace, code,
};

use crate::place::{Place, on_both};
use crate::{NOW_MS, somebody, teacher};

const LEAGUE: i64 = 30;

/// A course with a league.
async fn a_league(place: &Place) -> Store {
    let store = place.open().await;
    place
        .run(
            "INSERT INTO courses (id, code, name, year, game, options, time_rule, domains, time_zone, ends_ms, \
             keeps_fingerprints, created_ms) VALUES (10, 'course', 'AI', '2026', 'mancala', '-', 'cpu 2000', '', 'UTC', 0, \
             FALSE, 0); \
             INSERT INTO leagues (id, code, course_id, name, schedule, ranking, move_ms, rounds, is_published, is_open, \
             created_ms) VALUES (30, 'league', 10, 'League', '{}', 'points', 2000, 1, FALSE, TRUE, 0);",
        )
        .await;
    store
}

fn new_run(due_ms: i64, games: u32) -> NewRun {
    let player = |name: &str| RunPlayer { name: name.to_owned(), is_ranked: true, ..RunPlayer::default() };
    NewRun {
        kind: RunKind::League,
        league_id: Some(LEAGUE),
        assignment_id: None,
        team_id: None,
        due_ms,
        is_counted: false,
        is_final: false,
        plan: "{}".to_owned(),
        settings: "{}".to_owned(),
        reason: None,
        account_id: None,
        players: vec![player("one"), player("two")],
        games,
        searches: vec![],
    }
}

async fn lease(store: &Store, now_ms: i64) -> Option<LeasedJob> {
    store.lease_job(LeaseTerms { now_ms, until_ms: now_ms + 30_000, max_failures: 3, holder: "here" }).await.unwrap()
}

fn finished(run: &Run, number: i64) -> FinishedGame {
    let player = |name: &str| Player { kind: PlayerKind::Program, account: None, name: name.to_owned() };
    let game = NewGame {
        code: code(),
        game: "mancala".to_owned(),
        options: "-".to_owned(),
        table_code: None,
        is_public: false,
        is_rated: false,
        points: [25, 23],
        winner: Some(1),
        reason: "finished".to_owned(),
        started_ms: NOW_MS,
        ended_ms: NOW_MS + 1000,
        record: "a record".to_owned(),
        players: [player("one"), player("two")],
    };
    let trace = Trace { thoughts: "[]".to_owned(), stderr_1: "a NUL \0 in it".to_owned(), ..Trace::default() };
    FinishedGame { run_id: run.id, number, players: [0, 1], game, charged_us: [1, 2], forfeit: None, plies: 40, trace }
}

/// Finishes the games of the jobs that can be leased: their subjects.
async fn play_all(store: &Store, run: &Run) -> Vec<String> {
    let mut played = vec![];
    while let Some(job) = lease(store, NOW_MS).await {
        let number = job.subject.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(store.finish_game(&finished(run, number)).await.unwrap().counts);
        played.push(job.subject);
    }
    played
}

/// What rankings take of a game.
fn counted_of(game: &RunGame) -> CountedGame {
    let game = game.clone();
    CountedGame {
        number: game.number,
        player_1: game.player_1,
        player_2: game.player_2,
        game_code: game.game_code,
        points_1: game.points_1,
        points_2: game.points_2,
        winner: game.winner,
        charged_1_us: game.charged_1_us,
        charged_2_us: game.charged_2_us,
        forfeit: game.forfeit,
        plies: game.plies,
    }
}

async fn live_deadline(store: &Store, run: &Run) -> Option<i64> {
    store.live_audience(run.id, [0, 1]).await.unwrap().unwrap().deadline_ms
}

async fn state(store: &Store, run: &Run) -> RunState {
    store.run(&run.code).await.unwrap().unwrap().state
}

on_both! {
    async fn rankings_get_the_games_that_count_with_all_their_values(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(NOW_MS, 4), NOW_MS).await.unwrap();
        for number in [2, 0, 3] {
            let mut game = finished(&run, number);
            match number {
                0 => (game.forfeit, game.players, game.charged_us) = (Some("illegal-move".to_owned()), [1, 0], [7, 1 << 40]),
                2 => (game.game.winner, game.game.points) = (None, [24, -24]),
                _ => {}
            }
            assert!(store.finish_game(&game).await.unwrap().counts);
        }
        let games = store.run_games(run.id).await.unwrap();
        let teacher = teacher(&store, "Teacher").await;
        assert!(store.void_game((run.id, 3), teacher.id, "a test", NOW_MS).await.unwrap());
        let counted = store.counted_games(run.id).await.unwrap();
        let expected: Vec<CountedGame> = games.iter().filter(|game| game.number != 3).map(counted_of).collect();
        assert_eq!((counted.len(), &counted), (2, &expected));
        assert_eq!((counted[0].forfeit.as_deref(), counted[0].charged_2_us), (Some("illegal-move"), 1 << 40));
        assert_eq!((counted[1].winner, counted[1].points_2, counted[1].forfeit.as_deref()), (None, -24, None));
        assert!(store.counted_games(run.id + 1).await.unwrap().is_empty());
        store.close().await;
    }

    async fn a_run_has_a_job_for_each_game_and_ends_with_the_last(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(NOW_MS, 3), NOW_MS).await.unwrap();
        assert_eq!((run.number, run.state, run.kind), (1, RunState::Playing, RunKind::League));
        let players = store.run_players(run.id).await.unwrap();
        assert_eq!((players.len(), players[1].name.as_str()), (2, "two"));
        for number in 0..3 {
            let job = lease(&store, NOW_MS).await.unwrap();
            assert_eq!((job.kind, job.body), (JobKind::Game, format!(r#"{{"run":{},"number":{number}}}"#, run.id)));
            let counted = store.finish_game(&finished(&run, number)).await.unwrap();
            assert_eq!(counted, GameCounted { counts: true, ends_run: number == 2 });
            let progress = store.run_progress(run.id).await.unwrap();
            assert_eq!((progress.played, progress.left), (number + 1, 2 - number));
        }
        let run = store.run_by_id(run.id).await.unwrap().unwrap();
        assert_eq!((run.state, run.ended_ms), (RunState::Finished, Some(NOW_MS + 1000)));
        let games = store.run_games(run.id).await.unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2]);
        let kept = store.game(&games[0].game_code).await.unwrap().unwrap();
        assert!(!kept.is_public && kept.players[0].name == "one");
        let trace = store.trace(&games[0].game_code).await.unwrap().unwrap();
        assert_eq!(trace.stderr_1, "a NUL  in it");
        store.close().await;
    }

    async fn a_run_without_games_ends_with_its_last_search(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(NOW_MS, 0), NOW_MS).await.unwrap();
        assert_eq!((run.state, run.ended_ms), (RunState::Finished, Some(NOW_MS)), "there is nothing to be done");
        let run = store.start_run(&NewRun { searches: vec![0, 1], reason: Some("one wish".to_owned()), ..new_run(NOW_MS + 1, 0) }, NOW_MS).await.unwrap();
        let job = lease(&store, NOW_MS).await.unwrap();
        assert_eq!((job.kind, job.body), (JobKind::Search, format!(r#"{{"run":{},"player":0}}"#, run.id)));
        let progress = store.run_progress(run.id).await.unwrap();
        assert_eq!((progress.left, progress.playing, progress.searches), (0, 1, 2));
        let found = |player, settings| FoundSearch { run_id: run.id, player, settings, report: None };
        assert!(!store.finish_search(&found(0, ["other", "new"]), NOW_MS).await.unwrap(), "another was faster");
        assert!(store.finish_search(&found(0, ["{}", "one"]), NOW_MS + 1).await.unwrap());
        assert_eq!(state(&store, &run).await, RunState::Playing);
        // What has begun is done while it is paused.
        assert_eq!(lease(&store, NOW_MS).await.unwrap().kind, JobKind::Search);
        assert!(store.pause_run(run.id, "a fire drill").await.unwrap());
        assert!(store.finish_search(&found(1, ["one", "both"]), NOW_MS + 2).await.unwrap());
        let run = store.run_by_id(run.id).await.unwrap().unwrap();
        assert_eq!((run.state, run.ended_ms, run.settings.as_str()), (RunState::Finished, Some(NOW_MS + 2), "both"));
        assert_eq!((run.reason.as_deref(), run.stop_reason), (Some("one wish"), None));
        assert_eq!(store.run_progress(run.id).await.unwrap(), RunProgress::default());
        store.close().await;
    }

    async fn a_run_that_is_given_up_compares_no_searches(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&NewRun { searches: vec![1], ..new_run(NOW_MS, 1) }, NOW_MS).await.unwrap();
        assert!(store.pause_run(run.id, "a test").await.unwrap());
        assert!(lease(&store, NOW_MS).await.is_none(), "a search is held as games are");
        assert!(store.give_up_run(run.id, "a test", NOW_MS).await.unwrap());
        assert_eq!(store.run_progress(run.id).await.unwrap(), RunProgress::default());
        let found = FoundSearch { run_id: run.id, player: 1, settings: ["{}", "late"], report: None };
        assert!(store.finish_search(&found, NOW_MS).await.unwrap());
        assert_eq!(state(&store, &run).await, RunState::GivenUp);
        store.close().await;
    }

    async fn a_game_that_is_played_twice_counts_once(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(NOW_MS, 2), NOW_MS).await.unwrap();
        lease(&store, NOW_MS).await.unwrap();
        // Its lease ends, another worker takes it, and both finish.
        assert_eq!(lease(&store, NOW_MS + 60_000).await.unwrap().attempts, 1);
        assert!(store.finish_game(&finished(&run, 0)).await.unwrap().counts);
        let second = finished(&run, 0);
        assert!(!store.finish_game(&second).await.unwrap().counts);
        assert_eq!(store.game(&second.game.code).await.unwrap(), None, "nothing of it is kept");
        let left = store.run_progress(run.id).await.unwrap();
        assert_eq!((left.played, left.left), (1, 1));
        store.close().await;
    }

    async fn the_last_two_games_end_a_run_once(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(NOW_MS, 8), NOW_MS).await.unwrap();
        let games: Vec<_> = (0..8).map(|number| tokio::spawn({
            let (store, run) = (store.clone(), run.clone());
            async move { store.finish_game(&finished(&run, number)).await.unwrap() }
        })).collect();
        let mut ends = 0;
        for game in games {
            let counted = game.await.unwrap();
            assert!(counted.counts);
            ends += usize::from(counted.ends_run);
        }
        assert_eq!((ends, state(&store, &run).await), (1, RunState::Finished));
        store.close().await;
    }

    async fn a_league_has_one_run_for_each_moment(place: Place) {
        let store = a_league(place).await;
        store.start_run(&new_run(NOW_MS, 1), NOW_MS).await.unwrap();
        let again = store.start_run(&new_run(NOW_MS, 1), NOW_MS + 5).await;
        assert!(matches!(again, Err(StoreError::Taken)), "{again:?}");
        let next = store.start_run(&new_run(NOW_MS + 1, 1), NOW_MS).await.unwrap();
        assert_eq!(next.number, 2);
        assert_eq!(store.league_run(LEAGUE, 2).await.unwrap(), Some(next));
        assert_eq!(store.job_counts().await.unwrap()[0].count, 2, "nothing is left of what was refused");
        store.close().await;
    }

    async fn a_void_game_is_played_again_and_kept(place: Place) {
        let store = a_league(place).await;
        let teacher = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let run = store.start_run(&new_run(NOW_MS, 2), NOW_MS).await.unwrap();
        play_all(&store, &run).await;
        assert!(store.void_game((run.id, 1), teacher, "the machine swapped", NOW_MS).await.unwrap());
        assert!(!store.void_game((run.id, 1), teacher, "again", NOW_MS).await.unwrap(), "none counts now");
        assert!(!store.void_game((run.id, 7), teacher, "no such game", NOW_MS).await.unwrap());
        assert_eq!(state(&store, &run).await, RunState::Playing);
        assert_eq!(play_all(&store, &run).await, [format!("run {} game 1", run.id)]);
        assert_eq!(state(&store, &run).await, RunState::Finished);
        let games = store.run_games(run.id).await.unwrap();
        let of_one: Vec<_> = games.iter().filter(|game| game.number == 1).collect();
        assert_eq!((of_one[0].void_reason.as_deref(), of_one[0].void_account_id), (Some("the machine swapped"), Some(teacher)));
        assert_eq!((of_one.len(), of_one[1].voided_ms), (2, None));
        store.close().await;
    }

    async fn a_game_has_the_same_audience_while_it_is_played_and_afterwards(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(1, 1), NOW_MS).await.unwrap();
        let game = finished(&run, 0);
        let live = store.live_audience(run.id, game.players).await.unwrap().unwrap();
        assert_eq!((live.kind, live.course_id, live.is_hidden), (RunKind::League, Some(10), false));
        assert_eq!((live.name_1.as_deref(), live.name_2.as_deref()), (Some("one"), Some("two")));
        assert_eq!(store.live_audience(run.id + 1, game.players).await.unwrap(), None);
        assert!(store.finish_game(&game).await.unwrap().counts);
        assert_eq!(store.run_audience(&game.game.code).await.unwrap(), Some(live));
        assert_eq!(live_deadline(&store, &run).await, None);
        for (id, due_ms) in [(1, 7), (2, 9)] {
            place
                .run(&format!(
                    "INSERT INTO assignments (id, code, course_id, title, due_ms, page_limit, rubric, league_id, created_ms) \
                     VALUES ({id}, 'a{id}', 10, 'P', {due_ms}, 5, 'mancala', 30, 0)"
                ))
                .await;
        }
        assert_eq!(live_deadline(&store, &run).await, Some(9), "the last one");
        place.run("UPDATE leagues SET hidden_from_ms = 0").await;
        assert!(store.live_audience(run.id, game.players).await.unwrap().unwrap().is_hidden);
    }
}

on_both! {
    async fn why_a_run_was_started_is_kept_and_why_it_stands_still_as_long_as_it_does(place: Place) {
        let store = a_league(place).await;
        let reasons = async |run: &Run| {
            let run = store.run_by_id(run.id).await.unwrap().unwrap();
            assert_eq!(run.reason.as_deref(), Some("the fan stopped"), "{run:?}");
            (run.state, run.stop_reason)
        };
        for (due_ms, end) in [(1, RunState::Finished), (2, RunState::GivenUp)] {
            let new = NewRun { reason: Some("the fan stopped".to_owned()), ..new_run(due_ms, 2) };
            let run = store.start_run(&new, NOW_MS).await.unwrap();
            assert_eq!(reasons(&run).await, (RunState::Playing, None));
            assert!(store.pause_run(run.id, "a fire drill").await.unwrap());
            assert_eq!(reasons(&run).await, (RunState::Paused, Some("a fire drill".to_owned())));
            assert!(store.resume_run(run.id).await.unwrap());
            assert_eq!(reasons(&run).await, (RunState::Playing, None));
            for _ in 0..2 {
                lease(&store, NOW_MS).await.unwrap();
            }
            // The games that have begun are played while it is paused.
            assert!(store.pause_run(run.id, "another one").await.unwrap());
            if end == RunState::GivenUp {
                assert!(store.give_up_run(run.id, "too late", NOW_MS).await.unwrap());
                assert_eq!(reasons(&run).await, (end, Some("too late".to_owned())));
            } else {
                assert!(!store.finish_game(&finished(&run, 0)).await.unwrap().ends_run);
                assert!(store.finish_game(&finished(&run, 1)).await.unwrap().ends_run);
                assert_eq!(reasons(&run).await, (end, None));
            }
        }
        store.close().await;
    }

    async fn a_run_pauses_goes_on_and_is_given_up(place: Place) {
        let store = a_league(place).await;
        let run = store.start_run(&new_run(NOW_MS, 4), NOW_MS).await.unwrap();
        let under_way = lease(&store, NOW_MS).await.unwrap();
        assert!(store.pause_run(run.id, "an exam").await.unwrap());
        assert!(!store.pause_run(run.id, "twice").await.unwrap());
        assert_eq!(lease(&store, NOW_MS).await, None);
        assert!(store.finish_game(&finished(&run, 0)).await.unwrap().counts, "{under_way:?} is finished all the same");
        assert!(store.resume_run(run.id).await.unwrap());
        lease(&store, NOW_MS).await.unwrap();
        assert!(store.give_up_run(run.id, "wrong time control", NOW_MS).await.unwrap());
        assert_eq!((lease(&store, NOW_MS).await, state(&store, &run).await), (None, RunState::GivenUp));
        assert!(!store.finish_game(&finished(&run, 1)).await.unwrap().counts);
        assert!(!store.void_game((run.id, 0), 1, "too late", NOW_MS).await.unwrap());
        store.close().await;
    }

    async fn a_run_that_goes_on_begins_where_the_others_are(place: Place) {
        let store = a_league(place).await;
        let paused = store.start_run(&new_run(NOW_MS, 3), NOW_MS).await.unwrap();
        store.pause_run(paused.id, "later").await.unwrap();
        let other = store.start_run(&new_run(NOW_MS + 1, 6), NOW_MS).await.unwrap();
        for number in 0..3 {
            lease(&store, NOW_MS).await.unwrap();
            store.finish_game(&finished(&other, number)).await.unwrap();
        }
        store.resume_run(paused.id).await.unwrap();
        let mut lanes = vec![];
        while let Some(job) = lease(&store, NOW_MS).await {
            lanes.push(job.lane == paused.id);
        }
        assert_eq!(lanes.iter().filter(|&&is_paused| is_paused).count(), 3);
        assert!(lanes.windows(2).all(|pair| pair[0] != pair[1]), "they take turns: {lanes:?}");
        store.close().await;
    }

    async fn what_programs_wrote_is_kept_of_the_last_three_runs(place: Place) {
        let store = a_league(place).await;
        let mut runs = vec![];
        for due_ms in 0..4 {
            let run = store.start_run(&new_run(due_ms, 2), NOW_MS).await.unwrap();
            for number in 0..2 {
                lease(&store, NOW_MS).await.unwrap();
                let mut game = finished(&run, number);
                game.trace.fault = (number == 1).then(|| "illegal".to_owned());
                store.finish_game(&game).await.unwrap();
            }
            runs.push(run);
        }
        let games = store.run_games(runs[0].id).await.unwrap();
        assert_eq!(store.trace(&games[0].game_code).await.unwrap(), None);
        let fault = store.trace(&games[1].game_code).await.unwrap().unwrap();
        assert_eq!((fault.stderr_1.as_str(), fault.fault.as_deref()), ("", Some("illegal")));
        let games = store.run_games(runs[1].id).await.unwrap();
        assert!(!store.trace(&games[0].game_code).await.unwrap().unwrap().stderr_1.is_empty());
        store.close().await;
    }

    async fn a_large_league_is_planned_at_once(place: Place) {
        let store = a_league(place).await;
        let mut new = new_run(NOW_MS, 14_280);
        new.players = (0..120).map(|number| RunPlayer { name: format!("bot{number}"), ..RunPlayer::default() }).collect();
        let run = store.start_run(&new, NOW_MS).await.unwrap();
        assert_eq!(store.run_players(run.id).await.unwrap().len(), 120);
        assert_eq!(store.run_progress(run.id).await.unwrap().left, 14_280);
        let job = lease(&store, NOW_MS).await.unwrap();
        assert!(job.subject.ends_with("game 0"));
        store.close().await;
    }
}

#[tokio::test]
async fn a_full_disk_loses_no_game() {
    let place = Place::sqlite();
    let options = OpenOptions { max_pages: Some(400), ..OpenOptions::default() };
    a_league(&place).await.close().await;
    let store = place.open_with(options).await;
    let run = store.start_run(&new_run(NOW_MS, 200), NOW_MS).await.unwrap();
    let mut kept = 0;
    let error = loop {
        let mut game = finished(&run, kept);
        game.trace.stderr_1 = "x".repeat(60_000);
        match store.finish_game(&game).await {
            Ok(counted) => assert!(counted.counts),
            Err(error) => break error,
        }
        kept += 1;
    };
    assert!(kept > 0 && matches!(error, StoreError::Full), "{kept} {error:?}");
    let progress = store.run_progress(run.id).await.unwrap();
    assert_eq!((progress.played, progress.left), (kept, 200 - kept), "the game that was refused is still to be kept");
    store.close().await;
    place.check().await;
    let store = place.open().await;
    assert!(store.finish_game(&finished(&run, kept)).await.unwrap().counts);
    store.close().await;
}
