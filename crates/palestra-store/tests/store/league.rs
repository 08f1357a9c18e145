//! Leagues, their guests, and the bots that teams enter.

use palestra_store::{
    COUNTED_PRIORITY, Entered, House, Id, LeaseTerms, MemberState, NewBot, NewEntry, NewLeague, NewRun, Registered,
    RunKind, RunPlayer, Store,
};

use crate::course::new_course;
use crate::place::on_both;
use crate::{NOW_MS, account};

/// A course with a group, a teacher and a student who has joined.
struct Scene {
    course: Id,
    group: Id,
    teacher: Id,
    student: Id,
    team: Id,
}

async fn scene(store: &Store) -> Scene {
    let teacher = account(store, "Teo").await.id;
    let code = store.create_course(teacher, &new_course("AI"), NOW_MS).await.unwrap();
    let course = store.course(&code).await.unwrap().unwrap().id;
    let group = store.add_group(course, "A1", "Mañana", NOW_MS).await.unwrap();
    let (student, team) = join(store, course, group, "Ada").await;
    Scene { course, group, teacher, student, team }
}

/// A new account that joins a group, and its team.
async fn join(store: &Store, course: Id, group: Id, nickname: &str) -> (Id, Id) {
    let account = account(store, nickname).await;
    store.join_course((course, group), &account, MemberState::Member, NOW_MS).await.unwrap();
    (account.id, store.member_of(course, account.id).await.unwrap().unwrap().team_id)
}

async fn bot(store: &Store, name: &str, game: &str, account: Id, course: Option<Id>, house: House) -> Id {
    let new = NewBot { name, game, language: "cpp", account, course, house };
    match store.register_bot(&new, 9, NOW_MS).await.unwrap() {
        Registered::Bot(id) => id,
        other => panic!("{other:?}"),
    }
}

fn league(name: &str, group_id: Option<Id>, due_ms: Option<i64>) -> NewLeague {
    NewLeague {
        group_id,
        name: name.into(),
        schedule: "{}".into(),
        ranking: "points".into(),
        move_ms: 2000,
        rounds: 1,
        is_published: false,
        hidden_from_ms: None,
        is_open: true,
        due_ms,
        guests: vec![],
    }
}

/// A run of a league between two players.
async fn run(store: &Store, league: Id, is_counted: bool) -> Id {
    let new = NewRun {
        kind: RunKind::League,
        league_id: Some(league),
        assignment_id: None,
        team_id: None,
        due_ms: NOW_MS,
        is_counted,
        is_final: false,
        plan: "{}".into(),
        settings: "{}".into(),
        reason: None,
        account_id: None,
        players: vec![RunPlayer::default(), RunPlayer::default()],
        games: 2,
        searches: vec![],
    };
    store.start_run(&new, NOW_MS).await.unwrap().id
}

