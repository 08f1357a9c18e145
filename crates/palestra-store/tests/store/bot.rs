//! Bots: names that stay for ever, versions, quotas, and what is left when an account is deleted.

use futures_util::future::join_all;
use palestra_store::{
    Added, BotRole, Built, ComparisonState, House, JobState, NewBot, NewComparison, NewVersion, Quotas, Registered,
    Role, Store, StoreError, VersionState, build_job, build_subject, source_hash,
};

use crate::place::on_both;
use crate::{NOW_MS, account, somebody, teacher};

fn named<'a>(name: &'a str, account: i64) -> NewBot<'a> {
    NewBot { name, game: "mancala", language: "cpp", account, course: None, house: House::No }
}

async fn bot(store: &Store, new: &NewBot<'_>) -> i64 {
    match store.register_bot(new, 99, NOW_MS).await.unwrap() {
        Registered::Bot(id) => id,
        other => panic!("{other:?}"),
    }
}

fn files(texts: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    texts.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

async fn add(store: &Store, bot: i64, account: i64, text: &str, quotas: &Quotas) -> Added {
    let files = files(&[("Lento.h", "class Lento;"), ("Lento.cpp", text)]);
    store.add_version(&NewVersion { bot, account, note: "first", files: &files }, quotas, NOW_MS).await.unwrap()
}

/// Adds a version and ends its build.
async fn built(store: &Store, bot: i64, account: i64, text: &str, state: VersionState) -> (i64, i64) {
    let Added::Version { id, number } = add(store, bot, account, text, &Quotas::default()).await else { panic!() };
    assert!(end(store, id, state).await);
    (id, number)
}

async fn end(store: &Store, id: i64, state: VersionState) -> bool {
    let built = Built { state, report: "{}", compiler: Some("g++ 12"), flags: Some("-O2") };
    store.end_build(id, &built).await.unwrap()
}

/// A course with a teacher and a group; the members of a team, whose number is theirs, are added by [`member`].
fn course(id: i64, teacher: i64) -> String {
    format!(
        "INSERT INTO courses (id, code, name, year, game, options, time_rule, domains, time_zone, ends_ms, \
         keeps_fingerprints, created_ms) VALUES ({id}, 'c{id}', 'Course', '2026', 'mancala', '-', 'cpu 2000', '', 'UTC', \
         1, FALSE, 1); \
         INSERT INTO course_teachers (course_id, account_id) VALUES ({id}, {teacher}); \
         INSERT INTO course_groups (id, course_id, code, name, created_ms) VALUES ({id}, {id}, 'A1', 'A', 1)"
    )
}

fn team(id: i64, course: i64) -> String {
    format!("INSERT INTO course_teams (id, group_id, created_ms) VALUES ({id}, {course}, 1)")
}

fn member(course: i64, team: i64, account: i64) -> String {
    format!(
        "INSERT INTO course_members (id, course_id, team_id, account_id, state, created_ms) \
         VALUES ({account}, {course}, {team}, {account}, 'member', 1)"
    )
}

on_both! {
    async fn a_name_is_one_bots_for_ever(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let bob = store.create_account(&somebody("Bob"), NOW_MS).await.unwrap();
        bot(&store, &named("Lento", ada)).await;
        for name in ["Lento", "LENTO", "lento"] {
            let taken = store.register_bot(&named(name, bob), 9, NOW_MS).await;
            assert!(matches!(taken, Err(StoreError::Taken)), "{name}");
        }
        assert_eq!(store.register_bot(&named("ada", bob), 9, NOW_MS).await.unwrap(), Registered::Nickname);
        bot(&store, &named("BOB", bob)).await;
        let found = store.bot("lENTO").await.unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.nickname.as_deref(), found.active), ("Lento", Some("Ada"), None));
        assert!(store.delete_account(ada).await.unwrap());
        let gone = store.bot("Lento").await.unwrap().unwrap();
        assert_eq!((gone.account_id, gone.withdrawn), (None, Some(1)));
        assert!(matches!(store.register_bot(&named("Lento", bob), 9, NOW_MS).await, Err(StoreError::Taken)));
    }

    async fn an_account_has_so_many_bots_however_fast_they_come(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let names: Vec<String> = (0..6).map(|number| format!("bot{number}")).collect();
        let new: Vec<NewBot<'_>> = names.iter().map(|name| named(name, ada)).collect();
        let all = join_all(new.iter().map(|new| store.register_bot(new, 4, NOW_MS))).await;
        let many = all.into_iter().filter(|it| matches!(it, Ok(Registered::TooMany))).count();
        assert_eq!((many, store.bots_of(ada).await.unwrap().len()), (2, 4));
    }

    async fn versions_are_numbered_and_their_files_kept_once(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let lento = bot(&store, &named("Lento", ada)).await;
        let (first, _) = built(&store, lento, ada, "one", VersionState::Ready).await;
        let (second, number) = built(&store, lento, ada, "two", VersionState::Refused).await;
        assert_eq!(number, 2);
        let [newest, oldest] = store.versions_of(lento).await.unwrap().try_into().unwrap();
        assert_eq!((newest.id, newest.state, oldest.id, oldest.state), (second, VersionState::Refused, first, VersionState::Ready));
        assert_eq!((newest.size_bytes, newest.compiler.as_deref(), newest.flags.as_deref()), (15, Some("g++ 12"), Some("-O2")));
        let sources = files(&[("Lento.cpp", "two"), ("Lento.h", "class Lento;")]);
        assert_eq!(store.version_files(second).await.unwrap(), sources);
        assert_eq!(newest.source_hash, source_hash(&sources), "the order of the files does not matter");
        assert_ne!(newest.source_hash, oldest.source_hash);
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 1).await.unwrap(), 0);
        assert!(!store.delete_version(lento, 2).await.unwrap(), "the newest");
        built(&store, lento, ada, "three", VersionState::Refused).await;
        assert!(!store.delete_version(lento, 1).await.unwrap(), "the active one");
        assert!(store.delete_version(lento, 2).await.unwrap());
        assert_eq!(store.delete_orphan_blobs(NOW_MS).await.unwrap(), 0, "it is not older than that");
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 1).await.unwrap(), 1, "the header is another version's too");
        assert_eq!(store.version_files(first).await.unwrap().len(), 2);
    }

    async fn the_latest_version_that_is_ready_becomes_active(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let lento = bot(&store, &named("Lento", ada)).await;
        let quotas = Quotas::default();
        let mut ids = vec![];
        for text in ["1", "2", "3"] {
            let Added::Version { id, .. } = add(&store, lento, ada, text, &quotas).await else { panic!() };
            ids.push(id);
        }
        let active = async || store.bot("lento").await.unwrap().unwrap().active;
        assert!(store.note_version(ids[1], VersionState::Compiling, "[]").await.unwrap());
        assert!(end(&store, ids[1], VersionState::Ready).await);
        assert_eq!(active().await, Some(2));
        assert!(!end(&store, ids[1], VersionState::Refused).await, "it was built twice, and counts once");
        assert!(!store.note_version(ids[1], VersionState::Waiting, "[]").await.unwrap());
        assert!(end(&store, ids[0], VersionState::Ready).await);
        assert_eq!(active().await, Some(2), "an earlier one was slower");
        assert!(end(&store, ids[2], VersionState::Refused).await);
        assert_eq!(active().await, Some(2));
        assert!(store.activate_version(lento, 1).await.unwrap());
        assert!(!store.activate_version(lento, 3).await.unwrap(), "it was refused");
        assert!(!store.activate_version(lento, 9).await.unwrap());
        assert_eq!(active().await, Some(1));
    }

    async fn quotas_hold_however_fast_versions_come(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let [lento, otro] = [bot(&store, &named("Lento", ada)).await, bot(&store, &named("Otro", ada)).await];
        let quotas = Quotas { versions: 2, bytes: 39, builds: 2, ..Quotas::default() };
        let added = join_all((0..4).map(|_| add(&store, lento, ada, "x", &quotas))).await;
        let numbers: Vec<i64> =
            added.iter().filter_map(|it| if let Added::Version { number, .. } = it { Some(*number) } else { None }).collect();
        assert_eq!(numbers.iter().sum::<i64>(), 3, "{added:?}");
        assert_eq!(add(&store, otro, ada, "x", &quotas).await, Added::TooBusy, "of all bots");
        for version in store.versions_of(lento).await.unwrap() {
            end(&store, version.id, VersionState::Refused).await;
        }
        assert_eq!(add(&store, lento, ada, "x", &quotas).await, Added::TooMany);
        assert_eq!(add(&store, otro, ada, "xx", &quotas).await, Added::TooLarge, "of all bots");
        assert!(matches!(add(&store, otro, ada, "x", &quotas).await, Added::Version { .. }), "it fits exactly");
    }

    async fn what_an_account_may_do_follows_from_course_and_team(place: Place) {
        let store = place.open().await;
        let mut ids = vec![];
        for name in ["Ada", "Bob", "Eve"] {
            ids.push(account(&store, name).await.id);
        }
        for name in ["Tom", "Ulla"] {
            ids.push(teacher(&store, name).await.id);
        }
        let [ada, bob, eve, tom, ulla] = ids[..] else { panic!() };
        for sql in [course(1, tom), course(2, ulla), team(1, 1), team(2, 1), member(1, 1, ada), member(1, 1, bob)] {
            place.run(&sql).await;
        }
        place.run(&member(1, 2, eve)).await;
        let lento = bot(&store, &NewBot { course: Some(1), ..named("Lento", ada) }).await;
        let house = NewBot { course: Some(1), house: House::Hidden, ..named("Casero", tom) };
        bot(&store, &house).await;
        bot(&store, &named("Propio", ada)).await;
        let expected = [
            ("Lento", [BotRole::Owner, BotRole::Owner, BotRole::Member, BotRole::Teacher, BotRole::Stranger]),
            ("Casero", [BotRole::Member, BotRole::Member, BotRole::Member, BotRole::Owner, BotRole::Stranger]),
            ("Propio", [BotRole::Owner, BotRole::Stranger, BotRole::Stranger, BotRole::Stranger, BotRole::Stranger]),
        ];
        for (name, roles) in expected {
            let found = store.bot(name).await.unwrap().unwrap();
            for (account, role) in ids.iter().zip(roles) {
                assert_eq!(store.bot_role(&found, *account).await.unwrap(), role, "{name} {account}");
            }
        }
        let names = async |account| -> Vec<String> {
            store.bots_of(account).await.unwrap().into_iter().map(|bot| bot.name).collect()
        };
        assert_eq!(names(bob).await, ["Lento"], "a pair shares its bot");
        assert_eq!(names(tom).await, ["Casero"]);
        assert!(names(eve).await.is_empty());
        let of_course = store.bots_of_course(1).await.unwrap();
        assert_eq!(of_course.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>(), ["Casero", "Lento"]);
        let offered = async |account| -> Vec<(String, bool)> {
            let courses = store.courses_for_bots(account).await.unwrap();
            courses.into_iter().map(|course| (course.code, course.is_taught)).collect()
        };
        assert_eq!(offered(ada).await, [("c1".to_owned(), false)]);
        assert_eq!(offered(tom).await, [("c1".to_owned(), true)]);
        store.set_bot_course(lento, Some(2)).await.unwrap();
        let moved = store.bot("Lento").await.unwrap().unwrap();
        assert_eq!(store.bot_role(&moved, tom).await.unwrap(), BotRole::Stranger);
        assert_eq!(store.bot_role(&moved, ulla).await.unwrap(), BotRole::Teacher);
        assert!(store.change_role(ulla, Role::Student).await.unwrap());
        assert_eq!(store.bot_role(&moved, ulla).await.unwrap(), BotRole::Stranger, "who has lost the role");
        assert!(store.change_role(tom, Role::Student).await.unwrap());
        assert!(names(tom).await.is_empty(), "house bots are the teachers' of the course");
        store.close().await;
    }

    async fn sources_go_with_their_owner_and_results_stay(place: Place) {
        let store = place.open().await;
        let mut ids = vec![];
        for name in ["Ada", "Bob", "Tom"] {
            ids.push(store.create_account(&somebody(name), NOW_MS).await.unwrap());
        }
        let [ada, bob, tom] = ids[..] else { panic!() };
        for sql in [course(1, tom), team(1, 1), member(1, 1, ada), member(1, 1, bob)] {
            place.run(&sql).await;
        }
        let shared = bot(&store, &NewBot { course: Some(1), ..named("Comun", ada) }).await;
        let own = bot(&store, &named("Propio", ada)).await;
        let house = bot(&store, &NewBot { course: Some(1), house: House::Playable, ..named("Casero", tom) }).await;
        let mut versions = vec![];
        for (bot, account) in [(shared, ada), (own, ada), (house, tom)] {
            versions.push(built(&store, bot, account, &format!("text of {bot}"), VersionState::Ready).await.0);
        }
        place.run(&format!(
            "INSERT INTO runs (id, code, kind, number, due_ms, state, is_counted, is_final, is_published, plan, settings, \
             started_ms) VALUES (1, 'r', 'league', 1, 1, 'finished', TRUE, FALSE, FALSE, '', '', 1); \
             INSERT INTO run_players (run_id, player, name, bot_id, version_id, is_ranked) \
             VALUES (1, 0, 'Propio', {own}, {}, TRUE), (1, 1, 'Comun', {shared}, {}, TRUE), (1, 2, 'house', NULL, NULL, FALSE); \
             INSERT INTO run_games (id, run_id, number, player_1, player_2, game_code, points_1, points_2, winner, \
             charged_1_us, charged_2_us, plies, ended_ms) VALUES (1, 1, 0, 2, 0, 'code', 20, 28, 2, 1, 1, 30, 1)",
            versions[1], versions[0]
        )).await;
        let export = store.export_account(ada).await.unwrap().unwrap();
        let listed: Vec<_> = export.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(listed, ["Comun", "Propio"]);
        let listed: Vec<_> = export.versions.iter().map(|it| (it.bot.as_str(), it.number, it.note.as_str())).collect();
        assert_eq!(listed, [("Comun", 1, "first"), ("Propio", 1, "first")]);
        let games: Vec<_> = export.run_games.iter().map(|it| (it.bot.as_str(), it.side, it.winner)).collect();
        assert_eq!(games, [("Propio", 2, Some(2))]);
        assert!(store.delete_account(ada).await.unwrap() && store.delete_account(tom).await.unwrap());
        let kept = async |name: &str| store.bot(name).await.unwrap().unwrap();
        let comun = kept("Comun").await;
        assert_eq!((comun.account_id, comun.withdrawn, comun.active), (Some(bob), None, Some(1)), "the pair's other half");
        let propio = kept("Propio").await;
        assert_eq!((propio.withdrawn, propio.active), (Some(1), None));
        let casero = kept("Casero").await;
        assert_eq!((casero.account_id, casero.withdrawn, casero.active), (None, None, Some(1)), "it is the course's");
        let files = async |version| store.version_files(version).await.unwrap().len();
        assert_eq!([files(versions[0]).await, files(versions[1]).await, files(versions[2]).await], [2, 0, 2]);
        let [withdrawn] = store.versions_of(own).await.unwrap().try_into().unwrap();
        assert_eq!((withdrawn.note.as_str(), withdrawn.report.as_str(), withdrawn.account_id), ("", "", None));
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 1).await.unwrap(), 1);
        // A column that must not be empty refuses what does not find its row.
        place.run(&format!(
            "INSERT INTO heartbeat (id, alive_ms) VALUES (1, (SELECT run_id FROM run_players WHERE name = 'withdrawn 1' \
             AND version_id = {})); \
             INSERT INTO heartbeat (id, alive_ms) VALUES (2, (SELECT run_id FROM run_players WHERE name = 'Comun'))",
            versions[1]
        )).await;
        store.close().await;
    }

    async fn a_version_has_a_job_until_its_build_ends(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let lento = bot(&store, &named("Lento", ada)).await;
        let Added::Version { id, .. } = add(&store, lento, ada, "x", &Quotas::default()).await else { panic!() };
        let place = async || store.job_place(&build_subject(id)).await.unwrap();
        assert_eq!(place().await, Some((JobState::Waiting, 0)));
        assert!(!store.add_job(&build_job(id, ada), NOW_MS).await.unwrap(), "it is the same job");
        assert!(end(&store, id, VersionState::Ready).await);
        assert_eq!(place().await, None);
        store.add_job(&build_job(id, ada), NOW_MS).await.unwrap();
        assert!(!end(&store, id, VersionState::Ready).await, "it was built before");
        assert_eq!(place().await, None, "and yet the job ends");
    }

    async fn a_person_compares_one_pair_of_versions_at_a_time(store: Store) {
        let ada = store.create_account(&somebody("Ada"), NOW_MS).await.unwrap();
        let lento = bot(&store, &named("Lento", ada)).await;
        let (old, _) = built(&store, lento, ada, "one", VersionState::Ready).await;
        let (new, _) = built(&store, lento, ada, "two", VersionState::Ready).await;
        let wanted = NewComparison { version: new, other: old, account: ada };
        let both = join_all([wanted; 2].map(|wanted| store.add_comparison(wanted, NOW_MS))).await;
        let [id] = both.into_iter().filter_map(Result::unwrap).collect::<Vec<_>>().try_into().unwrap();
        assert!(store.note_comparison(id, "[1]").await.unwrap());
        let [listed] = store.comparisons_of(lento, 9).await.unwrap().try_into().unwrap();
        assert_eq!((listed.number, listed.other, listed.state, listed.report.as_str()), (2, 1, ComparisonState::Playing, "[1]"));
        assert!(store.end_comparison(id, ComparisonState::Finished, "[2]").await.unwrap());
        assert!(!store.end_comparison(id, ComparisonState::Failed, "").await.unwrap());
        assert!(!store.note_comparison(id, "").await.unwrap());
        assert_eq!(store.comparison(id).await.unwrap().unwrap().report, "[2]");
        assert_eq!(store.job_counts().await.unwrap(), []);
        assert!(store.add_comparison(wanted, NOW_MS).await.unwrap().is_some());
    }

    async fn results_count_where_standings_may_be_seen(place: Place) {
        let store = place.open().await;
        let tom = store.create_account(&somebody("Tom"), NOW_MS).await.unwrap();
        let lento = bot(&store, &named("Lento", tom)).await;
        assert_eq!(store.bot_results(lento).await.unwrap(), None);
        place.run(&course(1, tom)).await;
        place.run(&format!(
            "INSERT INTO leagues (id, code, course_id, name, schedule, ranking, move_ms, rounds, is_published, \
             hidden_from_ms, is_open, created_ms) VALUES (1, 'l', 1, 'Liga', '', '', 1, 2, FALSE, 50, TRUE, 1); \
             INSERT INTO runs (id, code, kind, league_id, number, due_ms, state, is_counted, is_final, is_published, plan, \
             settings, started_ms) VALUES \
             (1, 'r1', 'league', 1, 1, 1, 'finished', TRUE, FALSE, FALSE, '', '', 40), \
             (2, 'r2', 'league', 1, 2, 2, 'finished', TRUE, FALSE, FALSE, '', '', 60); \
             INSERT INTO run_players (run_id, player, name, bot_id, is_ranked) VALUES (1, 0, 'Lento', {lento}, TRUE), \
             (1, 1, 'Otro', NULL, TRUE), (2, 0, 'Lento', {lento}, TRUE), (2, 1, 'Otro', NULL, TRUE); \
             INSERT INTO run_games (id, run_id, number, player_1, player_2, game_code, points_1, points_2, winner, \
             charged_1_us, charged_2_us, forfeit, plies, ended_ms, voided_ms) VALUES \
             (1, 1, 0, 0, 1, 'a', 30, 18, 1, 1, 1, NULL, 9, 41, NULL), \
             (2, 1, 1, 1, 0, 'b', 48, 0, 1, 1, 1, 'timeout', 9, 42, NULL), \
             (3, 1, 2, 0, 1, 'c', 24, 24, NULL, 1, 1, NULL, 9, 43, NULL), \
             (4, 1, 3, 0, 1, 'd', 30, 18, 1, 1, 1, NULL, 9, 44, 45), \
             (5, 2, 0, 0, 1, 'e', 30, 18, 1, 1, 1, NULL, 9, 61, NULL)"
        )).await;
        let results = store.bot_results(lento).await.unwrap().unwrap();
        assert_eq!((results.games, results.wins, results.losses), (3, 1, 1), "void and hidden games do not count");
        assert_eq!((results.games_1, results.wins_1, results.forfeits), (2, 1, 1));
        let games = store.bot_games(lento, 2).await.unwrap();
        let games: Vec<_> = games.iter().map(|it| (it.game_code.as_str(), it.opponent.as_str(), it.side, it.run)).collect();
        assert_eq!(games, [("c", "Otro", 1, 1), ("b", "Otro", 2, 1)]);
        store.close().await;
    }

    async fn equal_bytes_are_one_blob(store: Store) {
        let hash = store.put_blob(b"\0text", NOW_MS).await.unwrap();
        assert_eq!(hash, palestra_store::blob_hash(b"\0text"));
        assert_eq!(store.blob(&hash).await.unwrap().as_deref(), Some(&b"\0text"[..]));
        assert_eq!(store.put_blob(b"\0text", NOW_MS + 9).await.unwrap(), hash);
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 5).await.unwrap(), 0, "it was put again");
        assert_eq!(store.delete_orphan_blobs(NOW_MS + 10).await.unwrap(), 1);
        assert_eq!(store.blob(&hash).await.unwrap(), None);
    }
}
