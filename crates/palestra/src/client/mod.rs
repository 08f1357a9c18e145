//! Requests to a server's addresses for programs, with a token.

mod address;
mod body;
mod stream;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use palestra_protocol::shown;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) use address::ServerAddress;
use body::Body;

use crate::ui::error::HintExt;

/// The environment variable with the token.
pub(crate) const TOKEN_VARIABLE: &str = "PALESTRA_TOKEN";

/// The most bytes of a response's head, of a JSON response, and of a problem.
const MAX_HEAD_BYTES: u64 = 64 << 10;
const MAX_JSON_BYTES: u64 = 64 << 20;
const MAX_PROBLEM_BYTES: u64 = 64 << 10;

/// Maximum length of a shown text of the server.
const MAX_SHOWN_CHARS: usize = 400;

/// A server, and the token with which it is asked. A token never stands on the command line, where other users of the machine see it.
#[derive(Debug)]
pub(crate) struct Client {
    address: ServerAddress,
    token: String,
}

/// A response with a status of success.
pub(crate) struct Answer {
    body: Body<Box<dyn BufRead>>,
}

impl Client {
    /// A client with the token in this file, or else in the environment.
    pub(crate) fn new(address: ServerAddress, token_file: Option<&Path>) -> Result<Self> {
        let token = match token_file {
            Some(path) => std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
            None => std::env::var(TOKEN_VARIABLE).unwrap_or_default(),
        };
        let token = token.trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let missing = Err(anyhow!(if token.is_empty() { "no token" } else { "this is no token" }));
            return missing.hint(|| {
                format!(
                    "create one in the server's settings, API tokens, and pass it by {TOKEN_VARIABLE} or --token FILE"
                )
            });
        }
        Ok(Self { address, token: token.to_owned() })
    }

    /// The server.
    pub(crate) const fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// What the server answers to GET.
    pub(crate) fn get(&self, path: &str) -> Result<Answer> {
        self.ask("GET", path, None)
    }

    /// What the server answers to POST with a body of this media type.
    pub(crate) fn post(&self, path: &str, kind: &str, body: &[u8]) -> Result<Answer> {
        self.ask("POST", path, Some((kind, body)))
    }

    fn ask(&self, method: &str, path: &str, body: Option<(&str, &[u8])>) -> Result<Answer> {
        let address = &self.address;
        let lost = || format!("cannot reach {address}");
        let mut stream = stream::open(address).with_context(lost)?;
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\naccept: application/json, */*\r\n\
             accept-language: en\r\nconnection: close\r\n",
            address.authority(),
            self.token
        );
        if let Some((kind, body)) = body {
            head += &format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len());
        }
        head += "\r\n";
        stream.write_all(head.as_bytes()).with_context(lost)?;
        // A server that refuses may close before all of the body is written: what it answers says why.
        let written = stream.write_all(body.map_or(&[][..], |(_, body)| body)).and_then(|()| stream.flush());
        match answer(Box::new(BufReader::new(stream))) {
            Ok((status, body)) if (200..300).contains(&status) => Ok(Answer { body }),
            Ok((status, body)) => Err(refused(status, body)),
            Err(error) => match written {
                Ok(()) => Err(error).with_context(lost),
                Err(error) => Err(error).with_context(lost),
            },
        }
    }
}

impl Answer {
    /// The response as JSON.
    pub(crate) fn json<T: DeserializeOwned>(self) -> Result<T> {
        let mut text = vec![];
        self.body.take(MAX_JSON_BYTES).read_to_end(&mut text).context("the answer breaks off")?;
        serde_json::from_slice(&text)
            .context("this is not the expected answer: is it a Palestra server of this version?")
    }

    /// Writes the response, and returns its length in bytes.
    pub(crate) fn copy_to(mut self, file: &mut impl Write) -> Result<u64> {
        std::io::copy(&mut self.body, file).context("the answer breaks off")
    }
}

/// The status of a response, and its body, which is not read yet.
fn answer(mut stream: Box<dyn BufRead>) -> Result<(u16, Body<Box<dyn BufRead>>)> {
    loop {
        let head = read_head(&mut stream)?;
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut response = httparse::Response::new(&mut headers);
        let parsed = response.parse(&head).context("this is no HTTP")?;
        let (true, Some(status)) = (parsed.is_complete(), response.code) else { bail!("this is no HTTP") };
        // 100 Continue and the like come before the response.
        if status >= 200 {
            let body = Body::new(stream, response.headers)?;
            return Ok((status, body));
        }
    }
}

/// The lines up to the empty one.
fn read_head(stream: &mut impl BufRead) -> Result<Vec<u8>> {
    let (mut head, mut stream) = (vec![], stream.take(MAX_HEAD_BYTES));
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read_until(b'\n', &mut head)? == 0 {
            bail!(if head.is_empty() { "it does not answer" } else { "this is no HTTP" });
        }
    }
    Ok(head)
}

/// What a problem of the server says; see RFC 9457.
#[derive(Deserialize)]
struct Problem {
    detail: String,
}

fn refused(status: u16, body: impl Read) -> anyhow::Error {
    let mut text = vec![];
    let _ = body.take(MAX_PROBLEM_BYTES).read_to_end(&mut text);
    let problem: Option<Problem> = serde_json::from_slice(&text).ok();
    let said = problem.map_or_else(|| format!("the server answers {status}"), |problem| problem.detail);
    let error = Err::<(), _>(anyhow!("{}", shown(&said, MAX_SHOWN_CHARS)));
    let hint = match status {
        401 => "the token is unknown to this server, or was revoked: create another in its settings, API tokens",
        403 => "the token lacks the permission, or its owner does",
        404 => "the token's owner may not see it, or the server is older than this program",
        _ => return anyhow!("{}", shown(&said, MAX_SHOWN_CHARS)),
    };
    match error.hint(|| hint.to_owned()) {
        Err(error) => error,
        Ok(()) => unreachable!("it is an error"),
    }
}
