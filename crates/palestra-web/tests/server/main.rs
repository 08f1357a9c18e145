//! The real server, over HTTP and WebSocket, as browsers and programs see it.

mod analysis;
mod basics;
mod browser;
mod chrome;
mod games;
mod maps;
mod site;
mod tables;
