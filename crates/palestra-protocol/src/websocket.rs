//! Protocol lines over WebSocket, without a WebSocket library: how messages map to lines, and what close codes mean.
//!
//! The server sends each line as a text message of its own. A message from the bot's side may hold several lines; its end is
//! the end of a line.

use crate::{Fault, ForfeitKind, Lines, shown};

/// The close codes of RFC 6455 that both ends use.
pub mod close_code {
    /// All games are over.
    pub const NORMAL: u16 = 1000;
    /// The sender goes away and may come back.
    pub const AWAY: u16 = 1001;
    /// The other end broke the rules.
    pub const POLICY: u16 = 1008;
    /// The bot's program has failed.
    pub const ERROR: u16 = 1011;
}

/// The most bytes of a closing reason: a control frame holds 125, two of them the code.
const MAX_REASON: usize = 120;

/// How much of a bot's closing reason its fault quotes, in characters.
const MAX_BOT_REASON: usize = 100;

/// How much of a server's closing reason is shown, in characters.
const MAX_SERVER_REASON: usize = 300;

/// What came over a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A text message.
    Text(&'a str),
    /// A binary message.
    Binary,
    /// The other end closes the connection, perhaps with a code and a reason.
    Close(Option<(u16, &'a str)>),
    /// A ping or a pong.
    Control,
    /// Nothing more will come: the connection is broken.
    Broken,
}

/// Takes what came from a bot's side. An error says why nothing more will come.
pub fn receive(frame: Frame<'_>, lines: &mut Lines) -> Result<(), Fault> {
    match frame {
        Frame::Text(text) => {
            lines.push(text.as_bytes());
            if !text.ends_with('\n') {
                lines.push(b"\n");
            }
            Ok(())
        }
        Frame::Binary => Err(Fault::new(ForfeitKind::Protocol, "it sent a binary message; lines are text")),
        Frame::Close(close) => Err(closed_by_bot(close)),
        Frame::Control => Ok(()),
        Frame::Broken => Err(broken()),
    }
}

/// The fault of a bot whose connection broke without a word; it may come back.
#[must_use]
pub fn broken() -> Fault {
    Fault::new(ForfeitKind::Disconnect, "the connection broke")
}

/// [`close_code::ERROR`] means that the program itself has failed. Otherwise it may come back.
fn closed_by_bot(close: Option<(u16, &str)>) -> Fault {
    let kind = match close {
        Some((close_code::ERROR, _)) => ForfeitKind::Crash,
        _ => ForfeitKind::Disconnect,
    };
    match close.map(|(_, reason)| reason).filter(|reason| !reason.is_empty()) {
        Some(reason) if kind == ForfeitKind::Crash => Fault::new(kind, shown(reason, MAX_BOT_REASON).to_string()),
        Some(reason) => Fault::new(kind, format!("it closed the connection ({})", shown(reason, MAX_BOT_REASON))),
        None => Fault::new(kind, "it closed the connection"),
    }
}

/// What a closing by the server means to a bot's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerClose {
    /// The bot is not needed any more, and why; the reason may be empty.
    Over(String),
    /// The connection was lost, and why: the bot may come back.
    Lost(String),
}

/// What a closing by the server means.
#[must_use]
pub fn closed_by_server(close: Option<(u16, &str)>) -> ServerClose {
    let Some((code, reason)) = close else { return ServerClose::Lost("it was closed".to_owned()) };
    let reason = shown(reason, MAX_SERVER_REASON).to_string();
    match code {
        close_code::NORMAL => ServerClose::Over(reason),
        close_code::POLICY if reason.is_empty() => ServerClose::Over("the server has sent it away".to_owned()),
        close_code::POLICY => ServerClose::Over(reason),
        _ if reason.is_empty() => ServerClose::Lost("the server closed it".to_owned()),
        _ => ServerClose::Lost(reason),
    }
}

/// The line that a text message of the server holds.
#[must_use]
pub fn server_line(text: &str) -> &str {
    text.trim_end_matches(['\r', '\n'])
}

/// As much of a reason as fits into a closing frame.
#[must_use]
pub fn closing_reason(reason: &str) -> &str {
    let end = (0..=reason.len().min(MAX_REASON)).rfind(|&end| reason.is_char_boundary(end)).unwrap_or(0);
    &reason[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(frames: &[Frame<'_>]) -> Result<Vec<String>, Fault> {
        let mut lines = Lines::new();
        for &frame in frames {
            receive(frame, &mut lines)?;
        }
        Ok(std::iter::from_fn(|| lines.next().map(|line| line.expect("a line").to_owned())).collect())
    }

    #[test]
    fn the_end_of_a_message_is_the_end_of_a_line() {
        let texts = [Frame::Text("ready"), Frame::Control, Frame::Text("info depth 1\nmove 4\n"), Frame::Text("")];
        assert_eq!(lines(&texts), Ok(["ready", "info depth 1", "move 4", ""].map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_ends_a_bots_connection_is_a_fault() {
        let fault = |frame| lines(&[frame]).map_err(|fault| (fault.kind, fault.detail)).expect_err("no lines");
        let closed = |code, reason| fault(Frame::Close(Some((code, reason))));
        let gone = |detail: &str| (ForfeitKind::Disconnect, detail.to_owned());
        assert_eq!(fault(Frame::Binary).0, ForfeitKind::Protocol);
        assert_eq!(fault(Frame::Broken), gone("the connection broke"));
        assert_eq!(fault(Frame::Close(None)), gone("it closed the connection"));
        assert_eq!(closed(close_code::NORMAL, ""), gone("it closed the connection"));
        assert_eq!(closed(close_code::NORMAL, "left"), gone("it closed the connection (left)"));
        assert_eq!(closed(close_code::ERROR, "it ended"), (ForfeitKind::Crash, "it ended".to_owned()));
        assert_eq!(closed(close_code::ERROR, ""), (ForfeitKind::Crash, "it closed the connection".to_owned()));
    }

    #[test]
    fn a_server_sends_bots_away_or_loses_them() {
        let closed = |code, reason| closed_by_server(Some((code, reason)));
        let (over, lost) =
            (|why: &str| ServerClose::Over(why.to_owned()), |why: &str| ServerClose::Lost(why.to_owned()));
        assert_eq!(closed(close_code::NORMAL, ""), over(""));
        assert_eq!(closed(close_code::POLICY, ""), over("the server has sent it away"));
        assert_eq!(closed(close_code::POLICY, "too loud"), over("too loud"));
        assert_eq!(closed(close_code::AWAY, ""), lost("the server closed it"));
        assert_eq!(closed(close_code::AWAY, "restart"), lost("restart"));
        assert_eq!(closed_by_server(None), lost("it was closed"));
    }

    #[test]
    fn a_reason_is_cut_between_characters() {
        assert_eq!(closing_reason("short"), "short");
        let long = format!("{}é", "x".repeat(MAX_REASON - 1));
        assert_eq!(closing_reason(&long).len(), MAX_REASON - 1, "half of a character is none");
    }
}
