//! Integration tests of the library and the command. What each module catches stands at its top.

mod bugs;
mod builder;
mod check;
mod cli;
mod config;
mod corpus;
mod counts;
mod diff;
mod docs;
mod finder;
mod golden;
mod help;
mod huge_diff;
mod lines;
mod references;
mod replan;
mod report;
mod rules;
mod schema;
mod split;
mod sticky;
mod support;
mod surface;
mod terminal;
mod tidy;
mod wishes;
