//! The server's database: accounts, tables and games, on SQLite or PostgreSQL.
//!
//! All SQL is in this crate, in one text for both databases. A [`Store`] is cheap to clone; its functions are grouped by
//! topic, a file each. Times are milliseconds since 1970 and always given by the caller: the store reads no clock.

mod account;
mod added_sources;
mod api_token;
mod assignment;
pub mod backup;
mod blob;
mod blocking;
mod bot;
mod bot_result;
mod bot_version;
mod change;
mod comparison;
mod counted_game;
mod course;
mod course_end;
mod course_group;
mod db;
mod entry;
mod error;
mod export;
mod fingerprint;
mod game;
mod hand_in;
mod heartbeat;
mod job;
mod league;
mod link;
mod mail_choice;
mod map;
mod mark;
mod member;
mod migrate;
mod notice;
mod registration;
mod roster;
mod row;
mod run;
mod run_game;
mod run_search;
mod session;
mod table;
mod team;
mod token;

pub use account::{Account, NewAccount, Role};
pub use added_sources::{AddedSources, MAX_ADDED_SOURCES, NewAddedSources};
pub use api_token::{ApiToken, MAX_API_TOKENS, Scope, Scopes};
pub use assignment::{Assignment, NewAssignment};
pub use backup::BackupError;
pub use blob::blob_hash;
pub use blocking::BlockingStore;
pub use bot::{Bot, BotCourse, BotRole, House, NewBot, Quotas, Registered, UnknownHouse, withdrawn_name};
pub use bot_result::{BotGame, BotResults};
pub use bot_version::{
    Added, BotVersion, Built, NewVersion, UnknownState, VersionState, build_job, build_subject, source_hash,
};
pub use change::{ApiTokens, DELETED};
pub use comparison::{Comparison, ComparisonState, NewComparison};
pub use counted_game::CountedGame;
pub use course::{Course, CourseEntry, CoursePart, NewCourse, TimeRule, UnknownTimeRule};
pub use course_end::WARNINGS_MS;
pub use course_group::Group;
pub use db::{BUSY_TIMEOUT, OpenOptions, Store, StoreFuture};
pub use entry::{Entered, EnteredVersion, NewEntry, TeamEntry};
pub use error::StoreError;
pub use export::{
    AccountExport, ExportedBot, ExportedGame, ExportedHandIn, ExportedMap, ExportedMark, ExportedMembership,
    ExportedNotice, ExportedRunGame, ExportedSession, ExportedVersion,
};
pub use fingerprint::{KeptFingerprint, NewFingerprint};
pub use game::{GameEnd, GameFilter, KeptGame, NewGame, Player, PlayerKind};
pub use hand_in::{HandIn, MAX_HAND_INS, NewHandIn};
pub use job::{
    BUILD_PRIORITY, COMPARE_PRIORITY, COUNTED_PRIORITY, FailedJob, JobCount, JobKind, JobState, LEAGUE_PRIORITY,
    LeaseTerms, LeasedJob, NewJob, TRIAL_PRIORITY, UnknownJobWord,
};
pub use league::{League, MeasuredGames, NewLeague};
pub use link::RESET_MS;
pub use mail_choice::{Audience, MailKind};
pub use map::{KeptMap, MAX_MAPS, MapEntry, MapVisibility, UnknownVisibility};
pub use mark::{MarkEntry, NewMarkEntry};
pub use member::{Member, MemberState, RosterLine, UnknownMemberState};
pub use notice::Notice;
pub use registration::{REGISTRATION_MS, Registration};
pub use roster::{ROSTER_PAGE, Roster};
pub use run::{NewRun, Run, RunKind, RunPlayer, RunProgress, RunState, UnknownRunWord};
pub use run_game::{CourseBytes, FinishedGame, GameCounted, RunAudience, RunGame, Trace};
pub use run_search::FoundSearch;
pub use session::SESSION_MS;
pub use table::{KeptTable, SET_ASIDE_MS, TableChange, UnreadableTable};
pub use team::Pairing;
pub use token::{Token, TokenHash, code, derived_code};

/// The primary key of a row. Ids grow with time; they are not secret, but not shown either.
pub type Id = i64;
