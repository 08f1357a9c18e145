//! Databases of their own for tests.

use std::path::PathBuf;
use std::str::FromStr;

use palestra_store::{Store, code};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

/// The variable with the address of a PostgreSQL database in which tests may make schemas.
const POSTGRES: &str = "PALESTRA_TEST_POSTGRES";

/// An empty database that one test has for itself.
pub(crate) enum Place {
    Sqlite(TempDir),
    Postgres(String),
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub(crate) async fn postgres() -> Self {
        let schema = format!("test_{}", code());
        admin(&format!("CREATE SCHEMA {schema}")).await;
        Self::Postgres(schema)
    }

    /// Its address, as a server is told it.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Sqlite(_) => format!("sqlite:{}", self.file().display()),
            Self::Postgres(schema) => {
                let address = postgres_address();
                let sign = if address.contains('?') { '&' } else { '?' };
                format!("{address}{sign}options[search_path]={schema}")
            }
        }
    }

    /// SQLite's file.
    pub(crate) fn file(&self) -> PathBuf {
        match self {
            Self::Sqlite(folder) => folder.path().join("test.db"),
            Self::Postgres(_) => panic!("PostgreSQL has no file"),
        }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.address()).await.unwrap()
    }

    /// Runs any SQL, behind the store's back.
    pub(crate) async fn run(&self, sql: &str) {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self {
            Self::Sqlite(_) => sql.execute(&mut self.sqlite_connection().await).await.map(drop).unwrap(),
            Self::Postgres(_) => {
                let options = PgConnectOptions::from_str(&self.address()).unwrap();
                sql.execute(&mut options.connect().await.unwrap()).await.map(drop).unwrap();
            }
        }
    }

    pub(crate) async fn sqlite_connection(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(self.file()).create_if_missing(true);
        options.connect().await.unwrap()
    }

    /// Whether SQLite finds its file in order; PostgreSQL looks after itself.
    pub(crate) async fn check(&self) {
        if let Self::Sqlite(_) = self {
            let mut connection = self.sqlite_connection().await;
            let verdict: String =
                sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await.unwrap();
            assert_eq!(verdict, "ok");
        }
    }

    pub(crate) async fn remove(self) {
        if let Self::Postgres(schema) = self {
            admin(&format!("DROP SCHEMA {schema} CASCADE")).await;
        }
    }
}

/// The address of the PostgreSQL for tests.
pub(crate) fn postgres_address() -> String {
    std::env::var(POSTGRES).unwrap_or_else(|_| {
        panic!("no PostgreSQL to test with: run ./test.sh, or set {POSTGRES} to an address such as postgres://me@localhost/test")
    })
}

async fn admin(sql: &str) {
    let mut connection = PgConnection::connect(&postgres_address()).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
}

/// Makes a test for each database of `async fn a_thing(store: Store) { .. }`, or of one that takes a `Place`.
macro_rules! on_both {
    ($(async fn $name:ident($given:ident: $kind:tt) $body:block)*) => {
        $(
            mod $name {
                #[allow(unused_imports)]
                use super::*;

                async fn check($given: $crate::place::given!($kind)) $body

                #[tokio::test]
                async fn sqlite() {
                    $crate::place::run!($kind, $crate::place::Place::sqlite());
                }

                #[tokio::test]
                async fn postgres() {
                    $crate::place::run!($kind, $crate::place::Place::postgres().await);
                }
            }
        )*
    };
}

macro_rules! given {
    (Store) => {
        palestra_store::Store
    };
    (Place) => {
        &$crate::place::Place
    };
}

/// Runs a test, and tidies up also if it fails.
macro_rules! run {
    ($kind:tt, $place:expr) => {{
        let place = std::sync::Arc::new($place);
        let given = place.clone();
        let ended = tokio::spawn(async move { $crate::place::checked!($kind, given) }).await;
        std::sync::Arc::into_inner(place).expect("the test has ended").remove().await;
        ended.unwrap();
    }};
}

macro_rules! checked {
    (Store, $place:expr) => {{
        let store = $place.open().await;
        check(store.clone()).await;
        store.close().await;
        $place.check().await;
    }};
    (Place, $place:expr) => {
        check(&$place).await
    };
}

pub(crate) use {checked, given, on_both, run};