on_both! {
    async fn a_league_is_made_changed_and_found(store: Store) {
        let scene = scene(&store).await;
        let code = store.create_league(scene.course, &league("Main", None, Some(NOW_MS + 5)), NOW_MS).await.unwrap();
        let made = store.league(&code).await.unwrap().unwrap();
        assert_eq!(store.unfinished_run(made.id).await.unwrap(), None);
        assert_eq!((made.name.as_str(), made.group_code.as_deref(), made.due_ms), ("Main", None, Some(NOW_MS + 5)));
        let house = bot(&store, "House1", "mancala", scene.teacher, Some(scene.course), House::Hidden).await;
        let own = bot(&store, "Own", "mancala", scene.student, Some(scene.course), House::No).await;
        let mut new = league("A1 alone", Some(scene.group), None);
        (new.is_published, new.hidden_from_ms, new.guests) = (true, Some(NOW_MS), vec![house, own, house]);
        store.change_league(made.id, &new).await.unwrap();
        let changed = store.league_by_id(made.id).await.unwrap().unwrap();
        assert_eq!((changed.group_code.as_deref(), changed.due_ms, changed.is_published), (Some("A1"), None, true));
        assert_eq!(store.league_guests(made.id).await.unwrap(), [house], "only house bots are guests, each once");
        let other = store.create_league(scene.course, &league("Main", None, None), NOW_MS + 1).await.unwrap();
        let names = |leagues: Vec<palestra_store::League>| leagues.into_iter().map(|it| it.name).collect::<Vec<_>>();
        assert_eq!(names(store.leagues_of_course(scene.course).await.unwrap()), ["Main", "A1 alone"]);
        assert_eq!(names(store.published_leagues(9).await.unwrap()), ["A1 alone"]);
        run(&store, made.id, false).await;
        assert_eq!(store.unfinished_run(made.id).await.unwrap(), Some(1));
        assert_eq!(store.names_in_league(made.id).await.unwrap().len(), 2);
        assert!(!store.delete_league(made.id).await.unwrap(), "its results stay");
        let other = store.league(&other).await.unwrap().unwrap();
        assert!(store.delete_league(other.id).await.unwrap());
    }

    async fn a_league_is_due_when_its_moment_has_come_and_it_is_open(store: Store) {
        let scene = scene(&store).await;
        let mut closed = league("closed", None, Some(NOW_MS - 9));
        closed.is_open = false;
        for new in [league("later", None, Some(NOW_MS + 1)), league("now", None, Some(NOW_MS)), closed,
            league("never", None, None), league("before", None, Some(NOW_MS - 5))] {
            store.create_league(scene.course, &new, NOW_MS).await.unwrap();
        }
        let due = store.due_leagues(NOW_MS).await.unwrap();
        assert_eq!(due.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["before", "now"]);
        assert_eq!(store.next_due_ms(NOW_MS).await.unwrap(), Some(NOW_MS + 1));
        assert_eq!(store.next_due_ms(NOW_MS + 1).await.unwrap(), None);
        let first = due[0].id;
        assert!(!store.set_league_due(first, Some(NOW_MS), None).await.unwrap(), "it was said anew since");
        assert!(store.set_league_due(first, Some(NOW_MS - 5), None).await.unwrap());
        assert!(store.set_league_due(first, None, Some(NOW_MS + 7)).await.unwrap());
        assert_eq!(store.league_by_id(first).await.unwrap().unwrap().due_ms, Some(NOW_MS + 7));
    }

    async fn a_team_enters_a_bot_of_its_own_that_plays_the_game(store: Store) {
        let scene = scene(&store).await;
        let (other, other_team) = join(&store, scene.course, scene.group, "Bob").await;
        let [first, second] = ["One", "Two"];
        let first = bot(&store, first, "mancala", scene.student, None, House::No).await;
        let second = bot(&store, second, "mancala", scene.student, None, House::No).await;
        let enter = async |team, bot, reason| {
            let new = NewEntry { team, bot, account: scene.student, reason };
            store.enter_bot(&new, NOW_MS).await.unwrap()
        };
        assert_eq!(enter(scene.team, first, None).await, Entered::Done);
        assert_eq!(enter(scene.team, second, None).await, Entered::Done);
        assert_eq!(enter(other_team, second, None).await, Entered::NotTheirs);
        assert_eq!(enter(scene.team, 1, None).await, Entered::NotTheirs);
        let foreign = bot(&store, "Boomer", "conecta4boom", scene.student, None, House::No).await;
        assert_eq!(enter(scene.team, foreign, None).await, Entered::OtherGame);
        let house = bot(&store, "House1", "mancala", other, Some(scene.course), House::Playable).await;
        assert_eq!(enter(other_team, house, None).await, Entered::NotTheirs);
        let elsewhere = store.create_course(scene.teacher, &new_course("AI"), NOW_MS).await.unwrap();
        let elsewhere = store.course(&elsewhere).await.unwrap().unwrap().id;
        let taken = bot(&store, "Taken", "mancala", scene.student, Some(elsewhere), House::No).await;
        assert_eq!(enter(scene.team, taken, None).await, Entered::OtherCourse);

        let code = store.create_league(scene.course, &league("Main", None, None), NOW_MS).await.unwrap();
        let league = store.league(&code).await.unwrap().unwrap().id;
        let played = run(&store, league, false).await;
        assert_eq!(enter(scene.team, first, None).await, Entered::Done, "it did not count");
        store.mark_run(played, true, false).await.unwrap();
        assert_eq!(enter(scene.team, second, None).await, Entered::Locked);
        assert_eq!(enter(scene.team, second, Some("the disk broke")).await, Entered::Done);
        let entries = store.team_entries(scene.course, None).await.unwrap();
        let found: Vec<_> = entries.iter().map(|it| (it.team_id, it.bot_name.as_deref(), it.reason.as_deref())).collect();
        assert_eq!(found, [(scene.team, Some("Two"), Some("the disk broke")), (other_team, None, None)]);
        assert_eq!(store.bot_by_id(second).await.unwrap().unwrap().course_id, Some(scene.course));
        assert!(store.team_entries(scene.course, Some(1)).await.unwrap().is_empty(), "no such group");
    }

    async fn the_games_of_a_run_that_counts_go_first(store: Store) {
        let scene = scene(&store).await;
        let code = store.create_league(scene.course, &league("Main", None, None), NOW_MS).await.unwrap();
        let league = store.league(&code).await.unwrap().unwrap().id;
        let run = run(&store, league, false).await;
        store.mark_run(run, true, true).await.unwrap();
        let marked = store.run_by_id(run).await.unwrap().unwrap();
        assert!(marked.is_counted && marked.is_final);
        let terms = LeaseTerms { now_ms: NOW_MS, until_ms: NOW_MS + 9, max_failures: 3, holder: "test" };
        assert_eq!(store.lease_job(terms).await.unwrap().unwrap().priority, COUNTED_PRIORITY);
        assert!(store.has_counted_run(scene.course).await.unwrap());
    }
}
