//! The brains against real servers, real sockets and a real worker process.

#![cfg(test)]

mod faults;
mod limits;
mod local;
mod privacy;
mod replies;
mod server;
mod support;
