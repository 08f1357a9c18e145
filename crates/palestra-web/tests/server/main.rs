//! The real server, over HTTP and WebSocket, as browsers and programs see it.

mod basics;
mod operations;
mod site;
