//! Jobs: who gets which one when, and what becomes of those that are not done.

use std::collections::HashSet;

use palestra_store::{JobKind, JobState, LeaseTerms, LeasedJob, NewJob, Store};

use crate::NOW_MS;
use crate::place::on_both;

const LEASE_MS: i64 = 30_000;

fn job(subject: &str, priority: i64, lane: i64) -> NewJob {
    NewJob { subject: subject.to_owned(), kind: JobKind::Game, body: "{}".to_owned(), priority, lane }
}

async fn add(store: &Store, subject: &str, priority: i64, lane: i64) {
    assert!(store.add_job(&job(subject, priority, lane), NOW_MS).await.unwrap(), "{subject}");
}

async fn lease(store: &Store, now_ms: i64) -> Option<LeasedJob> {
    let terms = LeaseTerms { now_ms, until_ms: now_ms + LEASE_MS, max_failures: 3, holder: "here" };
    store.lease_job(terms).await.unwrap()
}

/// Leases and finishes jobs, until there are none: their subjects.
async fn work_off(store: &Store) -> Vec<String> {
    let mut done = vec![];
    while let Some(job) = lease(store, NOW_MS).await {
        assert!(store.finish_job(&job.lease).await.unwrap());
        done.push(job.subject);
    }
    done
}

