//! The WebSocket between a browser and a table.

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocketUpgrade, close_code};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;

use super::driver::{Fork, Input, Watching};
use super::message::{Command, HolderKind, ToClient, You};
use super::occupant::Occupant;
use super::seat_choice::SeatChoice;
use super::setup::Setup;
use super::spectator::Spectator;
use super::wire::{Lost, Wire};
use super::{Handle, Who};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::metrics::WEBSOCKETS;
use crate::runs::may_watch;
use crate::text::clean;
use crate::visitor::Visitor;

/// Maximum size of a browser's message.
const MAX_MESSAGE_BYTES: usize = 4096;

/// Maximum length of a line of chat.
const MAX_CHAT_CHARS: usize = 300;

#[derive(Deserialize)]
pub(crate) struct Since {
    since: Option<u64>,
}

/// Opens the WebSocket of a table, for players and spectators, or of a game that the server plays.
pub(crate) async fn live(
    State(app): State<App>,
    Path(code): Path<String>,
    since: Result<Query<Since>, QueryRejection>,
    headers: HeaderMap,
    visitor: Visitor,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refused> {
    let Query(Since { since }) = since.map_err(|_| Refused::bad("refused.form"))?;
    let upgrade = upgrade.map_err(|_| Refused::bad("program.upgrade"))?;
    app.origins.check(&headers, &visitor)?;
    let upgrade = upgrade.max_message_size(MAX_MESSAGE_BYTES).max_frame_size(MAX_MESSAGE_BYTES);
    if let Some(game) = app.live_games.find(&code) {
        may_watch(&app, &visitor, &game).await?;
        let open = app.limits.open_socket(&visitor)?;
        return Ok(upgrade.on_upgrade(async move |socket| {
            Spectator { app, game, visitor, wire: Wire::new(socket) }.run().await;
            drop(open);
        }));
    }
    let handle = app.tables.find(&code)?;
    let open = app.limits.open_socket(&visitor)?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let (wire, you) = (Wire::new(socket), You::default());
        Connection { app, handle, visitor, wire, since, you, session_version: None }.run().await;
        drop(open);
    }))
}

struct Connection {
    app: App,
    handle: Handle,
    visitor: Visitor,
    wire: Wire,
    since: Option<u64>,
    /// Who this visitor is at the table, as last sent to the browser.
    you: You,
    /// The store's session version when the session was last looked up. The lookup holds until the version changes, but
    /// at most until the next ping.
    session_version: Option<u64>,
}

/// Why a connection ended.
enum Over {
    Lost,
    /// The table is closed, or the server stops.
    Closed,
    /// The visitor's session has ended.
    SignedOut,
}

impl From<Lost> for Over {
    fn from(_: Lost) -> Self {
        Self::Lost
    }
}

impl Connection {
    async fn run(mut self) {
        let gauge = metrics::gauge!(WEBSOCKETS);
        gauge.increment(1);
        while let Ok(watching) = self.handle.watch(Who::from(&self.visitor), self.since).await {
            let watcher = watching.watcher;
            let over = self.follow(watching).await;
            let _ = self.handle.to.send(Input::Gone(watcher)).await;
            match over {
                // The browser lagged behind: it is sent a new snapshot.
                None => self.since = None,
                Some(Over::Lost) => break,
                Some(Over::Closed) => {
                    self.wire.close(close_code::RESTART).await;
                    break;
                }
                Some(Over::SignedOut) => {
                    let _ = self.wire.tell(&ToClient::You(You::default())).await;
                    self.wire.close(close_code::POLICY).await;
                    break;
                }
            }
        }
        gauge.decrement(1);
    }

    /// Forwards messages in both directions until the connection ends; `None` if the browser lagged behind.
    async fn follow(&mut self, mut watching: Watching) -> Option<Over> {
        if self.tell_you(watching.you).await.is_err() {
            return Some(Over::Lost);
        }
        for message in &watching.first {
            if self.wire.send(message.clone()).await.is_err() {
                return Some(Over::Lost);
            }
        }
        let mut pings = Wire::pings();
        self.session_version = None;
        loop {
            tokio::select! {
                said = watching.said.recv() => match said {
                    Ok(message) => if self.wire.send(message).await.is_err() {
                        return Some(Over::Lost);
                    },
                    Err(RecvError::Lagged(_)) => return None,
                    Err(RecvError::Closed) => return Some(Over::Closed),
                },
                heard = self.wire.hear() => {
                    let done = match heard {
                        Ok(Some(text)) => self.obey(&text).await,
                        Ok(None) => Ok(()),
                        Err(lost) => Err(lost.into()),
                    };
                    if let Err(over) = done {
                        return Some(over);
                    }
                },
                _ = pings.tick() => if let Err(over) = self.ping().await {
                    return Some(over);
                },
            }
        }
    }

