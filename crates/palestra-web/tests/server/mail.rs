//! Mail servers that work, refuse, and hang.

use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

use palestra_web::{Config, ConfigError, Server, Smtp, StartError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::people::{email, eventually, link, mail, mails, register};
use crate::site::{Browser, Site};

/// What a mail server does with whoever connects.
#[derive(Clone, Copy)]
enum Post {
    Accepts,
    Refuses,
    Hangs,
}

/// A mail server, and what it got.
async fn post_office(post: Post) -> (Smtp, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let smtp = Smtp {
        url: format!("smtp://{}", listener.local_addr().unwrap()),
        from: "Palestra <palestra@school.example>".to_owned(),
    };
    let got = Arc::new(Mutex::new(vec![]));
    let inbox = got.clone();
    tokio::spawn(async move {
        let mut waiting = vec![];
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            match post {
                Post::Accepts => drop(tokio::spawn(converse(stream, inbox.clone()))),
                Post::Refuses => drop(stream.write_all(b"554 go away\r\n").await),
                Post::Hangs => waiting.push(stream),
            }
        }
    });
    (smtp, got)
}

/// The few words of SMTP that a mail needs.
async fn converse(mut stream: TcpStream, inbox: Arc<Mutex<Vec<String>>>) {
    let (read, mut write) = stream.split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 hello\r\n").await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        let answer: &[u8] = match line.split(' ').next().unwrap() {
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.unwrap();
                let mut message = String::new();
                while let Some(line) = lines.next_line().await.unwrap().filter(|line| line != ".") {
                    message.push_str(&line);
                    message.push('\n');
                }
                inbox.lock().unwrap().push(message);
                b"250 taken\r\n"
            }
            "QUIT" => b"221 bye\r\n",
            _ => b"250 fine\r\n",
        };
        if write.write_all(answer).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn a_mail_server_gets_the_mail() {
    let (smtp, got) = post_office(Post::Accepts).await;
    let site = Site::open_with(|config| config.smtp = Some(smtp)).await;
    let browser = Browser::new(&site);
    register(&browser, "Ada", &email("Ada")).await;
    let message = eventually("mail at the post office", || got.lock().unwrap().pop()).await;
    assert!(message.contains("From: Palestra <palestra@school.example>"), "{message}");
    assert!(message.contains("To: ada@example.org") && message.contains("Subject: Palestra: confirm"), "{message}");
    assert_eq!(browser.get(&link(&message)).await.status, 200);
    eventually("empty folder of mails", || mails(&site, &email("Ada")).is_empty().then_some(())).await;
}

#[tokio::test]
async fn a_mail_server_that_does_not_work_holds_nobody_up_and_loses_nothing() {
    for post in [Post::Refuses, Post::Hangs] {
        let (smtp, _) = post_office(post).await;
        let site = Site::open_with(|config| config.smtp = Some(smtp)).await;
        let browser = Browser::new(&site);
        let asked = register(&browser, "Ada", &email("Ada")).await;
        assert!(asked.status == 200 && asked.text.contains("Check your e-mail"), "{asked:?}");
        let kept = mail(&site, &email("Ada"), "/confirm/").await;
        assert_eq!(browser.get(&link(&kept)).await.status, 200, "an admin can pass it on");
    }
}

#[tokio::test]
async fn mails_in_the_folder_are_the_owners_alone() {
    let site = Site::open().await;
    register(&Browser::new(&site), "Ada", &email("Ada")).await;
    mail(&site, &email("Ada"), "/confirm/").await;
    let folder = site.folder.path().join("data/mail");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for file in std::fs::read_dir(&folder).unwrap() {
        assert_eq!(mode(&file.unwrap().path()), 0o600);
    }
}

#[tokio::test]
async fn a_wrong_mail_server_is_said_at_the_start_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let start = async |url: &str, from: &str| {
        let smtp = Some(Smtp { url: url.to_owned(), from: from.to_owned() });
        let config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            data: folder.path().join("data"),
            smtp,
            ..Config::default()
        };
        assert!(!format!("{config:?}").contains("hunter2"));
        match Server::start(config).await {
            Err(error) => error,
            Ok(_) => panic!("{url} {from} is taken"),
        }
    };
    let error = start("mail://me:hunter2@host", "palestra@school.example").await;
    assert!(matches!(error, StartError::Config(ConfigError::Smtp)), "{error}");
    assert!(!format!("{error} {error:?}").contains("hunter2"));
    let error = start("smtp://host", "nobody").await;
    assert!(matches!(error, StartError::Config(ConfigError::MailFrom(_))), "{error}");
}
