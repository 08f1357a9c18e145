//! `palestra course`, on a data folder and on a server.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use palestra_store::{NewAccount, NewCourse, Role, Scope, Store, TimeRule, Token};
use tempfile::TempDir;

use crate::server::Served;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// A data folder with a course and a token of its teacher: the code of the course, and the secret.
pub(crate) fn with_course(folder: &TempDir) -> (String, String) {
    let data = folder.path().join("palestra-data");
    fs::create_dir(&data).unwrap();
    let token = Token::random();
    let prepare = async {
        let store = Store::open_file(&data.join("palestra.db")).await.unwrap();
        let teacher = NewAccount {
            nickname: "Ana".to_owned(),
            name: "Ana García".to_owned(),
            email: "ana@uni.example".to_owned(),
            password: "unused".to_owned(),
            role: Role::Teacher,
        };
        let teacher = store.create_account(&teacher, 1).await.unwrap();
        let course = NewCourse {
            name: "Inteligencia \u{1b}[31mArtificial".to_owned(),
            year: "2026/27".to_owned(),
            game: "mancala".to_owned(),
            options: "-".to_owned(),
            time_rule: TimeRule::Cpu(2000),
            domains: String::new(),
            time_zone: "Europe/Madrid".to_owned(),
            ends_ms: 60 * 365 * DAY_MS,
            keeps_fingerprints: false,
        };
        let code = store.create_course(teacher, &course, 2).await.unwrap();
        let id = store.course(&code).await.unwrap().unwrap().id;
        store.add_group(id, "A1", "Granada", 3).await.unwrap();
        let scopes = [Scope::Course].into_iter().collect();
        store.create_api_token(&token.hash(), teacher, "shell", &scopes, 4).await.unwrap();
        store.close().await;
        code
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    (runtime.block_on(prepare), token.secret().to_owned())
}

pub(crate) fn palestra(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    for name in ["PALESTRA_DATABASE", "PALESTRA_TOKEN"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn said(command: &mut Command) -> (bool, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.success(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

#[test]
fn a_course_is_the_same_in_its_folder_and_on_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let (code, token) = with_course(&folder);
    let (is_well, listed) = said(&mut palestra(folder.path(), &["course", "list"]));
    let course = format!(
        "{code}  Inteligencia \\u{{1b}}[31mArtificial 2026/27\n    mancala, 0 members, groups A1, ends 2029-12-17 00:00 UTC\n"
    );
    assert!(is_well && listed == course, "{listed}");
    assert!(said(&mut palestra(folder.path(), &["course", "export", &code, "folder.zip"])).0);
    let (is_well, again) = said(&mut palestra(folder.path(), &["course", "export", &code, "folder.zip"]));
    assert!(!is_well && again.contains("exports never replace files"), "{again}");

    let server = Served::start(&folder, &[]);
    let url = format!("http://{}", server.address);
    let mut asking = palestra(folder.path(), &["course", "list", "--server", &url]);
    assert_eq!(said(asking.env("PALESTRA_TOKEN", &token)), (true, listed));
    let token_file = folder.path().join("token");
    fs::write(&token_file, format!("{token}\n")).unwrap();
    let export = ["course", "export", &code, "server.zip", "--server", &url, "--token", "token"];
    assert_eq!(said(&mut palestra(folder.path(), &export)), (true, "The course is in server.zip.\n".to_owned()));
    let [ours, theirs] = ["folder.zip", "server.zip"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert!(ours == theirs && ours.starts_with(b"PK"), "the same course makes the same archive");
}

#[test]
fn what_goes_wrong_with_a_server_is_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let (code, token) = with_course(&folder);
    let server = Served::start(&folder, &[]);
    let url = format!("http://{}", server.address);
    let ask = |args: &[&str], token: &str| {
        let args = [&["course"], args, &["--server", &url]].concat();
        let (is_well, said) = said(palestra(folder.path(), &args).env("PALESTRA_TOKEN", token));
        assert!(!is_well, "{said}");
        said
    };
    assert!(ask(&["list"], "").contains("hint: create one in the server's settings, API tokens"));
    assert!(ask(&["list"], "not a token").contains("error: this is no token"));
    let unknown = ask(&["list"], "abcdefghijkmnpqrstuvwxyz23");
    assert!(
        unknown.contains("error: You need to sign in for this.\nhint: the token is unknown to this server"),
        "{unknown}"
    );
    let other = code.chars().rev().collect::<String>();
    assert!(ask(&["export", &other, "x.zip"], &token).contains("error: There is nothing here.\n"));
    assert!(ask(&["export", "../me", "x.zip"], &token).contains("'../me' is no code"));
    assert!(!folder.path().join("x.zip").exists(), "a failed export leaves no file");
    drop(server);
    assert!(ask(&["list"], &token).contains(&format!("error: cannot reach {url}: ")));
}