    /// Pings the browser, and checks that it answered the last ping and that the session is still valid.
    async fn ping(&mut self) -> Result<(), Over> {
        self.wire.has_answered()?;
        self.session_version = None;
        if let Ok(false) = self.is_signed_in().await {
            return Err(Over::SignedOut);
        }
        Ok(self.wire.ping().await?)
    }

    /// Whether a visitor who was signed in still is: a session may end while a socket is open, and names change. The
    /// store is asked only if that may have happened.
    async fn is_signed_in(&mut self) -> Result<bool, Refused> {
        let is_guest = self.visitor.account.is_none();
        // Read before the lookup: a change meanwhile leads to another one.
        let version = self.app.store.session_version();
        if is_guest || self.session_version == Some(version) {
            return Ok(true);
        }
        self.visitor.account = self.app.store.session(&self.visitor.token.hash(), now_ms()).await?;
        self.session_version = Some(version);
        Ok(self.visitor.account.is_some())
    }

    async fn obey(&mut self, text: &str) -> Result<(), Over> {
        let done = match (serde_json::from_str(text), self.is_signed_in().await) {
            (_, Ok(false)) => return Err(Over::SignedOut),
            (_, Err(refused)) => Err(refused),
            (Ok(command), Ok(true)) => self.command(command).await,
            (Err(_), Ok(true)) => Err(Refused::bad("refused.form")),
        };
        match done {
            Ok(you) if you != self.you => self.tell_you(you).await,
            Ok(_) => Ok(()),
            Err(refused) => {
                let text = refused.text(self.visitor.locale);
                Ok(self.wire.tell(&ToClient::Refused { text }).await?)
            }
        }
    }

    async fn command(&mut self, command: Command) -> Result<You, Refused> {
        self.app.limits.try_command(&self.visitor)?;
        let who = Who::from(&self.visitor);
        let mut occupant = None;
        let command = match command {
            Command::Chat { text } => {
                self.app.limits.chat.check(self.app.limits.person(&self.visitor))?;
                let text = clean(&text, MAX_CHAT_CHARS);
                if text.is_empty() {
                    return Ok(self.you.clone());
                }
                Command::Chat { text }
            }
            Command::Rematch | Command::Restart => {
                self.app.limits.rematches.check(self.app.limits.person(&self.visitor))?;
                command
            }
            Command::Move { .. } if self.is_helped() => return Err(Refused::bad("analyse.barred")),
            Command::Sit { seat, nickname } => {
                let name = super::create::nickname(&self.app, &self.visitor, nickname.as_deref()).await?;
                occupant = Some(Occupant::person(&who, &name));
                Command::Sit { seat, nickname: None }
            }
            Command::StandIn { ref player, .. } | Command::SetPlayer { ref player, .. } => {
                occupant = Some(self.occupant(&who, player).await?);
                command
            }
            Command::PlayFromHere => {
                let code = self.fork(who).await?;
                let _ = self.wire.tell(&ToClient::Opened { code }).await;
                return Ok(self.you.clone());
            }
            command => command,
        };
        self.handle.command(who, occupant, command).await
    }

    /// The player whom a command names. Programs do not help a visitor who plays a rated game elsewhere.
    async fn occupant(&mut self, who: &Who, choice: &SeatChoice) -> Result<Occupant, Refused> {
        if *choice != SeatChoice::Me && self.app.tables.plays_rated(&self.visitor) {
            return Err(Refused::bad("analyse.barred"));
        }
        let name = super::create::nickname(&self.app, &self.visitor, None).await?;
        choice.occupant(&self.app, self.handle.setup(), (who, &name), "").await
    }

    /// Opens a table that goes on from the position on the board, and returns its code.
    async fn fork(&mut self, who: Who) -> Result<String, Refused> {
        let Fork { setup, position, seats } = self.handle.fork(who.clone()).await?;
        let creator = who.token;
        let setup = super::create::from_position(&self.app, Setup { creator, ..setup }, &position)?;
        super::create::open_from(&self.app, &self.visitor, setup, seats).await
    }

    /// Whether this table has an engine while the visitor plays a rated game elsewhere: its answer to a move would help
    /// them.
    fn is_helped(&self) -> bool {
        let plays_engine = self.handle.summary.borrow().seats.iter().any(|holder| holder.kind == HolderKind::BuiltIn);
        plays_engine && self.app.tables.plays_rated(&self.visitor)
    }

    async fn tell_you(&mut self, you: You) -> Result<(), Over> {
        self.you.clone_from(&you);
        Ok(self.wire.tell(&ToClient::You(you)).await?)
    }
}
