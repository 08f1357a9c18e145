//! The roles, and the people who have them.

use crate::site::Browser;
use crate::token::create;

/// What a person is to the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Visitor,
    Stranger,
    /// For the teacher.
    Waiting,
    OtherTeacher,
    /// One who has lost the role of a teacher.
    FormerTeacher,
    /// Another student, whose partner has no account yet.
    Member,
    /// The student whose bot, hand-in and mark they are.
    Owner,
    /// The other half of the pair.
    Mate,
    Teacher,
    Admin,
}

use Role::{Admin, FormerTeacher, Mate, Member, OtherTeacher, Owner, Stranger, Teacher, Visitor, Waiting};

impl Role {
    /// The column of the tables.
    pub(super) const fn column(self) -> usize {
        match self {
            Visitor => 0,
            Stranger | Waiting | OtherTeacher | FormerTeacher => 1,
            Member => 2,
            Owner | Mate => 3,
            Teacher => 4,
            Admin => 5,
        }
    }
}

/// Scopes of the addresses for programs that belong to courses; and the others.
pub(super) const SCOPES: [&str; 3] = ["read", "bots", "course"];
const OTHER_SCOPES: [&str; 2] = ["play", "analyse"];

/// The tokens of a person, for each of [`SCOPES`]: those with that one alone, and those with all others.
pub(super) struct Tokens {
    pub(super) with: Vec<String>,
    pub(super) without: Vec<String>,
}

/// A person with a role.
pub(super) struct Person {
    pub(super) role: Role,
    pub(super) browser: Browser,
    pub(super) csrf: String,
    /// None without an account.
    pub(super) tokens: Option<Tokens>,
}

impl Person {
    pub(super) async fn new(role: Role, browser: Browser) -> Self {
        let csrf = browser.csrf().await;
        let tokens = if role == Visitor { None } else { Some(Tokens::of(&browser).await) };
        Self { role, browser, csrf, tokens }
    }
}

impl Tokens {
    async fn of(browser: &Browser) -> Self {
        let (mut with, mut without) = (vec![], vec![]);
        for scope in SCOPES {
            let others = SCOPES.into_iter().chain(OTHER_SCOPES).filter(|other| *other != scope);
            with.push(create(browser, "with", &[scope]).await);
            without.push(create(browser, "without", &others.collect::<Vec<_>>()).await);
        }
        Self { with, without }
    }
}
