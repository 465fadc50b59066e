//! The wire of HiveMind, protocol version 3: messages, their two encodings, and sessions that Noise encrypts over
//! websockets, for the side that listens and the side that joins.
//!
//! Knows neither what messages mean to a person nor who may send them, and keeps nothing: keys are handed in and out. A client
//! that knows only the protocol before it is let in where the caller hands in a password for it; otherwise it is refused.

mod accept;
mod assembly;
mod bits;
mod handshake;
mod join;
mod key;
mod kind;
mod link;
mod message;
mod negotiation;
mod old;

pub use accept::{AcceptError, Admission, Credentials, Greeting, accept};
pub use assembly::MAX_MESSAGE_BYTES;
pub use handshake::HandshakeError;
pub use join::{JoinError, Membership, Target, TargetError, join};
pub use key::{DeriveError, KeyError, Psk, PublicKey, StaticKey};
pub use kind::{Kind, Sound};
pub use link::{Link, ReceiveError, SendError, UNACCEPTABLE};
pub use message::{HiveMessage, Payload, ReadBinaryError, ReadMessageError};
pub use old::OldPassword;