on_both! {
    async fn the_smallest_priority_goes_first_and_lanes_take_turns(store: Store) {
        for (lane, name) in [(1, "a"), (2, "b")] {
            for number in 0..3 {
                add(&store, &format!("{name}{number}"), 2, lane).await;
            }
        }
        add(&store, "trial", 3, 1).await;
        add(&store, "build", 0, 3).await;
        assert_eq!(work_off(&store).await, ["build", "a0", "b0", "a1", "b1", "a2", "b2", "trial"]);
    }

    async fn a_lane_that_begins_later_shares_from_then_on(store: Store) {
        for number in 0..8 {
            add(&store, &format!("old{number}"), 2, 1).await;
        }
        for _ in 0..4 {
            let job = lease(&store, NOW_MS).await.unwrap();
            store.finish_job(&job.lease).await.unwrap();
        }
        for number in 0..3 {
            add(&store, &format!("new{number}"), 2, 2).await;
        }
        assert_eq!(work_off(&store).await, ["old4", "new0", "old5", "new1", "old6", "new2", "old7"]);
    }

    async fn a_second_job_about_a_subject_is_the_same(store: Store) {
        add(&store, "version 1", 0, 1).await;
        assert!(!store.add_job(&job("version 1", 9, 2), NOW_MS).await.unwrap());
        let leased = lease(&store, NOW_MS).await.unwrap();
        assert_eq!((leased.priority, leased.lane, leased.kind), (0, 1, JobKind::Game));
        assert!(!store.add_job(&job("version 1", 0, 1), NOW_MS).await.unwrap(), "also while it is done");
        store.finish_job(&leased.lease).await.unwrap();
        add(&store, "version 1", 0, 1).await;
    }

    async fn a_lease_that_has_ended_is_taken_by_another_worker(store: Store) {
        add(&store, "game", 2, 1).await;
        let first = lease(&store, NOW_MS).await.unwrap();
        assert_eq!(lease(&store, NOW_MS + LEASE_MS - 1).await, None);
        assert!(store.renew_job(&first.lease, NOW_MS + 2 * LEASE_MS).await.unwrap());
        assert_eq!(lease(&store, NOW_MS + LEASE_MS).await, None, "it was renewed");
        let second = lease(&store, NOW_MS + 2 * LEASE_MS).await.unwrap();
        assert_eq!((second.subject.as_str(), first.attempts, second.attempts), ("game", 0, 1));
        assert!(!store.renew_job(&first.lease, NOW_MS + 9 * LEASE_MS).await.unwrap());
        assert!(!store.finish_job(&first.lease).await.unwrap());
        assert_eq!(store.fail_job(&first.lease, "too late", 3).await.unwrap(), None);
        assert!(!store.give_back_job(&first.lease).await.unwrap());
        assert!(store.finish_job(&second.lease).await.unwrap());
        assert_eq!(lease(&store, NOW_MS + 99 * LEASE_MS).await, None);
    }

    async fn what_fails_three_times_waits_for_an_admin(store: Store) {
        add(&store, "game", 2, 1).await;
        for state in [JobState::Waiting, JobState::Waiting, JobState::Failed] {
            let leased = lease(&store, NOW_MS).await.unwrap();
            let failed = store.fail_job(&leased.lease, "no box", 3).await.unwrap();
            assert_eq!(failed, Some(state));
        }
        assert_eq!(lease(&store, NOW_MS).await, None);
        let failed = store.failed_jobs(10).await.unwrap();
        assert_eq!((failed.len(), failed[0].reason.as_deref()), (1, Some("no box")));
        assert!(store.retry_job("game").await.unwrap());
        let leased = lease(&store, NOW_MS).await.unwrap();
        assert_eq!(leased.attempts, 0);
        assert!(!store.retry_job("game").await.unwrap(), "it is under way");
    }

    async fn a_job_that_ends_its_workers_is_set_aside(store: Store) {
        add(&store, "game", 2, 1).await;
        for attempts in 0..3 {
            let leased = lease(&store, NOW_MS + attempts * LEASE_MS).await.unwrap();
            assert_eq!(leased.attempts, attempts);
        }
        assert_eq!(lease(&store, NOW_MS + 3 * LEASE_MS).await, None);
        let failed = store.failed_jobs(10).await.unwrap();
        assert!(failed[0].reason.as_ref().unwrap().contains("its worker ended"), "{failed:?}");
    }

    async fn what_a_dead_server_had_leased_is_taken_up_at_once(store: Store) {
        add(&store, "game", 2, 1).await;
        for attempts in 0..3 {
            let leased = lease(&store, NOW_MS).await.unwrap();
            assert_eq!(leased.attempts, attempts);
            assert_eq!(store.take_back_jobs("elsewhere", 3).await.unwrap(), 0);
            assert_eq!(store.take_back_jobs("here", 3).await.unwrap(), 1);
        }
        assert_eq!(lease(&store, NOW_MS).await, None, "it has ended three servers");
    }

    async fn what_is_given_back_has_not_failed(store: Store) {
        add(&store, "game", 2, 1).await;
        for _ in 0..5 {
            let leased = lease(&store, NOW_MS).await.unwrap();
            assert_eq!(leased.attempts, 0);
            assert!(store.give_back_job(&leased.lease).await.unwrap());
        }
    }

    async fn workers_never_share_a_lease(store: Store) {
        for number in 0..40 {
            add(&store, &format!("game {number}"), 2, number % 3).await;
        }
        let workers: Vec<_> = (0..8).map(|_| tokio::spawn({
            let store = store.clone();
            async move {
                let mut taken = vec![];
                while let Some(job) = lease(&store, NOW_MS).await {
                    taken.push(job.subject);
                }
                taken
            }
        })).collect();
        let mut taken = vec![];
        for worker in workers {
            taken.extend(worker.await.unwrap());
        }
        let different: HashSet<_> = taken.iter().collect();
        assert_eq!((taken.len(), different.len()), (40, 40));
    }

    async fn a_job_knows_how_many_go_first(store: Store) {
        add(&store, "league", 2, 1).await;
        add(&store, "build 1", 0, 1).await;
        add(&store, "build 2", 0, 2).await;
        assert_eq!(store.job_place("league").await.unwrap(), Some((JobState::Waiting, 2)));
        assert_eq!(store.job_place("build 1").await.unwrap(), Some((JobState::Waiting, 0)));
        assert_eq!(store.job_place("build 3").await.unwrap(), None);
        let counts = store.job_counts().await.unwrap();
        assert_eq!((counts.len(), counts[0].count, counts[0].state), (1, 3, JobState::Waiting));
    }

    async fn a_job_of_a_run_cannot_be_dropped(store: Store) {
        let build = NewJob { kind: JobKind::Build, ..job("version 1", 0, 1) };
        store.add_job(&build, NOW_MS).await.unwrap();
        add(&store, "run 1 game 0", 2, 1).await;
        let search = NewJob { kind: JobKind::Search, ..job("run 1 search 0", 2, 1) };
        store.add_job(&search, NOW_MS).await.unwrap();
        for _ in 0..3 {
            let leased = lease(&store, NOW_MS).await.unwrap();
            assert_eq!(store.fail_job(&leased.lease, "a NUL: \0", 1).await.unwrap(), Some(JobState::Failed));
        }
        assert!(store.drop_job("version 1").await.unwrap());
        assert!(!store.drop_job("run 1 game 0").await.unwrap());
        assert!(!store.drop_job("run 1 search 0").await.unwrap());
    }
}
