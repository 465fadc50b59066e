//! The way to a node of a hive: a connection of bytes, whether TLS is around it or not.

use tokio::io::{AsyncRead, AsyncWrite};

/// A stream of bytes that can carry a session.
pub trait Duplex: AsyncRead + AsyncWrite + Unpin + Send + std::fmt::Debug {}

impl<Stream: AsyncRead + AsyncWrite + Unpin + Send + std::fmt::Debug> Duplex for Stream {}

/// A connection, whether TLS is around it or not.
pub type Line = Box<dyn Duplex>;
