//! Integration tests of the library and the command. What each module catches stands at its top.

mod bugs;
mod check;
mod cli;
mod corpus;
mod counts;
mod diff;
mod finder;
mod golden;
mod readme;
mod references;
mod support;
mod tidy;
