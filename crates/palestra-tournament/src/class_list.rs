//! Class lists as CSV: the students of a course with name, e-mail address, group and ID number.
//!
//! Schools export them in many ways: UTF-8 with or without a byte order mark, or Latin-1; fields between commas or
//! semicolons; with a header in English or Spanish, or without one. The separator is the one that finds more e-mail addresses.
//! A line with something wrong is no reason to refuse the others: it is told with its number.

use std::collections::HashMap;

use palestra_protocol::is_unseen;

/// The largest file that is read, in bytes.
pub const MAX_CLASS_LIST_BYTES: usize = 1 << 20;

/// The most students of a list.
pub const MAX_STUDENTS: usize = 5000;

const MAX_NAME: usize = 80;
const MAX_EMAIL: usize = 254;
const MAX_GROUP: usize = 40;
const MAX_ID_NUMBER: usize = 40;

/// A class list: the lines that can be used, and what is wrong with the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassList {
    /// The students, in the order of the file.
    pub students: Vec<Student>,
    /// What is wrong, in the order of the file.
    pub problems: Vec<LineProblem>,
}

/// A line of a class list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Student {
    /// The number of the line, from 1.
    pub line: usize,
    /// The name, in one line.
    pub name: String,
    /// The e-mail address, in lower case.
    pub email: String,
    /// The group as it is written; `None` if the line names none.
    pub group: Option<String>,
    /// The ID number; `None` if the line has none.
    pub id_number: Option<String>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// What it is.
    pub what: Problem,
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no e-mail address.
    NoEmail,
    /// What stands in the place of the e-mail address is none.
    Email(String),
    /// There is no name.
    NoName,
    /// The name is too long, or has characters that cannot be seen.
    Name,
    /// The group is too long, or has characters that cannot be seen.
    Group,
    /// The ID number is too long, or has characters that cannot be seen.
    IdNumber,
    /// An earlier line has the same e-mail address.
    Twice {
        /// The number of that line.
        first: usize,
    },
}

/// Why a file cannot be read as a class list at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassListError {
    /// Nothing is in it but blanks and a header.
    #[error("the file has no students")]
    Empty,
    /// It has more than [`MAX_CLASS_LIST_BYTES`].
    #[error("the file is too large")]
    TooLarge,
    /// It has more than [`MAX_STUDENTS`].
    #[error("the file has too many lines")]
    TooMany,
    /// It is not text as CSV files have it: UTF-16, or another format such as that of a spreadsheet.
    #[error("the file is not text in UTF-8 or Latin-1")]
    NotText,
    /// A quote that begins in this line does not end.
    #[error("line {0}: the quote does not end")]
    Quote(usize),
}

impl ClassList {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Self, ClassListError> {
        let text = decode(bytes)?;
        let comma = records(&text, ',');
        let semicolon = records(&text, ';');
        let records = match (comma, semicolon) {
            (Ok(comma), Ok(semicolon)) if emails(&semicolon) >= emails(&comma) => semicolon,
            (Ok(comma), _) => comma,
            (Err(_), other) => other?,
        };
        Self::of(&records)
    }

    /// Writes the students as a file that reads back as the same students.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = "name;email;group;id\n".to_owned();
        for Student { name, email, group, id_number, .. } in &self.students {
            let fields = [name.as_str(), email, group.as_deref().unwrap_or(""), id_number.as_deref().unwrap_or("")];
            let quoted = fields.map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
            text.push_str(&quoted.join(";"));
            text.push('\n');
        }
        text
    }

    fn of(records: &[Record]) -> Result<Self, ClassListError> {
        let (columns, records) = match records.split_first() {
            Some((first, rest)) => match Columns::of_header(&first.fields) {
                Some(columns) => (columns, rest),
                None => (Columns::WITHOUT_HEADER, records),
            },
            None => return Err(ClassListError::Empty),
        };
        match records.len() {
            0 => return Err(ClassListError::Empty),
            count if count > MAX_STUDENTS => return Err(ClassListError::TooMany),
            _ => {}
        }
        let mut list = Self::default();
        let mut lines_by_email = HashMap::new();
        for record in records {
            let checked = columns.student(record).and_then(|student| {
                match lines_by_email.insert(student.email.clone(), record.line) {
                    Some(first) => {
                        lines_by_email.insert(student.email, first);
                        Err(Problem::Twice { first })
                    }
                    None => Ok(student),
                }
            });
            match checked {
                Ok(student) => list.students.push(student),
                Err(what) => list.problems.push(LineProblem { line: record.line, what }),
            }
        }
        Ok(list)
    }
}

