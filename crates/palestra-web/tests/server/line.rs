//! A line between a browser and a site that can be cut.
//!
//! A site takes forms and sockets only from pages at its own addresses: a name other than its own would not do. So the line ends
//! at the site's port of another loopback address, and [`Chrome`](crate::chrome::Chrome) takes that for `localhost`.

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::site::Site;

/// The address that browsers take for `localhost`.
pub(crate) const LOCALHOST: &str = "127.0.0.2";

pub(crate) struct Line {
    /// Where a browser finds the site, as long as the line holds.
    pub(crate) url: String,
    holds: watch::Sender<bool>,
}

impl Line {
    pub(crate) async fn to(site: &Site) -> Self {
        let server = site.url.trim_start_matches("http://").to_owned();
        let (_, port) = server.rsplit_once(':').unwrap();
        let listener = TcpListener::bind(format!("{LOCALHOST}:{port}")).await.unwrap();
        let url = format!("http://localhost:{port}");
        let (holds, held) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                tokio::spawn(carry(browser, server.clone(), held.clone()));
            }
        });
        Self { url, holds }
    }

    /// Ends all connections, and lets no other come about.
    pub(crate) fn cut(&self) {
        self.holds.send_replace(false);
    }

    pub(crate) fn mend(&self) {
        self.holds.send_replace(true);
    }
}

/// Carries what both sides of a connection say until one ends it or the line is cut.
async fn carry(mut browser: TcpStream, server: String, mut held: watch::Receiver<bool>) {
    let Ok(mut server) = TcpStream::connect(server).await else { return };
    tokio::select! {
        _ = held.wait_for(|holds| !holds) => {}
        _ = copy_bidirectional(&mut browser, &mut server) => {}
    }
}
