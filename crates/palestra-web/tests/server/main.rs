//! The real server, over HTTP and WebSocket, as browsers and programs see it.

mod account;
mod admin;
mod basics;
mod guard;
mod limits;
mod mail;
mod people;
mod site;
mod token;