/// The text of a file: UTF-8, or else Latin-1, in which every byte is a character.
fn decode(bytes: &[u8]) -> Result<String, ClassListError> {
    if bytes.len() > MAX_CLASS_LIST_BYTES {
        return Err(ClassListError::TooLarge);
    }
    // NUL is in UTF-16 and in spreadsheets, and in no text.
    if bytes.contains(&0) {
        return Err(ClassListError::NotText);
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// A record of a CSV file: fields without quotes and without blanks around them.
#[derive(Debug)]
struct Record {
    /// The line in which it begins, from 1.
    line: usize,
    fields: Vec<String>,
}

/// The records of a file, empty ones left out. A quoted field may hold separators, line breaks, and quotes written twice.
fn records(text: &str, separator: char) -> Result<Vec<Record>, ClassListError> {
    let mut found = vec![];
    let mut record = Record { line: 1, fields: vec![String::new()] };
    let (mut line, mut quote_line) = (1, None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_break = letter == '\n' || (letter == '\r' && letters.peek() != Some(&'\n'));
        line += usize::from(is_break);
        let field = record.fields.last_mut().expect("a record has a field from the start");
        match (letter, quote_line) {
            ('"', Some(_)) if letters.peek() == Some(&'"') => field.extend(letters.next()),
            ('"', Some(_)) => quote_line = None,
            (_, Some(_)) => field.push(letter),
            ('"', None) if field.trim().is_empty() => {
                field.clear();
                quote_line = Some(line);
            }
            (letter, None) if letter == separator => record.fields.push(String::new()),
            (_, None) if is_break => {
                finish(&mut found, std::mem::replace(&mut record, Record { line, fields: vec![String::new()] }))
            }
            (_, None) => field.push(letter),
        }
    }
    match quote_line {
        Some(line) => Err(ClassListError::Quote(line)),
        None => {
            finish(&mut found, record);
            Ok(found)
        }
    }
}

/// Keeps a record unless it is empty. White space of any kind is a blank.
fn finish(found: &mut Vec<Record>, Record { line, fields }: Record) {
    let words = |field: String| field.split_whitespace().collect::<Vec<_>>().join(" ");
    let fields: Vec<String> = fields.into_iter().map(words).collect();
    if fields.iter().any(|field| !field.is_empty()) {
        found.push(Record { line, fields });
    }
}

/// How many records have an e-mail address in a field of its own.
fn emails(records: &[Record]) -> usize {
    records.iter().filter(|record| record.fields.iter().any(|field| is_email(&field.to_lowercase()))).count()
}

/// What a column of a class list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Name,
    Surname,
    Email,
    Group,
    IdNumber,
}

/// The names of columns in headers: lower case, without accents.
const HEADERS: &[(Column, &[&str])] = &[
    (
        Column::Name,
        &[
            "name",
            "full name",
            "first name",
            "student",
            "nombre",
            "nombre completo",
            "alumno",
            "alumna",
            "alumno/a",
            "estudiante",
            "nombre y apellidos",
            "apellidos y nombre",
            "apellidos, nombre",
        ],
    ),
    (Column::Surname, &["surname", "last name", "apellidos", "apellido", "apellido(s)"]),
    (
        Column::Email,
        &[
            "e-mail",
            "email",
            "mail",
            "e-mail address",
            "email address",
            "correo",
            "correo electronico",
            "direccion de correo",
            "direccion de correo electronico",
        ],
    ),
    (Column::Group, &["group", "groups", "grupo", "grupos"]),
    (
        Column::IdNumber,
        &[
            "id",
            "id number",
            "idnumber",
            "student id",
            "dni",
            "nif",
            "numero de id",
            "numero id",
            "numero de identificacion",
            "matricula",
        ],
    ),
];

/// Where the columns of a list are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Columns {
    name: Option<usize>,
    surname: Option<usize>,
    email: Option<usize>,
    group: Option<usize>,
    id_number: Option<usize>,
}

