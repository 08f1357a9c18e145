//! The real server, over HTTP and WebSocket, as browsers and programs see it.

mod analysis;
mod basics;
mod site;
mod tables;
