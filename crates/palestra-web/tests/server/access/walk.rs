//! The walk through all addresses by all roles, with an eye on what each answer tells.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use reqwest::multipart::{Form, Part};
use reqwest::{Client, RequestBuilder};
use zip::ZipArchive;

use super::class::Class;
use super::role::{Person, Role, SCOPES};
use super::secret::{Secret, secrets};
use super::{Ask, Row};

/// A walk, and what it has come by.
pub(super) struct Walk {
    secrets: Vec<Secret>,
    /// Who was shown which secret.
    shown: BTreeSet<(&'static str, Role)>,
    /// Everything that is not as it should be.
    wrong: Vec<String>,
}

/// An answer, its ZIPs unpacked.
struct Answer {
    status: u16,
    text: String,
}

impl Walk {
    pub(super) fn new() -> Self {
        Self { secrets: secrets(), shown: BTreeSet::new(), wrong: vec![] }
    }

    /// Adds a secret, which is for these roles.
    pub(super) fn keep(&mut self, what: &'static str, word: String, is_for: &'static [Role]) {
        self.secrets.push(Secret { what, word, is_for });
    }

    /// From now on a secret is for these roles.
    pub(super) fn tell(&mut self, what: &str, is_for: &'static [Role]) {
        let secret = self.secrets.iter_mut().find(|secret| secret.what == what);
        secret.unwrap_or_else(|| panic!("no secret is called {what}")).is_for = is_for;
    }

    /// Asks for each address of a table as each role.
    pub(super) async fn down(&mut self, class: &Class, table: &[Row]) {
        for row in table {
            for person in &class.people {
                let answer = self.ask(class, row, person).await;
                self.check(row, person.role, &answer);
            }
        }
    }

    async fn ask(&mut self, class: &Class, row: &Row, person: &Person) -> Answer {
        let address = person.browser.address(&class.path(row.path));
        let client = person.browser.client();
        let request = match row.ask {
            Ask::Page => client.get(address),
            Ask::Form(fields) => {
                let mut fields: Vec<_> = fields.iter().map(|(name, text)| (*name, class.path(text))).collect();
                fields.push(("csrf", person.csrf.clone()));
                client.post(address).form(&fields)
            }
            Ask::File(field, text) => {
                let part = Part::text(text).file_name("file.zip");
                client.post(address).multipart(Form::new().text("csrf", person.csrf.clone()).part(field, part))
            }
            Ask::Socket => {
                let request = client.get(address).header("connection", "upgrade").header("upgrade", "websocket");
                let request = request.header("origin", person.browser.address("").trim_end_matches('/'));
                let key = "dGhlIHNhbXBsZSBub25jZQ==";
                request.header("sec-websocket-version", "13").header("sec-websocket-key", key)
            }
            Ask::Api(scope, body) => return self.ask_api(row.path, person, (scope, body), &address).await,
        };
        fetch(request).await
    }

    /// Asks as a program with a token of the scope; one with all other scopes is refused.
    async fn ask_api(
        &mut self,
        path: &str,
        person: &Person,
        (scope, body): (&str, Option<&'static str>),
        address: &str,
    ) -> Answer {
        let request = || match body {
            None => Client::new().get(address),
            Some(body) => Client::new().post(address).header("content-type", "application/json").body(body),
        };
        let Some(tokens) = &person.tokens else { return fetch(request()).await };
        let of_scope = SCOPES.iter().position(|it| *it == scope).unwrap_or_else(|| panic!("no scope {scope}"));
        let weak = fetch(request().bearer_auth(&tokens.without[of_scope])).await;
        if weak.status != 403 {
            self.wrong.push(format!("{:?} without the scope: {}: {}", person.role, path, weak.status));
        }
        fetch(request().bearer_auth(&tokens.with[of_scope])).await
    }

    fn check(&mut self, row: &Row, role: Role, answer: &Answer) {
        let (path, expected) = (row.path, row.statuses[role.column()]);
        if answer.status != expected {
            self.wrong.push(format!("{role:?}: {path}: {} instead of {expected}", answer.status));
        }
        for secret in self.secrets.iter().filter(|secret| answer.text.contains(&secret.word)) {
            self.shown.insert((secret.what, role));
            if !secret.is_for.contains(&role) {
                self.wrong.push(format!(
                    "{role:?} is told {} by {path}: {}",
                    secret.what,
                    around(&answer.text, &secret.word)
                ));
            }
        }
    }

    /// Ends the walk. Each secret was shown to all that it is for: one that was shown to nobody would prove nothing.
    pub(super) fn end(mut self) {
        for secret in &self.secrets {
            let missed: Vec<_> =
                secret.is_for.iter().filter(|role| !self.shown.contains(&(secret.what, **role))).collect();
            if !missed.is_empty() {
                self.wrong.push(format!("{} was never shown to {missed:?}", secret.what));
            }
        }
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

/// What stands around a word.
fn around(text: &str, word: &str) -> String {
    let (before, after) = text.split_once(word).unwrap_or_default();
    let before: String = before.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
    format!("{before}{word}{}", after.chars().take(60).collect::<String>()).replace('\n', " ")
}

async fn fetch(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    // What a WebSocket says is not an answer that ends.
    let bytes = if status == 101 { vec![] } else { response.bytes().await.unwrap().to_vec() };
    Answer { status, text: text(&bytes) }
}

/// The text of an answer; of a ZIP the names and texts of its files.
fn text(bytes: &[u8]) -> String {
    let Some(mut archive) = bytes.starts_with(b"PK").then(|| ZipArchive::new(Cursor::new(bytes)).unwrap()) else {
        return String::from_utf8_lossy(bytes).into_owned();
    };
    let mut all = String::new();
    for index in 0..archive.len() {
        let (mut file, mut content) = (archive.by_index(index).unwrap(), vec![]);
        file.read_to_end(&mut content).unwrap();
        all.push_str(&format!("{}\n{}\n", file.name().unwrap(), text(&content)));
    }
    all
}