impl Columns {
    const WITHOUT_HEADER: Self =
        Self { name: Some(0), surname: None, email: Some(1), group: Some(2), id_number: Some(3) };

    /// The columns that a header names; `None` if it is no header, which names at least the address.
    fn of_header(fields: &[String]) -> Option<Self> {
        let mut columns = Self::default();
        for (index, field) in fields.iter().enumerate() {
            let name = plain(field);
            let found = HEADERS.iter().find(|(_, names)| names.contains(&name.as_str()));
            let Some((column, _)) = found else { continue };
            let place = match column {
                Column::Name => &mut columns.name,
                Column::Surname => &mut columns.surname,
                Column::Email => &mut columns.email,
                Column::Group => &mut columns.group,
                Column::IdNumber => &mut columns.id_number,
            };
            place.get_or_insert(index);
        }
        columns.email.map(|_| columns)
    }

    fn student(self, record: &Record) -> Result<Student, Problem> {
        let field = |index: Option<usize>| index.and_then(|index| record.fields.get(index)).map_or("", String::as_str);
        let email = field(self.email).to_lowercase();
        if email.is_empty() {
            return Err(Problem::NoEmail);
        }
        if !is_email(&email) {
            return Err(Problem::Email(shortened(field(self.email))));
        }
        let name = [field(self.name), field(self.surname)].join(" ").trim().to_owned();
        if name.is_empty() {
            return Err(Problem::NoName);
        }
        let checked = |text: &str, max, problem| {
            let is_fine = text.chars().count() <= max && !text.chars().any(is_unseen_letter);
            if is_fine { Ok(text.to_owned()) } else { Err(problem) }
        };
        let optional = |text: &str, max, problem| {
            checked(text, max, problem).map(|text| if text.is_empty() { None } else { Some(text) })
        };
        Ok(Student {
            line: record.line,
            name: checked(&name, MAX_NAME, Problem::Name)?,
            email,
            group: optional(field(self.group), MAX_GROUP, Problem::Group)?,
            id_number: optional(field(self.id_number), MAX_ID_NUMBER, Problem::IdNumber)?,
        })
    }
}

/// A blank is seen by what it parts.
fn is_unseen_letter(letter: char) -> bool {
    letter != ' ' && is_unseen(letter)
}

/// A text that is repeated to a person: not too long, and without what cannot be seen.
fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !is_unseen_letter(*letter)).take(MAX_NAME).collect()
}

/// The name of a column without case and accents.
fn plain(text: &str) -> String {
    let accent = |letter| match letter {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        other => other,
    };
    text.to_lowercase().chars().map(accent).collect()
}

