//! A table in a browser: the WebSocket.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::driver::{Input, Watching};
use super::message::{Command, ToClient};
use super::{Handle, Who};
use crate::app::App;
use crate::limits::Key;
use crate::measure;
use crate::refused::Refused;
use crate::text::clean;
use crate::visitor::Visitor;

/// What a browser may send at once.
const MOST_BYTES: usize = 4096;

/// What a line of chat may have.
const MOST_CHAT: usize = 300;

/// A connection that has been silent is asked for a sign of life, so that one that is lost is found out.
const PING: Duration = Duration::from_secs(15);

#[derive(Deserialize)]
pub(crate) struct Since {
    since: Option<u64>,
}

/// Looks at a table, and plays at it.
pub(crate) async fn live(
    State(app): State<App>,
    Path(code): Path<String>,
    Query(Since { since }): Query<Since>,
    headers: HeaderMap,
    visitor: Visitor,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refused> {
    app.origins.check(&headers)?;
    let handle = app.tables.find(&code)?;
    let upgrade = upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES);
    Ok(upgrade.on_upgrade(move |socket| Connection { app, handle, visitor, socket, since, seats: vec![] }.run()))
}

struct Connection {
    app: App,
    handle: Handle,
    visitor: Visitor,
    socket: WebSocket,
    since: Option<u64>,
    /// The seats of this visitor, as they were told.
    seats: Vec<usize>,
}

/// Why a connection is over.
enum Over {
    Lost,
    /// The table is closed, or the server stops.
    Closed,
}

impl Connection {
    async fn run(mut self) {
        let gauge = metrics::gauge!(measure::WEBSOCKETS);
        gauge.increment(1);
        while let Ok(watching) = self.handle.watch(Who::from(&self.visitor), self.since).await {
            let watcher = watching.watcher;
            let over = self.follow(watching).await;
            let _ = self.handle.to.send(Input::Gone(watcher)).await;
            match over {
                // It fell behind: it is shown the table anew.
                None => self.since = None,
                Some(Over::Lost) => break,
                Some(Over::Closed) => {
                    let close = CloseFrame { code: close_code::RESTART, reason: Utf8Bytes::default() };
                    let _ = self.socket.send(Frame::Close(Some(close))).await;
                    break;
                }
            }
        }
        gauge.decrement(1);
    }

    /// Until the connection is over; nothing if it could not follow.
    async fn follow(&mut self, mut watching: Watching) -> Option<Over> {
        self.tell_seats(watching.seats).await.ok()?;
        for message in &watching.first {
            if self.send(message).await.is_err() {
                return Some(Over::Lost);
            }
        }
        let mut ping = interval_at(Instant::now() + PING, PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_alive = true;
        loop {
            tokio::select! {
                said = watching.said.recv() => match said {
                    Ok(message) => if self.send(&message).await.is_err() {
                        return Some(Over::Lost);
                    },
                    Err(RecvError::Lagged(_)) => return None,
                    Err(RecvError::Closed) => return Some(Over::Closed),
                },
                frame = self.socket.recv() => {
                    is_alive = true;
                    let done = match frame {
                        Some(Ok(Frame::Text(text))) => self.obey(&text).await,
                        Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Binary(_))) => Ok(()),
                        Some(Ok(Frame::Close(_)) | Err(_)) | None => Err(()),
                    };
                    if done.is_err() {
                        return Some(Over::Lost);
                    }
                },
                _ = ping.tick() => {
                    if !std::mem::take(&mut is_alive) || self.socket.send(Frame::Ping(vec![].into())).await.is_err() {
                        return Some(Over::Lost);
                    }
                },
            }
        }
    }

    async fn obey(&mut self, text: &str) -> Result<(), ()> {
        let done = match serde_json::from_str(text) {
            Ok(command) => self.command(command).await,
            Err(_) => Err(Refused::bad("refused.form")),
        };
        match done {
            Ok(seats) if seats != self.seats => self.tell_seats(seats).await,
            Ok(_) => Ok(()),
            Err(refused) => {
                let text = refused.text(self.visitor.locale);
                self.tell(&ToClient::Refused { is: "refused", text }).await
            }
        }
    }

    async fn command(&mut self, command: Command) -> Result<Vec<usize>, Refused> {
        let who = Who::from(&self.visitor);
        let (name, command) = match command {
            Command::Chat { text } => {
                let name = self.name().ok_or(Refused::bad("tables.chat_who"))?;
                self.app.limits.chat.check(self.speaker())?;
                let text = clean(&text, MOST_CHAT);
                if text.is_empty() {
                    return Ok(self.seats.clone());
                }
                (name, Command::Chat { text })
            }
            Command::Sit { seat, nickname } => {
                let name = super::create::nickname(&self.app, &self.visitor, nickname.as_deref()).await?;
                (name, Command::Sit { seat, nickname: None })
            }
            command => (String::new(), command),
        };
        self.handle.command(who, name, command).await
    }

    /// For whom words are counted: a class of guests has one address, but each took a seat.
    fn speaker(&self) -> Key {
        match &self.visitor.account {
            Some(account) => Key::Account(account.id),
            None => self.app.limits.text(self.visitor.guest().as_str()),
        }
    }

    /// Under which name somebody speaks: those who neither sit nor are signed in have none.
    fn name(&self) -> Option<String> {
        if let Some(account) = &self.visitor.account {
            return Some(account.nickname.clone());
        }
        let seat = *self.seats.first()?;
        Some(self.handle.summary().seats[seat].name.clone())
    }

    async fn tell_seats(&mut self, seats: Vec<usize>) -> Result<(), ()> {
        self.seats.clone_from(&seats);
        self.tell(&ToClient::You { is: "you", seats }).await
    }

    async fn tell(&mut self, message: &ToClient<'_>) -> Result<(), ()> {
        let text = serde_json::to_string(message).expect("messages can be written");
        self.send(&text).await
    }

    async fn send(&mut self, text: &str) -> Result<(), ()> {
        self.socket.send(Frame::Text(text.into())).await.map_err(drop)
    }
}
