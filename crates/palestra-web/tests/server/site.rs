//! A server of its own for a test, and browsers to visit it with.

use std::sync::Arc;

use palestra_web::{Config, Server};
use reqwest::cookie::{CookieStore, Jar};
use reqwest::{Client, RequestBuilder, StatusCode, Url, redirect};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server in a temporary folder, on a port of its own.
pub(crate) struct Site {
    pub(crate) url: String,
    pub(crate) folder: Arc<TempDir>,
    /// The link that makes the first admin.
    pub(crate) setup: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Site {
    /// A new one.
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    /// A new one, set up differently.
    pub(crate) async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::open_in(Arc::new(tempfile::tempdir().unwrap()), change).await
    }

    /// One with the data of an earlier one.
    pub(crate) async fn open_in(folder: Arc<TempDir>, change: impl FnOnce(&mut Config)) -> Self {
        let listen = "127.0.0.1:0".parse().unwrap();
        let mut config = Config { listen, data: folder.path().join("data"), ..Config::default() };
        change(&mut config);
        let server = Server::start(config).await.unwrap();
        let url = format!("http://{}", server.address());
        let setup = server.setup_link();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async move {
            server.run(async { drop(stopped.await) }).await.unwrap();
        });
        Self { url, folder, setup, stop: Some(stop), running }
    }

    /// Tells it to stop, and waits until it has.
    pub(crate) async fn close(mut self) -> Arc<TempDir> {
        drop(self.stop.take());
        self.running.await.unwrap();
        self.folder
    }
}

/// A browser: it keeps its cookies, and fills in the forms' secret word.
pub(crate) struct Browser {
    client: Client,
    jar: Arc<Jar>,
    url: String,
}

/// What a browser sees.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: StatusCode,
    /// Where it ended after redirections.
    pub(crate) path: String,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Browser {
    pub(crate) fn new(site: &Site) -> Self {
        let jar = Arc::new(Jar::default());
        let client = Client::builder().cookie_provider(jar.clone()).redirect(redirect::Policy::limited(5));
        Self { client: client.build().unwrap(), jar, url: site.url.clone() }
    }

    /// The client itself, for what browsers do not do.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// The cookies that it would send.
    pub(crate) fn cookies(&self) -> String {
        let url: Url = self.url.parse().unwrap();
        self.jar.cookies(&url).map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
    }

    pub(crate) async fn get(&self, path: &str) -> Seen {
        send(self.client.get(self.address(path))).await
    }

    /// Fills in a form. The secret word is taken from the first page, as any page has it.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Seen {
        let csrf = self.csrf().await;
        let mut fields = fields.to_vec();
        fields.push(("csrf", &csrf));
        self.post_as_is(path, &fields).await
    }

    /// Sends a form without the secret word.
    pub(crate) async fn post_as_is(&self, path: &str, fields: &[(&str, &str)]) -> Seen {
        send(self.client.post(self.address(path)).form(fields)).await
    }

    /// The word that forms of this browser must hold.
    pub(crate) async fn csrf(&self) -> String {
        let page = self.get("/").await.text;
        between(&page, "name=\"csrf\" value=\"", "\"").to_owned()
    }
}

/// What stands in a text between two others.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in {rest}")).0
}

pub(crate) async fn send(request: RequestBuilder) -> Seen {
    let response = request.send().await.unwrap();
    let (status, headers, path) = (response.status(), response.headers().clone(), response.url().path().to_owned());
    Seen { status, path, headers, text: response.text().await.unwrap() }
}