/// Whether a text in lower case has the form of an e-mail address as schools give them: no quotes, no comments, ASCII alone.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|letter| letter.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(letter))
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= MAX_EMAIL
        && local.len() <= 64
        && local.split('.').all(is_atom)
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The students of a file as texts: `line name <email> group id`.
    fn read(text: impl AsRef<[u8]>) -> Vec<String> {
        let list = ClassList::read(text.as_ref()).unwrap();
        assert_eq!(list.problems, []);
        let or_dash = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
        let shown = |student: &Student| {
            let (group, id) = (or_dash(&student.group), or_dash(&student.id_number));
            format!("{} {} <{}> {group} {id}", student.line, student.name, student.email)
        };
        list.students.iter().map(shown).collect()
    }

    #[test]
    fn a_list_is_read_however_a_school_writes_it() {
        let ana = "1 Ana Núñez <ana@uni.example> A1 77";
        let second = ana.replacen('1', "2", 1);
        assert_eq!(read("Ana Núñez,ana@uni.example,A1,77"), [ana]);
        assert_eq!(read("Ana Núñez;Ana@UNI.example;A1;77\r\n"), [ana]);
        assert_eq!(read("\u{feff}\"Ana Núñez\" , ana@uni.example , A1 , 77\n\n"), [ana]);
        assert_eq!(read(b"Ana N\xfa\xf1ez;ana@uni.example;A1;77"), [ana], "Latin-1");
        assert_eq!(read("E-mail,Name,Group,ID number\nana@uni.example,Ana  Núñez,A1,77"), [second.as_str()]);
        assert_eq!(read("Grupo;Correo electrónico;DNI;Nombre\rA1;ana@uni.example;77;Ana Núñez"), [second.as_str()]);
        let moodle = "Nombre,Apellido(s),Número de ID,Dirección de correo,Nota,Grupos\n\
                      Ana,Núñez,77,ana@uni.example,9.5,A1\n";
        assert_eq!(read(moodle), [second.as_str()]);
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        assert_eq!(read("Ana,ana@uni.example"), ["1 Ana <ana@uni.example> - -"]);
        assert_eq!(read("correo;nombre\nana@uni.example;Ana\n"), ["2 Ana <ana@uni.example> - -"]);
        assert_eq!(read("Ana,ana@uni.example,,\n"), ["1 Ana <ana@uni.example> - -"]);
    }

    #[test]
    fn a_name_may_hold_separators_quotes_and_line_breaks() {
        assert_eq!(read("Núñez, Ana;ana@uni.example;A1"), ["1 Núñez, Ana <ana@uni.example> A1 -"]);
        assert_eq!(read("\"Núñez, Ana\",ana@uni.example,A1"), ["1 Núñez, Ana <ana@uni.example> A1 -"]);
        assert_eq!(read("\"Ana \"\"la\"\" Núñez\",ana@uni.example"), ["1 Ana \"la\" Núñez <ana@uni.example> - -"]);
        let lines = read("\"Ana\nNúñez\",ana@uni.example\nBen O'Neil \"x\",ben@uni.example");
        assert_eq!(lines, ["1 Ana Núñez <ana@uni.example> - -", "3 Ben O'Neil \"x\" <ben@uni.example> - -"]);
    }

    #[test]
    fn what_is_wrong_is_told_by_line_and_the_rest_is_kept() {
        let long = "x".repeat(81);
        let text = format!(
            "Ana,ana@uni.example\nBen,\nCem,cem at uni\n,eva@uni.example\nFay,ANA@uni.example\n\
             {long},long@uni.example\nIvo\u{202e},ivo@uni.example\nJan,jan@uni.example,{long}\nKim,kim@uni.example,A1,{long}"
        );
        let list = ClassList::read(text.as_bytes()).unwrap();
        assert_eq!(list.students.len(), 1);
        let problems: Vec<_> = list.problems.into_iter().map(|problem| (problem.line, problem.what)).collect();
        let expected = [
            (2, Problem::NoEmail),
            (3, Problem::Email("cem at uni".to_owned())),
            (4, Problem::NoName),
            (5, Problem::Twice { first: 1 }),
            (6, Problem::Name),
            (7, Problem::Name),
            (8, Problem::Group),
            (9, Problem::IdNumber),
        ];
        assert_eq!(problems, expected);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let refused = |bytes: &[u8]| ClassList::read(bytes).unwrap_err();
        assert_eq!(refused(b""), ClassListError::Empty);
        assert_eq!(refused(b" \r\n;;\n"), ClassListError::Empty);
        assert_eq!(refused(b"name;email\n"), ClassListError::Empty);
        assert_eq!(refused(b"Ana,ana@uni.example\n\"Ben,ben@uni.example\nCem"), ClassListError::Quote(2));
        assert_eq!(
            refused("Ana".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice()),
            ClassListError::NotText
        );
        assert_eq!(refused(b"PK\x03\x04\x00\x00"), ClassListError::NotText);
        assert_eq!(refused(&vec![b'x'; MAX_CLASS_LIST_BYTES + 1]), ClassListError::TooLarge);
        assert_eq!(refused("a,a@uni.example\n".repeat(MAX_STUDENTS + 1).as_bytes()), ClassListError::TooMany);
    }

    #[test]
    fn addresses_have_a_form() {
        for fine in ["a@b.example", "a.b+c@x-y.example", "o'neil_1@correo.uni.example"] {
            assert!(is_email(fine), "{fine}");
        }
        for wrong in [
            "",
            "@b.example",
            "a@",
            "a@b",
            "a b@c.example",
            "a@b..example",
            ".a@b.example",
            "a@-b.example",
            "ñ@b.example",
            "a@b.example,",
        ] {
            assert!(!is_email(wrong), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            rows in prop::collection::vec(
                ("[ -~áñ;,\"]{0,20}[a-z]", "[a-z0-9.]{0,5}[a-z0-9]", prop::option::of("[A-Z][0-9]"), prop::option::of("[0-9A-Z]{1,9}")),
                1..20,
            ),
            separator in prop::sample::select(vec![',', ';']),
            has_header: bool,
        ) {
            let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
            let mut text = if has_header { ["nombre", "correo", "grupo", "dni"].join(&separator.to_string()) + "\r\n" } else { String::new() };
            let mut expected = vec![];
            for (index, (name, local, group, id)) in rows.iter().enumerate() {
                let local = local.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
                let email = format!("{local}{index}@uni.example");
                let fields = [quote(name), email.clone(), group.clone().unwrap_or_default(), quote(id.as_deref().unwrap_or(""))];
                text += &(fields.join(&separator.to_string()) + "\r\n");
                let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                expected.push((index + 1 + usize::from(has_header), name, email, group.clone(), id.clone()));
            }
            let list = ClassList::read(text.as_bytes()).unwrap();
            let found: Vec<_> = list.students.iter()
                .map(|it| (it.line, it.name.clone(), it.email.clone(), it.group.clone(), it.id_number.clone())).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(list.problems.len(), 0);
        }

        #[test]
        fn mutated_lists_are_read_or_refused(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6)) {
            let mut bytes = "\u{feff}Nombre;Correo;Grupo;DNI\r\n\"Núñez, Ana \"\"A\"\"\";ana@uni.example;A1;77\r\n\
                             Ben;ben@uni.example;B2;\r\nCem;cem@uni.example;;8\n".as_bytes().to_vec();
            for (at, byte, kind) in edits {
                if bytes.is_empty() {
                    break;
                }
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, b"\",;\r\n@\t "[usize::from(byte) % 8]),
                    _ => bytes.extend_from_within(at..),
                }
            }
            if let Ok(list) = ClassList::read(&bytes) {
                prop_assert!(list.students.len() + list.problems.len() >= 1);
                prop_assert!(list.students.iter().all(|student| is_email(&student.email) && !student.name.is_empty()));
                if !list.students.is_empty() {
                    let again = ClassList::read(list.write().as_bytes()).unwrap();
                    prop_assert_eq!(again.problems, vec![]);
                    let bare = |list: Vec<Student>| list.into_iter().map(|it| (it.name, it.email, it.group, it.id_number)).collect::<Vec<_>>();
                    prop_assert_eq!(bare(again.students), bare(list.students));
                }
            }
        }
    }
}
