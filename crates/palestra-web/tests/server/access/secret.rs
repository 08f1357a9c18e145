//! What is not for everyone, and for whom it is.

use super::role::Role::{
    self, Admin, FormerTeacher, Mate, Member, OtherTeacher, Owner, Stranger, Teacher, Visitor, Waiting,
};

/// A word that answers to these roles alone may have in them.
#[derive(Clone, Debug)]
pub(super) struct Secret {
    pub(super) what: &'static str,
    pub(super) word: String,
    pub(super) is_for: &'static [Role],
}

pub(super) const EVERYONE: &[Role] =
    &[Visitor, Stranger, Waiting, OtherTeacher, FormerTeacher, Member, Owner, Mate, Teacher, Admin];
pub(super) const INSIDERS: &[Role] = &[Member, Owner, Mate, Teacher, Admin];
pub(super) const TEAM: &[Role] = &[Owner, Mate, Teacher, Admin];
const TEACHERS: &[Role] = &[Teacher, Admin];
/// An admin does not see into bots: what is not in the archive of a course either.
const INSIDE: &[Role] = &[Owner, Mate, Teacher];

/// The secrets that have the same words on every server.
pub(super) fn secrets() -> Vec<Secret> {
    [
        // Who taught it finds its name in the export of their own data.
        ("the course", "Algoritmia", &[Waiting, FormerTeacher, Member, Owner, Mate, Teacher, Admin][..]),
        ("the bot", "Cierzo", INSIDERS),
        ("the nickname", "Adelaida", INSIDERS),
        ("the source", "FuenteDeAda", TEAM),
        ("the note", "NotaDeAda", TEAM),
        ("what the compiler said", "ErrorDeAda", INSIDE),
        ("the stderr", "StderrDeAda", TEAM),
        ("the opponent's stderr", "StderrDeBen", &[Member, Teacher, Admin]),
        ("the report of the forfeit", "FalloDeAda", TEAM),
        ("the thoughts", "PensadoPorAda", TEAM),
        ("the opponent's thoughts", "PensadoPorBen", &[Member, Teacher, Admin]),
        ("why the run was started", "PorqueQuiero", INSIDERS),
        ("why the run was given up", "PorqueParo", INSIDERS),
        ("why the game is void", "PorqueNoVale", INSIDERS),
        ("the hand-in", "EntregaDeAda", TEAM),
        ("the memo", "MemoriaDeAda", TEAM),
        ("the mark", "7.13", TEACHERS),
        ("the points of the memo", "2.37", TEACHERS),
        ("the reason of the mark", "MotivoDeLaNota", TEACHERS),
        ("the other's mark", "1.91", TEACHERS),
        ("the ID number", "X7654321", &[Owner, Teacher, Admin]),
        ("the notice to the group", "AvisoParaA1", TEAM),
        ("the house bot", "Casero", TEACHERS),
        ("the source of the house bot", "FuenteDeCasa", TEACHERS),
        ("the added source", "FuenteAjena", TEACHERS),
        ("the name of who has not come", "Pia Pendiente", TEACHERS),
        ("the address of who has not come", "pia@uni.example", TEACHERS),
        ("the owner's name", "Real Ada", &[Owner, Teacher, Admin]),
        ("the owner's address", "ada@example.org", &[Owner, Teacher, Admin]),
        ("the mate's name", "Real Mara", &[Mate, Teacher, Admin]),
        ("the mate's address", "mara@example.org", &[Mate, Teacher, Admin]),
        ("the member's name", "Real Ben", &[Member, Teacher, Admin]),
        ("the member's address", "ben@example.org", &[Member, Teacher, Admin]),
        ("the name of who waits", "Real Wanda", &[Waiting, Teacher, Admin]),
        ("the address of who waits", "wanda@example.org", &[Waiting, Teacher, Admin]),
        ("the stranger's name", "Real Stan", &[Stranger, Admin]),
        ("the stranger's address", "stan@example.org", &[Stranger, Admin]),
        ("the other teacher's address", "otto@example.org", &[OtherTeacher, Admin]),
        ("the former teacher's address", "fausto@example.org", &[FormerTeacher, Admin]),
        ("the teacher's name", "Real Teo", TEACHERS),
        ("the teacher's address", "teo@example.org", TEACHERS),
    ]
    .map(|(what, word, is_for)| Secret { what, word: word.to_owned(), is_for })
    .into()
}
