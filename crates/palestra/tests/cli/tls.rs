//! By https and with mail servers that prove who they are: certificates that this machine trusts, and others.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Somebody who can prove to be `localhost`, to those who trust the file.
struct Identity {
    config: Arc<ServerConfig>,
    file: PathBuf,
}

impl Identity {
    fn new(folder: &Path) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let file = folder.join("trusted.pem");
        fs::write(&file, cert.pem()).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key);
        Self { config: Arc::new(config.unwrap()), file }
    }

    fn accept(&self, stream: TcpStream) -> StreamOwned<ServerConnection, TcpStream> {
        StreamOwned::new(ServerConnection::new(self.config.clone()).unwrap(), stream)
    }
}

/// A program that ends with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn palestra(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    for name in ["PALESTRA_DATABASE", "PALESTRA_LOG", "PALESTRA_SMTP", "SSL_CERT_DIR", "SSL_CERT_FILE"] {
        command.env_remove(name);
    }
    command
}

/// A server, and where it listens.
fn serve(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> (Running, String) {
    let mut command = palestra(folder, &[&["serve", "--listen", "127.0.0.1:0"], args].concat());
    command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let said = log.find(|line| line.contains("listening address=")).expect("it says where it listens");
    thread::spawn(move || log.for_each(drop));
    let address = said.rsplit_once("listening address=").unwrap().1.trim().to_owned();
    (Running(child), address)
}

fn request(address: &str, head: &str, cookie: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let (kind, length) = ("application/x-www-form-urlencoded", body.len());
    let head =
        format!("{head} HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\nconnection: close\r\ncontent-type: {kind}\r\n");
    write!(stream, "{head}content-length: {length}\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap().0
}

/// Fills in a form as a new guest.
fn post(address: &str, path: &str, fields: &str) -> String {
    let page = request(address, "GET /", "", "");
    let cookie = between(&page, "set-cookie: ", ";").to_owned();
    let csrf = between(&page, "name=\"csrf\" value=\"", "\"");
    request(address, &format!("POST {path}"), &cookie, &format!("{fields}&csrf={csrf}"))
}

/// Passes on what comes by TLS, as a proxy does.
fn proxy(identity: Arc<Identity>, listener: TcpListener, to: String) {
    thread::spawn(move || {
        for near in listener.incoming() {
            let (identity, to) = (identity.clone(), to.clone());
            thread::spawn(move || {
                let mut near = identity.accept(near.unwrap());
                let mut far = TcpStream::connect(to).unwrap();
                for stream in [&near.sock, &far] {
                    stream.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
                }
                let mut buffer = [0; 4096];
                // What is there is passed on, in turns; whoever ends ends both.
                loop {
                    match near.read(&mut buffer) {
                        Ok(0) => return,
                        Ok(count) => far.write_all(&buffer[..count]).unwrap(),
                        Err(error) if is_late(&error) => {}
                        Err(_) => return,
                    }
                    match far.read(&mut buffer) {
                        Ok(0) => return,
                        Ok(count) => near.write_all(&buffer[..count]).unwrap(),
                        Err(error) if is_late(&error) => {}
                        Err(_) => return,
                    }
                }
            });
        }
    });
}

fn is_late(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

#[test]
fn a_program_connects_by_https_to_whom_this_machine_trusts() {
    let folder = tempfile::tempdir().unwrap();
    let identity = Arc::new(Identity::new(folder.path()));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("https://localhost:{port}");
    let (_server, address) = serve(folder.path(), &["--public-url", &url, "--trust-proxy", "127.0.0.1/32"], &[]);
    proxy(identity.clone(), listener, address.clone());
    let opened = post(&address, "/tables", "game=mancala&seat1=ninja1&seat2=open");
    let code = between(&opened, "location: /t/", "\r\n");
    assert!(opened.contains("HTTP/1.1 303"), "{opened}");
    let link = format!("{url}/t/{code}");
    let connect = || palestra(folder.path(), &["connect", "greedy", "--table", &link, "--name", "mybot"]);

    let stranger = connect().output().unwrap();
    let said = String::from_utf8_lossy(&stranger.stderr).into_owned();
    assert!(
        !stranger.status.success() && said.contains("cannot reach localhost") && said.contains("certificate"),
        "{said}"
    );

    let mut child = connect().env("SSL_CERT_FILE", &identity.file).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let _child = Running(child);
    assert!(told.any(|line| line.contains("mybot plays")), "it is seated, and asked");
    let page = request(&address, "GET /", "", "");
    assert!(page.contains("set-cookie: __Host-palestra=") && page.contains("; Secure"), "{page}");
}

#[test]
fn mail_goes_to_a_server_that_proves_who_it_is() {
    for (is_trusted, query) in [(true, ""), (false, ""), (true, "?tls=required")] {
        let folder = tempfile::tempdir().unwrap();
        let identity = Identity::new(folder.path());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = if query.is_empty() { "smtps" } else { "smtp" };
        let smtp = format!("{scheme}://localhost:{}{query}", listener.local_addr().unwrap().port());
        let trusted = identity.file.to_str().unwrap().to_owned();
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let _ = tell.send(take_mail(&identity, stream.unwrap(), scheme == "smtp"));
            }
        });
        let mut variables = vec![("PALESTRA_SMTP", smtp.as_str())];
        if is_trusted {
            variables.push(("SSL_CERT_FILE", &trusted));
        }
        let (_server, address) = serve(folder.path(), &["--mail-from", "palestra@school.example"], &variables);
        let fields = "name=Ada+L&nickname=Ada&email=ada%40example.org&password=correct+horse";
        assert!(post(&address, "/register", fields).starts_with("HTTP/1.1 200"));
        match told.recv_timeout(Duration::from_secs(30)).expect("somebody connects") {
            Some(mail) => assert!(is_trusted && mail.contains("/confirm/"), "{mail}"),
            None => assert!(!is_trusted, "{scheme}{query}"),
        }
        let errors =
            || between(&request(&address, "GET /metrics", "", ""), "\npalestra_mail_errors_total ", "\n").to_owned();
        while !is_trusted && errors() == "0" {
            thread::yield_now();
        }
        assert_eq!(errors() == "0", is_trusted);
    }
}

/// The mail that somebody brings; none if they do not trust us.
fn take_mail(identity: &Identity, mut stream: TcpStream, begins_plain: bool) -> Option<String> {
    if begins_plain {
        stream.write_all(b"220 hello\r\n").ok()?;
        let mut words = BufReader::new(stream.try_clone().ok()?);
        let mut line = String::new();
        while !line.starts_with("STARTTLS") {
            line.clear();
            words.read_line(&mut line).ok()?;
            let answer: &[u8] = if line.starts_with("EHLO") { b"250-fine\r\n250 STARTTLS\r\n" } else { b"220 go\r\n" };
            stream.write_all(answer).ok()?;
        }
    }
    let mut stream = BufReader::new(identity.accept(stream));
    if !begins_plain {
        stream.get_mut().write_all(b"220 hello\r\n").ok()?;
    }
    let (mut mail, mut is_data) = (String::new(), false);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if is_data && line != ".\r\n" {
            mail.push_str(&line);
            continue;
        }
        if is_data {
            stream.get_mut().write_all(b"250 taken\r\n").ok()?;
            return Some(mail);
        }
        is_data = line.starts_with("DATA");
        stream.get_mut().write_all(if is_data { b"354 go on\r\n" } else { b"250 fine\r\n" }).ok()?;
    }
}
