//! Tests of the runtime: an in-process server against a service on loopback that keeps every byte.

mod arguments;
mod auth;
mod bodies;
mod care;
mod catalog;
mod headers;
mod hooks;
mod http;
mod operated;
mod outputs;
mod own;
mod protocol;
mod recorder;
mod replies;
mod styles;
mod tables;
mod tls;
mod toolsets;
mod transport;
mod urls;
