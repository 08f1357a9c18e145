//! The people and the course of the demonstration.

use palestra_store::{Account, Course, Group, Id, MailKind, MemberState, Role, code};

use super::{DemoAccount, DemoError};
use crate::account::Person;
use crate::app::{App, now_ms};
use crate::courses::CourseForm;

/// The domain of all addresses: no mail ever arrives there.
const DOMAIN: &str = "example.org";

/// The students, those of the first group first, each with the name of a bot.
const STUDENTS: [(&str, &str); 12] = [
    ("Ada Ruiz", "Cierzo"),
    ("Bruno Costa", "Levante"),
    ("Carmen Ibáñez", "Poniente"),
    ("Diego Navarro", "Tramontana"),
    ("Elena Prieto", "Mistral"),
    ("Farid Amrani", "Siroco"),
    ("Gloria Pons", "Bora"),
    ("Hugo Lemos", "Galerna"),
    ("Irene Cano", "Terral"),
    ("Jon Aguirre", "Lebeche"),
    ("Karin Berg", "Solano"),
    ("Luis Ortega", "Gregal"),
];

/// The groups: a code and a name.
const GROUPS: [(&str, &str); 2] = [("A1", "Monday morning"), ("B1", "Thursday afternoon")];

/// The course with its people.
pub(super) struct Class {
    pub(super) course: Course,
    pub(super) teacher: Id,
    pub(super) students: Vec<Student>,
    /// Who can sign in.
    pub(super) accounts: Vec<DemoAccount>,
}

/// A student.
pub(super) struct Student {
    pub(super) account: Id,
    pub(super) team: Id,
    /// What their bot is called.
    pub(super) bot: &'static str,
}

/// Makes the people and the course.
pub(super) async fn enrol(app: &App) -> Result<Class, DemoError> {
    let (_, of_admin) = add(app, "Root", Role::Admin).await?;
    let (teacher, of_teacher) = add(app, "Teresa Marín", Role::Teacher).await?;
    let new = CourseForm::usual("Artificial Intelligence", DOMAIN)?;
    let code = app.store.create_course(teacher.id, &new, now_ms()).await?;
    let course = app.store.course(&code).await?.ok_or(DemoError::Lost)?;
    for (code, name) in GROUPS {
        app.store.add_group(course.id, code, name, now_ms()).await?;
    }
    let groups: Vec<Group> = app.store.groups(course.id).await?;
    let (mut students, mut accounts) = (vec![], vec![of_teacher]);
    for (number, (name, bot)) in STUDENTS.into_iter().enumerate() {
        let group = groups[number * groups.len() / STUDENTS.len()].id;
        let (account, signs_in) = add(app, name, Role::Student).await?;
        app.store.join_course((course.id, group), &account, MemberState::Member, now_ms()).await?;
        let member = app.store.member_of(course.id, account.id).await?.ok_or(DemoError::Lost)?;
        students.push(Student { account: account.id, team: member.team_id, bot });
        if number == 0 {
            accounts.push(signs_in);
        }
    }
    accounts.push(of_admin);
    Ok(Class { course, teacher: teacher.id, students, accounts })
}

/// Adds a person with a random password, who gets no mails.
async fn add(app: &App, name: &str, role: Role) -> Result<(Account, DemoAccount), DemoError> {
    let person = person(name);
    let new = person.account(role, &app.passwords).await?;
    app.store.create_account(&new, now_ms()).await?;
    let account = app.store.account_by_nickname(&new.nickname).await?.ok_or(DemoError::Lost)?;
    app.store.choose_mails(account.id, MailKind::ALL).await?;
    Ok((account, DemoAccount { role: role.word(), email: person.email, password: person.password }))
}

/// A person of this name, with a random password. The nickname is the first name, and with it begins the address.
fn person(name: &str) -> Person {
    let nickname = name.split(' ').next().unwrap_or(name).to_owned();
    let email = format!("{}@{DOMAIN}", nickname.to_lowercase());
    Person { name: name.to_owned(), nickname, email, password: code() }
}
