//! Integration tests of the library and the command. What each module catches stands at its top.

mod bugs;
mod cli;
mod corpus;
mod counts;
mod golden;
mod readme;
mod support;
mod tidy;
