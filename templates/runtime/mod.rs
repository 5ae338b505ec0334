//! The runtime of a generated server: plain Rust, the same in every server.
//!
//! Calls are data. [`table`] holds what a server is made of as constants; everything else here
//! interprets them. A call takes this way: [`server`] receives it, [`arguments`] sorts, mends
//! ([`coerce`]) and checks ([`check`]) what came, [`request`] writes it ([`url`], [`style`],
//! [`body`]), [`auth`] adds credentials, [`client`] sends it and [`reply`] shapes what came back;
//! [`send`] joins these. [`hooks`] and [`custom`] are for the owner of a server.
//!
//! `schemas.json` has the form
//! `{"operations": {"GET /pets": {"parameters": [schema, …], "body": schema}}, "shared": {"Pet": schema}}`.
//! A property whose argument has another name than its key on the wire says so in `x-argument`.

// A server names only what its own tables need; the rest of the runtime is unused there.
#![allow(dead_code)]

pub mod arguments;
pub mod auth;
pub mod binary;
pub mod body;
pub mod care;
pub mod catalog;
pub mod check;
pub mod client;
pub mod coerce;
pub mod custom;
pub mod date;
pub mod encode;
pub mod exact;
pub mod feedback;
pub mod file;
pub mod flight;
pub mod follow;
pub mod hooks;
pub mod joined;
pub mod listen;
pub mod log;
pub mod oauth;
pub mod output;
pub mod own;
pub mod pace;
pub mod problem;
pub mod protocol;
pub mod reach;
pub mod reply;
pub mod report;
pub mod request;
pub mod schema;
pub mod search;
pub mod secret;
pub mod send;
pub mod server;
pub mod settings;
pub mod start;
pub mod style;
pub mod table;
pub mod text;
pub mod toolsets;
pub mod trim;
pub mod url;
pub mod usage;
pub mod view;
pub mod words;

// The names that a server's own files use; not all of them use all.
#[allow(unused_imports)]
pub use {
    custom::{Call, CustomTool, Tools},
    hooks::{Hooks, Reply, Request, Wanted},
    reply::Outcome,
    server::Server,
    settings::{Credential, Settings},
    start::{main, serve_stdio, serve_stdio_until},
};
