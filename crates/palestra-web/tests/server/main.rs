//! The real server, over HTTP and WebSocket, as browsers and programs see it.

mod account;
mod admin;
mod analysis;
mod assets;
mod basics;
mod boards;
mod browser;
mod chrome;
mod connections;
mod fairness;
mod games;
mod guard;
mod limits;
mod mail;
mod maps;
mod mutation;
mod operations;
mod pages;
mod people;
mod queries;
mod rated;
mod site;
mod tables;
mod token;
mod trouble;
mod walk;
