//! The client and the embedded bus over real sockets.

#[cfg(test)]
mod client;
#[cfg(test)]
mod connection;
#[cfg(test)]
mod flood;
#[cfg(test)]
mod receipt;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod server;
#[cfg(test)]
mod support;
